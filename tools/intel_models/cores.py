"""The Intel cores: names, ports, and where the rows of their form tables come from."""

from __future__ import annotations

from dataclasses import dataclass

from .port_sets import ATOM, EIGHT, LION, NEHALEM, SIX, SKYMONT, TEN, TWELVE, Ports

PLAIN = ("documented.tsv", "uops_info.tsv", "llvm.tsv")
WIDE = ("measured.tsv", "documented.tsv", "uops_info.tsv", "derived.tsv", "osaca.tsv", "llvm.tsv")
RECORDED_WIDE = ("campaign.tsv", "documented.tsv", "uops_info.tsv", "derived.tsv", "osaca.tsv", "llvm.tsv")
RELATED = ("documented.tsv", "relative.tsv", "llvm.tsv")
RELATED_WIDE = ("documented.tsv", "relative.tsv", "derived.tsv", "osaca.tsv", "llvm.tsv")
MITIGATED = "gather_data_sampling.tsv"


@dataclass(frozen=True)
class Core:
    """One core: where the rows of its form tables come from."""

    name: str
    title: str
    llvm_cpu: str
    uops_info: str
    """uops.info's records: the core's own, or its relative's where `relative` is given."""
    forms: tuple[str, ...]
    avx512: bool = False
    ports: Ports = EIGHT
    width: int = 4
    relative: str = ""
    """Name of the core that the records are of, where that is another one."""
    sibling: str = ""
    """Core whose tables hold the rows that both have alike (`forms_of`); it stands before this one in CORES."""
    osaca: tuple[str, ...] = ()
    """OSACA's files of the core, or of one with the same back end; of several the last one wins."""
    wide_units: int = 2
    """512-bit multipliers and adders."""
    eliminates_general_moves: bool = True
    renames_additions: bool = False
    """Additions of constants cost no cycle in a chain (pipeline facts GC-4)."""
    vector_moves: tuple[float, float] | None = None
    """Moves from vectors to general registers as loads show them need other figures than half of the round trip: cycles
    taken for results in general registers (a move to a vector), and in vectors (a move back)."""
    instlat: str = ""
    """The core of InstLatx64's figures; "" where there are none, or our own campaign is better."""
    more_wide_units_than_measured: bool = False
    """A server's core with two 512-bit multipliers, whose figures are of a client's with one."""
    campaign: str = ""
    """Our own campaign on the core as sources name it; NAME_measured.tsv keeps its figures. "" where there is none."""


