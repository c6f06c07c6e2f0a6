"""A model as a scheduling model of LLVM's in TableGen, to be included in the description of LLVM's target.

Opcodes that the model does not know get no costs: tools of LLVM's then say that they lack them. What the format cannot
express is in the comment at the head of the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from corecast import _core
from corecast.convert.exporters.llvm.classes import (
    FREE,
    TURN,
    BaseRegister,
    Classes,
    Cost,
    OpcodeClass,
    Variant,
    classes_of,
)
from corecast.convert.exporters.llvm.resources import Resources, camel, resources_of
from corecast.errors import InputError
from corecast.machine.types import Machine

_TARGETS = {"x86": "X86", "aarch64": "AArch64"}
_LINE = 116
_FARTHEST = 2047
"""Displacement up to which a loaded pointer is fast, as a core's model has it where it does not say."""
_HEAD = """\
// {title}: a scheduling model of LLVM's,
// made by corecast {version} from its machine model {name}, for LLVM {llvm}.
//
// To use it, put the file into llvm/lib/Target/{target}, include it in {target}.td behind the other models, and give
// {model} to the processor{processor} there.
//
// Opcodes with figures, by confidence: {confidences}.
// Without figures, and so without costs here: {unknown} that the core executes, {lacking} that it does not.
// The format cannot express how ports are chosen, forwarding from stores to loads, or times that depend on values.
// Cycles are whole numbers: the model's are rounded.{front_end}{pairs}
"""
_LOOPS = """
// For loops: a group of IssueWidth is what the micro-op cache delivers, and ends at a branch; Rename is a unit."""
_UNROLLED = """
// For code that does not come from the micro-op cache: fetch and decoders are units; lengths of instructions are those
// of a usual encoding."""
_PAIRS = """
// LLVM's models have no fused pairs: a conditional branch costs nothing, the comparison before it stands for both."""
_TURNS = """
// LLVM's models have no fused pairs: a conditional branch takes a separate slot; one is done per cycle (Turn)."""


def llvm_tablegen(machine: Machine, mode: str = "loop") -> str:
    """The text of the file, for code of a mode, "loop" or "unroll".

    Raises:
        InputError: LLVM's models do not fit the instruction set, or the model lacks what they must have.
    """
    if machine.isa not in _TARGETS:
        raise InputError(f"{machine.name}: no export to LLVM's format for {machine.isa}")
    if machine.parameter("rename.width") is None:
        raise InputError(f"{machine.name}: LLVM's models need the width of rename, which this model does not know")
    classes = classes_of(machine, mode)
    return _Text(machine, classes).whole()


