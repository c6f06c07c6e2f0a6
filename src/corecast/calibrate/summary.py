"""The report of a calibration as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corecast.hints import Any

_WIDEST = 44
_MOST_NAMES = 3
"""Of a list that is shown in full."""
_LEAST_BLOCKS = 3
"""Of a class that the text shows."""


def text_of(document: Mapping[str, Any], worst: int = 2) -> str:
    """`worst`: residuals that are shown, of each kind."""
    return "\n".join(_lines(document, worst)) + "\n"


def _lines(document: Mapping[str, Any], worst: int) -> Iterator[str]:
    start = document["start"]
    yield f"{document['cpu']}, started from {start['machine']} ({start['basis']})"
    yield ""
    yield from table(*errors_section(document))
    yield ""
    yield from table(*classes_section(document, ("content", "memory"), _LEAST_BLOCKS))
    yield ""
    yield from table(*properties_section(document, with_same=False))
    for line in notes(document):
        yield ""
        yield line
    for kind in document["kinds"].values():
        for each in kind.get("worst", ())[:worst]:
            yield ""
            before = "no answer" if each["before"] is None else f"{each['before']:g}"
            yield f"{kind['title']}: measured {each['measured']:g}, start model {before}, model {each['after']:g}"
            yield f"  {'; '.join(each['code'])}"


Section = tuple[Sequence[str], Sequence[Sequence[str]]]


def errors_section(document: Mapping[str, Any]) -> Section:
    """Errors on code that was held back."""
    head = ("held-back code", "timed", "held back", "start model", "model", "within 10 %", "covered", "tau")
    rows = []
    for kind in document["kinds"].values():
        if not kind["held"]:
            rows.append((kind["title"], str(kind["timed"]), "0", "-", "-", "-", "-", "-"))
            continue
        before, after = kind["before"], kind["after"]
        rows.append(
            (
                kind["title"],
                str(kind["timed"]),
                str(kind["held"]),
                _error(before),
                _error(after),
                f"{_percent(before['within_10'])} to {_percent(after['within_10'])}",
                f"{_percent(before['coverage'])} to {_percent(after['coverage'])}",
                f"{_plain(before['tau'])} to {_plain(after['tau'])}",
            )
        )
    return head, rows


def classes_section(document: Mapping[str, Any], facets: Sequence[str] = (), least: int = 1) -> Section:
    """Errors by class: of some facets, where they are named, and of classes with enough blocks."""
    head = ("held-back code", "class", "blocks", "start model", "model")
    rows = [
        (
            kind["title"],
            f"{each['facet']}: {each['label']}",
            str(each["blocks"]),
            _percent(each["before"]["mape"], 2),
            _percent(each["after"]["mape"], 2),
        )
        for kind in document["kinds"].values()
        for each in kind.get("classes", ())
        if each["blocks"] >= least and (not facets or each["facet"] in facets)
    ]
    return head, rows


def properties_section(document: Mapping[str, Any], *, with_same: bool = True) -> Section:
    """What the pipeline experiments found; `with_same`: also where the start model gives the same."""
    head = ("property", "measured", "start model gives", "confidence")
    rows = []
    for each in document["properties"]:
        if each["value"] is None:
            rows.append((each["name"], "not measured", "", each["reason"] or ""))
            continue
        if each["value"] == each["start_gives"] and not with_same:
            continue
        expected = "" if each["start_gives"] is None else f"{each['start_gives']:g}"
        rows.append((each["name"], f"{each['value']:g} {each['unit']}".strip(), expected, each["confidence"]))
    return head, rows


def same_properties(document: Mapping[str, Any]) -> list[str]:
    """Names of properties that are as the start model gives them."""
    found = [each["name"] for each in document["properties"] if each["value"] is not None]
    differ = {row[0] for row in properties_section(document, with_same=False)[1]}
    return [name for name in found if name not in differ]


def notes(document: Mapping[str, Any]) -> Iterator[str]:
    """What the tables do not say."""
    fit, forms = document["fit"], document["forms"]
    for kind in document["kinds"].values():
        if kind["held"] and kind["both"]["blocks"] < max(kind["before"]["scored"], kind["after"]["scored"]):
            both = kind["both"]
            before, after = _percent(both["before"], 2), _percent(both["after"], 2)
            yield f"{kind['title']}, the {both['blocks']} that both models cover: start model {before}, model {after}"
    if same := same_properties(document):
        yield f"As the start model gives it: {', '.join(same)}"
    yield (
        f"Forms: {forms['seen']:,} measured ({forms['absent']:,} not on this core, {forms['unstable']:,} not stable); "
        f"{forms['used']:,} rows used, {len(forms['set_aside']):,} set aside because they made code worse"
    )
    if forms["rejected"]:
        counts = sorted(forms["rejected"].items(), key=lambda each: (-each[1], each[0]))
        yield f"Throughputs and latencies without a value: {', '.join(f'{count:,} {word}' for word, count in counts)}"
    told = ", ".join(
        f"{key} {_value(each['start'])} -> {_value(each['model'])}{'' if each['measured'] else ' (by error)'}"
        for key, each in document["parameters"].items()
    )
    yield f"Base: {fit['base']}; parameters: {told or 'those of the start model'}"
    if document["not_used"]:
        yield f"Measured, but not used, as code is not predicted better with it: {', '.join(document['not_used'])}"
    if not fit["finished"]:
        yield "There was no time to try all open parameters: more --time continues"
    reasons = {}
    for kind in document["kinds"].values():
        left_out = [f"{count} {reason}" for reason, count in kind["rejected"].items()]
        left_out += [f"{kind['not_reached']} not reached"] if kind["not_reached"] else []
        if left_out:
            reasons[kind["title"]] = ", ".join(left_out)
    for title, text in reasons.items():
        yield f"Not timed, {title}: {text}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [min(_WIDEST, max(len(row[at]) for row in (head, *rows))) for at in range(len(head))]
    for row in (head, *rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _value(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return "there" if not value else f"({len(value)})"
    if isinstance(value, list):
        plain = len(value) <= _MOST_NAMES and all(isinstance(each, str) for each in value)
        return ", ".join(value) if plain else f"({len(value)})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _percent(share: float | None, digits: int = 0) -> str:
    return "-" if share is None else f"{100 * share:.{digits}f} %"


def _error(metrics: Mapping[str, Any]) -> str:
    """With its 95 % bootstrap interval."""
    low, high = metrics["mape_interval"]
    interval = "" if low is None else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return _percent(metrics["mape"], 2) + interval


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
