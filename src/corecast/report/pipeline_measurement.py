"""Properties of a pipeline as text."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.measure.judge.pipeline import Property


def property_line(found: Property) -> str:
    if found.value is None:
        why = found.rejection.message if found.rejection is not None else ""
        return f"{found.name:34} {'-':>7}  {why}\n"
    least = ">=" if found.confidence == "lower bound" else "  "
    doubt = " (confidence low)" if found.confidence == "low" else ""
    return f"{found.name:32} {least}{found.value:7g}  {found.unit}{doubt}\n"
