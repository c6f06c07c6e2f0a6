"""What the documentation gives editors finds errors and forecasts in real output."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from corecast.cli import mca
from corecast.cli.main import main
from docs import pages

PAGE = (pages.ROOT / "docs" / "terminal.md").read_text()
LOOP = "{label}:\n\tvmovapd (%rsi,%rax), %ymm0\n\taddq $32, %rax\n\tcmpq %rax, %r8\n\tjne {label}\n"
TWO = LOOP.format(label=".L3") + "\tnop\n" + LOOP.format(label=".L4")
CHAIN = ".L3:\n\tvfmadd231sd (%rsi,%rax,8), %xmm1, %xmm0\n\tincq %rax\n\tcmpq %rax, %rdx\n\tjne .L3\n"
WRONG = "\tnop\n\tvfoo %ymm1, %ymm0\n"
Problem = tuple[str, str, int, int | None, str]
"""Severity, file, first and last line, message."""


def block(language: str) -> str:
    (found,) = re.findall(
        rf"^```{language}\n(.*?)^```$", PAGE.partition("## In an editor")[2], re.MULTILINE | re.DOTALL
    )
    return str(found)


def problems(output: str, matchers: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    """Visual Studio Code's rules: the patterns of a matcher match lines that follow each other."""
    lines = output.splitlines()
    for matcher in matchers:
        patterns = matcher["pattern"] if isinstance(matcher["pattern"], list) else [matcher["pattern"]]
        for at in range(len(lines) - len(patterns) + 1):
            found = [re.search(each["regexp"], line) for each, line in zip(patterns, lines[at:], strict=False)]
            if not all(found):
                continue
            values = {"severity": matcher.get("severity", "error")}
            for pattern, match in zip(patterns, found, strict=True):
                assert match is not None
                values |= {key: match[place] for key, place in pattern.items() if key != "regexp"}
            last = values.get("endLine")
            yield (
                values["severity"], values["file"], int(values["line"]), int(last) if last else None, values["message"],
            )  # fmt: skip


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def run(code: str, *command: str) -> list[Problem]:
        Path("code.s").write_text(code)
        program = mca.main if command else main
        program([*(command or ("analyze", "--cpu", "zen4")), "code.s"])
        output = capsys.readouterr()
        return list(problems(output.err + output.out, json.loads(block("json"))["tasks"][0]["problemMatcher"]))

    return run


def test_errors_are_found_with_file_and_line(shown) -> None:  # type: ignore[no-untyped-def]
    (problem,) = shown(WRONG)
    assert problem[:4] == ("error", "code.s", 2, None)
    assert problem[4].startswith("'vfoo' is not an x86 instruction")
    assert shown(WRONG, "-mcpu=znver4")[0][:3] == ("error", "code.s", 2)


def test_forecasts_are_found_at_their_loops(shown) -> None:  # type: ignore[no-untyped-def]
    (forecast,) = shown(CHAIN)
    assert forecast[:4] == ("info", "code.s", 1, 5)
    assert re.match(r"4\.0\d cycles .*chain of line 2", forecast[4])
    assert [(first, last) for _, _, first, last, _ in shown(TWO)] == [(1, 5), (7, 11)]


@pytest.mark.skipif(shutil.which("vim") is None, reason="Vim is not installed")
def test_vim_fills_its_quickfix_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = subprocess.run(["vim", "--version"], capture_output=True, text=True, check=True).stdout
    if "+quickfix" not in version or "+eval" not in version:
        pytest.skip("this Vim has no quickfix list")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    output = ""
    for name, code in (("wrong.s", WRONG), ("code.s", TWO)):
        Path(name).write_text(code)
        main(["analyze", "--cpu", "zen4", name])
        output += "".join(capsys.readouterr())
    Path("output").write_text(output)
    Path("options.vim").write_text(block("vim"))
    fields = "[bufname(d.bufnr), d.lnum, get(d, 'end_lnum', 0), d.type, d.text]"
    show = f"for d in getqflist() | call writefile([json_encode({fields})], 'found', 'a') | endfor"
    words = ["vim", "-es", "-u", "NONE", "-N", "-S", "options.vim", "-c", "cgetfile output", "-c", show, "-c", "qa!"]
    subprocess.run(words, check=True, timeout=60, stdin=subprocess.DEVNULL)
    found = [json.loads(line) for line in Path("found").read_text().splitlines()]
    assert [(file, line, end, kind.lower()) for file, line, end, kind, _ in found] == [
        ("wrong.s", 2, 0, "e"), ("code.s", 1, 5, "i"), ("code.s", 7, 11, "i"),
    ]  # fmt: skip
    assert "cycles" in found[1][4]
