"""Where blocks begin and end."""

from __future__ import annotations

from array import array

from corecast.collect.blocks import EMPTY, NO_FILE, UNDECODABLE, Reasons
from corecast.collect.cut import Executed, Piece, cut, merged

ADD, INC, JNE, SYSCALL, RET = "4801d8", "48ffc0", "75f0", "0f05", "c3"
BAD = "06"  # no instruction in 64-bit mode


def found(code: str, counts: dict[int, int], reasons: Reasons | None = None) -> list[tuple[int, str, int | None]]:
    """Blocks of code at address 0x1000; counts by offset."""
    content = bytes.fromhex(code)

    def read(address: int, size: int) -> bytes:
        return content[address - 0x1000 :][:size]

    executed = Executed(
        "m", read, lambda _: ("", ""), array("Q", (0x1000 + at for at in counts)), array("Q", counts.values())
    )
    pieces: list[Piece] = list(cut("x86", executed, reasons if reasons is not None else Reasons()))
    return [(piece.address - 0x1000, piece.code.hex(), piece.executions) for piece in pieces]


def test_a_block_ends_before_a_branch() -> None:
    assert found(ADD + INC + JNE + INC + RET, {0: 7, 3: 7, 6: 7, 8: 1, 11: 1}) == [(0, ADD + INC, 7), (8, INC, 1)]


def test_a_block_ends_before_a_system_instruction() -> None:
    assert found(ADD + SYSCALL + INC, {0: 2, 3: 2, 5: 2}) == [(0, ADD, 2), (5, INC, 2)]


def test_code_that_is_entered_in_the_middle_is_two_blocks() -> None:
    assert found(ADD + INC + INC + RET, {0: 3, 3: 3, 6: 5, 9: 5}) == [(0, ADD + INC, 3), (6, INC, 5)]


def test_code_that_did_not_run_is_no_block() -> None:
    assert found(ADD + JNE + INC + ADD + RET, {0: 4, 3: 4, 8: 4, 11: 4}) == [(0, ADD, 4), (8, ADD, 4)]


def test_decoding_starts_anew_behind_bytes_that_are_no_code() -> None:
    """Read from the start, the byte 48 would swallow a part of what follows."""
    assert found(ADD + RET + "48" + INC + RET, {0: 1, 3: 1, 5: 2, 8: 2}) == [(0, ADD, 1), (5, INC, 2)]


def test_branches_alone_are_counted() -> None:
    reasons = Reasons()
    assert found(JNE + ADD + SYSCALL + RET, {0: 9, 2: 8, 5: 8, 7: 8}, reasons) == [(2, ADD, 8)]
    assert reasons.pieces == {EMPTY: 1}
    assert reasons.executions == {EMPTY: 9}


def test_bytes_that_are_no_instruction_are_counted() -> None:
    reasons = Reasons()
    assert found(ADD + BAD, {0: 2, 3: 2}, reasons) == [(0, ADD, 2)]
    assert reasons.executions == {UNDECODABLE: 2}


def test_code_beyond_the_file_is_counted() -> None:
    reasons = Reasons()
    assert found(ADD, {0: 2, 5000: 3}, reasons) == [(0, ADD, 2)]
    assert reasons.executions == {NO_FILE: 3}


def test_long_code_is_not_cut_where_it_is_decoded_in_parts() -> None:
    length = 200_000
    counts = dict.fromkeys(range(length), 5)
    assert found("90" * length, counts) == [(0, "90" * length, 5)]


def test_counts_of_an_address_are_summed() -> None:
    addresses, counts, largest = merged([8, 4, 8, 8], [1, 2, 7, 3])
    assert list(addresses) == [4, 8]
    assert list(counts) == [2, 11]
    assert largest == [1, 2]
