"""Records of kind `pipeline`: one property of a core, with the curve that shows it."""

from __future__ import annotations

from corecast.hints import Any
from corecast.measure.judge.pipeline.discovery import Property
from corecast.measure.record.file import head
from corecast.measure.run.core import Core
from corecast.measure.run.entries import reason_entry, rounded


def property_record(found: Property, core: Core) -> dict[str, Any]:
    return {
        **head("pipeline", core),
        "property": found.name,
        "value": found.value,
        "unit": found.unit,
        "confidence": found.confidence,
        "how": found.how,
        "kernel": list(found.kernel),
        "curve": [[count, rounded(cycles)] for count, cycles in found.curve],
        **reason_entry(found.rejection),
    }
