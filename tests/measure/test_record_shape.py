"""A changed record is an error that names its line, whatever is wrong with it; none makes corecast crash."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from corecast.cli.main import main
from corecast.errors import InputError
from corecast.machine import load_machine
from corecast.measure import SimulatedCore
from corecast.measure.campaign import Campaign
from corecast.measure.judge.forms.results import read_results

WRONG = (None, -1, "text", [], {}, [[]], float("inf"))


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("records") / "r"
    Campaign(SimulatedCore(load_machine("skylake_x")), path, ["imul r64, r64", "adc r64, r64"], 5.0).run()
    return [json.loads(line) for line in path.read_text().splitlines()]


def places(value: Any, depth: int = 4) -> Iterator[tuple[object, ...]]:
    """Ways to the members of a record, into the first of each list."""
    if depth == 0:
        return
    keys = list(value) if isinstance(value, dict) else [0] if isinstance(value, list) and value else []
    for key in keys:
        yield (key,)
        yield from ((key, *rest) for rest in places(value[key], depth - 1))


def test_any_change_is_read_or_told(records: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "r"
    kinds = {record["kind"]: record for record in records}
    assert kinds.keys() >= {"form", "link"}
    for record in kinds.values():
        for way in places(record):
            for wrong in WRONG:
                changed = copy.deepcopy(record)
                inner: Any = changed
                for key in way[:-1]:
                    inner = inner[key]
                inner[way[-1]] = wrong
                path.write_text("".join(json.dumps(each) + "\n" for each in (changed, *records)))
                with suppress(InputError):  # anything else is a fault
                    read_results(path)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"schema":"corecast-record/1"}', "`kind` is not text"),
        ('{"schema":"corecast-record/1","kind":"form","form":"adc r64, r64"}', "`cpu` is missing"),
        ('{"schema":"corecast-record/1","kind":"form","cpu":"x","isa":"vax"}', "`isa` is not an instruction set"),
        (
            '{"schema":"corecast-record/1","kind":"link","terms":{"a":[]},"cycles":1,"text":""}',
            "`terms.a` is not a number",
        ),
        ("[]", "no JSON object"),
        ("[" * 200_000, "nested too deeply"),
    ],
)
def test_the_message_names_line_and_member(
    line: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r").write_text(line + "\n")
    assert main(["infer", str(tmp_path / "r"), "-o", str(tmp_path / "d"), "--pipeline-of", "skylake_x"]) == 2
    error = capsys.readouterr().err
    assert "r:1: not a record of a measurement: " in error
    assert told in error
    assert not (tmp_path / "d").exists()
