"""The text report says first what matters, stays readable and never hides an unknown instruction."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corecast.analysis.advice.types import Accumulators, Advice, Balance, Exchange, Regrouped, Unrolled
from corecast.machine.intervals import Interval
from corecast.report import overview, table_columns
from corecast.report.style import TextStyle
from corecast.report.text import render_summary, render_text
from report import factory


def lines_of(*regions: factory.RegionResult, style: TextStyle | None = None) -> list[str]:
    return render_text(factory.analysis(*regions), style).splitlines()


WIDE = TextStyle(width=140)


def row_of(lines: list[str], name: str) -> list[str]:
    """Cells of the table row of a line."""
    return next([cell.strip() for cell in line.split("|")] for line in lines if re.match(rf">?\s*{name} \|", line))


def test_one_line_stands_first() -> None:
    lines = lines_of(factory.gauss_seidel())
    assert lines[0] == "8.00 cycles, static bounds; chain of lines 13, 14, 16; remedy: none"
    assert lines[1:3] == [
        "loop.s:10-18  loop .L4  (9 instructions, as a loop)",
        "corecast 0.1.0  Intel Skylake-X (skylake_x), x86",
    ]


def test_the_figures_behind_the_first_line() -> None:
    text = "\n".join(lines_of(factory.gauss_seidel()))
    assert "Method      static bounds: limited by loop-carried dependency\n" in text
    assert "Rates       1.12 instructions (IPC) and 1.00 micro-ops per cycle\n" in text
    assert "lower 2.00 (throughput)  expected 8.00  upper 18.00 (critical path)" in text
    assert "port pressure 1.50   front end 2.00   loop-carried dependency 8.00" in text


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (7.96, 8.251, "8.00 cycles (7.96 to 8.26)"),
        (7.9999, 8.0001, "8.00 cycles (7.99 to 8.01)"),
        (8.0, 8.0, "8.00 cycles (8.00 to 8.00)"),
        (1.9999, 8.5, "8.00 cycles (2.00 to 8.50)"),  # the lower bound of 2 is proven: this is scatter
        (1.5, 8.5, "8.00 cycles (1.50 to 8.50)"),
    ],
)
def test_an_interval_is_rounded_outwards(low: float, high: float, shown: str) -> None:
    region = replace(factory.gauss_seidel(), core_interval=Interval(low, high))
    assert lines_of(region)[0].startswith(f"{shown}, static bounds; ")


def test_unknown_instructions_come_before_the_figures_with_share_and_nearest_forms() -> None:
    lines = lines_of(factory.with_unknown())
    assert lines[0] == "at least 1.00 cycles, static bounds; unknown: vnewpd (line 11)"
    told = next(i for i, line in enumerate(lines) if "no data for 1 of 3 instructions (33.3 %)" in line)
    assert told < lines.index("") < next(i for i, line in enumerate(lines) if line.startswith("Bracket"))
    words = " ".join(" ".join(lines[told:]).split())
    assert "line 11: vnewpd zmm, zmm, zmm (nearest known: vaddpd zmm, zmm, zmm; vmulpd zmm, zmm, zmm)" in words


def test_an_unknown_row_is_marked_x_and_counted_ones_n() -> None:
    region = factory.with_unknown()
    assert row_of(lines_of(region), "11")[3] == "X vnewpd zmm1, zmm0, zmm2"
    counted = replace(region.instructions[1], matched_form="vaddpd zmm, zmm, zmm")
    region = replace(region, instructions=(region.instructions[0], counted, region.instructions[2]))
    lines = lines_of(region)
    assert row_of(lines, "11")[3] == "N vnewpd zmm1, zmm0, zmm2"
    assert "counted as the nearest known form" in " ".join(" ".join(lines).split())


def test_zero_cells_are_blank_and_zero_on_a_path_is_not() -> None:
    lines = lines_of(factory.gauss_seidel(), style=WIDE)
    assert row_of(lines, "16") == ["16", "", "0", "E vmovapd xmm1, xmm5"]
    assert row_of(lines, "14") == [">  14", "0.50 0.50", "4   4", "vmulsd xmm5, xmm0, xmm1"]


def test_totals_row_holds_sums_and_path_lengths() -> None:
    lines = lines_of(factory.gauss_seidel(), style=WIDE)
    assert row_of(lines, "")[1:] == ["1.50 1.50 1.25 1.25 1.00 0.75 1.25 0.50", "18   8", ""]


def test_unused_ports_have_no_column_and_are_named_below() -> None:
    lines = lines_of(factory.with_unknown(), style=WIDE)
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


def port_labels(lines: list[str]) -> list[str]:
    """What the heading says of ports: the lines above "line" have the first of those that share a column."""
    at = next(number for number, line in enumerate(lines) if re.match(r"\s*line \|", line))
    first = at
    while lines[first - 1].startswith(" "):
        first -= 1
    ends = [match.end() for match in re.finditer(r"\S+", lines[at].split("|")[1])]
    columns = [""] * len(ends)
    for line in lines[first : at + 1]:
        cells = line.split("|")[1]
        for number, end in enumerate(ends):
            words = cells[:end].split(" ")
            columns[number] += words[-1].rstrip("*") + ("," if words[-1] and not words[-1].endswith("-") else "")
    return columns


@pytest.mark.parametrize("count", [8, 9, 17, 24, 40])
@pytest.mark.parametrize("width", [80, 100, 200])
def test_every_port_of_wide_cores_has_a_column_or_is_named(count: int, width: int) -> None:
    lines = lines_of(factory.wide(count), style=TextStyle(width=width))
    words = " ".join(" ".join(lines).split())
    left_out = re.search(r"not shown for lack of room: (.*?); a wider", words)
    labels = port_labels(lines) + [each.split(" (")[0] for each in left_out[1].split("), ")] if left_out else []
    named = 0
    for label in labels or port_labels(lines):
        for part in filter(None, label.split(",")):
            ends = [int(number) for number in re.findall(r"\d+", part)]
            named += ends[-1] - ends[0] + 1
    assert named == count
    assert max(map(len, lines[1:])) <= width  # the first is one line, however long


FULL = "vaddsd xmm3, xmm2, qword ptr [r12 + r13 + 16]"


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_instructions_are_whole_at_any_width(width: int) -> None:
    lines = lines_of(factory.gauss_seidel(), style=TextStyle(width=width))
    at = next(number for number, line in enumerate(lines) if re.match(r"\s*12 \|", line))
    text = lines[at].rpartition("|")[2].strip()
    while text != FULL:  # the rest is in the next lines, whose other cells are blank
        at += 1
        *cells, rest = lines[at].split("|")
        assert not "".join(cells).strip()
        text += f" {rest.strip()}"
    assert max(map(len, lines[1:])) <= width  # the first is one line, however long


def test_a_narrow_table_leaves_out_ports_with_least_work_and_says_so() -> None:
    at_80, at_100 = (lines_of(factory.gauss_seidel(), style=TextStyle(width=width)) for width in (80, 100))
    assert row_of(at_100, "line")[1].split() == ["1", "3", "4", "5", "6", "7"]
    assert row_of(at_80, "line")[1].split() == ["1", "3", "4", "6"]
    assert "not shown for lack of room: 5 (0.75), 7 (0.50); a wider terminal or COLUMNS=140 shows all" in " ".join(
        " ".join(at_80).split()
    )


def test_the_limiting_port_is_marked_and_never_left_out() -> None:
    region = factory.wide(17)
    for width in (60, 80, 200):
        lines = lines_of(region, style=TextStyle(width=width))
        assert row_of(lines, "line")[1].split()[-1] == "V16*"
        assert "  *: limits the loop" in lines
    assert not any("*:" in line for line in lines_of(factory.gauss_seidel()))  # a chain limits it


def test_the_lines_that_cost_most_are_marked() -> None:
    lines = lines_of(factory.gauss_seidel())
    marked = [line.split("|")[0] for line in lines if line.startswith(">")]
    assert [name.split() for name in marked] == [[">", "13"], [">", "14"]]
    assert "  >: takes most of the dependency chain" in lines
    lines = lines_of(factory.wide(17))
    assert [line.split("|")[0].split() for line in lines if line.startswith(">")] == [[">", "14"]]
    assert "  >: has most work for the limiting ports" in lines


def test_unknown_instructions_may_bind_so_that_nothing_is_marked() -> None:
    lines = lines_of(factory.with_unknown())
    assert not any(line.startswith(">") for line in lines)
    assert "*" not in row_of(lines, "line")[1]


def test_marks_are_coloured_on_terminals() -> None:
    text = "\n".join(lines_of(factory.wide(17), style=TextStyle(width=120, colour=True)))
    assert "\x1b[1;33m1.00\x1b[0m" in text  # the cell of the limiting port
    assert "\x1b[1m>  14" in text


def test_colours_appear_only_where_the_style_has_them() -> None:
    assert "\x1b" not in "\n".join(lines_of(factory.with_unknown()))
    assert "\x1b[1;31m" in "\n".join(lines_of(factory.with_unknown(), style=TextStyle(colour=True)))


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "terminal", "pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"CLICOLOR": "0"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colours_are_for_terminals_unless_variables_say_otherwise(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], terminal: bool, pipe: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert TextStyle.for_stream(Terminal()).colour == terminal
    assert TextStyle.for_stream(io.StringIO()).colour == pipe
    assert not TextStyle.for_file().colour


def test_the_width_is_80_where_there_is_no_terminal_unless_columns_says_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert TextStyle.for_stream(io.StringIO()) == TextStyle() == TextStyle(width=80)
    monkeypatch.setenv("COLUMNS", "140")
    assert TextStyle.for_stream(io.StringIO()).width == TextStyle.for_file().width == 140


def test_control_characters_of_the_input_do_not_reach_the_terminal() -> None:
    region = factory.gauss_seidel()
    region = replace(region, name="evil \x1b[2J", warnings=("bad \x1b]0;title\x07",))
    assert "\x1b" not in "\n".join(lines_of(region))


def test_several_regions_open_with_an_overview() -> None:
    lines = lines_of(factory.gauss_seidel(), factory.with_unknown())
    assert lines[0].startswith("corecast")
    overview = next(i for i, line in enumerate(lines) if line.startswith("region"))
    assert lines[overview - 1] == "2 regions of loop.s, cycles per iteration, static bounds, remedies: none"
    assert lines[overview].split() == ["region", "lines", "cycles", "cause"]
    expected = ["loop", ".L4", "10-18", "8.00", "chain", "of", "lines", "13,", "14,", "16"]
    assert lines[overview + 1].split() == expected
    assert "33.3 % unknown" in lines[overview + 2]
    assert lines[overview + 4].startswith("8.00 cycles, static bounds; ")


def test_an_overview_has_lines_and_whole_names_where_there_is_room() -> None:
    lines = lines_of(factory.gauss_seidel(), factory.with_unknown(), style=WIDE)
    overview = next(i for i, line in enumerate(lines) if line.startswith("region"))
    assert lines[overview].split() == ["region", "lines", "cycles", "cause"]
    assert lines[overview + 2].split()[:3] == ["loop", '<&"evil">', ".L7"]
    assert lines[overview + 2].split()[3] == "10-12"


def test_a_region_without_instructions_is_shown() -> None:
    assert lines_of(factory.region((), factory.Parts(("0", "1"))))


def test_a_narrow_overview_leaves_out_parameters_before_it_cuts_names() -> None:
    names = ["num::axpy<double>(std::vector<double> const&, int)+0x10", "std::function<void (int)>::call(int)+0x8"]
    regions = [replace(factory.gauss_seidel(), name=name) for name in names]
    lines = lines_of(*regions)
    overview = next(i for i, line in enumerate(lines) if line.startswith("region"))
    assert [line.split()[0] for line in lines[overview + 1 : overview + 3]] == [
        "num::axpy+0x10",
        "std::function::call+0x8",
    ]
    wide = lines_of(*regions, style=WIDE)
    assert any(line.startswith(names[0]) for line in wide)


def test_one_long_cause_does_not_widen_all_lines() -> None:
    lines = lines_of(regrouped(), factory.wide(40))
    overview = next(i for i, line in enumerate(lines) if line.startswith("region"))
    assert lines[overview].index("remedy") == lines[overview + 1].index("regroup") <= 70
    assert lines[overview + 2].endswith(", ...  none")


def regrouped() -> factory.RegionResult:
    """A loop with two remedies."""
    other = Balance(("0", "1"), (), None, "", (Exchange(1, "lea"), Exchange(7, "test")), 6.0, "ports")
    advice = Advice(regrouped=Regrouped((2, 3), 4.0, "ports", 2.0), balance=other)
    return replace(factory.gauss_seidel(), advice=advice)


def test_the_first_line_has_the_remedy_that_helps_most() -> None:
    assert lines_of(regrouped())[0].endswith("; remedy: regroup lines 12, 13 (4.00, reassociates)")
    region = regrouped()
    assert region.advice is not None
    second = replace(region, advice=replace(region.advice, regrouped=None))
    assert lines_of(second)[0].endswith("; remedy: lea in line 11 and 1 more (6.00)")
    unrolled = Unrolled(4, 8.0, 2.0, "ports")
    accumulators = Accumulators((3,), 8.0, 0.5, 16, 4, (unrolled,), reductions=2)
    third = replace(region, advice=Advice(accumulators=accumulators))
    assert lines_of(third)[0].endswith("; remedy: 8 accumulators (2.00)")


@settings(deadline=None)
@given(
    columns=st.lists(st.sampled_from(list(table_columns.COLUMNS)), unique=True, max_size=8),
    width=st.integers(60, 200),
    region=st.sampled_from(
        [factory.gauss_seidel(), factory.with_unknown(), factory.wide(17), factory.wide(40), factory.large(30)]
    ),
)
def test_any_columns_can_be_shown_at_any_width(columns: list[str], width: int, region: factory.RegionResult) -> None:
    text = "\n".join(lines_of(region, style=TextStyle(width=width, columns=tuple(columns))))
    if not columns or "text" in columns:
        words = set(text.split())
        assert all(set(row.text.split()) <= words for row in region.instructions)


@settings(deadline=None)
@given(columns=st.lists(st.sampled_from(list(overview.COLUMNS)), unique=True, max_size=6), width=st.integers(60, 200))
def test_any_columns_of_an_overview_can_be_shown(columns: list[str], width: int) -> None:
    result = factory.analysis(factory.gauss_seidel(), factory.with_unknown(), factory.wide(40))
    lines = render_summary(result, TextStyle(width=width, columns=tuple(columns))).splitlines()
    assert len(lines) == 7  # title, blank, what they have in common, heading, three regions
