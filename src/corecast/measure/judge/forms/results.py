"""What a record file says of each form: its last record, as later tries only add what earlier ones lacked.

What helpers cost is solved anew from all their chains in the file. Of those that were timed several times the median
counts, of two the faster: others on the machine slow code down, and where the clock moves a reference now and then is
slower than what it is compared with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median_low

from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError
from corecast.hints import Any
from corecast.measure.isa.forms import VALUE_WORDS, Values
from corecast.measure.judge.forms.links import BY_DEFINITION, FENCE_START
from corecast.measure.judge.forms.system import System
from corecast.measure.record.file import read_records
from corecast.measure.record.interval import Interval
from corecast.measure.record.measured import Equation
from corecast.measure.rejection import Reason, Rejection
from corecast.measure.run.entries import rejection_of_entry
from corecast.measure.thresholds import LINKS_LEAST_LATENCY


@dataclass(frozen=True)
class PairResult:
    """Latency of an operand pair, and how it was found."""

    source: str
    target: str
    cycles: Interval
    method: str
    stable: bool
    helpers: tuple[str, ...] = ()


@dataclass(frozen=True)
class FormResult:
    form: str
    throughput: Interval | None
    """Reciprocal, in cycles."""
    throughput_stable: bool
    latencies: tuple[PairResult, ...]
    rejections: tuple[Rejection, ...] = ()
    """Of parts without a value, each once."""
    record: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    others: Mapping[Values, FormResult] = field(default_factory=dict)
    """The same for operands that hold something else, where the form's time may depend on it."""


@dataclass(frozen=True)
class PortResult:
    """Which ports a form needs."""

    names: str
    """The model whose names they have."""
    usage: tuple[tuple[float, tuple[str, ...]], ...]
    """Cycles by set of ports."""


@dataclass(frozen=True)
class Results:
    """Of one core."""

    cpu: str
    isa: str
    forms: Mapping[str, FormResult]
    """Those that the core has."""
    absent: tuple[str, ...] = ()
    """Forms that it does not have."""
    ports: Mapping[str, PortResult] = field(default_factory=dict)
    """Of the forms whose ports were measured."""


def read_results(path: str | Path) -> Results:
    """
    Raises:
        InputError: no record file, none of forms in it, or of several cores.
    """
    last: dict[str, Mapping[str, Any]] = {}
    cores: dict[tuple[str, str], None] = {}
    ports: dict[str, PortResult] = {}
    links: dict[str, list[Equation]] = {}
    for record in read_records(path):
        if record["kind"] == "link":
            what = record["text"] if record["text"] != BY_DEFINITION else f"{BY_DEFINITION}: {record['terms']}"
            equation = Equation(record["terms"], record["cycles"], what)
            links.setdefault(equation.what, []).append(equation)
        if record["kind"] == "ports" and record["usage"] is not None and record["names"]:
            usage = tuple((each["cycles"], tuple(each["ports"])) for each in record["usage"])
            ports[record["form"]] = PortResult(record["names"], usage)
        if record["kind"] == "form":
            last[record["form"]] = record
            cores[record["cpu"], record["isa"]] = None
    if not cores:
        raise InputError("holds no records of forms; `corecast measure machine` writes them", str(path))
    if len(cores) > 1:
        raise InputError(f"holds records of {len(cores)} cores: {'; '.join(cpu for cpu, _ in cores)}", str(path))
    ((cpu, isa),) = cores
    helpers = _Helpers([replace(each[0], cycles=median_low(one.cycles for one in each)) for each in links.values()])
    forms = {form: _result(form, record, helpers) for form, record in last.items() if not record["illegal"]}
    return Results(cpu, isa, forms, tuple(form for form, record in last.items() if record["illegal"]), ports)


def counted_reasons(results: Results) -> Counter[Reason]:
    """How often forms that the core has lack a throughput or a latency, by why."""
    parts = (part for form in results.forms.values() for part in form.rejections)
    return Counter(each.reason for each in parts)


class _Helpers:
    """What helpers cost, from all chains of them."""

    def __init__(self, equations: Sequence[Equation]) -> None:
        named = {name for equation in equations for name in equation.terms if not name.startswith(FENCE_START)}
        # A definition has the text of no chain; it is the same in every run.
        self._system = System([*equations], dict.fromkeys(named, LINKS_LEAST_LATENCY))
        self._known: dict[tuple[str, ...], Interval | None] = {}

    def total(self, names: tuple[str, ...]) -> Interval | None:
        if names not in self._known:
            self._known[names] = self._system.bounds({name: names.count(name) for name in names})
        return self._known[names]


def _cycles(latency: Mapping[str, Any], helpers: _Helpers) -> Interval:
    """Of a chain through helpers anew, else as recorded."""
    told = Interval(latency["min_cycles"], latency["max_cycles"])
    cost = helpers.total(tuple(latency["helpers"])) if latency["method"] == "linked" else None
    if cost is None:
        return told
    chain = latency["kernels"][0]["timing"]["cycles"]
    # What the chain itself left open: its results were there now sooner, now later.
    left_open = told.high - told.low - sum(most - least for least, most in latency["helpers"].values())
    low = chain - cost.high - max(0.0, left_open) if told.low > 0 else 0.0  # something hid the latency
    return Interval(max(0.0, low), max(0.0, chain - cost.low))


def _result(form: str, record: Mapping[str, Any], helpers: _Helpers) -> FormResult:
    throughput = record["throughput"]
    latencies = [
        PairResult(
            each["source"],
            each["target"],
            _cycles(each, helpers),
            each["method"],
            _stable(each["kernels"]),
            tuple(each["helpers"]),
        )
        for each in record["latencies"]
        if each["max_cycles"] is not None
    ]
    rejections = [rejection_of_entry(part) for part in (throughput, *record["latencies"])]
    return FormResult(
        form,
        _throughput(throughput, latencies),
        _stable(throughput["kernels"]),
        tuple(latencies),
        tuple(dict.fromkeys(each for each in rejections if each is not None)),
        record,
        {values: _result(form, record[values], helpers) for values in VALUE_WORDS if values in record},
    )


def _throughput(part: Mapping[str, Any], latencies: Iterable[PairResult]) -> Interval | None:
    """No longer than what an instance takes in a chain of nothing else: what broke the dependence may cost more.

    Chains of less than a cycle are idioms, and those through memory write one place again and again.
    """
    found = _interval(part)
    if found is None:
        return None
    chains = [pair.cycles.high for pair in latencies if pair.method == "direct" and pair.source != "mem"]
    most = min((cycles for cycles in chains if cycles > 0.9), default=found.high)
    return Interval(min(found.low, most), min(found.high, most))


def _interval(part: Mapping[str, Any]) -> Interval | None:
    return None if part["max_cycles"] is None else Interval(part["min_cycles"], part["max_cycles"])


def _stable(kernels: Iterable[Mapping[str, Any]]) -> bool:
    return all(each["timing"]["stable"] for each in kernels)
