"""LLVM's scheduling model of any CPU that LLVM names, as a whole machine model: ports, widths, rows of all forms.

The names of ports are LLVM's without the part that all of them begin with ("Zn3ALU0" -> "ALU0"). A resource of several
alike units becomes as many ports; a group becomes a group of ports; dividers become units that are not pipelined. Front
end, fusion and forwarding are unknown: LLVM does not say anything about them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from corecast import _core
from corecast.dataclass import dataclass
from corecast.errors import UnknownCpuError
from corecast.machine.extensions import extensions_of_cpu
from corecast.machine.llvm.schedule import rows_from_llvm, unit_names, version
from corecast.machine.making.imported import Imported, Pipeline
from corecast.machine.rows import Row, number_text
from corecast.machine.search import same_name
from corecast.machine.types import Isa
from corecast.pattern import lazy_pattern

ISAS: tuple[Isa, ...] = ("x86", "aarch64", "riscv64")
_DIVIDER = lazy_pattern(r"(?i)div|sqrt")
_PLAIN_LOADS = {"x86": "mov r64, m64", "aarch64": "ldr x, [x]", "riscv64": "ld x, i(x)"}
_VECTOR_LOADS = {"x86": "movups xmm, m128", "aarch64": "ldr q, [x]", "riscv64": "fld f, i(x)"}
_PLAIN_STORES = {"x86": "mov m64, r64", "aarch64": "str x, [x]", "riscv64": "sd x, i(x)"}
_NOT_CORES = ("generic", "i386", "x86_64")


@dataclass(frozen=True)
class LlvmCpu:
    """A CPU that LLVM names and has a scheduling model of."""

    name: str
    isa: Isa
    shared_with: tuple[str, ...]
    """Other CPUs that LLVM gives the same model: all but one are aliases, and LLVM does not say which."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user of the model should be told."""
        told = f"{self.name}: using LLVM {version()}'s scheduling model; nothing in it was measured by corecast"
        if not self.shared_with:
            return (told,)
        shown = ", ".join(self.shared_with[:6]) + (", ..." if len(self.shared_with) > 6 else "")
        return (told, f"{self.name}: LLVM has the same model for {shown}, so it may be that of another core")


def llvm_cpus(isa: Isa) -> list[LlvmCpu]:
    """Every CPU that LLVM has a scheduling model of, by name."""
    cpus: Sequence[tuple[str, int]] = _core.scheduled_cpus(isa)
    return [
        LlvmCpu(name, isa, _others(name, [other for other, number in cpus if number == model]))
        for name, model in cpus
        if not name.startswith(_NOT_CORES)
    ]


