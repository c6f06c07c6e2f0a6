"""Rules that the Arm models share: LLVM's rows cleaned up, write-back, dividers, overlays of other origins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from corecast import _core
from corecast.machine.inherit import read_pipeline
from corecast.machine.llvm.schedule import row_from_entry, version
from corecast.machine.rows import Latency, Row
from corecast.machine.verify import port_cycles

from .examples import Example, examples

Rows = dict[str, Row]
MACHINES = Path(__file__).resolve().parents[2] / "src" / "corecast" / "machine" / "data"

HINTS = ("nop", "hint", "yield", "bti", "csdb", "sev", "sevl", "dgh", "psb", "tsb", "esb", "clrbhb")
POINTER_AUTHENTICATION_HINTS = re.compile(r"(pac|aut)i[ab](sp|z|1716)|xpaclri")
ATOMIC = re.compile(r"(ldadd|ldclr|ldset|ldeor|ldsmax|ldsmin|ldumax|ldumin|swp|casp|cas)(al|a|l)?([bh]?)")
DIVIDING = re.compile(r"[su]divr?|f(div|divr|sqrt)")
SCALABLE = re.compile(r"(?<![a-z])(z\.|za|p/|p\.|zt|p,|p$)| p, ")
LATER = re.compile(
    r"(cpy|set)[fpgme]\w* |ld64b|st64b|irg |gmi |subps? |addg |subg |stz?2?gp? |ldgm? |smstart|smstop|gcs|bf\w+ v|"
    r"u?[us]mmla "
)
ON_NONE = re.compile(r"ldapp? |stlp ")
"""Pairs with acquire and release (FEAT_LSCP): LLVM's models give every core a latency for them."""
HALF = re.compile(r"(?!fcvt[ln]?2? )(f\w+|[su]cvtf) .*(\bh\b|\.[48]h)")
"""Arithmetic of half precision, which came with Armv8.2; conversions to single and double precision are older."""
EXAMPLE_REGISTER = re.compile(r"[xzp]\d+")
ACCUMULATING = re.compile(
    r"f?ml[as]|f?n?m(ad|sb)|fml[as]l2?|[su]ml[as]l[2bt]?|sqdml[as]l[2bt]?|sqrdml[as]h|[su]aba(l[2bt]?)?|[su]adalp|"
    r"[su]dot|usdot|sudot|[su]rsra|[su]sra|fcmla|bfdot|bfmmla|bfmlal[bt]|[su]mmla|usmmla"
)
SCALAR_FUSED = re.compile(r"fn?m(add|sub)")


def mnemonic_of(form: str) -> str:
    return form.split(" ", 1)[0]


def operands_of(form: str) -> list[str]:
    """The operands of a form key as written, memory operands and lists whole."""
    words = form.split(" ", 1)[1] if " " in form else ""
    return [word.strip() for word in re.split(r",\s*(?![^{\[]*[}\]])", words)] if words else []


def is_vector(form: str) -> bool:
    """Whether the form works on vector or floating-point registers."""
    return any(re.match(r"(\{?[vz]\.|[bhsdq]$|[vz]$)", operand) for operand in operands_of(form))


def llvm_rows(cpu: str, ports: Mapping[str, str], armv9: bool, half: bool = True) -> Rows:
    """LLVM's model of `cpu`: cleaned of the example's registers, without what it covers by a placeholder only.

    Args:
        armv9: the core has SVE and what else came after Armv8.2; if not, pointer authentication is a hint.
        half: the core has arithmetic of half precision.
    """
    schedule = _core.Schedule("aarch64", cpu)
    source = f"llvm{version()}:{cpu}"
    rows: Rows = {}
    for example in examples():
        if ON_NONE.match(example.form) or (not half and HALF.match(example.form)):
            continue
        if not armv9 and (SCALABLE.search(example.form) or LATER.match(example.form)):
            continue
        entry = schedule.entry(example.code)
        row = row_from_entry("aarch64", example.form, entry, ports, source)
        if row is None:
            continue
        if (
            not row.latency
            and entry.latencies
            and not any(operand.read and operand.kind != "imm" for operand in entry.instruction.operands)
        ):
            # Results without a source: what they take counts at the head of a chain.
            made = {operand.id for operand in entry.instruction.operands if operand.write}
            row = row.with_(
                latency=tuple(Latency("*", str(o), float(entry.latencies[0].cycles)) for o in made if o < 64)
            )
        mnemonic = mnemonic_of(row.form)
        if not row.ports and not row.blocking and all(pair.destination != "1" for pair in row.latency or ()):
            hint = mnemonic in HINTS or (not armv9 and POINTER_AUTHENTICATION_HINTS.fullmatch(mnemonic))
            moves = mnemonic in ("mov", "movi", "fmov", "movz")
            if not hint and not moves:
                continue  # system registers, barriers: LLVM has no resources for them, which is not a cost of zero
        latency = _clean(row)
        if row.ports or row.blocking:  # no time from a source to a result: the result does not wait for the source
            latency = tuple(pair for pair in latency if pair.cycles > 0 or pair.destination == "mem")
        rows[row.form] = row.with_(latency=latency)
    _copy_atomics(rows)
    return rows


