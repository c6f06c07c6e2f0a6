"""Several files and several cores in one call; options that make no sense twice; formats by suffix."""

from __future__ import annotations

import json
from pathlib import Path

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
    marks = {"html": "<section", "svg": 'class="heading"', "dot": "digraph"}
    assert text.count(marks[suffix]) == 4
    if suffix == "html":
        assert text.count('id="r3-region"') == 1


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [
        ("page.HTML", (), "<!DOCTYPE html>"),
        ("page.json", (), "{"),
        ("page.txt", (), "corecast"),
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
