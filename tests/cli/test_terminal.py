"""What makes the command line easy to find one's way in: suggestions, this machine's core by name, few lines for many
regions, and completion."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.cli.verbs import VERBS
from corecast.report import overview, table_columns

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LOOPS = EXAMPLES / "three_loops.gcc-O2.s"


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The last line of the message of a usage error."""
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["analize", "x.s"], "no verb is called 'analize'; did you mean analyze?"),
        (["simulate", "x.s"], "no verb is called 'simulate'; use corecast analyze --simulate"),
        (["help"], "no verb is called 'help'; use corecast --help"),
        (["machine", "chek"], "no action is called 'chek'; did you mean check?"),
        (["analyze", "--simulte", "x.s"], "unrecognized arguments: --simulte; did you mean --simulate?"),
        (["analyze", "--cpus=zen4", "x.s"], "unrecognized arguments: --cpus=zen4; did you mean --cpu?"),
        (["machine", "check", "x", "--sett"], "unrecognized arguments: --sett"),
    ],
)
def test_what_is_misspelt_gets_a_suggestion(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(words, capsys).startswith(f"corecast: error: {message}")


def test_a_usage_error_is_one_line_that_names_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["analyze", "x.s", "--top", "many"])
    assert capsys.readouterr().err == (
        "corecast: error: argument --top: invalid int value: 'many' (see `corecast analyze --help`)\n"
    )


def test_a_verb_like_no_other_gets_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(["xyzzy"], capsys).endswith(f"no verb is called 'xyzzy'; there are {', '.join(VERBS)}")


def test_without_a_word_the_verbs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = capsys.readouterr().out
    assert all(line in " ".join(shown.split()) for line in VERBS.values())


def test_native_is_the_core_of_this_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("corecast.machine.host.host_machine", lambda: "zen3")
    assert main(["analyze", str(LOOPS), "--loop", "1", "--cpu", "native"]) == 0
    shown = capsys.readouterr()
    assert "(zen3)" in shown.out
    assert shown.err == ""


def test_native_on_a_machine_nobody_knows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("corecast.machine.host.host_machine", lambda: None)
    assert main(["analyze", str(LOOPS), "--cpu", "native"]) == 2
    assert capsys.readouterr().err == (
        "corecast: error: this machine's core is not known: see `corecast cpus --host`\n"
    )


def test_a_summary_has_one_line_a_region(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["analyze", str(LOOPS), "--cpu", "skylake_x", "--summary"]) == 0
    title, _, common, heading, *regions = capsys.readouterr().out.splitlines()
    assert title.endswith("(skylake_x), x86")
    assert common == f"3 regions of {LOOPS}, cycles per iteration, simulated"
    assert heading.split() == ["region", "lines", "cycles", "interval", "cause", "remedy"]
    assert len(regions) == 3


def test_the_slowest_regions_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    def cycles_of(*options: str) -> list[float]:
        columns = ["--summary", "--columns", "cycles"]
        assert main(["analyze", str(LOOPS), "--cpu", "skylake_x", *columns, *options]) == 0
        return [float(line) for line in capsys.readouterr().out.splitlines()[4:]]

    everything = cycles_of()
    assert cycles_of("--top", "2") == sorted(everything, reverse=True)[:2]
    assert cycles_of("--top", "99") == sorted(everything, reverse=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--top", "0"], "--top needs at least one region"),
        (["--summary", "--format", "json"], "--summary is for text: --format json has every region"),
    ],
)
def test_nonsense_is_refused(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(LOOPS), "--cpu", "skylake_x", *options]) == 2
    assert capsys.readouterr().err == f"corecast: error: {message}\n"


