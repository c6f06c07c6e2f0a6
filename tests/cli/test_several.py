"""Several files and several cores in one call; options that make no sense twice; formats by suffix."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from corecast.cli.main import main

LOOP = ".{0}: addq $1, %rax\n decq %rcx\n jne .{0}\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for name in ("first", "second"):
        path = tmp_path / f"{name}.s"
        path.write_text(f"{name}:\n{LOOP.format('L' + name)}")
        paths.append(str(path))
    return paths


def analyzed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["analyze", *arguments]) == 0
    return capsys.readouterr().out


def test_all_files_are_analyzed_in_order(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(analyzed(capsys, *files, "--cpu", "zen4", "--format", "json"))
    assert [region["source"]["file"] for region in document["regions"]] == files
    text = analyzed(capsys, *files, "--cpu", "zen4")
    assert all(f"{file}:2-4" in text for file in files)


def test_a_file_without_the_chosen_function_is_a_warning(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(analyzed(capsys, *files, "--cpu", "zen4", "--function", "second", "--format", "json"))
    assert [region["source"]["file"] for region in document["regions"]] == files[1:]
    assert document["warnings"] == [f"{files[0]}: no function 'second'; found: first"]
    assert main(["analyze", *files, "--cpu", "zen4", "--function", "third"]) == 2
    assert "no function 'third'" in capsys.readouterr().err


def test_several_cores_give_a_report_each(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = analyzed(capsys, files[0], "--cpu", "zen4", "--cpu", "skylake_x")
    assert text.index("(zen4)") < text.index("(skylake_x)")
    documents = json.loads(analyzed(capsys, files[0], "--cpu", "zen4", "--cpu", "skylake_x", "--format", "json"))
    assert [document["cpu"] for document in documents] == ["zen4", "skylake_x"]
    assert {document["schema"] for document in documents} == {"corecast/1"}


@pytest.mark.parametrize(("suffix", "start"), [("html", "<!DOCTYPE html>"), ("svg", "<svg"), ("dot", "digraph")])
def test_pages_and_pictures_hold_all_cores(files: list[str], tmp_path: Path, suffix: str, start: str) -> None:
    target = tmp_path / f"out.{suffix}"
    assert main(["analyze", *files, "--cpu", "zen4", "--cpu", "zen2", "-o", str(target)]) == 0
    text = target.read_text()
    assert text.startswith(start)
    marks = {"html": '"view":{"name"', "svg": 'class="heading"', "dot": "digraph"}
    assert text.count(marks[suffix]) == 4


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("page.HTML", (), "<!DOCTYPE html>"),
        ("page.json", (), "{"),
        ("page.txt", (), "1.00 cycles"),
        ("page.html", ("--format", "json"), "{"),
    ],
)
def test_the_suffix_chooses_the_format(
    files: list[str], tmp_path: Path, name: str, options: tuple[str, ...], start: str
) -> None:
    target = tmp_path / name
    assert main(["analyze", files[0], "--cpu", "zen4", "-o", str(target), *options]) == 0
    assert target.read_text().startswith(start)


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", "a.s", "--compile", "gcc", "--compile", "clang"],
        ["analyze", "a.s", "--format", "json", "--format", "html"],
        ["analyze", "a.s", "-o", "x", "--output", "y"],
        ["predict", "b.csv", "--cpu", "zen4", "--cpu", "zen3"],
        ["mix", "a.s", "--function", "f", "--function", "g"],
    ],
)
def test_an_option_that_makes_no_sense_twice_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "is given twice" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--cpu", "zen4", "--cpu", "zen4"], []])
def test_files_and_cores_are_named_once(
    files: list[str], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    named = [files[0], *([files[0]] if not arguments else [])]
    assert main(["analyze", *named, *(arguments or ["--cpu", "zen4"])]) == 2
    assert "is given twice" in capsys.readouterr().err


MIXED = """\
.globl f
f:
.La: vaddpd %zmm0, %zmm1, %zmm2
 decq %rcx
 jne .La
