"""The text report: headline, unknown instructions, table, chains, front end, what would make it faster."""

from __future__ import annotations

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import DependencyPath, RegionResult
from corecast.hints import Iterable, Iterator, Mapping
from corecast.report.advice import advice
from corecast.report.folding import fold
from corecast.report.headline import headline
from corecast.report.stalls import headline_words, method_words, stall_lines
from corecast.report.style import TextStyle
from corecast.report.table import table_lines
from corecast.report.unknowns import (
    alternative_lines,
    dependence_words,
    unknown_headline,
    withheld_words,
)
from corecast.report.wording import (
    bound_words,
    cycles,
    place,
    plural,
    printable,
    region_name,
    row_name,
    row_noun,
    short_cycles,
    time_words,
    unknown_rows,
    uops_of,
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
    from corecast.report.overview import overview_lines

    style = style or TextStyle()
    return "\n".join([*_beginning(result, style), "", *overview_lines(result.regions, style, style.columns)]) + "\n"


def _beginning(result: AnalysisResult, style: TextStyle) -> Iterator[str]:
    yield _title(result, style)
    yield from _notes(result, style)


def _title(result: AnalysisResult, style: TextStyle) -> str:
    version = f"corecast {result.version}".rstrip()
    return style.paint(f"{version}  {result.cpu_title} ({result.cpu}), {result.isa}", "bold")


def _notes(result: AnalysisResult, style: TextStyle) -> Iterator[str]:
    yield from _messages("error", map(str, result.failures), "red", style)
    yield from _warnings(result.warnings, style)


def _report(result: AnalysisResult, style: TextStyle) -> Iterator[str]:
    if len(result.regions) == 1:  # its line stands first of all
        yield from _region(result.regions[0], result, style)
        return
    yield from _beginning(result, style)
    if result.regions:
        from corecast.report.overview import overview_lines

        yield ""
        yield from overview_lines(result.regions, style)
    for region in result.regions:
        yield ""
        yield from _region(region, result, style)


def _region(region: RegionResult, result: AnalysisResult, style: TextStyle) -> Iterator[str]:
    cpu = result.cpu
    core = f"{cpu}: " if style.names_core else ""
    yield style.paint(core + headline(region), "bold")  # one line, however long: `head -n 1` has all of it
    size = plural(region.coverage.instructions, "instruction")
    mode = "as a loop" if region.mode == "loop" else "copies after each other"
    where = f"{printable(place(region))}  {region_name(region)}".rstrip()
    size = f"  ({size}, {mode})"
    yield from (where + size,) if len(where + size) <= style.width else (where, size)
    if len(result.regions) == 1:
        yield _title(result, TextStyle())
        yield from _notes(result, style)
    yield from _unknown(region, cpu, style)
    yield ""
    if region.withheld:
        yield from _wrapped(f"No forecast: {withheld_words(region, cpu)}", style, 12)
        yield from _warnings(region.warnings, style)
        return
    yield from _figures(region, cpu, style)
    yield ""
    yield from stall_lines(region, style)
    if region.simulated is not None and region.simulated.timeline is not None:
        from corecast.report.timeline import timeline_lines

        yield from timeline_lines(region, style)
    yield from table_lines(region, style)
    yield ""
    yield from _chains(region, style)
    yield from _frontend(region, style)
    yield from _ecm(region, style)
    yield from _faster(region, style)
    yield from _warnings(region.warnings, style)


def _unknown(region: RegionResult, cpu: str, style: TextStyle) -> Iterator[str]:
    unknown = unknown_headline(region)
    if not unknown:
        return
    for line in fold(f"UNKNOWN on {cpu}: {unknown}", style.width, "", "  "):
        yield style.paint(line, "bold", "red")
    rows = unknown_rows(region)
    for row in rows[:_UNKNOWN]:
        nearest = "; ".join(row.nearest_forms) or "none"
        where = f"{row_noun(region)} {row_name(region, row.index)}"
        yield from fold(
            f"{where}: {printable(row.form or row.text)}  (nearest known: {nearest})", style.width, "  ", "    "
        )
    if len(rows) > _UNKNOWN:
        yield f"  and {len(rows) - _UNKNOWN} more, marked in the table"


def _figures(region: RegionResult, cpu: str, style: TextStyle) -> Iterator[str]:
    """The lines of numbers below the headline."""
    prediction = region.prediction
    limit = f"limited by {headline_words(region)}"
    lines = [f"Method      {method_words(region)}: {limit}", *_rates(region)]
    if region.uncounted:
        lines = [
            f"Unknown     {dependence_words(region, cpu)}",
            f"{'':<12}without them {limit} ({method_words(region)})",
        ]
    for line in lines:
        yield from _wrapped(line, style, 12)
    for line in alternative_lines(region):
        yield from _wrapped(f"Aliasing    {line}", style, 12)
    bracket = prediction.bracket
    yield from _wrapped(
        f"Bracket     lower {cycles(bracket.lower)} (throughput)  expected {cycles(bracket.expected)}  "
        f"upper {cycles(bracket.upper)} ({upper_words(region)})",
        style,
        12,
    )
    yield from _wrapped(_bounds("Bounds", prediction.bounds), style, 12)
    if region.clock is not None:
        yield from _wrapped(f"Time        {time_words(region.clock, prediction.cycles_per_iteration)}", style, 12)
    if prediction.estimates:
        estimates = _bounds("Estimates", prediction.estimates)
        yield from _wrapped(estimates + "   (static, above the simulation: no bounds here)", style, 12)
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


def _rates(region: RegionResult) -> Iterator[str]:
    value = region.prediction.cycles_per_iteration
    if value > 0:
        instructions, uops = region.coverage.instructions / value, uops_of(region) / value
        yield f"Rates       {instructions:.2f} instructions (IPC) and {uops:.2f} micro-ops per cycle"


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


def _ecm(region: RegionResult, style: TextStyle) -> Iterator[str]:
    found = region.ecm
    if found is None:
        return
    work = found.work
    intensity = "" if work.intensity is None else f": {work.intensity:.3g} operations a byte"
    moved = f"{short_cycles(work.loaded_bytes)} bytes loaded, {short_cycles(work.stored_bytes)} stored"
    terms = f"T_OL {cycles(found.overlapping_cycles)}   T_nOL {cycles(found.transfer_cycles)}"
    if found.memory_cycles is not None:
        terms += f"   T_mem {cycles(found.memory_cycles)} ({short_cycles(found.traffic_bytes)} bytes)"
    for line in (
        f"Work        {short_cycles(work.flops)} floating-point operations, {moved}{intensity}",
        f"ECM         {terms}   T_comp {cycles(found.core_cycles)}",
        f"Roofline    {cycles(found.flops_per_cycle)} operations a cycle, {cycles(found.cycles)} cycles per iteration",
    ):
        yield from _wrapped(line, style, 12)


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
