"""`corecast cpus --host` and what commands without --cpu say of this machine's core."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast.cli.main import main
from corecast.machine.recognize.decide import recognize
from recorded_hosts import recorded


@pytest.fixture
def masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine is a Granite Rapids that calls itself Rocket Lake and hides AMX."""
    found = recognize(recorded("granite_rapids_as_167_without_amx", tmp_path))
    monkeypatch.setattr("corecast.machine.host.recognized_host", lambda: found)


SENTENCE = "the number says Rocket Lake, but a 64 KiB L1i and a 2 MiB L2 say Granite Rapids"


@pytest.mark.usefixtures("masked")
def test_what_was_seen_and_what_follows_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus", "--host", "--fingerprint", "never"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        'core           GenuineIntel, family 6, model 167, stepping 1, "Intel(R) Xeon(R) Processor"; a virtual machine'
    )
    assert "caches         L1d 48 KiB, L1i 64 KiB, L2 2 MiB, L3 480 MiB" in lines
    assert "number says    Rocket Lake" in lines
    assert f"contradiction  {SENTENCE}" in lines
    assert any(line.startswith("kept           granite_rapids; not seen: AMX-FP16, ") for line in lines)
    assert "               rocket_lake: its L1i has 32 KiB, not 64 KiB; its L2 has 512 KiB, not 2 MiB" in lines
    assert "fingerprint    not taken: not asked for" in lines
    assert lines[-1] == (
        "machine model  granite_rapids, by its caches; likely: a hypervisor may report other numbers and caches"
    )


@pytest.mark.usefixtures("masked")
def test_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus", "--host", "--fingerprint", "never", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    host = document["host"]
    assert document["schema"] == "corecast/1"
    assert (host["machine"], host["basis"], host["certainty"]) == ("granite_rapids", "caches", "likely")
    assert host["contradiction"] == SENTENCE
    assert host["fingerprint"] is None
    assert host["seen"]["model"] == 167
    assert {"name": "L1i", "kind": "Instruction", "size_kib": 64, "ways": 16} in host["seen"]["caches"]
    assert host["seen"]["cpuid"][0].startswith("0x00000000 0x00: eax=0x00000024")
    kept = [each["core"] for each in host["candidates"] if each["kept"]]
    assert kept == ["granite_rapids"]


@pytest.mark.usefixtures("masked")
def test_commands_without_a_core_say_what_overrules_the_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = tmp_path / "loop.s"
    code.write_text(".L1: addq $1, %rax\ncmpq %rcx, %rax\njne .L1\n")
    assert main(["analyze", str(code)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"granite_rapids is used (this machine's core); {SENTENCE}" in told


def test_a_machine_of_which_nothing_is_seen_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("corecast.machine.host.recognized_host", lambda: None)
    assert main(["cpus", "--host"]) == 2
    assert "nothing is to be seen of this machine's core" in capsys.readouterr().err


def test_a_number_that_is_not_known_is_no_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = recognize(recorded("arm_masked", tmp_path))
    monkeypatch.setattr("corecast.machine.host.recognized_host", lambda: found)
    assert main(["cpus", "--host", "--fingerprint", "never"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("machine model  none is known to fit; the nearest")


def test_a_fingerprint_is_one_of_the_host(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus", "--fingerprint", "always"]) == 2
    assert "--fingerprint goes with --host" in capsys.readouterr().err