class _Text:
    def __init__(self, machine: Machine, classes: Classes) -> None:
        self._machine = machine
        self._classes = classes
        self._prefix = f"Corecast{camel(machine.name)}"
        costs = [cost for each in classes.known for cost in (each.cost, *(variant.cost for variant in each.variants))]
        self._pairs = any(cost.uops == 0 for cost in costs)
        sets = {ports for cost in costs for ports, _ in cost.uses} | {(unit,) for unit in classes.front_end.units}
        self._resources = resources_of(machine, self._prefix, sets)
        self._writes: dict[Cost | int, str] = {}
        self._reads: dict[int, str] = {}
        self._predicates: dict[str, str] = {}
        self._variants: dict[tuple[str, ...], str] = {}
        self._definitions: list[str] = []
        self._sooner = _sooner(machine)
        self._bases: set[int] = set()
        self._read_definitions: list[str] = []

    def whole(self) -> str:
        instructions = list(self._instructions())
        self._definitions += self._fast_read()
        lines = [
            *self._head(),
            *self._model(),
            "",
            f"let SchedModel = {self._prefix}Model in {{",
            "",
            *self._resource_lines(self._resources),
            "",
            *self._definitions,
            "",
            *instructions,
            "",
            *self._idioms(),
            *_defaults(),
            f"}} // SchedModel = {self._prefix}Model",
        ]
        return "\n".join(lines) + "\n"

    def _head(self) -> list[str]:
        from corecast import __version__

        counts = Counter(each.confidence for each in self._classes.known)
        cpu = self._machine.llvm_cpu
        front_end = self._classes.front_end
        text = _HEAD.format(
            title=self._machine.title,
            version=__version__,
            name=self._machine.name,
            llvm=_core.llvm_version,
            target=_TARGETS[self._machine.isa],
            model=f"{self._prefix}Model",
            processor=f' "{cpu}"' if cpu else "",
            confidences=", ".join(f"{count} {name}" for name, count in counts.most_common()),
            unknown=self._classes.without_figures,
            lacking=self._classes.not_of_the_core,
            front_end=_LOOPS if front_end.branches_end_groups else _UNROLLED if front_end.units else "",
            pairs=_PAIRS if self._pairs else _TURNS if (TURN,) in self._resources.names else "",
        )
        return text.splitlines()

    def _model(self) -> list[str]:
        settings = {
            "IssueWidth": self._classes.front_end.group,
            "MicroOpBufferSize": self._number("reorder_buffer.entries"),
            "LoadLatency": self._number("loads.latency_cycles"),
            "MispredictPenalty": self._number("branches.mispredict_cycles"),
        }
        lines = [f"def {self._prefix}Model : SchedMachineModel {{"]
        for name, value in settings.items():
            lines.append(f"  // {name}: not known" if value is None else f"  let {name} = {value};")
        return [*lines, "  let CompleteModel = 0;", "  let PostRAScheduler = 1;", "}"]

    def _number(self, key: str) -> int | None:
        value = self._machine.parameter(key)
        return int(value) if isinstance(value, int | float) and value > 0 else None

    def _resource_lines(self, resources: Resources) -> Iterator[str]:
        counts = {resources.names[(name,)]: count for name, count in self._classes.front_end.units.items()}
        for name in resources.units:
            yield f"def {name} : ProcResource<{counts.get(name, 1)}>;"
        for group in resources.groups:
            members = ", ".join(group.members)
            size = f" {{ let BufferSize = {group.entries}; }}" if group.entries is not None else ";"
            yield from _wrapped(f"def {group.name} : ProcResGroup<[{members}]>{size}")
        for kind, entries in resources.queues.items():
            yield f"def {self._prefix}{kind}Entries : ProcResource<1> {{ let BufferSize = {entries}; }}"
            yield f"def : {kind}<{self._prefix}{kind}Entries>;"
        buffer, width = self._number("reorder_buffer.entries"), self._number("retire.width")
        if buffer is not None and width is not None:
            # llvm-mca counts instructions there: two of a pair, whose branch has no slot.
            yield f"def : RetireControlUnit<{buffer}, {0 if self._pairs else width}>;"

    # --- instructions -------------------------------------------------------------------------------------------------

    def _instructions(self) -> Iterator[str]:
        groups: dict[str, list[OpcodeClass]] = {}
        for each in self._classes.known:
            groups.setdefault(self._operands(each), []).append(each)
        for operands, members in groups.items():
            confidences = Counter(each.confidence for each in members)
            told = ", ".join(f"{count} {name}" for name, count in confidences.most_common())
            names = ", ".join(name for each in members for name in each.names)
            yield f"// {told}"
            yield from _wrapped(f"def : InstRW<[{operands}], (instrs {names})>;")

    def _operands(self, each: OpcodeClass) -> str:
        first = self._write(each.cost)
        if each.variants:
            first = self._variant(each.variants, first)
        further = [self._further(latency) for latency in each.further]
        reads = [self._read(cycles) for cycles in each.advances]
        if each.base is not None and self._sooner:
            reads += ["ReadDefault"] * (each.base.place + 1 - len(reads))
            reads[each.base.place] = self._base(each.base)
        return ", ".join((first, *further, *reads))

    def _write(self, cost: Cost) -> str:
        if cost not in self._writes:
            name = f"{self._prefix}Write{len(self._writes)}"
            self._writes[cost] = name
            taken = (*cost.uses, *(((unit,), amount) for unit, amount in cost.front_end))
            uses = [(self._resources.names[ports], cycles) for ports, cycles in taken]
            lets = [f"let Latency = {cost.latency};", f"let NumMicroOps = {cost.uops};"]
            if cost.ends_group:
                lets.append("let EndGroup = 1;")
            if uses:
                lets.append(f"let ReleaseAtCycles = [{', '.join(str(cycles) for _, cycles in uses)}];")
            names = ", ".join(resource for resource, _ in uses)
            self._definitions += _wrapped(f"def {name} : SchedWriteRes<[{names}]> {{ {' '.join(lets)} }}")
        return self._writes[cost]

    def _further(self, latency: int) -> str:
        if latency not in self._writes:
            name = f"{self._prefix}Further{latency}"
            self._writes[latency] = name
            self._definitions.append(
                f"def {name} : SchedWriteRes<[]> {{ let Latency = {latency}; let NumMicroOps = 0; }}"
            )
        return self._writes[latency]

    def _read(self, cycles: int) -> str:
        if cycles == 0:
            return "ReadDefault"
        if cycles not in self._reads:
            number = f"Early{-cycles}" if cycles < 0 else "Free" if cycles == FREE else str(cycles)
            name = f"{self._prefix}Read{number}"
            self._reads[cycles] = name
            self._definitions.append(f"def {name} : SchedReadAdvance<{cycles}>;")
        return self._reads[cycles]

    def _base(self, base: BaseRegister) -> str:
        """The read of a base register, where an address without index and with a small displacement is fast."""
        farthest = self._number("pointer_chasing.max_displacement") or _FARTHEST
        name = f"{self._prefix}ReadBase{base.index}"
        if base.index not in self._bases:
            self._bases.add(base.index)
            near = (
                f"CheckInvalidRegOperand<{base.index}>",
                f"CheckIsImmOperand<{base.displacement}>",
                f"CheckImmOperandGE<{base.displacement}, 0>",
                f"CheckImmOperandLE<{base.displacement}, {farthest}>",
            )
            self._read_definitions += [
                *_wrapped(f"def {name}Near : MCSchedPredicate<{_all(near)}>;"),
                f"def {name} : SchedReadVariant<[",
                f"  SchedVar<{name}Near, [{self._prefix}ReadPointer]>,",
                "  SchedVar<NoSchedPred, [ReadDefault]>,",
                "]>;",
            ]
        return name

    def _fast_read(self) -> list[str]:
        """Of a loaded pointer, behind all writes, which it names."""
        if not self._bases:
            return []
        writes = ", ".join(name for cost, name in self._writes.items() if isinstance(cost, Cost) and cost.loads_pointer)
        read = f"def {self._prefix}ReadPointer : SchedReadAdvance<{self._sooner}, [{writes}]>;"
        return [*_wrapped(read), *self._read_definitions]

    def _variant(self, variants: Sequence[Variant], plain: str) -> str:
        selected = tuple(f"SchedVar<{self._predicate(each)}, [{self._write(each.cost)}]>" for each in variants)
        key = (*selected, f"SchedVar<NoSchedPred, [{plain}]>")
        if key not in self._variants:
            name = f"{self._prefix}Variant{len(self._variants)}"
            self._variants[key] = name
            self._definitions += [f"def {name} : SchedWriteVariant<[", *(f"  {line}," for line in key), "]>;"]
        return self._variants[key]

    def _predicate(self, variant: Variant) -> str:
        text = _any([_all([_test(test) for test in tests]) for tests in variant.alternatives])
        if text not in self._predicates:
            self._predicates[text] = f"{self._prefix}Predicate{len(self._predicates)}"
            self._definitions += _wrapped(f"def {self._predicates[text]} : MCSchedPredicate<{text}>;")
        return self._predicates[text]

    # --- zero idioms --------------------------------------------------------------------------------------------------

    def _idioms(self) -> Iterator[str]:
        for kind, attribute in (("IsZeroIdiomFunction", "zero_idiom"), ("IsDepBreakingFunction", "breaks_dependency")):
            by_places: dict[tuple[tuple[int, int], ...], list[str]] = {}
            for each in self._classes.known:
                if places := getattr(each, attribute):
                    by_places.setdefault(places, []).extend(each.names)
            if not by_places:
                continue
            yield f"def : {kind}<["
            for places, names in by_places.items():
                yield from _wrapped(f"  DepBreakingClass<[{', '.join(names)}], {_same(places)}>,")
            yield "]>;"
            yield ""


