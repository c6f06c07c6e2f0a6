"""Why a loop is not faster: the simulation's cycles by reason, in words."""

from __future__ import annotations

from corecast.analysis.results import RegionResult
from corecast.analysis.simulated import SimulationResult, StallShare
from corecast.hints import Iterator
from corecast.report.folding import fold
from corecast.report.style import TextStyle
from corecast.report.wording import bottleneck_words, bound_words, cycles, percent_of, plural, row_name, row_noun

SHOWN = 12
_LEAST = 0.005
BOTTLENECKS = {
    "ports": "port pressure",
    "frontend": "front end",
    "dependency": "dependencies",
    "unit": "a busy unit",
    "load_banks": "load banks",
    "activity": "too many wide vectors at once",
}
BUFFERS = {
    "reorder_buffer": "reorder buffer",
    "scheduler": "scheduler",
    "load_queue": "load queue",
    "store_queue": "store queue",
    "integer_registers": "integer registers",
    "vector_registers": "vector registers",
}
_FRONT_END = {
    "fetch": "front end starved: fetch",
    "predecode": "front end starved: predecoder",
    "decode": "front end starved: decoders",
    "microcode": "front end starved: microcode sequencer",
    "uop_cache": "front end starved: uop cache",
    "loop_buffer": "front end starved: the loop buffer restarts",
}


def simulated_words(found: SimulationResult) -> str:
    """The simulation's bottleneck with the port, unit or part of the front end behind it."""
    words = BOTTLENECKS.get(found.bottleneck, found.bottleneck)
    detail = found.detail.replace("_", " ")
    if found.bottleneck == "ports" and detail:
        detail = f"port{'s' if ',' in detail else ''} {detail}"
    words = f"{words} ({detail})" if detail else words
    return f"{words} and front end alike" if found.front_end_binds_too else words


def headline_words(region: RegionResult) -> str:
    """The bottleneck of the forecast, whichever method made it."""
    if region.memory_bound:
        return bound_words("memory")
    return bottleneck_words(region) if region.simulated is None else simulated_words(region.simulated)


def method_words(region: RegionResult) -> str:
    """How the forecast was made."""
    return "static bounds" if region.simulated is None else f"simulated, {exactness(region.simulated)}"


def exactness(found: SimulationResult) -> str:
    return "exact" if found.periodic else f"over {plural(found.measured_iterations, 'iteration')}"


def ranked_reasons(region: RegionResult) -> list[tuple[float, str]]:
    """Cycles and reason, largest first; shares that differ only in who waits behind are one."""
    if region.simulated is None:
        return []
    sums: dict[str, float] = {}
    for share in region.simulated.ranked_stalls:
        words = reason_words(region, share)
        sums[words] = sums.get(words, 0.0) + share.cycles
    return sorted(((value, words) for words, value in sums.items()), key=lambda item: -item[0])


def reason_words(region: RegionResult, share: StallShare) -> str:
    if share.cause == "none":
        return "full-width issue"
    # Nobody is blamed for lack of data.
    blamed = "" if share.instruction is None else f"{row_noun(region)} {row_name(region, share.instruction)}"
    if share.cause == "split_group":
        return "issue group split" + (f" before {blamed}" if blamed else "")
    if share.cause == "serializing":
        return f"{blamed or 'an instruction'} waits until all earlier ones are done"
    if share.cause in _FRONT_END:
        return _FRONT_END[share.cause] + (f" ({blamed} next)" if blamed else "")
    buffer = f"{BUFFERS[share.full]} full: " if share.full else ""
    if share.cause == "operand_latency":
        return f"{buffer}latency of {blamed or 'what is not known'}"
    if share.cause == "port_busy":
        return f"{buffer}{blamed} waits for port {share.resource}"
    if share.cause == "unit_busy":
        return f"{buffer}{blamed} waits for unit {share.resource}"
    if share.cause == "store_commit":
        return f"{buffer}retired stores go to the cache one by one"
    if share.cause == "activity":
        return "vectors too wide to do more at once" + (f" ({blamed} next)" if blamed else "")
    if share.cause == "retire_width":
        return f"{buffer}retirement is at its width"
    return f"{buffer}{share.cause.replace('_', ' ')} {blamed}".rstrip()


def stall_lines(region: RegionResult, style: TextStyle) -> Iterator[str]:
    """The part of the text report."""
    reasons = [(value, words) for value, words in ranked_reasons(region) if value >= _LEAST]
    if region.simulated is None or not reasons:
        return
    total = region.simulated.cycles_per_iteration
    core = f"Core alone {cycles(total)}" if region.memory_bound else "Why not faster"
    yield style.paint(f"{core}: simulated cycles per iteration by reason", "bold")
    for value, words in reasons[:SHOWN]:
        lead = f"{cycles(value):>8}  {percent_of(value, total):>7}  "
        yield from fold(words, style.width, lead, " " * len(lead))
    if len(reasons) > SHOWN:
        rest = sum(value for value, _ in reasons[SHOWN:])
        yield f"{cycles(rest):>8}  {percent_of(rest, total):>7}  {plural(len(reasons) - SHOWN, 'further reason')}"
    yield ""