CORES = (
    Core(
        name="nehalem", title="Intel Nehalem and Westmere", llvm_cpu="nehalem", uops_info="NHM", forms=PLAIN,
        ports=NEHALEM,
    ),
    Core(
        name="sandy_bridge", title="Intel Sandy Bridge", llvm_cpu="sandybridge", uops_info="SNB", forms=PLAIN,
        ports=SIX,
    ),
    Core(
        name="ivy_bridge", title="Intel Ivy Bridge", llvm_cpu="ivybridge", uops_info="IVB", forms=PLAIN, ports=SIX,
    ),
    Core(
        name="haswell", title="Intel Haswell", llvm_cpu="haswell", uops_info="HSW", forms=PLAIN,
    ),
    Core(
        name="broadwell", title="Intel Broadwell", llvm_cpu="broadwell", uops_info="BDW", forms=PLAIN,
    ),
    Core(
        name="skylake", title="Intel Skylake (client)", llvm_cpu="skylake", uops_info="SKL",
        forms=(MITIGATED, *PLAIN),
    ),
    Core(
        name="skylake_x", title="Intel Skylake-X (server Skylake)", llvm_cpu="skylake-avx512", uops_info="SKL",
        forms=(MITIGATED, *WIDE), avx512=True, osaca=("csx",),
        instlat="cascade_lake",
    ),
    Core(
        name="cascade_lake", title="Intel Cascade Lake", llvm_cpu="cascadelake", uops_info="SKL",
        forms=(MITIGATED, *WIDE), avx512=True, sibling="skylake_x", osaca=("csx",),
        instlat="cascade_lake",
    ),
    Core(
        name="ice_lake", title="Intel Ice Lake", llvm_cpu="icelake-client", uops_info="SKL",
        forms=(MITIGATED, *RELATED_WIDE), avx512=True, ports=TEN, width=5, relative="skylake", osaca=("icl",),
        wide_units=1, eliminates_general_moves=False,
        instlat="sunny_cove",
    ),
    Core(
        name="ice_lake_x", title="Intel Ice Lake (server)", llvm_cpu="icelake-server", uops_info="SKL",
        forms=(MITIGATED, *RELATED_WIDE), avx512=True, ports=TEN, width=5, relative="skylake", sibling="ice_lake",
        osaca=("icl", "icx"), eliminates_general_moves=False,
        instlat="sunny_cove", more_wide_units_than_measured=True,
    ),
    Core(
        name="tiger_lake", title="Intel Tiger Lake", llvm_cpu="tigerlake", uops_info="SKL",
        forms=(MITIGATED, *RELATED_WIDE), avx512=True, ports=TEN, width=5, relative="skylake", sibling="ice_lake",
        osaca=("icl",), wide_units=1, eliminates_general_moves=False,
        instlat="willow_cove",
    ),
    Core(
        name="rocket_lake", title="Intel Rocket Lake", llvm_cpu="rocketlake", uops_info="SKL",
        forms=(MITIGATED, *RELATED_WIDE), avx512=True, ports=TEN, width=5, relative="skylake", sibling="tiger_lake",
        osaca=("icl",), wide_units=1,
        instlat="cypress_cove",
    ),
    Core(
        name="alder_lake_p", title="Intel Alder Lake and Raptor Lake, P-core (Golden Cove)", llvm_cpu="alderlake",
        uops_info="MTL-P", forms=RELATED, ports=TWELVE, width=6, relative="meteor_lake_p", osaca=("spr",),
        renames_additions=True,
        instlat="golden_cove",
    ),
    Core(
        name="sapphire_rapids", title="Intel Sapphire Rapids", llvm_cpu="sapphirerapids", uops_info="MTL-P",
        forms=RELATED_WIDE, avx512=True, ports=TWELVE, width=6, relative="meteor_lake_p",
        sibling="alder_lake_p", osaca=("spr",), renames_additions=True,
        instlat="golden_cove", more_wide_units_than_measured=True,
    ),
    Core(
        name="emerald_rapids", title="Intel Emerald Rapids", llvm_cpu="emeraldrapids", uops_info="MTL-P",
        forms=RELATED_WIDE, avx512=True, ports=TWELVE, width=6, relative="meteor_lake_p", sibling="sapphire_rapids",
        osaca=("spr",), renames_additions=True,
        instlat="golden_cove", more_wide_units_than_measured=True,
    ),
    Core(
        name="meteor_lake_p", title="Intel Meteor Lake, P-core (Redwood Cove)", llvm_cpu="meteorlake",
        uops_info="MTL-P", forms=PLAIN, ports=TWELVE, width=6, renames_additions=True,
        instlat="redwood_cove",
    ),
    Core(
        name="granite_rapids", title="Intel Granite Rapids (Redwood Cove)", llvm_cpu="graniterapids",
        uops_info="MTL-P", forms=RECORDED_WIDE, avx512=True, ports=TWELVE, width=6, osaca=("spr",),
        renames_additions=True, campaign="corecast:granite_rapids",
    ),
    Core(
        name="arrow_lake_p", title="Intel Arrow Lake and Lunar Lake, P-core (Lion Cove)", llvm_cpu="lunarlake",
        uops_info="ARL-P", forms=PLAIN, ports=LION, width=8, renames_additions=True, vector_moves=(6, 3),
        instlat="lion_cove",
    ),
    Core(
        name="alder_lake_e", title="Intel Alder Lake, E-core (Gracemont)", llvm_cpu="gracemont", uops_info="ADL-E",
        forms=PLAIN, ports=ATOM, width=5,
        instlat="gracemont",
    ),
    Core(
        name="meteor_lake_e", title="Intel Meteor Lake, E-core (Crestmont)", llvm_cpu="sierraforest",
        uops_info="MTL-E", forms=PLAIN, ports=ATOM, width=6,
        instlat="crestmont",
    ),
    Core(
        name="arrow_lake_e", title="Intel Arrow Lake and Lunar Lake, E-core (Skymont)", llvm_cpu="clearwaterforest",
        uops_info="ARL-E", forms=PLAIN, ports=SKYMONT, width=8,
        instlat="skymont",
    ),
)  # fmt: skip
