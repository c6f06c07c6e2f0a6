"""The text report says first what matters, stays readable and never hides an unknown instruction."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

from corecast.machine.intervals import Interval
from corecast.report.style import TextStyle
from corecast.report.text import render_text
from report import factory


def lines_of(*regions: factory.RegionResult, style: TextStyle | None = None) -> list[str]:
    return render_text(factory.analysis(*regions), style).splitlines()


def row_of(lines: list[str], name: str) -> list[str]:
    """Cells of the table row of a line."""
    return next([cell.strip() for cell in line.split("|")] for line in lines if re.match(rf"\s*{name} \|", line))


def test_headline_tells_core_place_prediction_and_bracket() -> None:
    text = "\n".join(lines_of(factory.gauss_seidel()))
    assert "Intel Skylake-X (skylake_x), x86" in text
    assert "loop.s:10-18  loop .L4" in text
    assert "8.00 cycles per iteration, bound by loop-carried dependency" in text
    assert "lower 2.00 (throughput)   expected 8.00   upper 18.00 (critical path)" in text
    assert "port pressure 1.50   front end 2.00   loop-carried dependency 8.00" in text


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (7.96, 8.251, "8.00 (7.96 to 8.26) cycles"),
        (7.9999, 8.0001, "8.00 (7.99 to 8.01) cycles"),
        (8.0, 8.0, "8.00 (8.00 to 8.00) cycles"),
        (1.9999, 8.5, "8.00 (2.00 to 8.50) cycles"),  # the lower bound of 2 is proven: this is scatter
        (1.5, 8.5, "8.00 (1.50 to 8.50) cycles"),
    ],
)
def test_an_interval_is_rounded_outwards(low: float, high: float, shown: str) -> None:
    region = replace(factory.gauss_seidel(), core_interval=Interval(low, high))
    assert f"Prediction  {shown} per iteration" in "\n".join(lines_of(region))


def test_unknown_instructions_come_before_the_prediction_with_share_and_nearest_forms() -> None:
    lines = lines_of(factory.with_unknown())
    told = next(i for i, line in enumerate(lines) if "no data for 1 of 3 instructions (33.3 %)" in line)
    prediction = next(i for i, line in enumerate(lines) if line.startswith("Prediction"))
    assert told < prediction
    assert lines[told + 1] == (
        "  line 11: vnewpd zmm, zmm, zmm  (nearest known: vaddpd zmm, zmm, zmm; vmulpd zmm, zmm, zmm)"
    )


def test_an_unknown_row_is_marked_x_and_counted_ones_n() -> None:
    region = factory.with_unknown()
    assert row_of(lines_of(region), "11")[3] == "X vnewpd zmm1, zmm0, zmm2"
    counted = replace(region.instructions[1], matched_form="vaddpd zmm, zmm, zmm")
    region = replace(region, instructions=(region.instructions[0], counted, region.instructions[2]))
    lines = lines_of(region)
    assert row_of(lines, "11")[3] == "N vnewpd zmm1, zmm0, zmm2"
    assert any("counted as the nearest known form" in line for line in lines)


def test_zero_cells_are_blank_and_zero_on_a_path_is_not() -> None:
    lines = lines_of(factory.gauss_seidel())
    assert row_of(lines, "16") == ["16", "", "0", "E vmovapd xmm1, xmm5"]
    assert row_of(lines, "14") == ["14", "0.50 0.50", "4     4", "vmulsd xmm5, xmm0, xmm1"]


def test_totals_row_holds_sums_and_path_lengths() -> None:
    lines = lines_of(factory.gauss_seidel())
    assert row_of(lines, "")[1:] == ["1.50 1.50 1.25 1.25 1.00 0.75 1.25 0.50", "18     8", ""]


def test_unused_ports_have_no_column_and_are_named_below() -> None:
    lines = lines_of(factory.with_unknown())
    assert row_of(lines, "line")[1].split() == ["0", "2", "3", "5", "6"]
    assert "  not used: 1, 4, 7, DIV" in lines


def test_chains_tell_lines_and_cycles() -> None:
    lines = lines_of(factory.gauss_seidel())
    assert "    8.00  13 (4) -> 14 (4) -> 16 (0)" in lines
    assert "    1.00  11 (1)" in lines


def test_front_end_components_and_fused_pairs_are_told() -> None:
    text = " ".join(" ".join(lines_of(factory.gauss_seidel())).split())
    assert (
        "Front end 2.00: rename 2.00, retire 1.75 (8 fused micro-ops, from the loop buffer, macro-fused 17+18)" in text
    )


@pytest.mark.parametrize("count", [8, 9, 17, 24, 40])
def test_table_keeps_every_port_of_wide_cores(count: int) -> None:
    lines = lines_of(factory.wide(count))
    header = row_of(lines, "line")[1].split()
    named = 0
    for label in header:
        for part in label.split(","):
            ends = [int(number) for number in re.findall(r"\d+", part)]
            named += ends[-1] - ends[0] + 1
    assert named == count


@pytest.mark.parametrize("count", [8, 17, 24])
def test_ports_of_wide_cores_fold_into_100_columns(count: int) -> None:
    assert max(map(len, lines_of(factory.wide(count)))) <= 100


FULL = "vaddsd xmm3, xmm2, qword ptr [r12 + r13 + 16]"


def test_only_a_style_that_cuts_shortens_instructions() -> None:
    assert any(FULL in line for line in lines_of(factory.gauss_seidel(), style=TextStyle(width=60)))
    cut = lines_of(factory.gauss_seidel(), style=TextStyle(width=60, cut=True))
    assert not any(FULL in line for line in cut)
    assert max(len(line) for line in cut if "|" in line) <= 60


def test_a_narrow_terminal_has_the_ports_below_the_instruction() -> None:
    """Rather than an instruction that is cut before its figures."""
    lines = lines_of(factory.gauss_seidel(), style=TextStyle(width=80, cut=True))
    at = next(number for number, line in enumerate(lines) if FULL in line)
    assert re.fullmatch(r"\s+\|\s+\|\s+p2,3 0\.50|\s+\|\s+\|(\s+p[0-9,-]+ \d\.\d\d)+", lines[at + 1])
    assert any(re.match(r"\s+sum \|", line) for line in lines)
    assert max(len(line) for line in lines if "|" in line) <= 80


def test_colours_appear_only_where_the_style_has_them() -> None:
    assert "\x1b" not in "\n".join(lines_of(factory.with_unknown()))
    assert "\x1b[1;31m" in "\n".join(lines_of(factory.with_unknown(), style=TextStyle(colour=True)))


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


def test_style_of_a_terminal_honours_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert TextStyle.for_stream(Terminal()).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not TextStyle.for_stream(Terminal()).colour
    assert TextStyle.for_stream(Terminal()).cut


def test_style_of_a_pipe_is_plain() -> None:
    assert TextStyle.for_stream(io.StringIO()) == TextStyle()


def test_control_characters_of_the_input_do_not_reach_the_terminal() -> None:
    region = factory.gauss_seidel()
    region = replace(region, name="evil \x1b[2J", warnings=("bad \x1b]0;title\x07",))
    assert "\x1b" not in "\n".join(lines_of(region))


def test_several_regions_open_with_an_overview() -> None:
    lines = lines_of(factory.gauss_seidel(), factory.with_unknown())
    overview = next(i for i, line in enumerate(lines) if line.startswith("region"))
    assert lines[overview + 1].split()[-4:] == ["loop.s:10-18", "8.00", "loop-carried", "dependency"]
    assert "33.3 % unknown" in lines[overview + 2]


def test_a_region_without_instructions_is_shown() -> None:
    assert lines_of(factory.region((), factory.Parts(("0", "1"))))
