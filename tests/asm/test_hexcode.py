"""Encoded code as text."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import asm_strategies
from corecast.asm import Kernel
from corecast.asm.hexcode import read_hex
from corecast.errors import SyntaxProblem


@pytest.mark.parametrize(
    "text",
    ["4801d8", "48 01 D8", " 48\n01\td8 ", "0x48, 0x01, 0xd8", r"\x48\x01\xd8", "4801,d8", '"48" "01d8"', "0x4801d8"],
)
def test_spellings(text: str) -> None:
    assert read_hex(text) == b"\x48\x01\xd8"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no code"),
        ("  ", "no code"),
        ("480", "half a byte ('0') at position 3"),
        ("48 1 d8", "half a byte ('1') at position 4"),
        ("48zz", "'z' at position 3"),
        ("0x", "'x' at position 2"),
    ],
)
def test_what_is_no_code_is_refused_with_its_position(text: str, message: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        read_hex(text)
    assert message in str(caught.value)


@given(st.binary(min_size=1))
def test_any_bytes_come_back(code: bytes) -> None:
    assert read_hex(code.hex()) == code
    assert read_hex(", ".join(f"0x{byte:02x}" for byte in code)) == code


@given(st.text())
def test_any_text_gives_bytes_or_our_error(text: str) -> None:
    with suppress(SyntaxProblem):
        assert read_hex(text)


@given(st.binary(min_size=1, max_size=60), asm_strategies.isas)
def test_any_bytes_decode_to_instructions_that_cover_them(code: bytes, isa: str) -> None:
    kernel = Kernel.from_bytes(code, isa)  # type: ignore[arg-type]
    assert sum(instruction.length_bytes for instruction in kernel.instructions) == len(code)


def test_a_kernel_from_hex() -> None:
    kernel = Kernel.from_hex("4801d8 75fb", address=0x40)
    assert kernel.instructions[0].text == "add rax, rbx"
    assert (kernel.first_line, kernel.last_line, kernel.origin, kernel.is_loop) == (1, 2, "hex", True)
    assert kernel.instructions[1].address == 0x43


def test_undecodable_bytes_are_told() -> None:
    kernel = Kernel.from_hex("4801d806")
    assert kernel.instructions[-1].unknown
    assert kernel.warnings
