"""What there is to say of models at a glance: how many forms, how sure, how much of the pipeline. Loads no forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from corecast.dataclass import dataclass, replace
from corecast.errors import MachineModelError
from corecast.hints import Literal, cast
from corecast.machine.inherit import read_pipeline
from corecast.machine.loader import build, list_machines
from corecast.machine.types import MachineInfo
from corecast.machine.validation import validations

Detail = Literal["full", "most", "partial", "widths"]
CONFIDENCES = ("measured", "documented", "derived", "assumed")


@dataclass(frozen=True)
class Summary:
    """A model at a glance."""

    info: MachineInfo
    forms: Mapping[str, int]
    """Number of forms by confidence."""
    pipeline: Detail
    """full: every part that the simulator has is described; most: something of front end, schedulers, reorder buffer,
    loads and forwarding; partial: of some of them; widths: widths and reorder buffer only."""


def summaries(broken: Callable[[MachineModelError], None] | None = None) -> list[Summary]:
    """Every model there is, by name.

    Args:
        broken: called for models that cannot be read, which are left out then.

    Raises:
        MachineModelError: a file of a model cannot be read, and there is no `broken`.
    """
    found = []
    for info in list_machines(broken):
        try:
            found.append(summary_of(info))
        except MachineModelError as error:
            if broken is None:
                raise
            broken(error)
    return found


def summary_of(info: MachineInfo) -> Summary:
    """Raises MachineModelError where a file of the model cannot be read."""
    from corecast import _core

    pipeline, tables = read_pipeline(info.folder)
    counts = _core.forms_by_confidence([str(table) for table in tables])
    info = replace(info, validation=validations(pipeline))
    forms = {confidence: counts.get(confidence, 0) for confidence in CONFIDENCES}
    return Summary(info, forms, cast("Detail", build(info, pipeline, ()).core.pipeline_detail))
