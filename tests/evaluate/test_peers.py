"""Other tools: how they are asked, and that their failures are answers. Stand-ins take the place of the tools."""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
import subprocess
import sys
import time
from array import array
from pathlib import Path

import pytest

import interruptible
from corecast.evaluate import Cases, Setting
from corecast.evaluate.predictors import find_predictor, served
from corecast.evaluate.predictors.osaca import read_report
from corecast.evaluate.predictors.served import Said
from corecast.machine import load_machine

CODES = ["4801c3", "480fafc0", "488b04c6", "06"]
"""add; imul; mov rax, [rsi + 8*rax]; no instruction of 64-bit mode."""


def cases(codes: list[str] = CODES) -> Cases:
    return Cases(array("d", [1.0] * len(codes)), codes, [""] * len(codes), codes)


def setting(mode: str = "loop") -> Setting:
    return Setting(load_machine("skylake_x"), mode, 2)  # type: ignore[arg-type]


def program(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n{body}")
    path.chmod(0o755)
    return path


OSACA = """\
if "--version" in sys.argv:
    print("osaca 9.9")
    sys.exit()
assert sys.argv[1:5] == ["--arch", "SKX", "--syntax", "INTEL"]
text = open(sys.argv[5]).read()
if "imul" in text:
    %s
print("   4 |  4.0 | a line of the table  | [4]")
print()
print("       %%s          1.50   1.50        5    1.0  " %% ("4.00" if "rax*8" in text else "2.00"))
"""


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "error: crash (signal 11)"),
        ("raise ValueError('what is this?')", "error: ValueError: what is this?"),
        (
            "print('------ WARNING: The performance data for 3 instructions is missing.'); sys.exit()",
            "error: no data for 3 ",
        ),
        ("print('nothing'); sys.exit()", "error: its output cannot be read"),
    ],
)
def test_osaca_is_asked_about_each_block_and_a_failure_is_an_answer(tmp_path: Path, failure: str, status: str) -> None:
    osaca = find_predictor(f"osaca:{program(tmp_path, 'osaca', OSACA % failure)}", setting())
    assert osaca.description == "osaca 9.9"
    for _ in range(2):  # the children stay
        answers = osaca.blocks(cases())
        assert [round(each) for each in answers.cycles[0:3:2]] == [2, 4]
        assert answers.statuses[1].startswith(status)
        assert answers.statuses[3].startswith("error: ")


def test_osaca_has_no_model_of_every_core(tmp_path: Path) -> None:
    peer = program(tmp_path, "osaca", OSACA % "pass")
    answers = find_predictor(f"osaca:{peer}", Setting(load_machine("zen5"), "loop", 1)).blocks(cases(["4801c3"]))
    assert answers.statuses == ["error: OSACA has no model of zen5"]


def test_the_larger_of_ports_and_loop_carried_dependency_counts() -> None:
    table = "  2 | 0.25 |  1.0 | add\n\n       1.00          0.25     8.0    {}  \n\n  1 |  4.0 | add | [1]\n"
    assert read_report(Said(0, table.format("4.0"), "")) == (4.0, "ok")
    assert read_report(Said(0, table.format("0.5"), "")) == (1.0, "ok")


def test_a_run_finds_pickles_as_they_were(tmp_path: Path) -> None:
    """A program that changes what it unpickled gives every block the same answer."""
    body = """
import pathlib, pickle
path = os.path.join(os.path.dirname(__file__), "table.pickle")
if "--version" in sys.argv:
    sys.exit()
with pathlib.Path(path).open("rb") as stream:
    table = pickle.load(stream)
table.append(1.0)
print("  %f  0.0  0.0" % sum(table))
"""
    (tmp_path / "table.pickle").write_bytes(pickle.dumps([0.0]))
    answers = find_predictor(f"osaca:{program(tmp_path, 'osaca', body)}", setting()).blocks(cases(["4801c3"] * 6))
    assert list(answers.cycles) == [1.0] * 6


HANGS = "import fcntl; lock = open(os.path.dirname(__file__) + '/lock', 'w'); fcntl.flock(lock, 2); time.sleep(1000)"
"""A run that never ends; as long as it is there the lock is taken."""


def is_running(folder: Path) -> bool:
    with (folder / "lock").open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def becomes(running: bool, folder: Path) -> bool:
    until = time.monotonic() + 300
    while is_running(folder) != running:
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def test_a_block_that_takes_too_long_is_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "_FIRST_SECONDS", 60.0)
    monkeypatch.setattr("corecast.evaluate.predictors.osaca._SECONDS", 0.5)
    osaca = find_predictor(
        f"osaca:{program(tmp_path, 'osaca', OSACA % HANGS)}", Setting(load_machine("skx"), "loop", 1)
    )
    answers = osaca.blocks(cases(["4801c3", "480fafc0", "4801c3"]))
    assert answers.statuses == ["ok", "error: no answer within 0 s", "ok"]
    assert becomes(False, tmp_path)  # nothing goes on behind its back