def _clean(row: Row) -> tuple[Latency, ...]:
    """Without sources that are only the example's registers; all registers of a pair load at the later time."""
    kept = [pair for pair in row.latency or () if not EXAMPLE_REGISTER.fullmatch(pair.source)]
    kept = list(dict.fromkeys(kept))
    if mnemonic_of(row.form) in ("ldp", "ldnp", "ldpsw"):
        longest = max((pair.cycles for pair in kept if pair.destination in "12"), default=0.0)
        kept = [Latency(p.source, p.destination, longest) if p.destination in "12" else p for p in kept]
    return tuple(kept)


def _copy_atomics(rows: Rows) -> None:
    """Orderings that LLVM's model leaves out cost what the plain instruction costs."""
    for example in examples():
        match = ATOMIC.fullmatch(mnemonic_of(example.form))
        if match is None or example.form in rows:
            continue
        for ordering in ("", "a", "l", "al"):
            name = match[1] + ordering + match[3]
            sibling = rows.get(name + example.form[len(mnemonic_of(example.form)) :])
            if sibling is not None:
                rows[example.form] = sibling.with_(form=example.form, confidence="derived")
                break


def with_cycles(row: Row, cycles: float, sources: Callable[[str], bool] = lambda _: True) -> tuple[Latency, ...]:
    """The row's latencies to its registers replaced; flags, memory and write-back stay."""
    return tuple(
        Latency(pair.source, pair.destination, cycles) if pair.destination.isdigit() and sources(pair.source) else pair
        for pair in row.latency or ()
    )


def expanded(row: Row, example: Example) -> Row:
    """The same row with wildcard sources written out."""
    if not any(pair.source == "*" for pair in row.latency or ()):
        return row
    instruction = _core.disassemble("aarch64", example.code).instructions[0]
    sources = [operand.name for operand in instruction.operands if operand.read and operand.id != 64]
    pairs: list[Latency] = []
    for pair in row.latency or ():
        names = (
            [name for name in sources if not EXAMPLE_REGISTER.fullmatch(name)] if pair.source == "*" else [pair.source]
        )
        pairs.extend(Latency(name, pair.destination, pair.cycles) for name in names or ["*"])
    return row.with_(latency=tuple(dict.fromkeys(pairs)))


def accumulator(form: str) -> str | None:
    """The operand that the instruction adds to: the destination, or the last one of fmadd and madd."""
    mnemonic = mnemonic_of(form)
    if SCALAR_FUSED.fullmatch(mnemonic) or mnemonic in ("madd", "msub", "smaddl", "umaddl", "smsubl", "umsubl"):
        return "4"
    return "1" if ACCUMULATING.fullmatch(mnemonic) else None


def accumulator_forwarding(row: Row, advance_cycles: float, example: Example) -> Row:
    """The row with its accumulator needed `advance_cycles` later than the other sources."""
    source = accumulator(row.form)
    row = expanded(row, example)
    longest = max((pair.cycles for pair in row.latency or () if pair.destination == "1"), default=0.0)
    changed = tuple(
        Latency(pair.source, "1", max(1.0, longest - advance_cycles))
        if (pair.source, pair.destination) == (source, "1")
        else pair
        for pair in row.latency or ()
    )
    return row.with_(latency=changed)


def forward_like(rows: Rows, sibling: Rows) -> None:
    """Accumulators forwarded as on another core of the family, for forms whose model has no forwarding at all."""
    examples = example_of()
    for form, row in rows.items():
        source = accumulator(form)
        other = sibling.get(form)
        if source is None or other is None:
            continue
        pairs = {pair.source: pair.cycles for pair in other.latency or () if pair.destination == "1"}
        advance = max(pairs.values(), default=0.0) - pairs.get(source, pairs.get("*", 0.0))
        if advance > 0:
            forwarded = accumulator_forwarding(row, advance, examples[form])
            rows[form] = forwarded.with_(source=f"{row.source}+{other.source}(accumulator)")


