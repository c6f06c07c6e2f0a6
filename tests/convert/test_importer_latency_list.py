"""Lists of latencies: patterns become forms, the first line that fits counts, what fits nothing is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.convert.importers.latency_list import import_latency_list
from corecast.errors import InputError
from corecast.machine import Machine, load_machine
from corecast.machine.making.imported import Imported

LIST = Path(__file__).resolve().parent.parent / "data" / "imports" / "latencies.csv"


@pytest.fixture(scope="module")
def a64fx() -> Machine:
    return load_machine("a64fx")


@pytest.fixture(scope="module")
def imported(a64fx: Machine) -> Imported:
    return import_latency_list(LIST, a64fx)


def cells(imported: Imported, form: str) -> list[str]:
    return imported.rows[form].to_line().split("\t")[1:]


def test_a_form_takes_the_first_line_that_fits(imported: Imported) -> None:
    assert cells(imported, "fdiv d, d, d") == ["?", "", "*->1:50", "", "", "", "43", "bench", "measured"]
    assert cells(imported, "fdiv s, s, s") == ["1*FLA", "", "*->1:40", "1", "", "", "", "latencies.csv", "documented"]
    assert cells(imported, "fmla v.2d, v.2d, v.d[i]")[:4] == ["1*FLA+1*FL", "", "*->1:15;1->1:9", "2"]


def test_a_plain_latency_is_that_of_every_result_but_an_address(imported: Imported) -> None:
    assert cells(imported, "adds x, x, x")[2] == "*->1:3;*->flags:3"
    assert cells(imported, "ldr x, [x], #i")[2] == "*->1:6"
    assert "str x, [x]" not in imported.rows, "it has no result"


def test_what_gives_no_row_is_told_with_its_line(imported: Imported) -> None:
    growing = "the model's figures are for every vector length, those of a list for one"
    assert list(imported.unmapped) == [
        ("line 6: fdiv d, d, d", "lines before it take all its forms"),
        ("line 6: div", "no form of a64fx fits"),
        ("line 6: frobnicate *", "no form of a64fx fits"),
        *((f"fdiv z.{each}, p/m, z.{each}, z.{each}", growing) for each in "dhs"),
        ("str x, [x]", "no result that one latency could be of: pairs of operands say which"),
    ]
    assert imported.entries == 11


@pytest.mark.parametrize(
    ("cpu", "pattern", "fits", "fits_not"),
    [
        ("a64fx", "ld*", [], ["ldr x, [x]"]),
        ("a64fx", "ldr x, [*", ["ldr x, [x]", "ldr x, [x, #i]"], ["ldr w, [x]"]),
        ("a64fx", "fmul *", ["fmul v.2d, v.2d, v.d[i]"], []),
        ("zen4", "xor*", ["xor r64, r64"], ["xor r64, r64 @same", "xor r64, m64", "xor m64, r64"]),
        ("zen4", "xor r64, m64", ["xor r64, m64"], ["xor r64, r64"]),
        ("zen4", "div", ["div r64"], ["idiv r64", "div m64"]),
        ("spacemit_x60", "vadd.vv * @m2*", ["vadd.vv v, v, v @m2"], ["vadd.vv v, v, v @m4"]),
    ],
)
def test_memory_and_variants_must_be_named(
    tmp_path: Path, cpu: str, pattern: str, fits: list[str], fits_not: list[str]
) -> None:
    machine = load_machine(cpu)
    path = tmp_path / "list.csv"
    path.write_text(f'forms,latency_cycles,ports\nnop,,1*p0\n"{pattern}",5,\n')
    rows = import_latency_list(path, machine).rows
    assert set(fits) <= set(rows)
    assert not set(fits_not) & set(rows)
    assert all(machine.row(form) for form in fits_not), "the model knows them"


HEADER = "forms,latency_cycles,ports,confidence\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"list\.csv: the file is empty"),
        ("# only\n\nforms,cycles\n", r"list\.csv:3: one column must be called latency_cycles"),
        ("forms,latency_cycles,port\n", r"list\.csv:1: column 'port' is none of forms"),
        (HEADER, "has no line with forms"),
        (f"{HEADER}fadd *,fast\n", r"list\.csv:2: malformed row of 'fadd \*'.*'fast'"),
        (f"{HEADER}fadd *,-1\n", r"list\.csv:2: fadd \* has a latency -1: no number from 0 on"),
        (f"{HEADER}fadd *,nan\n", r"list\.csv:2: malformed row .* nan is not a figure"),
        (f"{HEADER}fadd *\n", r"list\.csv:2: has no figure for fadd \*"),
        (f"{HEADER}fadd *,1->elsewhere:2\n", r"list\.csv:2: 'elsewhere' is not an operand"),
        (f"{HEADER}fadd *,9,FLA\n", r"list\.csv:2: malformed row.*'FLA' is not count\*ports"),
        (f"{HEADER}# one\nfadd *,9,,certain\n", r"list\.csv:3: confidence is 'certain', not measured"),
        (f"{HEADER};,9\n", r"list\.csv:2: has no forms"),
        (f"{HEADER}fadd d, d, d,9,\n", r"list\.csv:2: 5 cells below 4 columns"),
        (f'{HEADER}"fadd *,9\n', r"list\.csv:2: is not CSV"),
        (f"{HEADER}frobnicate,9\n", "no line fits a form of a64fx"),
    ],
)
def test_a_wrong_list_is_one_message(tmp_path: Path, a64fx: Machine, text: str, message: str) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        import_latency_list(path, a64fx)


def test_the_model_that_is_there_gets_the_better_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    assert main(["import", "latency-list", str(LIST), "--extends", "a64fx", "-o", str(folder)]) == 0
    assert "7 entries are not forms" in capsys.readouterr().out
    rows = [load_machine(folder).row(form) for form in ("fdiv d, d, d", "fdiv s, s, s")]
    assert [row and row.latency for row in rows] == ["*->1:50", "*->1:29"], "only what was measured counts more"
    assert main(["import", "latency-list", str(LIST), "-o", str(folder)]) == 0
    assert "nothing written" in capsys.readouterr().out