def test_cores_are_listed_within_the_width(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    at = next(number for number, line in enumerate(lines) if line.startswith("granite_rapids "))
    assert re.fullmatch(r"granite_rapids +x86 +\d+  full +Intel Granite Rapids", lines[at].partition(" (Red")[0])
    below = []
    for line in lines[at + 1 :]:
        if not line.startswith(" "):
            break
        below.append(line.strip())
    words = " ".join(below)
    assert re.search(r"\d % on 12,000 loops", words)
    assert "(gnr, graniterapids, graniterapids-d)" in words


def test_a_wide_list_of_cores_has_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    assert main(["cpus"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split()[:6] == ["cpu", "isa", "forms", "measured", "documented", "derived"]
    assert not any(line.startswith(" ") for line in lines)


def table_of(text: str) -> list[str]:
    """The table of instructions, heading first."""
    lines = text.splitlines()
    rule = next(number for number, line in enumerate(lines) if re.fullmatch("-{20,}", line))
    end = next(number for number, line in enumerate(lines) if number > rule and "|" not in line)
    return lines[rule - 1 : end]


def analyzed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["analyze", str(LOOPS), "--loop", "1", "--cpu", "skylake_x", *options]) == 0
    return capsys.readouterr().out


def test_columns_are_those_that_are_listed_in_that_order(capsys: pytest.CaptureFixture[str]) -> None:
    heading, _, first, *_ = table_of(analyzed(capsys, "--columns", "line,text,uops,latency,throughput,cp"))
    assert heading.split() == ["line", "|", "instruction", "|", "uops", "lat", "rthru", "|", "CP"]
    cells = [cell.strip() for cell in first.split("|")]
    assert cells[1] == "vmovsd (%rdi,%rax,8), %xmm1"
    assert cells[2].split() == ["1", "6", "0.5"]


def test_a_plus_adds_columns_to_the_usual_ones(capsys: pytest.CaptureFixture[str]) -> None:
    text = analyzed(capsys, "--columns", "+uops,stalls")
    heading = table_of(text)[0]
    assert [part.split() for part in heading.split("|")][-2:] == [["uops", "stalls"], ["instruction"]]
    assert "Port pressure" in text


def test_all_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    heading = table_of(analyzed(capsys, "--columns", "all"))[0].split()
    assert {"line", "CP", "LCD", "uops", "lat", "rthru", "stalls", "data", "form", "instruction"} <= set(heading)


def test_columns_have_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "--columns", "help"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert names == [*table_columns.COLUMNS, *overview.COLUMNS]


def test_source_text_stands_beside_the_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `.loc`, each line of the source once."""
    monkeypatch.chdir(tmp_path)
    Path("sum.c").write_text("double s(void) {\n  s += a[i];  // here\n}\n")
    Path("sum.s").write_text(
        '.file 1 "sum.c"\n.L1:\n.loc 1 2\naddsd (%rdi), %xmm0\naddq $8, %rdi\n.loc 1 1\ncmpq %rdi, %rsi\njne .L1\n'
    )
    assert main(["analyze", "sum.s", "--cpu", "skylake_x", "--columns", "line,source,code,text"]) == 0
    rows = [line.split("|")[-1].strip() for line in table_of(capsys.readouterr().out)[2:]]
    assert [" ".join(row.split()) for row in rows] == [
        "sum.c:2 s += a[i]; // here addsd (%rdi), %xmm0",
        "sum.c:2 addq $8, %rdi",
        "sum.c:1 double s(void) { cmpq %rdi, %rsi",
        "sum.c:1 jne .L1",
    ]


def test_missing_source_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(analyzed(capsys, "--columns", "line,source,code,text").split())
    assert "no source: neither debug information nor .loc says where an instruction comes from" in text
    assert "no code: the source is not known, or cannot be read from here" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--columns", "line,latensy"], "--columns: no column is called 'latensy'; did you mean latency?"),
        (["--columns", "zzz"], "--columns: no column is called 'zzz'; there are line, ports, cp, lcd, uops, "),
        (["--columns", "uops,text,uops"], "--columns: uops is given twice"),
        (["--columns", "rthroughput,throughput"], "--columns: rthroughput is given twice"),
        (["--columns", "uops,,text"], "--columns: a name is empty; there are line, "),
        (["--columns", ""], "--columns: a name is empty; there are line, "),
        (["--summary", "--columns", "uops,ports"], "--columns: no column is called 'ports'; "),
        (["--columns", "uops", "--format", "json"], "--columns is for text: --format json has every figure"),
    ],
)
def test_wrong_columns_are_refused(options: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(LOOPS), "--cpu", "skylake_x", *options]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"corecast: error: {message}")


def test_a_summary_has_the_columns_that_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--cpu", "skylake_x", "--summary", "--columns", "region,instructions,uops,ipc,cycles"]
    assert main(["analyze", str(LOOPS), *options]) == 0
    heading, *rows = capsys.readouterr().out.splitlines()[3:]
    assert heading.split() == ["region", "instructions", "uops", "IPC", "cycles"]
    for row in rows:
        _, instructions, _, rate, cycles = row.split()
        assert float(rate) == pytest.approx(int(instructions) / float(cycles), rel=0.01)


def test_a_file_has_no_colours_whatever_the_variables_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    target = tmp_path / "report.txt"
    analyzed(capsys, "-o", str(target))
    assert "\x1b" not in target.read_text()


def completed(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion.bash"
    script.write_text(
        capsys.readouterr().out
        + 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _corecast; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    out = subprocess.run(
        ["bash", str(script), "corecast", *words], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert out.stderr == ""
    return out.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ana"], {"analyze"}),
        (["analyze", "--cpu", "skylake"], {"skylake", "skylake_x"}),
        (["analyze", "--cpu", "nat"], {"native"}),
        (["analyze", "--method", ""], {"auto", "simulate", "bounds"}),
        (["analyze", "--summ"], {"--summary"}),
        (["analyze", "--columns", "lat"], {"latency"}),
        (["analyze", "--columns", "line,u"], {"line,uops"}),
        (["analyze", "--columns", "+form,da"], {"+form,data"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["machine", "c"], {"check", "convert"}),
        (["machine", "export", "--out"], {"--output"}),
        (["analyze", "-o", "fi"], {"file.s"}),
        (["analyze", "fi"], {"file.s"}),
    ],
)
def test_bash_completes(
    words: list[str], expected: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file.s").touch()
    assert expected <= set(completed(words, tmp_path, capsys))


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_read_their_scripts(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "skylake_x" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "-n"], input=script, text=True, check=True, capture_output=True)


def fish_completes(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What fish offers for a line, without the explanations."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    assert main(["completion", "fish"]) == 0
    (tmp_path / "corecast.fish").write_text(capsys.readouterr().out)
    out = subprocess.run(
        ["fish", "--no-config", "-c", f"source corecast.fish; complete -C '{line}'"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert out.stderr == ""
    return [each.split("\t")[0] for each in out.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("corecast ana", {"analyze"}),
        ("corecast analyze --cpu skylake", {"skylake", "skylake_x"}),
        ("corecast analyze --columns line,u", {"line,uops"}),
        ("corecast machine c", {"check", "convert"}),
        ("corecast completion z", {"zsh"}),
        ("corecast analyze fi", {"file.s"}),
    ],
)
def test_fish_completes(line: str, expected: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file.s").touch()
    assert expected <= set(fish_completes(line, tmp_path, capsys))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("corecast ana", "analyze"),
        ("corecast analyze --cpu sky", "skylake_x"),
        ("corecast analyze --columns line,u", "line,uops"),
        ("corecast machine c", "convert"),
    ],
)
def test_zsh_completes(words: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The function runs as zsh runs functions that are written for bash; zsh drops what does not fit."""
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    assert main(["completion", "zsh"]) == 0
    (tmp_path / "corecast.zsh").write_text(capsys.readouterr().out)
    (tmp_path / "try.zsh").write_text(
        "source ./corecast.zsh\n"
        "[[ $_comps[corecast] == *_corecast ]] || exit 1\n"
        "emulate -L sh; setopt kshglob noshglob braceexpand ksharrays\n"
        f'COMP_WORDS=({words}); COMP_CWORD={len(words.split()) - 1}; _corecast; print -l -- "${{COMPREPLY[@]}}"\n'
    )
    environment = {**os.environ, "ZDOTDIR": str(tmp_path), "HOME": str(tmp_path)}
    command = ["zsh", "-f", "try.zsh"]
    out = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment)
    assert out.stderr == ""
    assert expected in out.stdout.split()
