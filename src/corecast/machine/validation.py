"""What a model was validated against: `[[validated]]` of its pipeline.toml."""

from __future__ import annotations

from corecast.dataclass import dataclass
from corecast.hints import Any, Mapping

KEY = "validated"


@dataclass(frozen=True)
class Validation:
    """The error of predictions on measured code of one kind."""

    kind: str
    """Words that follow a number: `loops`, `kernels`. Where there are no figures, what was compared."""
    blocks: int | None = None
    mape_percent: float | None = None
    """Mean absolute error, relative to the measurement."""
    date: str = ""
    source: str = ""
    """Whose measurements."""
    method: str = ""
    """What predicted."""

    @property
    def text(self) -> str:
        """`1.19 % on 12,000 loops`."""
        words = self.kind if self.blocks is None else f"{self.blocks:,} {self.kind}"
        return words if self.mape_percent is None else f"{self.mape_percent:.2f} % on {words}"


def as_items(pipeline: Mapping[str, Any]) -> dict[str, Any]:
    """A pipeline whose texts under `validated`, as older files have them, are items without figures."""
    items = pipeline.get(KEY)
    if not isinstance(items, list):
        return dict(pipeline)
    return {**pipeline, KEY: [{"kind": item} if isinstance(item, str) else item for item in items]}


def validations(pipeline: Mapping[str, Any]) -> tuple[Validation, ...]:
    """The items that can be read; the check of keys complains of others."""
    items = pipeline.get(KEY, ())
    found = (_validation(item) for item in items if isinstance(item, Mapping)) if isinstance(items, list) else ()
    return tuple(each for each in found if each.kind)


def _validation(item: Mapping[str, Any]) -> Validation:
    blocks, percent = item.get("blocks"), item.get("mape_percent")
    return Validation(
        kind=_text(item, "kind"),
        blocks=blocks if isinstance(blocks, int) else None,
        mape_percent=float(percent) if isinstance(percent, int | float) else None,
        date=_text(item, "date"),
        source=_text(item, "source"),
        method=_text(item, "method"),
    )


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key, "")
    return value if isinstance(value, str) else ""
