"""What an analysis finds, for all regions together."""

from __future__ import annotations

from corecast.analysis.results import RegionResult, SourceSpan
from corecast.dataclass import dataclass, field
from corecast.errors import CorecastError
from corecast.hints import Any


@dataclass(frozen=True)
class RegionFailure:
    """A region, or a whole file, that could not be analyzed, and why."""

    name: str
    """Of the region; "" where the whole file could not be read."""
    source: SourceSpan
    error: CorecastError

    def __str__(self) -> str:
        """One line: file and line, what is wrong, and which region has no answer."""
        return f"{self.error}; no answer for region {self.name}" if self.name else str(self.error)

    def to_dict(self) -> dict[str, Any]:
        """An element of `failures` in the document (docs/json.md)."""
        from corecast.analysis.document import source_entry

        return {
            "name": self.name,
            "source": source_entry(self.source),
            "line": self.error.line,
            "message": self.error.message,
        }


@dataclass(frozen=True)
class AnalysisResult:
    """Everything `corecast analyze` knows; `report` only formats it."""

    cpu: str
    cpu_title: str
    isa: str
    regions: tuple[RegionResult, ...]
    version: str = ""
    warnings: tuple[str, ...] = field(default=())
    failures: tuple[RegionFailure, ...] = ()
    """Regions without an answer, and files that could not be read."""

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
            "failures": [failure.to_dict() for failure in self.failures],
            "warnings": list(self.warnings),
        }