def _sooner(machine: Machine) -> int:
    """Cycles by which a loaded pointer reaches the next load's address sooner."""
    usual, fast = (machine.parameter(key) for key in ("loads.latency_cycles", "pointer_chasing.latency_cycles"))
    if not machine.parameter("pointer_chasing.fast") or usual is None or fast is None:
        return 0
    return max(0, round(float(usual) - float(fast)))


def _same(places: Sequence[tuple[int, int]]) -> str:
    return _all([f"CheckSameRegOperand<{one}, {other}>" for one, other in places])


def _all(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"CheckAll<[{', '.join(tests)}]>"


def _any(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"CheckAny<[{', '.join(tests)}]>"


def _test(test: _core.OpcodeTest) -> str:
    at, value = test.operand, test.value
    texts: Mapping[str, str] = {
        "same_register": f"CheckSameRegOperand<{at}, {value}>",
        "present_register": f"CheckNot<CheckInvalidRegOperand<{at}>>",
        "register_called": f"CheckRegOperand<{at}, {test.name}>",
        "immediate": f"CheckImmOperand<{at}, {value}>",
        "not_immediate": f"CheckNot<CheckAll<[CheckIsImmOperand<{at}>, CheckImmOperand<{at}, {value}>]>>",
        "locked": 'CheckFunctionPredicate<"X86_MC::hasLockPrefix", "X86InstrInfo::hasLockPrefix">',
    }
    return texts[test.kind]


def _defaults() -> list[str]:
    """Whatever the target's own description uses and this model does not define: no costs."""
    return [
        "// Opcodes without figures: LLVM's tools say that they lack the model's costs.",
        "foreach write = !filter(each, !instances<SchedWrite>(),",
        "                        !not(!or(!isa<ProcWriteResources>(each), !isa<WriteSequence>(each),",
        "                                 !isa<SchedVariant>(each)))) in",
        "  def : WriteRes<write, []> { let Unsupported = 1; }",
        "foreach read = !filter(each, !instances<SchedRead>(),",
        "                       !not(!or(!isa<ProcReadAdvance>(each), !isa<SchedVariant>(each),",
        '                                !eq(!cast<string>(each), "ReadDefault")))) in',
        "  def : ReadAdvance<read, 0>;",
    ]


def _wrapped(text: str) -> list[str]:
    """Lines of the file's width, broken at blanks."""
    lines: list[str] = []
    indent = ""
    while len(text) > _LINE:
        at = text.rfind(" ", len(indent) + 1, _LINE)
        if at < 0:
            break
        lines.append(text[:at])
        indent = "  "
        text = indent + text[at + 1 :]
    return [*lines, text]
