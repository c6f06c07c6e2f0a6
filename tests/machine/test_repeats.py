"""What string instructions that repeat cost by their count: `repeats` of pipeline.toml, and what it is made from."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import pytest

import corecast
from corecast.analysis import AnalyzeOptions
from corecast.analysis.results import RegionResult
from corecast.errors import MachineModelError
from corecast.machine import load_machine
from corecast.machine.method import MethodChoice

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import make_repeats as repeats

METHODS: tuple[MethodChoice, ...] = ("bounds", "simulate")
COPY = bytes.fromhex("498d30498d39b940000000f3a4")
"""lea rsi, [r8]; lea rdi, [r9]; mov ecx, 64; rep movsb"""


def looped(count: str, string: str, cpu: str = "zen4", method: MethodChoice = "auto") -> RegionResult:
    """The loop of the campaign: a count beside four operations of ALUs."""
    text = f".L1: xorl %eax, %eax\nleaq (%r8), %rsi\nleaq (%r9), %rdi\n{count}\n{string}\ndecq %r10\njne .L1\n"
    (region,) = corecast.analyze(text, cpu, AnalyzeOptions(method=method)).regions
    return region


def warnings(result: RegionResult) -> list[str]:
    return [warning for warning in result.warnings if "repeats" in warning]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("count", "string", "measured"),
    [
        (20, "rep movsb", 13.8),
        (100, "rep movsb", 14.3),
        (1000, "rep movsb", 58.2),
        (20, "rep stosl", 14.9),
        (1000, "rep stosq", 252.9),
        (100, "rep lodsb", 220.7),
        (100, "repe cmpsw", 321.8),
        (20, "repne scasb", 64.4),
        (40, "rep movsq", 34.9),
    ],
)
def test_counts_that_the_figures_were_not_made_from(
    method: MethodChoice, count: int, string: str, measured: float
) -> None:
    """Measured like the campaign's, apart from it (AMD EPYC, family 25 model 17, 2026-11-23)."""
    result = looped(f"movl ${count}, %ecx", string, method=method)
    assert result.prediction.cycles_per_iteration == pytest.approx(measured, rel=0.1)


def test_many_blocks_cost_the_same_as_one() -> None:
    for method in METHODS:
        found = corecast.predict([COPY], cpu="zen4", mode="loop", method=method)
        assert found.cycles[0] == pytest.approx(14, abs=0.3)


def test_what_is_known_of_a_count_is_told() -> None:
    assert not warnings(looped("movl $64, %ecx", "rep movsb"))
    (string,) = [row for row in looped("movl $64, %ecx", "rep movsb").instructions if "movsb" in row.text]
    assert (string.note, string.status) == ("repeats 64 times", "known")
    (text,) = warnings(looped("movl $64, %ecx", "repe cmpsb"))
    assert text.endswith("repeats at most 64 times: counted as if no comparison ended it earlier")
    (text,) = warnings(looped("movq %rax, %rcx", "rep movsb"))
    assert "repeats as often as a register says" in text
    (text,) = warnings(looped("movl $64, %ecx", "rep movsb", "zen3"))
    assert "repeats 64 times: the model does not say what that costs" in text


def test_counts_too_long_to_simulate_have_bounds() -> None:
    result = looped("movl $1000000, %ecx", "rep stosb")
    assert result.simulated is None
    assert any(warning.startswith("not simulated: ") for warning in result.warnings)
    assert result.prediction.cycles_per_iteration == pytest.approx(31_400, rel=0.02)


def test_copies_on_nehalem_are_as_documented() -> None:
    for count, cycles in ((8, 20), (50, 65), (256, 104)):
        found = looped(f"movl ${count}, %ecx", "rep movsl", "nehalem").prediction
        assert found.cycles_per_iteration == pytest.approx(cycles, rel=0.05)
    assert warnings(looped("movl $8, %ecx", "rep movsb", "nehalem"))


def test_the_model_is_what_the_campaign_makes_of_it() -> None:
    pipeline = (load_machine("zen4").info.folder / "pipeline.toml").read_text(encoding="utf-8")
    assert repeats.text() in pipeline


def test_pieces_are_near_the_points_that_they_come_from() -> None:
    """A copy takes longer at once where the microcode takes another way, and steadily otherwise."""
    pieces = repeats.pieces({0: 10.0, 4: 10.2, 7: 10.1, 8: 30.0, 16: 38.0, 32: 54.0, 64: 70.0})
    assert [(piece.start, piece.cycles, piece.each) for piece in pieces] == [
        (0, 10.0, pytest.approx(0.014, abs=0.002)),
        (8, 30.0, 1.0),
        (32, 54.0, 0.5),
    ]


def test_pieces_miss_no_point_of_the_campaign_by_far() -> None:
    misses = []
    for points in repeats.measured().values():
        pieces = repeats.pieces(points)
        for count, cycles in points.items():
            piece = max((each for each in pieces if each.start <= count), key=lambda each: each.start)
            misses.append(abs(piece.cycles + (count - piece.start) * piece.each - cycles) / cycles)
    assert len(misses) > 600
    assert statistics.mean(misses) < 0.02
    assert max(misses) < 0.06


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('forms = ["rep movsb m8, m8"]', "repeats.0.ports is missing"),
        ('forms = ["rep movsb m8, m8"]\nports = ["NO"]\npieces = [{from = 0, cycles = 1}]', "there is no NO"),
        ('forms = ["f"]\nports = ["ALU0"]\npieces = []', "repeats.pieces must be"),
        ('forms = ["f"]\nports = ["ALU0"]\npieces = [{from = 0}]', "repeats.0.pieces.0.cycles is missing"),
        ('forms = ["f"]\nports = ["MS", "DIV"]\npieces = [{from = 0, cycles = 1}]', "at most one unit"),
        ('forms = ["f"]\nports = ["MS"]\npieces = [{from = 0, cycles = -1}]', "must be a number from 0"),
    ],
)
def test_wrong_tables_are_one_message(tmp_path: Path, table: str, message: str) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    sure = 'source = "me"\nconfidence = "measured"'
    (folder / "pipeline.toml").write_text(
        f'name = "own"\nextends = "zen4"\nisa = "x86"\nforms = []\n[[repeats]]\n{table}\n{sure}\n', encoding="utf-8"
    )
    with pytest.raises(MachineModelError, match=message):
        load_machine(folder)


def test_tables_say_where_they_are_from(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    text = 'name = "own"\nextends = "zen4"\nforms = []\n[[repeats]]\nforms = ["f"]\nports = ["ALU0"]\n'
    (folder / "pipeline.toml").write_text(text + "pieces = [{from = 0, cycles = 1}]\n")
    with pytest.raises(MachineModelError, match=r"repeats\.0\.(source|confidence) is missing"):
        load_machine(folder)
