"""What limits a region and what would make it faster. Every gain was computed by timing the changed code."""

from __future__ import annotations

from corecast.analysis.results import DependencyPath, RegionResult
from corecast.hints import TYPE_CHECKING
from corecast.report.blame import EXPLAINS, limiting_chain, link_cycles, longest_stall
from corecast.report.columns import fold_names
from corecast.report.wording import bound_words, cycles, join_words, plural, row_name, row_names, row_noun, short_cycles

if TYPE_CHECKING:
    from corecast.analysis.advice.types import Accumulators, Balance, Regrouped

_TIE = 0.005
_ROWS_NAMED = 4
_LIMITS = {
    "frontend": "the front end",
    "dependency": "dependencies",
    "unit": "a busy unit",
    "load_banks": "banks of the first-level cache",
    "activity": "what the core can do at once of wide vectors",
    "memory": "memory bandwidth",
}
_OPERATIONS = {
    "add": "additions",
    "multiply": "multiplications",
    "min": "minima",
    "max": "maxima",
    "and": "ands",
    "or": "ors",
    "xor": "xors",
}


def advice(region: RegionResult) -> tuple[str, ...]:
    """Sentences on what limits the forecast, what would be next, and changes that help; empty where nothing limits."""
    prediction = region.prediction
    if prediction.cycles_per_iteration <= 0:
        return ()
    static = region.static.bounds
    limit = static.get(prediction.bottleneck, 0.0)
    near = limit >= prediction.cycles_per_iteration * EXPLAINS
    tied = [other for other in static if other != prediction.bottleneck and static[other] >= limit * (1 - _TIE)]
    if near and tied and not region.advice:
        both = join_words([bound_words(bound) for bound in (prediction.bottleneck, *tied)])
        both = both[0].upper() + both[1:]
        return tuple(
            sentence
            for sentence in (
                f"{both} are equally limiting ({cycles(limit)} cycles): reduce {'both' if len(tied) == 1 else 'all'}.",
                _cause(region),
            )
            if sentence
        )
    sentences = (_cause(region), *steps(region), _next(region) if near else "")
    return tuple(sentence for sentence in sentences if sentence)


def _cause(region: RegionResult) -> str:
    """What limits the forecast, in a sentence; "" for bounds that this version does not know."""
    name = region.prediction.bottleneck
    if region.advice is not None and (region.advice.accumulators or region.advice.regrouped):
        return _chain_cause(region)
    if name == "ports":
        return _port_cause(region)
    if name == "dependency":
        return _chain_cause(region)
    if name == "frontend":
        return _frontend_cause(region)
    if name == "unit":
        return _unit_cause(region)
    if name == "load_banks":
        return (
            "Limited by banks of the first-level cache that too many loads read: place data so that the low bits of "
            "their addresses differ."
        )
    if name == "activity":
        return (
            "Limited by how much of its wide vectors the core can do at once, although no port is always taken: "
            "fewer wide loads, operations and stores would help."
        )
    if name == "memory":
        return "Limited by memory bandwidth: reduce the bytes that are moved."
    return ""


def _next(region: RegionResult) -> str:
    """The static bound that comes next; "" where there is none below the forecast."""
    name, forecast = region.prediction.bottleneck, region.prediction.cycles_per_iteration
    limits = [(value, _limit(other)) for other, value in region.static.bounds.items() if other != name]
    following = _next_chain(region) if name == "dependency" else None
    if following is not None:
        limits.append((following.cycles, f"the chain of {_lines(region, following.instructions)}"))
    value, words = max(limits, default=(0.0, ""))
    if value <= 0:
        return ""
    if value >= forecast * (1 - _TIE):
        return f"{words[0].upper()}{words[1:]} takes as long: shorten both."
    return f"The next limit is {words} at {cycles(value)} cycles."


def steps(region: RegionResult) -> tuple[str, ...]:
    """Sentences on changes of the code whose effect was computed; empty where there are none."""
    if region.advice is None:
        return ()
    found = []
    if region.advice.accumulators is not None:
        found += _accumulators(region.advice.accumulators)
    if region.advice.regrouped is not None:
        found.append(_regrouped(region, region.advice.regrouped))
    if region.advice.balance is not None:
        found += _balance(region, region.advice.balance)
    return tuple(found)


def _accumulators(found: Accumulators) -> list[str]:
    chosen = found.chosen
    each = "a separate accumulator" if found.reductions == 1 else f"{found.reductions} separate accumulators"
    said = [
        f"Unroll {chosen.times} times with {each} per copy: {cycles(chosen.cycles)} cycles, "
        f"{cycles(chosen.cycles_per_iteration)} per original iteration, limited by {_limit(chosen.bound)}: "
        f"{cycles(found.gain)} times as fast."
    ]
    if found.reassociates:
        said.append(f"This reassociates floating-point {_reassociated(found.operations)}.")
    return said


def _reassociated(operations: tuple[str, ...]) -> str:
    words = join_words([_OPERATIONS.get(name, name) for name in operations])
    if set(operations) <= {"min", "max"}:
        return f"{words}: the result may differ for NaN and signed zeros"
    return f"{words}: rounding changes"


def _regrouped(region: RegionResult, found: Regrouped) -> str:
    return (
        f"Combine the operands that do not belong to the recurrence first ({_lines(region, found.instructions)}): "
        f"{cycles(found.cycles)} cycles, limited by {_limit(found.bound)}: {cycles(found.gain)} times as fast. "
        "This reassociates floating-point operations: rounding changes."
    )


