"""Object files of any size are read in parts; what is found in them is what reading them at once finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from corecast.asm import RegionOptions, objects, read_regions
from corecast.asm.kernel import Kernel
from corecast.errors import MarkerError, ObjectFileError

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    ROOT / "examples" / "three_loops.o",
    *(
        ROOT / "tests" / "data" / "asm" / name
        for name in ("gcc12_x86.o", "gcc12_aarch64.o", "gcc12_riscv.o", "lld22_x86.dll")
    ),
]


def facts(kernel: Kernel) -> tuple[object, ...]:
    behind = kernel.read_behind
    registers = sorted(
        {use.reg for each in kernel.instructions for operand in each.operands for use in operand.registers}
    )
    assert behind is not None
    return (
        kernel.name,
        kernel.symbol,
        [(each.address, each.text, each.form) for each in kernel.instructions],
        kernel.source_lines,
        kernel.warnings,
        kernel.skipped_blocks,
        [behind(register) for register in registers],
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_parts_give_the_same_regions(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [facts(kernel) for kernel in read_regions(path)]
    monkeypatch.setattr(objects, "MAX_CODE_BYTES", 0)
    monkeypatch.setattr(objects, "PART_BYTES", 128)  # few functions each
    parts = [facts(kernel) for kernel in read_regions(path)]
    assert parts == whole
    assert len(parts) > 1


def test_parts_end_where_functions_begin_or_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the code is in which no function is known to begin."""
    monkeypatch.setattr(objects, "MAX_CODE_BYTES", 0)
    monkeypatch.setattr(objects, "PART_BYTES", 16)
    content = FILES[0].read_bytes()
    image = objects.read_image(content, "x.o", None)
    starts = {symbol.address for symbol in image.functions}
    (piece,) = objects.code_pieces(image)
    parts = list(objects._parts(objects._Symbols(image), piece))
    assert [part.start for part in parts[1:]] == [part.end for part in parts[:-1]]
    assert (parts[0].start, parts[-1].end) == (piece.start, piece.end)
    for part in parts[1:]:
        assert part.start in starts or part.start % 16 == 0
    assert max(part.end - part.start for part in parts) <= 32


def test_a_part_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regions have copies of their instructions: the whole part's would fill the memory."""
    import gc

    from corecast import _core

    monkeypatch.setattr(objects, "MAX_CODE_BYTES", 0)
    kernels = read_regions(FILES[0])
    gc.collect()
    listings = [each for each in gc.get_objects() if isinstance(each, _core.Listing)]
    assert not any(len(each.instructions) > len(kernels[0].instructions) + 3 for each in listings)


def test_a_function_of_a_large_file_is_read_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MAX_CODE_BYTES", 0)
    (kernel,) = read_regions(FILES[0], RegionOptions(function="normalize"))
    assert kernel.name.startswith("normalize+0x10")
    with pytest.raises(MarkerError, match="no function 'gone'"):
        read_regions(FILES[0], RegionOptions(function="gone"))


def test_one_loop_of_a_large_file_needs_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MAX_CODE_BYTES", 0)
    with pytest.raises(ObjectFileError, match="MiB of code: choose a function or addresses"):
        read_regions(FILES[0], RegionOptions(loop="2"))
