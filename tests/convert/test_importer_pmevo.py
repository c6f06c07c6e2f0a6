"""PMEvo's mapping: keys are rendered to assembly and become form keys; micro-ops of one port set are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast.convert.importers.pmevo import port_usages, text_of
from corecast.errors import MachineModelError

SHIFT = "_shl_((REG:W:F:VEC)).2d,_((REG:R:F:VEC)).2d,_56"
LOAD = "_ldr_((REG:W:F:16)),_[((MEM:64)),_((MIMM:16))]"
HIGH = "_smulh_((REG:W:G:64)),_((REG:R:G:64)),_((REG:R:G:64))"


def test_keys_are_rendered_with_registers_of_their_own() -> None:
    assert text_of(SHIFT) == "shl v1.2d, v2.2d, 56"
    assert text_of(LOAD) == "ldr h1, [x19, #16]"
    assert text_of(HIGH) == "smulh x1, x2, x3"


def test_micro_ops_of_one_port_set_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "mapping.json"
    assignment = {SHIFT: [["6"]], LOAD: [["1"]], HIGH: [["2"]] * 4, "_bogus_((REG:W:G:64))": [["0"]]}
    file.write_text(json.dumps({"assignment": assignment}))
    assert port_usages(file) == {
        "shl v.2d, v.2d, #i": ((1.0, ("6",)),),
        "ldr h, [x, #i]": ((1.0, ("1",)),),
        "smulh x, x, x": ((4.0, ("2",)),),
    }


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"assignment": 3'])
def test_other_files_are_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mapping.json"
    file.write_text(text)
    with pytest.raises(MachineModelError, match="not a port mapping"):
        port_usages(file)
