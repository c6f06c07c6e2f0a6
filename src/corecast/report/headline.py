"""A region in one line: cycles with their interval, method, cause, remedy."""

from __future__ import annotations

from corecast.analysis.results import RegionResult
from corecast.report.blame import EXPLAINS, blame, limiting_chain
from corecast.report.columns import fold_names
from corecast.report.stalls import headline_words
from corecast.report.unknowns import named, value_words
from corecast.report.wording import cycles, interval_words, plural, row_names, row_noun

_ROWS_NAMED = 3
_PORTS_NAMED = 4


def headline(region: RegionResult) -> str:
    """ "1.50 cycles (1.47 to 1.92), simulated; ports AGU0, AGU1; remedy: none"."""
    if region.withheld:
        unknown = f"{len(region.uncounted)} of {plural(region.coverage.instructions, 'instruction')}"
        return f"no forecast; {unknown} unknown"
    interval = interval_words(region)
    value = f"{value_words(region)} cycles{interval and f' ({interval})'}, {short_method(region)}"
    if region.uncounted:
        unknown = named(region, [region.instructions[index] for index in region.uncounted])
        return f"{value}; unknown: {unknown}"
    return f"{value}; {cause_words(region) or 'nothing limits it'}; remedy: {remedy_words(region) or 'none'}"


def short_method(region: RegionResult) -> str:
    return "static bounds" if region.simulated is None else "simulated"


def cause_words(region: RegionResult) -> str:
    """What limits the forecast, in few words, with the lines of a dependency chain; "" where it is zero."""
    name = region.prediction.bottleneck
    if region.prediction.cycles_per_iteration <= 0:
        return ""
    if region.memory_bound:
        return headline_words(region)
    if name == "dependency":
        return _chain_words(region)
    too = " and front end" if region.simulated is not None and region.simulated.front_end_binds_too else ""
    detail = region.prediction.detail.replace("_", " ")
    if name == "ports":
        ports = fold_names(detail.split(", ") if detail else region.ports.limiting_ports)
        one = len(ports) == 1 and "-" not in ports[0]
        more = ", ..." if len(ports) > _PORTS_NAMED else ""
        return f"port{'' if one else 's'} {', '.join(ports[:_PORTS_NAMED])}{more}{too}"
    if name == "unit" and detail:
        return f"unit {detail}{too}"
    if name == "frontend":
        return f"front end ({detail or _front_end_part(region)})".replace(" ()", "")
    return headline_words(region)


def _front_end_part(region: RegionResult) -> str:
    """The part whose static cycles explain the forecast: "rename"."""
    part = region.frontend.limiting
    explains = region.frontend.components.get(part, 0.0) >= region.prediction.cycles_per_iteration * EXPLAINS
    return part.replace("_", " ") if explains else ""


def _chain_words(region: RegionResult) -> str:
    chain = limiting_chain(region)
    if chain is None:
        late = blame(region).rows
        return f"latency of {_lines(region, tuple(late))}" if late else "dependencies"
    rows = tuple(dict.fromkeys(chain.instructions))
    if len(rows) > _ROWS_NAMED:
        return f"chain of {plural(len(rows), 'instruction')}"
    return f"chain of {_lines(region, rows)}"


def _lines(region: RegionResult, rows: tuple[int, ...]) -> str:
    """ "line 4", "lines 3, 4"."""
    noun = row_noun(region)
    plural_noun = f"{noun}es" if noun == "address" else f"{noun}s"
    return f"{noun if len(rows) == 1 else plural_noun} {row_names(region, rows)}"


def remedy_words(region: RegionResult, *, reassociation: bool = True) -> str:
    """The change of the code that helps most, with the cycles of an iteration afterwards; "" where none is known.

    Args:
        reassociation: say "reassociates" where another order of floating-point operations changes the rounding.
    """
    if region.advice is None or region.uncounted or region.withheld:
        return ""
    found: list[tuple[float, str, bool]] = []
    accumulators, regrouped, balance = region.advice.accumulators, region.advice.regrouped, region.advice.balance
    if accumulators is not None:
        chosen = accumulators.chosen
        found.append(
            (
                chosen.cycles_per_iteration,
                f"{chosen.times * accumulators.reductions} accumulators",
                accumulators.reassociates,
            )
        )
    if regrouped is not None:
        found.append((regrouped.cycles, f"regroup {_lines(region, regrouped.instructions)}", regrouped.reassociates))
    if balance is not None and balance.exchanged_cycles is not None:
        first, *others = balance.exchanges
        more = f" and {len(others)} more" if others else ""
        words = f"{first.mnemonic} in {_lines(region, (first.instruction,))}{more}"
        found.append((balance.exchanged_cycles, words, False))
    if not found:
        return ""
    value, words, reassociates = min(found)
    return f"{words} ({cycles(value)}{', reassociates' if reassociates and reassociation else ''})"