def test_an_interrupt_ends_the_runs_and_asks_for_no_more(tmp_path: Path) -> None:
    peer = program(tmp_path, "osaca", OSACA % HANGS)
    blocks = tmp_path / "blocks.csv"
    blocks.write_text("hex,cycles\n4801c3,1\n" + "".join(f"480fafc0{'90' * n},1\n" for n in range(100)))
    command = [sys.executable, "-m", "corecast", "evaluate", str(blocks), "--cpu", "skx", "--mode", "loop"]
    with interruptible.start([*command, "--predictor", f"osaca:{peer}", "--jobs", "1"]) as process:
        begun = becomes(True, tmp_path)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(300)
        finally:
            process.kill()
    assert begun
    assert becomes(False, tmp_path)


def test_a_run_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    """Whoever asks may be killed."""
    peer = program(tmp_path, "peer", f"if len(sys.argv) > 1:\n    {HANGS}")
    child = Path(served.__file__).with_name("served_child.py")
    with subprocess.Popen(
        [sys.executable, child, peer], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b'[]\n["hang"]\n')
        process.stdin.flush()
        begun = becomes(True, tmp_path)
        process.stdin.close()
        ended = becomes(False, tmp_path)
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
    assert begun
    assert ended


def test_uica_and_facile_get_the_code_and_its_place(tmp_path: Path) -> None:
    for name in ("uiCA.py", "facile.py"):
        program(
            tmp_path,
            name,
            "a = sys.argv\nprint(a[a.index('-arch') + 1] == 'SKX' and len(open(a[-1], 'rb').read()) + int(a[-2]))",
        )
    some = cases()
    some.addresses = ["0", "70", "0", "0"]
    loop = find_predictor(f"uica:{tmp_path}", setting("loop")).blocks(some)
    assert list(loop.cycles)[:2] == [3 + 5, 4 + 5 + 70 % 64]  # dec r15; jnz: five bytes more
    unrolled = find_predictor(f"facile:{tmp_path}", setting("unroll")).blocks(some)
    assert list(unrolled.cycles)[:2] == [3, 4 + 70 % 64]
    assert unrolled.statuses[3].startswith("error: ")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{python} -c \"import sys; print('cycles:', len(sys.argv[1]) / 2)\" {{hex}}", [3, 4, 4]),
        ("{python} -c \"import sys; print(len(open(sys.argv[1], 'rb').read()))\" {{bin}}", [3, 4, 4]),
        ("{python} -c \"import sys; print(open(sys.argv[1]).read().count('rax'))\" {{asm}}", [1, 2, 2]),
        ('{python} -c "import sys; [print(len(line) // 2) for line in sys.stdin]"', [3, 4, 4]),
    ],
)
def test_any_command_is_a_predictor(template: str, expected: list[float]) -> None:
    command = find_predictor(f"x=command:{template.format(python=sys.executable)}", setting("unroll"))
    answers = command.blocks(cases(CODES[:3]))
    assert list(answers.cycles) == expected
    assert answers.statuses == ["ok"] * 3


def test_a_command_that_fails_for_one_block_answers_for_the_others(tmp_path: Path) -> None:
    lines = "for line in sys.stdin:\n    os.abort() if 'af' in line else print(len(line), 'and more')"
    answers = find_predictor(f"x=command:{program(tmp_path, 'lines', lines)}", setting()).blocks(cases(CODES[:3]))
    assert answers.statuses == ["ok", "error: crash (signal 6)", "ok"]
    one = "sys.exit('cannot') if 'af' in sys.argv[1] else print('none' if 'c3' in sys.argv[1] else 7)"
    answers = find_predictor(f"x=command:{program(tmp_path, 'one', one)} {{hex}}", setting()).blocks(cases(CODES[:3]))
    assert answers.statuses == ["error: no number", "error: cannot", "ok"]


def test_no_child_outlives_its_predictor(tmp_path: Path) -> None:
    body = "open(os.path.join(os.path.dirname(__file__), 'pid'), 'w').write(str(os.getpid()))\nprint('  1.0  1.0  1.0')"
    osaca = find_predictor(f"osaca:{program(tmp_path, 'osaca', body)}", Setting(load_machine("skx"), "loop", 1))
    osaca.blocks(cases(["4801c3"]))
    child = int((tmp_path / "pid").read_text())
    assert Path(f"/proc/{child}").exists() or not Path("/proc").exists()
    del osaca
    assert subprocess.run(["kill", "-0", str(child)], capture_output=True, check=False).returncode
