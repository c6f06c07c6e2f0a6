"""What an analysis finds, for all regions together."""

from __future__ import annotations

from corecast.analysis.results import RegionResult, SourceSpan
from corecast.dataclass import dataclass, field
from corecast.errors import CorecastError
from corecast.hints import Any
from corecast.views import Viewed

_SHOWN = 4
"""Regions that `repr` names."""


@dataclass(frozen=True)
class RegionFailure:
    """A region, or a whole file, that could not be analyzed, and why."""

    name: str
    """Of the region; "" where the whole file could not be read."""
    source: SourceSpan
    """File and lines."""
    error: CorecastError
    """Why there is no result."""

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
class AnalysisResult(Viewed):
    """Everything `corecast analyze` knows; `report` only formats it."""

    cpu: str
    """Name of the machine model, `skylake_x`."""
    cpu_title: str
    """For reports, `Intel Skylake-X (server Skylake)`."""
    isa: str
    """Instruction set: "x86", "aarch64" or "riscv64"."""
    regions: tuple[RegionResult, ...]
    """Those with an answer, in the order of the code."""
    version: str = ""
    """Of corecast."""
    warnings: tuple[str, ...] = field(default=())
    """About the whole call: the choice of the core, lines that were skipped."""
    failures: tuple[RegionFailure, ...] = ()
    """Regions without an answer, and files that could not be read."""

    def __repr__(self) -> str:
        shown = [
            f"{region.name or 'region'} " + ("none" if cycles is None else f"{cycles:.2f}")
            for region in self.regions[:_SHOWN]
            for cycles in (region.cycles_per_iteration,)
        ]
        if len(self.regions) > _SHOWN:
            shown.append(f"and {len(self.regions) - _SHOWN} more")
        if self.failures:
            shown.append(f"{len(self.failures)} failed")
        return f"<AnalysisResult on {self.cpu}: {', '.join(shown) or 'no region'}>"

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