g:
.Lb: vaddpd %ymm0, %ymm1, %ymm2
 decq %rcx
 jne .Lb
h:
.Lc: vfoo %ymm0
 decq %rcx
 jne .Lc
"""


@pytest.fixture
def mixed(tmp_path: Path) -> str:
    path = tmp_path / "mixed.s"
    path.write_text(MIXED)
    return str(path)


def test_a_region_that_cannot_be_analyzed_does_not_stop_the_others(
    mixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", mixed, "--cpu", "zen3", "--format", "json"]) == 1
    captured = capsys.readouterr()
    assert captured.err.splitlines() == [
        f"corecast: error: {mixed}:3: 'vaddpd' needs AVX-512F, which zen3 does not have; "
        "no answer for region f:.La (lines 3-5)",
        f"corecast: error: {mixed}:11: 'vfoo' is not an x86 instruction; --unknown skip leaves it out; "
        "no answer for region h:.Lc (lines 11-13)",
    ]
    document = json.loads(captured.out)
    assert [region["name"] for region in document["regions"]] == ["g:.Lb (lines 7-9)"]
    assert [(each["name"], each["line"]) for each in document["failures"]] == [
        ("f:.La (lines 3-5)", 3),
        ("h:.Lc (lines 11-13)", 11),
    ]
    assert document["failures"][0]["source"] == {"file": mixed, "first_line": 3, "last_line": 5, "symbol": "f"}
    assert "which zen3 does not have" in document["failures"][0]["message"]


@pytest.mark.parametrize("format", ["text", "html", "svg", "dot"])
def test_every_format_reports_what_could_be_analyzed(
    mixed: str, format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", mixed, "--cpu", "zen3", "--format", format]) == 1
    text = capsys.readouterr().out
    assert "g:.Lb" in text
    assert ("which zen3 does not have" in " ".join(text.split())) == (format in ("text", "html"))


def test_cores_and_files_that_fail_do_not_stop_the_others(
    mixed: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cores = ["--cpu", "zen3", "--cpu", "neoverse_n1", "--cpu", "zen4"]
    assert main(["analyze", files[0], "gone.s", mixed, *cores, "--format", "json"]) == 1
    captured = capsys.readouterr()
    documents = json.loads(captured.out)
    assert [len(document["regions"]) for document in documents] == [2, 0, 3]
    errors = captured.err.splitlines()
    assert len(errors) == len(set(errors))
    assert "corecast: error: gone.s: cannot be read: No such file or directory" in errors
    assert any(mixed in error and "aarch64" in error for error in errors)


def test_where_nothing_can_be_analyzed_the_exit_code_is_two(mixed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", mixed, "--cpu", "neoverse_n1"]) == 2
    assert main(["analyze", mixed, "--cpu", "zen3", "--function", "f"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("mixed.s:3: 'vaddpd' needs AVX-512F, which zen3 does not have\n")


def test_standard_input_serves_several_cores(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for cores, code in ((("zen3", "zen4"), 0), (("zen3", "neoverse_n1"), 2)):
        content = io.BytesIO(LOOP.format("L").encode())
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=content))
        assert main(["analyze", "-", *(word for core in cores for word in ("--cpu", core))]) == code
        captured = capsys.readouterr()
        assert captured.out.count("; remedy: ") == (2 if code == 0 else 0)
    assert "standard input is read once, for cores of one instruction set" in captured.err


def test_the_first_line_names_the_core_where_there_are_several(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(Path(__file__).parents[2] / "examples" / "triad.gcc-O3.s")
    assert main(["analyze", file, "--cpu", "zen4", "--cpu", "haswell"]) == 0
    firsts = [line for line in capsys.readouterr().out.splitlines() if "; remedy: " in line]
    assert [line.partition(": ")[0] for line in firsts] == ["zen4", "haswell"]
    assert main(["analyze", file, "--cpu", "zen4"]) == 0
    assert capsys.readouterr().out[0].isdigit()
