"""What would make a region faster, by arithmetic on its bounds, and by what analysis of changed code found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corecast.analysis.results import DependencyPath, RegionResult
from corecast.report.columns import fold_names
from corecast.report.wording import bound_words, cycles, join_words, plural, row_names, row_noun, short_cycles

if TYPE_CHECKING:
    from corecast.analysis.advice import Accumulators, Balance

_TIE = 0.005
_ROWS_NAMED = 4


def advice(region: RegionResult) -> tuple[str, ...]:
    """Sentences on the binding bound and the one that would bind without it; empty where nothing binds."""
    bounds = region.prediction.bounds
    name = region.prediction.bottleneck
    binding = bounds.get(name, 0.0)
    if binding <= 0:
        return ()
    tied = [other for other in bounds if other != name and bounds[other] >= binding * (1 - _TIE)]
    if tied:
        both = join_words([bound_words(bound) for bound in (name, *tied)])
        both = both[0].upper() + both[1:]
        return (f"{both} bind alike at {cycles(binding)} cycles: it takes less of each to go faster.", _cause(region))
    rest = {other: value for other, value in bounds.items() if other != name}
    limits = [(value, bound_words(other)) for other, value in rest.items() if value > 0]
    following = _next_chain(region) if name == "dependency" else None
    if following is not None:
        limits.append((following.cycles, f"the chain of {_lines(region, following.instructions)}"))
    sentences = [_cause(region)]
    if limits:
        value, words = max(limits)
        if value >= binding * (1 - _TIE):
            sentences.append(f"{words[0].upper()}{words[1:]} takes as long: both must become shorter.")
        else:
            sentences.append(
                f"Without that, {words} would be next at {cycles(value)} cycles: "
                f"at best {cycles(binding / value)} times as fast."
            )
    sentences += steps(region)
    return tuple(sentence for sentence in sentences if sentence)


def _cause(region: RegionResult) -> str:
    """What makes the binding bound, in a sentence; "" for bounds that this version does not know."""
    name = region.prediction.bottleneck
    if name == "ports":
        return _port_cause(region)
    if name == "dependency" and region.dependencies.loop_carried:
        chain = region.dependencies.loop_carried[0]
        return (
            f"The chain of {_lines(region, chain.instructions)} takes {cycles(chain.cycles)} cycles from one iteration "
            "to the next: break or shorten it."
        )
    if name == "frontend":
        return _frontend_cause(region)
    return ""


def steps(region: RegionResult) -> tuple[str, ...]:
    """Sentences on changes of the code whose effect was computed; empty where there are none."""
    if region.advice is None:
        return ()
    found = []
    if region.advice.accumulators is not None:
        found.append(_accumulators(region, region.advice.accumulators))
    if region.advice.balance is not None:
        found += _balance(region, region.advice.balance)
    return tuple(found)


def _accumulators(region: RegionResult, found: Accumulators) -> str:
    chosen = found.chosen
    each = "a sum" if len(found.instructions) == 1 else "sums"
    gain = region.prediction.cycles_per_iteration / chosen.cycles_per_iteration
    said = (
        f"Unrolled {chosen.times} times with {each} of its own in each copy: {cycles(chosen.cycles)} cycles, "
        f"{cycles(chosen.cycles_per_iteration)} for what is an iteration now, bound by {bound_words(chosen.bound)}: "
        f"{cycles(gain)} times as fast."
    )
    if found.to_fill_units > chosen.times * len(found.instructions):
        said += f" (To keep the ports of the sum busy it takes {found.to_fill_units} sums.)"
    return said


def _balance(region: RegionResult, found: Balance) -> list[str]:
    said = []
    if found.exchanged_cycles is not None:
        by_mnemonic: dict[str, list[int]] = {}
        for exchange in found.exchanges:
            by_mnemonic.setdefault(exchange.mnemonic, []).append(exchange.instruction)
        parts = [f"{mnemonic} at {_lines(region, tuple(rows))}" for mnemonic, rows in by_mnemonic.items()]
        said.append(
            f"With {join_words(parts)}, which does the same on other ports: {cycles(found.exchanged_cycles)} cycles, "
            f"bound by {bound_words(found.exchanged_bound)}."
        )
    if found.shared_cycles is not None:
        idle = join_words(fold_names(found.idle_ports))
        verb = "has" if len(found.idle_ports) == 1 else "have"
        said.append(
            f"{idle}, of the same kind, {verb} time left: if the work could be shared, {cycles(found.shared_cycles)} "
            f"cycles, bound by {bound_words(found.shared_bound)}."
        )
    return said


def _frontend_cause(region: RegionResult) -> str:
    frontend = region.frontend
    if frontend.limiting == "predecode":
        return f"Its bytes take {cycles(frontend.bound)} cycles of predecode: fewer or shorter instructions are needed."
    if frontend.limiting == "taken_branch":
        return f"Its taken branch takes {cycles(frontend.bound)} cycles: more work an iteration is needed."
    return (
        f"{short_cycles(frontend.fused_uops)} fused micro-ops take {cycles(frontend.bound)} cycles "
        f"of {frontend.limiting.replace('_', ' ')}: fewer of them are needed."
    )


def _port_cause(region: RegionResult) -> str:
    ports = region.ports
    columns = [ports.ports.index(port) for port in ports.limiting_ports if port in ports.ports]
    if not columns:
        return ""
    work = {row: sum(cells[column] for column in columns) for row, cells in enumerate(ports.per_instruction)}
    users = [row for row, amount in work.items() if amount >= 0.005]
    total = sum(ports.totals[column] for column in columns)
    noun = "Port" if len(columns) == 1 else "Ports"
    verb = "has" if len(columns) == 1 else "have"
    return (
        f"{noun} {join_words(fold_names(ports.limiting_ports))} {verb} {cycles(total)} cycles of work, "
        f"from {plural(len(users), 'instruction')} ({_lines(region, tuple(users))}): "
        "move or save some of it."
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
