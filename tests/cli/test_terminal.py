"""What makes the command line easy to find one's way in: suggestions, this machine's core by name, few lines for many
regions, and completion."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from corecast.cli.main import VERBS, main

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
        (["machine", "chek"], "no action is called 'chek'; did you mean check?"),
        (["analyze", "--simulte", "x.s"], "unrecognized arguments: --simulte; did you mean --simulate?"),
        (["analyze", "--cpus=zen4", "x.s"], "unrecognized arguments: --cpus=zen4; did you mean --cpu?"),
        (["machine", "check", "x", "--sett"], "unrecognized arguments: --sett"),
    ],
)
def test_what_is_misspelt_gets_a_suggestion(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(words, capsys).startswith(f"corecast: error: {message}")


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


def test_a_summary_has_one_line_a_region(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(LOOPS), "--cpu", "skylake_x", "--summary"]) == 0
    title, _, heading, *regions = capsys.readouterr().out.splitlines()
    assert title.endswith("(skylake_x), x86")
    assert heading.split() == ["region", "lines", "cycles", "bottleneck"]
    assert len(regions) == 3


def test_the_slowest_regions_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    def cycles_of(*options: str) -> list[float]:
        assert main(["analyze", str(LOOPS), "--cpu", "skylake_x", "--summary", *options]) == 0
        return [float(line.split()[2]) for line in capsys.readouterr().out.splitlines()[3:]]

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
