"""Holds the accuracy on the repository's own measured blocks against the committed table: `make accuracy`.

python tools/guard_accuracy.py [--update] [--sets FOLDER]

FOLDER (benchmarks/accuracy) holds measured code of one core and kind a file, `zen4.loop.csv`, and `table.csv` with the
errors when they were last accepted. Kinds are `loop`, `unroll` and `compiled`: bodies of compiled loops on arrays,
which are predicted as loops. `zen4.others.loop.csv` is of programs that the model was not developed on,
`zen4.others.compiled.csv` of functions. Prints the errors now and how they changed; the exit code is 1 where one got
worse by more than the tolerances below. `--update` accepts what is found, and writes the error of the simulation into
the models (`[[validated]]` of their pipeline.toml).
"""

from __future__ import annotations

import argparse
import csv
import datetime
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corecast.evaluate import Setting, evaluate, read_blocks
from corecast.machine import load_machine
from corecast.machine.search import PACKAGED, PIPELINE
from corecast.machine.validation import Validation
from corecast.prediction.engine import Mode
from validated_tables import with_validations

SETS = Path(__file__).resolve().parent.parent / "benchmarks" / "accuracy"
TABLE = "table.csv"
SOURCE = "the repository's own measured blocks (benchmarks/accuracy)"
METHOD = "simulate"
"""Whose error the models state."""
KINDS = {"loop": "loops", "unroll": "unrolled blocks", "compiled": "compiled loops"}
OTHERS = {"loop": "programs", "unroll": "programs", "compiled": "functions"}
"""What code is from that the model was not developed on."""
MODES: dict[str, Mode] = {"loop": "loop", "unroll": "unroll", "compiled": "loop"}
"""How predictions repeat the code, by kind."""
_NAME = re.compile(rf"(?P<cpu>\w+)(?P<others>\.others)?\.(?P<kind>{'|'.join(MODES)})")
PREDICTORS = ("simulate", "bounds", "baseline")
COLUMNS = ("set", "predictor", "cases", "coverage", "mape", "tau", "bias")

WORSE = {"coverage": -0.001, "mape": 0.0005, "tau": -0.001}
"""From which change on a figure counts as worse."""


@dataclass(frozen=True)
class Row:
    """The errors of a predictor on a set; shares in units of 1."""

    set: str
    predictor: str
    cases: int
    coverage: float
    mape: float
    tau: float
    bias: float

    def cells(self) -> list[str]:
        return [str(self.set), self.predictor, str(self.cases), *(f"{getattr(self, name):.6f}" for name in COLUMNS[3:])]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="write the table anew")
    parser.add_argument("--sets", type=Path, default=SETS, metavar="FOLDER")
    arguments = parser.parse_args()
    files = sorted(path for path in arguments.sets.glob("*.csv") if path.name != TABLE)
    if not files:
        print(f"guard_accuracy: no measured sets in {arguments.sets}", file=sys.stderr)
        return 2
    for file in files:
        if _NAME.fullmatch(file.stem) is None:
            print(
                f"guard_accuracy: {file}: not a name CORE.KIND.csv or CORE.others.KIND.csv with a KIND of "
                f"{', '.join(MODES)}",
                file=sys.stderr,
            )
            return 2
    known = {(row.set, row.predictor): row for row in _read(arguments.sets / TABLE)}
    found = [row for file in files for row in _rows(file)]
    worse = []
    print("| set | predictor | cases | coverage | MAPE | tau | bias |")
    print("|---|---|---|---|---|---|---|")
    for row in found:
        before = known.get((row.set, row.predictor))
        figures = [_figure(row, before, name) for name in ("coverage", "mape", "tau", "bias")]
        print(f"| {row.set} | `{row.predictor}` | {row.cases:,} | {' | '.join(figures)} |")
        worse += [f"{row.set}, {row.predictor}: {name}" for name in WORSE if before and _is_worse(row, before, name)]
    if arguments.update:
        _write(arguments.sets / TABLE, found)
        if arguments.sets.resolve() == SETS:
            # What the table says, which is rounded.
            write_validated(_read(SETS / TABLE), datetime.datetime.now(datetime.timezone.utc).date().isoformat())
        return 0
    missing = [f"{row.set}, {row.predictor}" for row in found if (row.set, row.predictor) not in known]
    for each in missing:
        print(f"guard_accuracy: not in the table yet: {each}", file=sys.stderr)
    for each in worse:
        print(f"guard_accuracy: worse: {each}", file=sys.stderr)
    return 1 if worse or missing else 0


def named(name: str) -> tuple[str, str, str]:
    """What a set's name says: core, kind, and what the models call that kind of code."""
    found = _NAME.fullmatch(name)
    assert found is not None, name
    kind = found["kind"]
    return found["cpu"], kind, KINDS[kind] + (f" of other {OTHERS[kind]}" if found["others"] else "")


def validated(rows: Iterable[Row], date: str) -> Iterator[tuple[str, Validation]]:
    """What the models state of the errors in a table, each with the model's name."""
    for row in rows:
        cpu, _, words = named(row.set)
        if row.predictor == METHOD:
            yield cpu, Validation(words, row.cases, float(f"{100 * row.mape:.2f}"), date, SOURCE, METHOD)


def write_validated(rows: Iterable[Row], date: str) -> None:
    """Write these errors into the models; a figure that stays the same keeps its day."""
    for cpu, each in validated(rows, date):
        file = PACKAGED / cpu / PIPELINE
        known = {(one.kind, one.source): one for one in load_machine(cpu).info.validation}.get((each.kind, each.source))
        if known is None or (known.blocks, known.mape_percent) != (each.blocks, each.mape_percent):
            file.write_text(with_validations(file.read_text(encoding="utf-8"), [each]), encoding="utf-8")


def _rows(file: Path) -> Iterator[Row]:
    cpu, kind, _ = named(file.stem)
    evaluation = evaluate(read_blocks(file), Setting(load_machine(cpu), MODES[kind]), PREDICTORS)
    for result in evaluation.results:
        metrics = result.metrics
        yield Row(file.stem, result.name, metrics.cases, metrics.coverage, metrics.mape, metrics.tau, metrics.bias)


def _figure(row: Row, before: Row | None, name: str) -> str:
    """The figure, with its change in brackets where there is one."""
    now = getattr(row, name)
    scale, digits, unit = (1, 4, "") if name == "tau" else (100, 2, " %")
    text = f"{scale * now:.{digits}f}{unit}"
    change = 0.0 if before is None else scale * (now - getattr(before, name))
    return text if abs(change) < 0.5 * 10**-digits else f"{text} ({change:+.{digits}f})"


def _is_worse(row: Row, before: Row, name: str) -> bool:
    change = getattr(row, name) - getattr(before, name)
    return bool(change > WORSE[name] if WORSE[name] > 0 else change < WORSE[name])


def _read(file: Path) -> Iterator[Row]:
    if not file.exists():
        return
    with open(file, encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            figures = (float(row[name]) for name in COLUMNS[3:])
            yield Row(row["set"], row["predictor"], int(row["cases"]), *figures)


def _write(file: Path, rows: list[Row]) -> None:
    with open(file, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(row.cells() for row in rows)


if __name__ == "__main__":
    sys.exit(main())