def plain_form(form: str) -> list[str]:
    """The access without write-back that a pre- or post-indexed form makes; empty where it is no such form."""
    if form.endswith("]!"):
        plain = form[:-1]
        return [plain, plain.replace("[x, #i]", "[x]")]
    if match := re.fullmatch(r"(.*\[x\]), (#i|x)", form):
        return [match[1].replace("[x]", "[x, #i]"), match[1]]
    return []


def add_write_back(rows: Rows, port: str, cycles: float = 1.0) -> None:
    """Pre- and post-index: the access, and a micro-op for the base that depends on the base (and index) alone.

    An access that has a micro-op on these ports already (the address of an index, say) has no second one.
    """
    for example in examples():
        plain = next((rows[form] for form in plain_form(example.form) if form in rows), None)
        if plain is None or plain.ports is None:
            continue
        latency = [pair for pair in plain.latency or () if pair.destination != "addr"]
        latency.append(Latency("addr", "addr", cycles))
        if re.search(r"\], x$", example.form):
            latency.append(Latency("index", "addr", cycles))
        more = 0 if any(group == port for _, group in plain.ports) else 1
        uops = plain.uops
        rows[example.form] = plain.with_(
            form=example.form,
            ports=plain.ports if not more else (*plain.ports, (1.0, port)),
            latency=tuple(latency),
            uops=None if uops is None else (uops[0] + more, uops[1] + more, uops[2] + more),
            reciprocal_throughput_cycles=None,
        )


def lane_loads(rows: Rows, merge_cycles: float) -> None:
    """A load to one lane merges: the old register passes through the vector micro-op only."""
    for form, row in rows.items():
        if re.match(r"ld[1-4] \{?v\.[bhsd][^\[]*\[i\]", form):
            rest = [
                pair
                for pair in expanded(row, _example(form)).latency or ()
                if pair.destination != "1" or pair.source != "1"
            ]
            rows[form] = row.with_(latency=(*rest, Latency("1", "1", merge_cycles)))


def _example(form: str) -> Example:
    return example_of()[form]


def example_of() -> dict[str, Example]:
    return {example.form: example for example in examples()}


def dividers(rows: Rows, integer_unit: str, vector_unit: Callable[[str], str], pipes: Mapping[str, int]) -> None:
    """Division and square root issue once and keep their unit busy: the pipe stays free for others.

    Args:
        pipes: how many pipes a group has; a unit stands for the dividers of all of them.
    """
    for form, row in rows.items():
        if not DIVIDING.fullmatch(mnemonic_of(form)) or not row.ports:
            continue
        busy = [(count / pipes.get(group, 1), group) for count, group in row.ports]
        longest = max(cycles for cycles, _ in busy)
        cycles = row.reciprocal_throughput_cycles or longest
        unit = vector_unit(form) if is_vector(form) else integer_unit
        rows[form] = row.with_(ports=tuple((1.0, group) for _, group in busy), blocking=((unit, round(cycles, 2)),))


def share_units(rows: Rows, per_cycle: int) -> None:
    """LLVM's counters of events a cycle (flag setters): each takes its share of a unit."""
    for form, row in rows.items():
        if row.blocking:
            rows[form] = row.with_(blocking=tuple((unit, round(1 / per_cycle, 3)) for unit, _ in row.blocking))


def zero_idioms(rows: Rows) -> None:
    """movi v.2d and movi d hold masks of bytes: in practice the zero that is made at rename."""
    for form in ("movi v.2d, #i", "movi d, #i"):
        if form in rows:
            rows[form] = rows[form].with_(ports=(), latency=(), flags=("zero_idiom",), confidence="documented")


