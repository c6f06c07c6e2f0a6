"""A model that is hidden counts as if it did not exist: nothing that another one assumes from it is known either."""

from __future__ import annotations

from pathlib import Path

from corecast.calibrate.draft import Draft
from corecast.calibrate.model import Origin, write_model
from corecast.calibrate.start import Start, assumed_from_hidden, load_start
from corecast.machine import load_machine

START = Start("emerald_rapids", "")


def test_what_is_assumed_from_a_hidden_model_is_unknown() -> None:
    assert load_start(START).parameter("predecode.width") == 8
    hidden = load_start(START, ("gnr",))
    assert hidden.parameter("predecode.width") is None
    assert hidden.parameter("decode.width") == 6
    assert load_start(START, ("zen4",)).parameter("predecode.width") == 8


def test_the_model_that_is_written_does_not_assume_it_again(tmp_path: Path) -> None:
    names = assumed_from_hidden(load_machine("emerald_rapids"), ("granite_rapids", "meteor_lake_p"))
    assert names == ["granite_rapids"]
    draft = Draft(load_start(START, names), {"predecode.width": 6})
    write_model(tmp_path / "model", draft, Origin("a core", "emerald_rapids", "2026-11-27", frozenset(), (), {}, names))
    written = load_machine(tmp_path / "model")
    assert written.parameter("predecode.width") == 6
    assert written.parameter("instruction_queue.entries") is None
