"""The Intel cores: names, sources, ports, and what their pipeline.toml adds to the facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .port_sets import ATOM, EIGHT, LION, NEHALEM, SIX, SKYMONT, TEN, TWELVE, Ports

PLAIN = ("documented.tsv", "uops_info.tsv", "llvm.tsv")
WIDE = ("measured.tsv", "documented.tsv", "uops_info.tsv", "derived.tsv", "osaca.tsv", "llvm.tsv")
RECORDED_WIDE = ("campaign.tsv", "documented.tsv", "uops_info.tsv", "derived.tsv", "osaca.tsv", "llvm.tsv")
RELATED = ("documented.tsv", "relative.tsv", "llvm.tsv")
RELATED_WIDE = ("documented.tsv", "relative.tsv", "derived.tsv", "osaca.tsv", "llvm.tsv")
MITIGATED = "gather_data_sampling.tsv"
CLIENT = "uiCA's configuration and simulator; queue sizes from public tables; see SOURCES.md"
LATER = "published measurements, LLVM's model and vendor's figures as quoted (pipeline facts, part 3); see SOURCES.md"
ATOMS = "widths and sizes as Chips and Cheese quotes the vendor, from memory; see SOURCES.md"


@dataclass(frozen=True)
class Core:
    """One core: where its figures come from, and what a pipeline.toml needs beside the facts."""

    name: str
    title: str
    facts: str
    """Key in the facts ("skx"); "" where they have none."""
    llvm_cpu: str
    uops_info: str
    """uops.info's records: the core's own, or its relative's where `relative` is given."""
    aliases: tuple[str, ...]
    forms: tuple[str, ...]
    store_forward: tuple[float, float]
    """Whole path from store data to the loaded value in cycles: general registers, vectors."""
    avx512: bool = False
    vector_load_latency: float = 6
    ports: Ports = EIGHT
    width: int = 4
    retire: int = 4
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
    renames_memory: bool = False
    """A store and a load with the same address registers are joined when renamed (IN-128, GC-5)."""
    vector_moves: tuple[float, float] | None = None
    """Moves from vectors to general registers as loads show them need other figures than half of the round trip: cycles
    taken for results in general registers (a move to a vector), and in vectors (a move back)."""
    pointer_chasing_with_index: bool = True
    campaign: str = ""
    """Our own campaign on the core as sources name it; NAME_measured.tsv keeps its figures. "" where there is none."""
    source: str = CLIENT
    confidence: str = "measured"
    sections: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Parameters that stand in for missing facts, or replace them."""


_NEHALEM_SECTIONS: dict[str, dict[str, object]] = {
    "front_end": {"decoders": 4, "idq_entries": 28, "macro_fusion": True},
    "rename": {"high8_renamed_separately": True, "high8_merge_ports": ["0", "1", "5"], "zero_idiom_elimination": True},
    "back_end": {"rob_entries": 128, "scheduler_entries": 36, "integer_alu_ports": ["0", "1", "5"]},
    "memory": {"load_latency_cycles": 4, "load_queue_entries": 48, "store_queue_entries": 32},
}


def _atom(ports: Ports, rob: int, decoders: int) -> dict[str, dict[str, object]]:
    return {
        "front_end": {"decoders": decoders, "macro_fusion": True},
        "rename": {"micro_fusion": False, "read_modify_write_is_one_slot": True},
        "back_end": {"rob_entries": rob, "integer_alu_ports": list(ports.groups["ALU"])},
        "memory": {"load_latency_cycles": 4},
    }


CORES = (
    Core(
        name="nehalem", title="Intel Nehalem and Westmere", facts="", llvm_cpu="nehalem", uops_info="NHM",
        aliases=("nhm", "wsm", "westmere", "corei7"), forms=PLAIN, store_forward=(5, 6), ports=NEHALEM,
        vector_load_latency=5, pointer_chasing_with_index=False, sections=_NEHALEM_SECTIONS, confidence="assumed",
        source="public tables, from memory; store forwarding as on Sandy Bridge; see SOURCES.md",
    ),
    Core(
        name="sandy_bridge", title="Intel Sandy Bridge", facts="snb", llvm_cpu="sandybridge", uops_info="SNB",
        aliases=("snb", "sandybridge", "corei7-avx"), forms=PLAIN, store_forward=(5.55, 7.37), ports=SIX,
        pointer_chasing_with_index=False,
    ),
    Core(
        name="ivy_bridge", title="Intel Ivy Bridge", facts="ivb", llvm_cpu="ivybridge", uops_info="IVB",
        aliases=("ivb", "ivybridge", "core-avx-i"), forms=PLAIN, store_forward=(5.55, 7.37), ports=SIX,
        pointer_chasing_with_index=False,
    ),
    Core(
        name="haswell", title="Intel Haswell", facts="hsw", llvm_cpu="haswell", uops_info="HSW", aliases=("hsw",),
        forms=PLAIN, store_forward=(5.25, 6),
    ),
    Core(
        name="broadwell", title="Intel Broadwell", facts="bdw", llvm_cpu="broadwell", uops_info="BDW", aliases=("bdw",),
        forms=PLAIN, store_forward=(5.25, 6),
    ),
    Core(
        name="skylake", title="Intel Skylake (client)", facts="skl", llvm_cpu="skylake", uops_info="SKL",
        aliases=("skl", "kbl", "cfl", "kaby_lake", "coffee_lake"), forms=(MITIGATED, *PLAIN),
        store_forward=(4.43, 5),
    ),
    Core(
        name="skylake_x", title="Intel Skylake-X (server Skylake)", facts="skx", llvm_cpu="skylake-avx512",
        uops_info="SKL", aliases=("skx", "skylake-avx512", "skylake_sp", "skylake_server"), avx512=True,
        forms=(MITIGATED, *WIDE),
        store_forward=(4.43, 5), osaca=("csx",),
    ),
    Core(
        name="cascade_lake", title="Intel Cascade Lake", facts="clx", llvm_cpu="cascadelake", uops_info="SKL",
        aliases=("clx", "csx", "cascadelake", "cascade_lake_x"), avx512=True,
        forms=(MITIGATED, *WIDE), store_forward=(4.43, 5),
        osaca=("csx",),
        sibling="skylake_x",
    ),
    Core(
        name="ice_lake", title="Intel Ice Lake", facts="icl", llvm_cpu="icelake-client", uops_info="SKL",
        relative="skylake", aliases=("icl", "icelake-client", "icelake"),
        avx512=True,
        forms=(MITIGATED, *RELATED_WIDE), store_forward=(5, 5), ports=TEN, width=5, retire=8, osaca=("icl",),
        wide_units=1, eliminates_general_moves=False, renames_memory=True, pointer_chasing_with_index=False,
    ),
    Core(
        name="ice_lake_x", title="Intel Ice Lake (server)", facts="icl", llvm_cpu="icelake-server", uops_info="SKL",
        relative="skylake", aliases=("icx", "icelake-server", "ice_lake_sp", "ice_lake_server"), avx512=True,
        forms=(MITIGATED, *RELATED_WIDE), store_forward=(5, 5), ports=TEN, width=5, retire=8, osaca=("icl", "icx"),
        eliminates_general_moves=False, renames_memory=True, pointer_chasing_with_index=False,
        sibling="ice_lake",
    ),
    Core(
        name="tiger_lake", title="Intel Tiger Lake", facts="tgl", llvm_cpu="tigerlake", uops_info="SKL",
        relative="skylake", aliases=("tgl", "tigerlake"), avx512=True,
        forms=(MITIGATED, *RELATED_WIDE), store_forward=(5, 5),
        ports=TEN, width=5, retire=8, osaca=("icl",), wide_units=1, eliminates_general_moves=False, renames_memory=True,
        pointer_chasing_with_index=False,
        sibling="ice_lake",
    ),
    Core(
        name="rocket_lake", title="Intel Rocket Lake", facts="rkl", llvm_cpu="rocketlake", uops_info="SKL",
        relative="skylake", aliases=("rkl", "rocketlake"), avx512=True,
        forms=(MITIGATED, *RELATED_WIDE), store_forward=(5, 5),
        ports=TEN, width=5, retire=8, osaca=("icl",), wide_units=1,
        renames_memory=True, pointer_chasing_with_index=False,
        sibling="tiger_lake",
    ),
    Core(
        name="alder_lake_p", title="Intel Alder Lake and Raptor Lake, P-core (Golden Cove)", facts="glc",
        llvm_cpu="alderlake", uops_info="MTL-P", relative="meteor_lake_p",
        aliases=("adl-p", "adl_p", "alderlake", "raptorlake", "golden_cove", "glc"), forms=RELATED,
        store_forward=(5, 5), ports=TWELVE, width=6, retire=8, osaca=("spr",), renames_additions=True,
        renames_memory=True, source=LATER, confidence="documented",
    ),
    Core(
        name="sapphire_rapids", title="Intel Sapphire Rapids", facts="glc", llvm_cpu="sapphirerapids",
        uops_info="MTL-P", relative="meteor_lake_p", aliases=("spr", "sapphirerapids"), avx512=True,
        forms=RELATED_WIDE, store_forward=(5, 5), ports=TWELVE, width=6, retire=8, osaca=("spr",),
        renames_additions=True, renames_memory=True, source=LATER, confidence="documented",
    ),
    Core(
        name="emerald_rapids", title="Intel Emerald Rapids", facts="glc", llvm_cpu="emeraldrapids", uops_info="MTL-P",
        relative="meteor_lake_p", aliases=("emr", "emeraldrapids"), avx512=True, forms=RELATED_WIDE,
        store_forward=(5, 5), ports=TWELVE, width=6, retire=8, osaca=("spr",),
        renames_additions=True, renames_memory=True, source=LATER, confidence="documented",
        sibling="sapphire_rapids",
    ),
    Core(
        name="meteor_lake_p", title="Intel Meteor Lake, P-core (Redwood Cove)", facts="rwc", llvm_cpu="meteorlake",
        uops_info="MTL-P", aliases=("mtl-p", "mtl_p", "meteorlake", "redwood_cove", "rwc"), forms=PLAIN,
        store_forward=(6, 5), ports=TWELVE, width=6, retire=8, renames_additions=True, renames_memory=True,
        source=LATER, confidence="documented",
    ),
    Core(
        name="granite_rapids", title="Intel Granite Rapids (Redwood Cove)", facts="rwc", llvm_cpu="graniterapids",
        uops_info="MTL-P", aliases=("gnr", "graniterapids", "graniterapids-d"), avx512=True, forms=RECORDED_WIDE,
        store_forward=(6, 5), ports=TWELVE, width=6, retire=8, osaca=("spr",), renames_additions=True,
        renames_memory=True, source=LATER, confidence="documented", campaign="corecast:granite_rapids",
    ),
    Core(
        name="arrow_lake_p", title="Intel Arrow Lake and Lunar Lake, P-core (Lion Cove)", facts="lnc",
        llvm_cpu="lunarlake", uops_info="ARL-P",
        aliases=("arl-p", "arl_p", "arrowlake", "arrowlake-s", "lunarlake", "lion_cove", "lnc"), forms=PLAIN,
        store_forward=(5, 5), ports=LION, vector_moves=(6, 3), width=8, retire=12, renames_additions=True,
        renames_memory=True,
        source=LATER, confidence="documented",
    ),
    Core(
        name="alder_lake_e", title="Intel Alder Lake, E-core (Gracemont)", facts="", llvm_cpu="gracemont",
        uops_info="ADL-E", aliases=("adl-e", "adl_e", "gracemont"), forms=PLAIN, store_forward=(5, 5), ports=ATOM,
        width=5, retire=8, renames_memory=True, source=ATOMS, confidence="assumed", sections=_atom(ATOM, 256, 6),
    ),
    Core(
        name="meteor_lake_e", title="Intel Meteor Lake, E-core (Crestmont)", facts="", llvm_cpu="sierraforest",
        uops_info="MTL-E", aliases=("mtl-e", "mtl_e", "crestmont", "sierraforest"), forms=PLAIN, store_forward=(5, 5),
        ports=ATOM, width=6, retire=8, renames_memory=True, source=ATOMS, confidence="assumed",
        sections=_atom(ATOM, 256, 6),
    ),
    Core(
        name="arrow_lake_e", title="Intel Arrow Lake and Lunar Lake, E-core (Skymont)", facts="",
        llvm_cpu="clearwaterforest", uops_info="ARL-E", aliases=("arl-e", "arl_e", "skymont", "clearwaterforest"),
        forms=PLAIN, store_forward=(5, 5), ports=SKYMONT, width=8, retire=16, renames_memory=True, source=ATOMS,
        confidence="assumed", sections=_atom(SKYMONT, 416, 9),
    ),
)  # fmt: skip
