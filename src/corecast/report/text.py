"""The text report: headline, unknown instructions, table, chains, front end, what would make it faster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import DependencyPath, RegionResult
from corecast.report.advice import advice
from corecast.report.folding import fold
from corecast.report.stalls import headline_words, method_words, stall_lines
from corecast.report.style import TextStyle
from corecast.report.table import table_lines
from corecast.report.unknowns import (
    alternative_lines,
    dependence_words,
    unknown_headline,
    value_words,
    withheld_words,
)
from corecast.report.wording import (
    bound_words,
    cycles,
    interval_words,
    percent,
    place,
    plural,
    printable,
    region_name,
    row_name,
    row_noun,
    short_cycles,
    time_words,
    unknown_rows,
    upper_words,
)

_CHAINS = 8
_UNKNOWN = 12


def render_text(result: AnalysisResult, style: TextStyle | None = None) -> str:
    """The whole report, newline at its end."""
    style = style or TextStyle()
    return "\n".join(_report(result, style)) + "\n"


def render_summary(result: AnalysisResult, style: TextStyle | None = None) -> str:
    """One line a region, newline at its end."""
    style = style or TextStyle()
    return "\n".join([*_beginning(result, style), "", *_overview(result.regions, style)]) + "\n"


def _beginning(result: AnalysisResult, style: TextStyle) -> Iterator[str]:
    version = f"corecast {result.version}".rstrip()
    yield style.paint(f"{version}  {result.cpu_title} ({result.cpu}), {result.isa}", "bold")
    yield from _messages("error", map(str, result.failures), "red", style)
    yield from _warnings(result.warnings, style)


def _report(result: AnalysisResult, style: TextStyle) -> Iterator[str]:
    yield from _beginning(result, style)
    if len(result.regions) > 1:
        yield ""
        yield from _overview(result.regions, style)
    for region in result.regions:
        yield ""
        yield from _region(region, result.cpu, style)


def _overview(regions: tuple[RegionResult, ...], style: TextStyle) -> Iterator[str]:
    """One line a region: what to read first in a whole compiler output."""
    width = min(40, max(6, *(len(region_name(region)) for region in regions)))
    places = [printable(place(region)) for region in regions]
    values = [value_words(region) for region in regions]
    place_width = max(map(len, places))
    value_width = max(8, *map(len, values))
    yield style.paint(f"{'region':<{width}}  {'lines':<{place_width}}  {'cycles':>{value_width}}  bottleneck", "bold")
    for region, where, value in zip(regions, places, values, strict=True):
        unknown = region.coverage.unknown
        note = f", {percent(unknown, region.coverage.instructions)} unknown" if unknown else ""
        name = region_name(region)
        name = name if len(name) <= width else name[: width - 3] + "..."
        words = "" if region.withheld else headline_words(region)
        yield f"{name:<{width}}  {where:<{place_width}}  {value:>{value_width}}  {words}{note}".rstrip()


def _region(region: RegionResult, cpu: str, style: TextStyle) -> Iterator[str]:
    size = plural(region.coverage.instructions, "instruction")
    mode = "as a loop" if region.mode == "loop" else "copies after each other"
    heading = f"{printable(place(region))}  {region_name(region)}".rstrip()
    yield style.paint(heading, "bold") + f"  ({size}, {mode})"
    yield from _unknown(region, cpu, style)
    yield ""
    if region.withheld:
        yield from _wrapped(f"No forecast: {withheld_words(region, cpu)}", style, 12)
        yield from _warnings(region.warnings, style)
        return
    yield from _headline(region, cpu, style)
    yield ""
    yield from stall_lines(region, style)
    if region.simulated is not None and region.simulated.timeline is not None:
        from corecast.report.timeline import timeline_lines

        yield from timeline_lines(region, style)
    yield from table_lines(region, style)
    yield ""
    yield from _chains(region, style)
    yield from _frontend(region, style)
    yield from _ecm(region)
    yield from _faster(region, style)
    yield from _warnings(region.warnings, style)


def _unknown(region: RegionResult, cpu: str, style: TextStyle) -> Iterator[str]:
    headline = unknown_headline(region)
    if not headline:
        return
    yield style.paint(f"UNKNOWN on {cpu}: {headline}", "bold", "red")
    rows = unknown_rows(region)
    for row in rows[:_UNKNOWN]:
        nearest = "; ".join(row.nearest_forms) or "none"
        where = f"{row_noun(region)} {row_name(region, row.index)}"
        yield f"  {where}: {printable(row.form or row.text)}  (nearest known: {nearest})"
    if len(rows) > _UNKNOWN:
        yield f"  and {len(rows) - _UNKNOWN} more, marked in the table"


def _headline(region: RegionResult, cpu: str, style: TextStyle) -> Iterator[str]:
    prediction = region.prediction
    interval = interval_words(region)
    value = f"{value_words(region)}{interval and f' ({interval})'} cycles per iteration"
    line = f"Prediction  {value}, bound by {headline_words(region)} ({method_words(region)})"
    if region.uncounted:
        line = f"Prediction  {value}; {dependence_words(region, cpu)}"
    for part in _wrapped(line, style, 12):
        yield part.replace(value, style.paint(value, "bold"))
    if region.uncounted:
        yield from _wrapped(
            f"{'':<12}without them bound by {headline_words(region)} ({method_words(region)})", style, 12
        )
    for line in alternative_lines(region):
        yield from _wrapped(f"Aliasing    {line}", style, 12)
    bracket = prediction.bracket
    yield (
        f"Bracket     lower {cycles(bracket.lower)} (throughput)   expected {cycles(bracket.expected)}   "
        f"upper {cycles(bracket.upper)} ({upper_words(region)})"
    )
    yield _bounds("Bounds", prediction.bounds)
    if region.clock is not None:
        yield f"Time        {time_words(region.clock, prediction.cycles_per_iteration)}"
    if prediction.estimates:
        yield _bounds("Estimates", prediction.estimates) + "   (static, above the simulation: no bounds here)"
    for number, assumption in enumerate(region.assumptions):
        lead = "" if number else "Assumed"
        yield from _wrapped(f"{lead:<12}{assumption}", style, 12)
    if region.elements is not None and region.cycles_per_element is not None:
        count = short_cycles(region.elements.elements)
        line = (
            f"Elements    {count} an iteration with vectors of {region.elements.vector_bits:.0f} bits "
            f"({printable(region.elements.reason)}): {region.cycles_per_element:.3g} cycles each"
        )
        yield from _wrapped(line, style, 12)


def _wrapped(line: str, style: TextStyle, indent: int) -> list[str]:
    return fold(line, style.width, "", " " * indent)


def _bounds(lead: str, bounds: Mapping[str, float]) -> str:
    return f"{lead:<12}" + "   ".join(f"{bound_words(name)} {cycles(value)}" for name, value in bounds.items())


def _chains(region: RegionResult, style: TextStyle) -> Iterator[str]:
    chains = region.dependencies.loop_carried
    if not chains:
        yield "Loop-carried dependencies: none"
        return
    yield style.paint(f"Loop-carried dependencies, {row_noun(region)} (cycles)", "bold")
    for chain in chains[:_CHAINS]:
        yield from _chain(region, chain, style)
    if len(chains) > _CHAINS:
        yield f"  and {len(chains) - _CHAINS} more, none slower than {cycles(chains[_CHAINS - 1].cycles)}"


def _chain(region: RegionResult, chain: DependencyPath, style: TextStyle) -> Iterator[str]:
    links = zip(chain.instructions, chain.instruction_cycles, strict=True)
    steps = " -> ".join(f"{row_name(region, index)} ({short_cycles(value)})" for index, value in links)
    span = f" over {chain.distance} iterations" if chain.distance > 1 else ""
    lead = f"{cycles(chain.cycles):>8}  "
    yield from fold(steps + span, style.width, lead, " " * len(lead))


def _frontend(region: RegionResult, style: TextStyle) -> Iterator[str]:
    frontend = region.frontend
    parts = ", ".join(f"{name.replace('_', ' ')} {cycles(value)}" for name, value in frontend.components.items())
    facts = [f"{short_cycles(frontend.fused_uops)} fused micro-ops"]
    if frontend.source:
        facts.append(f"from the {frontend.source.replace('_', ' ')}")
    pairs = [f"{row_name(region, a)}+{row_name(region, b)}" for a, b in frontend.macro_fused_pairs]
    if pairs:
        facts.append("macro-fused " + ", ".join(pairs))
    line = f"Front end   {cycles(frontend.bound)}: {parts or 'nothing modelled'} ({', '.join(facts)})"
    yield from _wrapped(line, style, 12)


def _ecm(region: RegionResult) -> Iterator[str]:
    found = region.ecm
    if found is None:
        return
    work = found.work
    intensity = "" if work.intensity is None else f": {work.intensity:.3g} operations a byte"
    moved = f"{short_cycles(work.loaded_bytes)} bytes loaded, {short_cycles(work.stored_bytes)} stored"
    yield f"Work        {short_cycles(work.flops)} floating-point operations, {moved}{intensity}"
    terms = f"T_OL {cycles(found.overlapping_cycles)}   T_nOL {cycles(found.transfer_cycles)}"
    if found.memory_cycles is not None:
        terms += f"   T_mem {cycles(found.memory_cycles)} ({short_cycles(found.traffic_bytes)} bytes)"
    yield f"ECM         {terms}   T_comp {cycles(found.core_cycles)}"
    yield f"Roofline    {cycles(found.flops_per_cycle)} operations a cycle, {cycles(found.cycles)} cycles per iteration"


def _faster(region: RegionResult, style: TextStyle) -> Iterator[str]:
    if region.uncounted:  # what is not known may be what binds
        return
    lead = "Faster?     "
    for sentence in advice(region):
        yield from fold(sentence, style.width, lead, " " * 12, hyphens=True)
        lead = " " * 12


def _warnings(warnings: tuple[str, ...], style: TextStyle) -> Iterator[str]:
    return _messages("warning", warnings, "yellow", style)


def _messages(kind: str, messages: Iterable[str], colour: str, style: TextStyle) -> Iterator[str]:
    for message in messages:
        yield from (
            style.paint(line, colour)
            for line in fold(f"{kind}: {printable(message)}", style.width, "", "  ", hyphens=True)
        )
