"""Blocks are stored once, however many there are."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from corecast.collect.blocks import Block
from corecast.collect.store import BlockStore

BLOCKS = st.lists(
    st.builds(
        Block,
        code=st.sampled_from([bytes([number]) for number in range(20)]),
        executions=st.one_of(st.none(), st.integers(1, 5)),
        app=st.sampled_from(["a", "b"]),
        isa=st.just("x86"),
        address=st.integers(0, 3),
        module=st.sampled_from(["m", "m, n"]),
        symbol=st.sampled_from(["", 'f<"x", y>']),
        source=st.just(""),
    ),
    max_size=60,
)


def stored(folder: Path, blocks: list[Block], most_in_memory: int) -> list[Block]:
    store = BlockStore(folder, most_in_memory)
    for block in blocks:
        store.add(block)
    return list(store)


@given(BLOCKS)
def test_disk_and_memory_hold_the_same(blocks: list[Block]) -> None:
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        kept = stored(Path(one), blocks, 1000)
        spilled = stored(Path(other), blocks, 3)
    assert [(each.code, each.executions, each.app) for each in spilled] == [
        (each.code, each.executions, each.app) for each in kept
    ]
    assert sum(each.executions or 0 for each in kept) == sum(each.executions or 0 for each in blocks)
    keys = [(each.app, each.code) for each in kept]
    assert len(set(keys)) == len(keys)
    assert [each.executions or 0 for each in kept] == sorted((each.executions or 0 for each in kept), reverse=True)


def test_a_block_is_told_where_it_ran_most_often(tmp_path: Path) -> None:
    def block(executions: int, address: int) -> Block:
        return Block(b"\x90", executions, "a", "x86", address, "m", "", "")

    (found,) = stored(tmp_path, [block(2, 1), block(5, 2), block(3, 3)], 1)
    assert (found.executions, found.address) == (10, 2)