def reconcile(rows: Rows, pipes: Mapping[str, int], every_vector_pipe: tuple[str, int]) -> None:
    """Port usages that the measured throughput of the form contradicts.

    Faster than the pipes allow: fewer micro-ops where a whole number of them fits, else any vector pipe where that
    fits, else the measurement is not believed (the test ran into an idiom). Slower: not believed for accumulating
    forms, whose test was a chain; kept beside the ports otherwise, since what limits the form is not known.
    """
    name, count = every_vector_pipe
    for form, row in rows.items():
        measured = row.reciprocal_throughput_cycles
        divides = DIVIDING.fullmatch(mnemonic_of(form)) is not None
        if measured is None or not row.ports or len(row.ports) != 1 or row.blocking or divides:
            continue
        (uops, group), size = row.ports[0], pipes.get(row.ports[0][1], 1)
        implied = uops / size
        fitting = round(measured * size)
        if measured < 0.88 * implied:
            if fitting >= 1 and abs(fitting / size - measured) < 0.03:
                rows[form] = row.with_(
                    ports=((float(fitting), group),), uops=(1.0, 1.0, 1.0) if fitting == 1 else row.uops
                )
            elif is_vector(form) and abs(uops / count - measured) < 0.03:
                rows[form] = row.with_(ports=((uops, name),))
            else:
                rows[form] = row.with_(reciprocal_throughput_cycles=None)
        elif measured > 1.12 * implied + 0.03 and accumulator(form) is not None:
            rows[form] = row.with_(reciprocal_throughput_cycles=None)


def faster_than_pipes(name: str, rows: Rows) -> None:
    """Port usages of core `name` that a measured throughput beats, and that `reconcile` does not mend.

    Integer forms that LLVM's model keeps to some pipes are one micro-op for any integer pipe; their flags then come
    with their result, as it is the slower pipes that take another cycle. Several groups: all are held shorter by the
    same factor.
    """
    groups = read_pipeline(MACHINES / name)[0]["ports"]["groups"]

    def cycles(usage: Iterable[tuple[float, str]]) -> float:
        return port_cycles([(count, frozenset(groups.get(group, (group,)))) for count, group in usage])

    for form, row in rows.items():
        measured = row.reciprocal_throughput_cycles
        if measured is None or not row.ports or DIVIDING.fullmatch(mnemonic_of(form)):
            continue
        bound, any_pipe = cycles(row.ports), ((1.0, "I"),)
        if measured >= 0.9 * bound:
            continue
        if {group for _, group in row.ports} <= {"I", "M"} and measured >= 0.9 * cycles(any_pipe):
            latency = tuple(
                Latency(p.source, "flags", 1.0) if p.destination == "flags" else p for p in row.latency or ()
            )
            rows[form] = row.with_(ports=any_pipe, uops=(1.0, 1.0, 1.0), latency=latency)
        elif len(row.ports) > 1 and not row.blocking:
            held = tuple((round(count * measured / bound, 2), group) for count, group in row.ports)
            rows[form] = row.with_(ports=held)


def macro_ops(rows: Rows, per_macro_op: int = 2) -> None:
    """Neoverse: rename handles macro-ops, each of up to two micro-ops; LLVM counts micro-ops."""
    for form, row in rows.items():
        if row.uops is not None:
            micro = max(row.uops[1], 1.0)
            fused = float(-(-int(micro) // per_macro_op))
            rows[form] = row.with_(uops=(fused, micro, fused))


def split(rows: Rows) -> dict[str, list[Row]]:
    """Rows by the file that they belong to."""
    files: dict[str, list[Row]] = {"measured.tsv": [], "llvm.tsv": [], "family.tsv": []}
    for row in rows.values():
        family = row.source.startswith("family:")
        files["family.tsv" if family else "measured.tsv" if row.confidence == "measured" else "llvm.tsv"].append(row)
    return files


def fusible(rows: Rows, first: Iterable[str], second: str) -> None:
    """Flags the forms of `first` without a shifted or extended register: they fuse with mnemonics like `second`."""
    for form, row in rows.items():
        if mnemonic_of(form) in first and not is_vector(form) and not re.search(r"lsl|lsr|asr|ror|xt[bhwx]", form):
            flags = tuple(flag for flag in row.flags if not flag.startswith("fusible"))
            rows[form] = row.with_(flags=(*flags, f"fusible:{second}"))


def rules_of_armv9(rows: Rows, pipes: Mapping[str, int]) -> None:
    """What the guides of Neoverse N2, V2 and V3 say alike and LLVM's models leave out."""
    zero_idioms(rows)
    lane_loads(rows, 2.0)
    dividers(rows, "IDV", lambda _: "FDV", pipes)
    add_write_back(rows, "I")
    macro_ops(rows)
    fusible(rows, ("cmp", "cmn"), "b.*|csel|csinc|cset|csetm|cinc")
