"""Every reason has one sentence, which records give back."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest

from corecast import Kernel, _core, load_machine
from corecast.measure import HostCore, SimulatedCore, timed_kernel
from corecast.measure.campaign import Campaign
from corecast.measure.judge.forms.results import counted_reasons, read_results
from corecast.measure.record.file import read_records
from corecast.measure.rejection import CannotMeasureError, Reason, Rejection, counts_text, rejection_of
from corecast.measure.run.cached_core import CachedCore
from corecast.measure.run.entries import outcome_of_entry, timing_entry

ROOT = Path(__file__).resolve().parent.parent.parent
MEASURE = ROOT / "src" / "corecast" / "measure"


@pytest.mark.parametrize("reason", Reason)
def test_a_sentence_has_a_place_for_one_detail_at_most(reason: Reason) -> None:
    assert reason.value.count("{}") <= 1
    assert reason.word == reason.name.lower()


@pytest.mark.parametrize("reason", Reason)
def test_a_record_s_entry_gives_back_the_rejection(reason: Reason) -> None:
    written = Rejection(reason, "SIGUSR1 in 'nop'" if "{}" in reason.value else "")
    entry = timing_entry(written)
    assert entry["reason"] == reason.word
    assert entry["error"]["message"] == written.message
    assert outcome_of_entry(entry) == written


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (
            {"kind": "signal", "message": "ended with SIGILL (illegal instruction) in 'ud2'", "signal": "SIGILL"},
            Rejection(Reason.ILLEGAL, " in 'ud2'"),
        ),
        ({"kind": "signal", "message": "ended with SIGUSR1", "signal": "SIGUSR1"}, Rejection(Reason.SIGNAL, "SIGUSR1")),
        ({"kind": "timeout", "message": "did not end within 5 s"}, Rejection(Reason.TIMEOUT, "5")),
        ({"kind": "failed", "message": "what nobody says today"}, Rejection(Reason.OTHER, "what nobody says today")),
    ],
)
def test_entries_of_earlier_versions_get_their_reason(error: dict[str, str], found: Rejection) -> None:
    assert outcome_of_entry({"cycles": None, "error": error}) == found


def test_a_reason_of_a_later_version_is_another_one() -> None:
    assert Rejection.read("the moon was full", "moon") == Rejection(Reason.OTHER, "the moon was full")


@pytest.mark.parametrize("word", [None, "counted"])
def test_sentences_of_earlier_versions_are_read(word: str | None) -> None:
    earlier = "'rep movsb' repeats as often as rcx says: it has no time of its own"
    assert Rejection.read(earlier, word) == Rejection(Reason.COUNTED, "rep movsb")
    assert Rejection.read("nothing to hold it against") == Rejection(Reason.NOTHING_AGAINST)


def test_an_error_carries_its_rejection_through_processes() -> None:
    error = CannotMeasureError(Reason.NO_HELPER, "tile to general", where="2 x nop")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "2 x nop: no helper leads from tile to general"
    assert rejection_of(copy) == Rejection(Reason.NO_HELPER, "tile to general")


def test_no_sentence_is_written_twice() -> None:
    """Code names reasons; sentences are where they are defined."""
    parts = {part for reason in Reason for part in reason.value.split("{}") if len(part) > 16}
    for path in MEASURE.rglob("*.py"):
        if path.name == "rejection.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        strings = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        ]
        repeated = {part for part in parts for text in strings if part in text}
        assert not repeated, path


def test_forms_without_a_value_are_counted_by_reason(tmp_path: Path) -> None:
    path = tmp_path / "records"
    forms = ["add r64, r64", "vaddpd zmm, zmm, zmm", "bogus r64"]
    progress = Campaign(SimulatedCore(load_machine("nehalem")), path, forms).run()
    assert progress.rejected == {Reason.LACKS: 1, Reason.NO_FORM: 1}
    counts = counted_reasons(read_results(path))
    assert counts_text(counts) == "1 lacks, 1 no_form"
    reasons = {each["form"]: each["throughput"]["reason"] for each in read_records(path) if each["kind"] == "form"}
    assert reasons == {"add r64, r64": None, "vaddpd zmm, zmm, zmm": "lacks", "bogus r64": "no_form"}


@pytest.mark.skipif(_core.measurable_isa() != "x86", reason="needs an x86 host")
def test_a_cached_rejection_is_final_unless_it_may_pass() -> None:
    core = CachedCore(HostCore())
    kernel = timed_kernel(Kernel.from_hex("0f0b"))
    found = core.time(kernel)
    core.again = True
    assert core.time(kernel) is found


def test_the_manual_lists_all_reasons() -> None:
    text = (ROOT / "docs" / "measuring-reference.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", text.partition("### Reasons")[2], re.MULTILINE)
    assert rows == [(reason.word, reason.value.replace("{}", "…").strip()) for reason in Reason]