def _balance(region: RegionResult, found: Balance) -> list[str]:
    said = []
    if found.exchanged_cycles is not None:
        by_mnemonic: dict[str, list[int]] = {}
        for exchange in found.exchanges:
            by_mnemonic.setdefault(exchange.mnemonic, []).append(exchange.instruction)
        parts = [f"{mnemonic} at {_lines(region, tuple(rows))}" for mnemonic, rows in by_mnemonic.items()]
        said.append(
            f"Use {join_words(parts)} (same result, other ports): {cycles(found.exchanged_cycles)} cycles, "
            f"limited by {_limit(found.exchanged_bound)}."
        )
    if found.shared_cycles is not None:
        idle = join_words(fold_names(found.idle_ports))
        one = len(found.idle_ports) == 1
        said.append(
            f"Equivalent port{'' if one else 's'} {idle} {'is' if one else 'are'} underused: if "
            f"{'it' if one else 'they'} could share the work, {cycles(found.shared_cycles)} cycles, "
            f"limited by {_limit(found.shared_bound)}."
        )
    return said


def _limit(bound: str) -> str:
    return _LIMITS.get(bound) or bound_words(bound)


def _chain_cause(region: RegionResult) -> str:
    chain = limiting_chain(region)
    if chain is not None:
        said = (
            f"Limited by the dependency chain of {_lines(region, chain.instructions)}: "
            f"{cycles(chain.cycles)} cycles from one iteration to the next"
        )
        return f"{said}{_longest_link(region, chain)}."
    share = longest_stall(region, ("operand_latency",))
    if share is not None and share.instruction is not None:
        row = region.instructions[share.instruction]
        return (
            f"Limited by latency: {row_noun(region)} {row_name(region, share.instruction)} "
            f"({row.text.split()[0]}) delays the iterations for {cycles(share.cycles)} cycles"
            + (f", while the {share.full.replace('_', ' ')} is full." if share.full else ".")
        )
    return ""


def _longest_link(region: RegionResult, chain: DependencyPath) -> str:
    """The instruction that takes most of a chain, where one does: "; 13.00 of them for vdivsd (line 4)"."""
    if len(chain.instructions) < 2:
        return ""
    amounts = link_cycles(chain)
    place = max(amounts, key=lambda each: amounts[each])
    if not chain.cycles / 2 < amounts[place] < chain.cycles * (1 - _TIE):
        return ""
    name = region.instructions[place].text.split()[0]
    return f", {cycles(amounts[place])} of them for {name} ({row_noun(region)} {row_name(region, place)})"


def _unit_cause(region: RegionResult) -> str:
    unit = region.prediction.detail
    column = region.ports.ports.index(unit) if unit in region.ports.ports else None
    if column is None:
        return f"Limited by unit {unit}: use it less." if unit else ""
    users = tuple(row for row, cells in enumerate(region.ports.per_instruction) if cells[column] >= 0.005)
    total = region.ports.totals[column]
    return f"Limited by unit {unit}: busy for {cycles(total)} cycles with {_lines(region, users)}."


def _frontend_cause(region: RegionResult) -> str:
    frontend = region.frontend
    part = frontend.limiting
    if region.simulated is not None and region.prediction.detail:
        part = region.prediction.detail
    value = frontend.components.get(part, frontend.bound)
    if part == "predecode":
        return f"Limited by predecode ({cycles(value)} cycles): reduce the number or the length of instructions."
    if part == "taken_branch":
        return f"Limited by the taken branch ({cycles(value)} cycles): unroll the loop."
    if part not in frontend.components or value < region.prediction.cycles_per_iteration * EXPLAINS:
        return f"Limited by the front end ({part.replace('_', ' ')})." if part else "Limited by the front end."
    return (
        f"Limited by {part.replace('_', ' ')} ({short_cycles(frontend.fused_uops)} µops, {cycles(value)} cycles): "
        "reduce µops."
    )


def _port_cause(region: RegionResult) -> str:
    ports = region.ports
    columns = [ports.ports.index(port) for port in ports.limiting_ports if port in ports.ports]
    if not columns:
        return ""
    work = {row: sum(cells[column] for column in columns) for row, cells in enumerate(ports.per_instruction)}
    users = [row for row, amount in work.items() if amount >= 0.005]
    total = sum(ports.totals[column] for column in columns)
    one = len(columns) == 1
    return (
        f"Limited by port{'' if one else 's'} {join_words(fold_names(ports.limiting_ports))}: "
        f"{cycles(total)} cycles of work from {plural(len(users), 'instruction')} ({_lines(region, tuple(users))})."
    )


def _next_chain(region: RegionResult) -> DependencyPath | None:
    """The slowest chain that breaking the first one cannot touch."""
    chains = region.dependencies.loop_carried
    first = set(chains[0].instructions) if chains else set()
    return next((chain for chain in chains[1:] if first.isdisjoint(chain.instructions)), None)


def _lines(region: RegionResult, indices: tuple[int, ...]) -> str:
    noun = row_noun(region) + ("es" if row_noun(region) == "address" else "s") * (len(indices) != 1)
    if len(indices) <= _ROWS_NAMED:
        return f"{noun} {row_names(region, indices)}"
    return f"{noun} {row_names(region, indices[:_ROWS_NAMED])} and {len(indices) - _ROWS_NAMED} more"
