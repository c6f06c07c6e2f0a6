"""High-level source lines of addresses, from an object file's debug information."""

from __future__ import annotations

import io
from bisect import bisect_right

from corecast.asm.code import SourceMap
from corecast.asm.relocate import placed_address, relocated_content
from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast.asm.image import CodeImage

MAX_UNITS = 3000
"""Compilation units that are looked through for an address where there is no table of address ranges."""


class LineTable:
    """Source lines by address; a compilation unit is read when one of its addresses is asked for."""

    def __init__(self, image: CodeImage) -> None:
        self._image = image
        self._dwarf: Any = None
        self._opened = False
        self._ranges: list[tuple[int, int, int]] = []
        """(first address, end, offset of the unit), in order."""
        self._units: dict[int, SourceMap] = {}

    def at(self, section: int, address: int) -> str:
        """`file:line` of an address in a section, "" where the file does not say."""
        address = placed_address(self._image, section, address)
        try:
            if not self._opened:
                self._opened = True
                self._open()
            if self._dwarf is None:
                return ""
            position = bisect_right(self._ranges, (address, 1 << 65, 0)) - 1
            if position < 0 or address >= self._ranges[position][1]:
                return ""
            offset = self._ranges[position][2]
            if offset not in self._units:
                self._units[offset] = self._read_unit(offset)
            return self._units[offset].at(address)
        except Exception:  # damaged debug information, of many error types: the report does without
            self._dwarf = None
            return ""

    def _open(self) -> None:
        if self._image.format != "ELF":
            return
        from elftools.elf.elffile import ELFFile

        elf = ELFFile(io.BytesIO(self._image.content))
        if not elf.has_dwarf_info():
            return
        elf = ELFFile(io.BytesIO(relocated_content(self._image, elf)))
        dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
        if dwarf.debug_line_sec is None:
            return
        self._dwarf = dwarf
        aranges = dwarf.get_aranges()
        if aranges is not None and aranges.entries:
            self._ranges = sorted(
                (entry.begin_addr, entry.begin_addr + entry.length, entry.info_offset) for entry in aranges.entries
            )
            return
        for number, unit in enumerate(dwarf.iter_CUs()):
            if number >= MAX_UNITS:
                break
            self._ranges += [(first, end, unit.cu_offset) for first, end in self._unit_ranges(unit)]
        self._ranges.sort()

    def _unit_ranges(self, unit: Any) -> list[tuple[int, int]]:
        attributes = unit.get_top_DIE().attributes
        base = attributes["DW_AT_low_pc"].value if "DW_AT_low_pc" in attributes else 0
        if "DW_AT_high_pc" in attributes:
            high = attributes["DW_AT_high_pc"]
            return [(base, high.value if high.form == "DW_FORM_addr" else base + high.value)]
        if "DW_AT_ranges" not in attributes:
            return []
        lists = self._dwarf.range_lists()
        spans = []
        for entry in lists.get_range_list_at_offset(attributes["DW_AT_ranges"].value, unit):
            if hasattr(entry, "base_address"):
                base = entry.base_address
            else:
                offset = 0 if getattr(entry, "is_absolute", False) else base
                spans.append((offset + entry.begin_offset, offset + entry.end_offset))
        return spans

    def _read_unit(self, offset: int) -> SourceMap:
        program = self._dwarf.line_program_for_CU(self._dwarf.get_CU_at(offset))
        if program is None:
            return SourceMap()
        files = program["file_entry"]
        first_file = 0 if program["version"] >= 5 else 1
        rows: list[tuple[int, str]] = []
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            number = state.file - first_file
            known = 0 <= number < len(files) and state.line and not state.end_sequence
            name = files[number].name.decode("utf-8", "replace") if known else ""
            rows.append((state.address, f"{name}:{state.line}" if known else ""))
        # Of several rows at one address the last one holds; an end of sequence gives way to what starts there.
        merged: dict[int, str] = {}
        for address, value in rows:
            if value or address not in merged:
                merged[address] = value
        keys = sorted(merged)
        return SourceMap(keys, [merged[key] for key in keys])