def _others(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """The CPUs of a model but one; LLVM spells some in two ways."""
    spelled = {same_name(other): other for other in reversed(names)}
    return tuple(spelled[key] for key in sorted(spelled) if key != same_name(name))


def find_llvm_cpu(name: str, isa: Isa | None = None) -> LlvmCpu | None:
    """The CPU of that name in any spelling, None where LLVM has no scheduling model for it."""
    wanted = same_name(name)
    candidates = (cpu for each in ISAS if isa in (None, each) for cpu in llvm_cpus(each))
    return next((cpu for cpu in candidates if same_name(cpu.name) == wanted), None)


def import_llvm(name: str, isa: Isa | None = None, ports: Mapping[str, str] | None = None) -> Imported:
    """LLVM's model of a CPU.

    Args:
        name: as LLVM writes it, in any spelling.
        isa: only where a name occurs in several.
        ports: port set by name of a resource without the common beginning, in place of our own names.

    Raises:
        UnknownCpuError: LLVM has no scheduling model for it.
    """
    cpu = find_llvm_cpu(name, isa)
    if cpu is None:
        raise UnknownCpuError(f"LLVM {version()} has no scheduling model for '{name}'")
    schedule = _core.Schedule(cpu.isa, cpu.name)
    names, pipeline = _resources(schedule)
    chosen = {resource: (ports or {}).get(_short(place), place) for resource, place in names.items()}
    rows: dict[str, Row] = {}
    entries = _core.enumerate_forms(cpu.isa)
    for row in rows_from_llvm(cpu.isa, cpu.name, chosen, entries):
        rows.setdefault(row.form, row.with_(ports=_added_up(row.ports)))
    return Imported(
        origin=f"LLVM {version()}'s scheduling model of {cpu.name}",
        file="llvm.tsv",
        isa=cpu.isa,
        rows=rows,
        pipeline=_with_memory(pipeline, cpu, schedule, rows),
        entries=len(entries),
        notes=cpu.notes,
    )


def _short(place: str) -> str:
    return place.removeprefix("unit:")


def _resources(schedule: _core.Schedule) -> tuple[dict[str, str], Pipeline]:
    """LLVM's resource -> our port set, and the ports, groups and units that these need."""
    leaves = unit_names(schedule)
    names_of_all = [resource.name for resource in schedule.resources]
    start = next((at for at, letters in enumerate(zip(*names_of_all, strict=False)) if len(set(letters)) > 1), 0)
    short = {resource.name: resource.name[start:] for resource in schedule.resources}
    if not all(name[:1].isalpha() for name in short.values()):
        kept = re.search(r"[A-Z][a-z]*$", schedule.resources[0].name[:start])
        start -= len(kept[0]) if kept else start
        short = {resource.name: resource.name[start:] for resource in schedule.resources}
    if not any(re.fullmatch(r"Port\w*_\w*", own) for own in short.values()):
        short = {name: _intel_port(own) for name, own in short.items()}

    def plain(unit: str) -> str:
        name, _, number = unit.partition(".")
        return short[name] + (f"_{number}" if number else "")

    names: dict[str, str] = {}
    ports: list[str] = []
    groups: dict[str, tuple[str, ...]] = {}
    units: dict[str, str] = {}
    for resource in schedule.resources:
        own = short[resource.name]
        members = tuple(plain(unit) for unit in leaves[resource.name])
        if not resource.members and resource.units == 1 and _DIVIDER.search(own):
            names[resource.name] = f"unit:{own}"
            units[own] = ""
            continue
        names[resource.name] = f"p{own}" if own.isdigit() else own
        ports += [member for member in members if not resource.members and member not in ports]
        if members != (own,):
            groups[own] = members
    groups = {name: tuple(member for member in members if member in ports) for name, members in groups.items()}
    return names, Pipeline(ports=tuple(ports), groups=groups, units=units)


def _intel_port(name: str) -> str:
    """ "Port0" -> "0", "Port015" -> "p015", as Intel's models name them; other names as they are."""
    match = re.fullmatch(r"Port([0-9A-F]{1,8})", name)
    if not match:
        return name
    return match[1] if len(match[1]) == 1 else f"p{match[1]}"


def _added_up(usage: tuple[tuple[float, str], ...] | None) -> tuple[tuple[float, str], ...] | None:
    if usage is None:
        return None
    total: dict[str, float] = {}
    for count, place in usage:
        total[place] = total.get(place, 0) + count
    return tuple((count, place) for place, count in total.items())


def _with_memory(pipeline: Pipeline, cpu: LlvmCpu, schedule: _core.Schedule, rows: Mapping[str, Row]) -> Pipeline:
    """The pipeline with widths, buffers, and what plain loads and stores take."""
    load, vector = rows.get(_PLAIN_LOADS[cpu.isa]), rows.get(_VECTOR_LOADS[cpu.isa])
    store = rows.get(_PLAIN_STORES[cpu.isa])
    usages = {"loads.ports": load, "loads.vector_ports": vector, "stores.address_ports": store}
    buffer = schedule.reorder_buffer_size or schedule.micro_op_buffer_size
    return Pipeline(
        ports=pipeline.ports,
        groups=pipeline.groups,
        units=pipeline.units,
        dispatch_width=schedule.issue_width,
        retire_width=schedule.retire_width or None,
        rob_entries=buffer if buffer > 1 else None,
        in_order=schedule.micro_op_buffer_size <= 1,
        load_latency_cycles=_latency(load),
        vector_load_latency_cycles=_latency(vector),
        usages={key: _usage(row) for key, row in usages.items() if row is not None},
        llvm_cpu=cpu.name,
        extensions=tuple(extensions_of_cpu(cpu.isa, cpu.name)),
        title=f"{cpu.name} (LLVM {version()}'s model)",
    )


def _latency(row: Row | None) -> float | None:
    return max((pair.cycles for pair in row.latency or ()), default=None) if row is not None else None


def _usage(row: Row) -> str:
    return "+".join(f"{number_text(count)}*{place}" for count, place in row.ports or ())
