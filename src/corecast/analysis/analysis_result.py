"""What an analysis finds, for all regions together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from corecast.analysis.results import RegionResult


@dataclass(frozen=True)
class AnalysisResult:
    """Everything `corecast analyze` knows; `report` only formats it."""

    cpu: str
    cpu_title: str
    isa: str
    regions: tuple[RegionResult, ...]
    version: str = ""
    warnings: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The document of schema "corecast/1" (docs/json.md), ready for `json.dumps`."""
        from corecast.analysis.document import SCHEMA, region_document

        return {
            "schema": SCHEMA,
            "version": self.version,
            "cpu": self.cpu,
            "cpu_title": self.cpu_title,
            "isa": self.isa,
            "regions": [region_document(region) for region in self.regions],
            "warnings": list(self.warnings),
        }
