"""All steps of a calibration, each from what the journal says that is done."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from corecast import __version__, _core
from corecast.calibrate.bench import Bench
from corecast.calibrate.code import data_digest, parts, shipped_blocks
from corecast.calibrate.experiments import decisions, finding_of, run_experiments
from corecast.calibrate.fit import Fit, Fitter, merged
from corecast.calibrate.journal import Journal
from corecast.calibrate.model import NAME, Origin, write_model
from corecast.calibrate.page import html_of
from corecast.calibrate.plan import Budget, Options
from corecast.calibrate.properties import findings, measure_properties, parameters_of
from corecast.calibrate.report import Results, document_of, validations_of, write_measured
from corecast.calibrate.rows import measure_forms, results_of, rows_of, tally
from corecast.calibrate.score import Timed
from corecast.calibrate.start import Start, assumed_from_hidden, find_start, load_start
from corecast.calibrate.validate import Visits, time_again, time_blocks
from corecast.dataclass import replace
from corecast.errors import InputError
from corecast.files.atomic import write_whole
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.types import Machine
from corecast.measure.judge.forms.results import Results as Measurements

REPORT = "report.json"
_REPORT_SECONDS = 2.0
Told = Callable[[str], None]


def _nothing(text: str) -> None:
    """Nobody watches."""


class Calibration:
    """A core becomes a model, in a folder."""

    def __init__(self, folder: Path, options: Options, bench: Bench, told: Told = _nothing) -> None:
        """Opens the folder; nothing is measured yet.

        Args:
            folder: new, empty, or of a calibration of the same machine with the same options.
            options: what the user asked for. More time than before continues a calibration that had ended.
            bench: the core.
            told: what is done, for people.

        Raises:
            InputError: the folder is of something else, or another process works in it.
            OSError: it cannot be read or written.
        """
        self.folder, self.options, self.bench = folder, options, bench
        self.blocks = shipped_blocks()
        head = {
            "version": __version__,
            "cpu": bench.identity,
            "data": data_digest(),
            "hidden": sorted(options.hidden),
            "pipeline_of": options.pipeline_of,
        }
        self.journal = Journal(folder, head)
        self.budget = Budget(options.seconds, bench.now, self.journal.spent_before)
        self.journal.spent = lambda: self.budget.spent
        self._told = told

    def run(self) -> dict[str, Any]:
        """Measures what there is time for, makes the model and returns the report.

        Raises:
            InputError: no model to start from. OSError: something cannot be written.
            KeyboardInterrupt: what was done is in the journal.
        """
        budget, told = self.budget, self._tell
        if (ended := self._report_of(self.options.seconds)) is not None:
            return ended
        budget.enter("identify")
        start = self._start()
        machine = load_start(start, self.options.hidden)
        budget.enter("validate")
        time_blocks(self.bench, self.journal, self.blocks, self._left, told)
        budget.enter("rules")
        run_experiments(self.bench, self.journal, self._left, told)
        budget.enter("pipeline")
        measure_properties(self.bench.core, machine, self.journal, self._left, told)
        budget.enter("forms")
        measure_forms(self.bench, self.folder, self.journal, machine, parts(self.blocks, "fit"), self._left, told)
        budget.enter("again")
        time_again(self.bench, self.journal, self.blocks, self._left, told)
        budget.enter("fit")
        return self._report_of(0.0) or self._finish(start, machine)

    def _report_of(self, seconds: float) -> dict[str, Any] | None:
        """The report, where the calibration had ended with at least so much time and nothing was measured since."""
        report, entries = self.folder / REPORT, self.journal.entries
        if not entries or entries[-1]["kind"] != "done" or entries[-1]["seconds"] < seconds or not report.is_file():
            return None
        found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return found

    def close(self) -> None:
        self.bench.close()
        self.journal.close()

    def _tell(self, text: str) -> None:
        self._told(f"{_clock(max(0.0, self.budget.left))} left, {text}")

    def _left(self) -> float:
        return self.budget.left_of_step

    def _start(self) -> Start:
        for entry in self.journal.of("start"):
            return Start(entry["machine"], entry["basis"], [(name, off) for name, off in entry["distances"]])
        self._tell("which core this is")
        found = find_start(self.bench, self.options)
        distances = [list(each) for each in found.distances]
        self.journal.add("start", machine=found.machine, basis=found.basis, distances=distances)
        return found

    def _finish(self, start: Start, machine: Machine) -> dict[str, Any]:
        visits = Visits.of(self.journal)
        verdicts = {block: visits.verdict(block) for block in self.blocks}
        timed = [
            Timed(block, each.cycles, each.register_step or 0)
            for block, each in verdicts.items()
            if each and each.cycles is not None
        ]
        if not timed:
            raise InputError(
                "no validation code could be timed: give it more time, or a machine that is left alone",
                str(self.folder),
            )
        write_measured(self.folder, timed)
        found = self._measured_parameters(machine)
        measured = merged(found)
        changed = [{key: value for key, value in each.items() if machine.parameter(key) != value} for each in found]
        confirmed = {key: value for key, value in measured.items() if machine.parameter(key) == value}
        with tempfile.TemporaryDirectory(prefix="corecast-") as tables:
            decided = decisions(self.journal, machine, merged(changed), Path(tables))
        every = [each for each in (*changed, *(decision.settings for decision in decided)) if each]
        sure = frozenset(key for decision in decided if decision.is_sure for key in decision.settings)
        self._tell("reading what was measured")
        measurements = results_of(self.folder)
        fit = self._fit(machine, every, timed, measurements)
        cpu = self.bench.core.name
        origin = Origin(cpu, start.machine, time.strftime("%Y-%m-%d"), sure | measured.keys(), (), confirmed)
        origin = replace(origin, not_assumed=assumed_from_hidden(load_machine(start.machine), self.options.hidden))
        model = self.folder / NAME
        write_model(model, fit.draft, origin)
        origin = replace(origin, validated=validations_of(self.folder, model, origin.date, cpu))
        write_model(model, fit.draft, origin)
        results = Results(
            folder=self.folder,
            start=start,
            start_machine=machine,
            model=model,
            fit=fit,
            verdicts=verdicts,
            findings=[*map(finding_of, decided), *findings(self.journal, self.bench.core)],
            measured=merged(every),
            tally=tally(measurements, parts(self.blocks, "fit")),
            identity=self.bench.identity,
            date=origin.date,
            seconds=self.options.seconds,
        )
        document = document_of(results)
        self.journal.add("done", seconds=self.options.seconds)
        document["spent_seconds"] = round(self.budget.spent, 1)
        write_whole(self.folder / REPORT, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        write_whole(self.folder / "report.html", html_of(document, __version__))
        return document

    def _measured_parameters(self, start: Machine) -> list[dict[str, Any]]:
        """What each experiment says, by keys of pipeline.toml."""
        found = [parameters_of(each, start) for each in findings(self.journal, self.bench.core)]
        if extensions := self._extensions(start):
            found.append({"extensions.names": extensions})
        return found

    def _extensions(self, start: Machine) -> list[str]:
        """What the core has beside the start model's extensions."""
        known = start.extensions
        if known is None:
            return []
        spelled = {name.replace("_", "").replace(".", ""): name for name in _core.extension_names("x86")}
        seen = {spelled.get(feature.replace("_", "")) for feature in self.bench.features} - {None, *known}
        return sorted({*known, *(name for name in seen if name is not None)}) if seen else []

    def _fit(
        self,
        start: Machine,
        measured: Sequence[Mapping[str, Any]],
        timed: list[Timed],
        measurements: Measurements | None,
    ) -> Fit:
        self._tell("fitting")
        end = self.bench.now() + max(self.budget.left, self.budget.fit_seconds) - _REPORT_SECONDS
        part = [each for each in timed if each.block.part == "fit"]
        with tempfile.TemporaryDirectory(prefix="corecast-") as folder:
            fitter = Fitter(part, Path(folder), lambda on: rows_of(measurements, on), lambda: end - self.bench.now())
            return fitter.fit(start, measured)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
