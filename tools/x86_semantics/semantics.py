"""What one x86 instruction does beyond its explicit register operands, and the table row that holds it."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields

FLAG_LETTERS = "CPAZSOD"
SAME_REGISTER_KINDS = ("", "zero", "ones", "carry", "flags", "immediate")
ACCESSES = ("", "none", "r", "w", "rw")


@dataclass(frozen=True)
class Semantics:
    """Effects of an instruction; flags are letters in the order of FLAG_LETTERS, lists are comma separated."""

    flags_read: str = ""
    flags_written: str = ""
    """Always written, with a defined value."""
    flags_conditional: str = ""
    """Written or kept, depending on data: the old value counts as read too."""
    flags_undefined: str = ""
    """Left undefined by the architecture; where also in flags_conditional, only if written at all."""
    implicit_read: tuple[str, ...] = ()
    implicit_written: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    """Accesses through fixed registers, `base[+index]:bytes:r|w|rw`."""
    memory_printed: str = ""
    """`yes` where the entries of `memory` are printed as operands, in this order (string instructions)."""
    memory_first: str = ""
    """Access to an explicit memory operand printed first: none, r, w, rw; empty: there is no such form."""
    memory_other: str = ""
    """Access to an explicit memory operand printed later."""
    operand_access: tuple[str, ...] = ()
    """Access to each printed register operand (none, r, w, rw); empty: as LLVM's operand lists say."""
    x87_top: int = 0
    """Change of the x87 stack's TOP: -1 after a push, 1 after a pop."""
    same_register: str = ""
    """What the result depends on when all sources are one register (see SAME_REGISTER_KINDS)."""

    def is_default(self) -> bool:
        """Tell whether nothing is said that a reader would not assume: no effects, later memory operands are read."""
        return self in (Semantics(), Semantics(memory_other="r"))


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    mnemonic: str
    shape: str
    """Empty: any operands; a number: that many; else classes per operand, `*` any, `a|b` either (`r8|m8`, `*,cl`)."""
    semantics: Semantics

    def operand_count(self) -> int:
        """Return the number of explicit operands, -1 for any."""
        if not self.shape:
            return -1
        return int(self.shape) if self.shape.isdigit() else self.shape.count(",") + 1

    def pattern(self) -> str:
        """Return the operand pattern, empty where only the number counts."""
        return "" if self.shape.isdigit() else self.shape


SEMANTIC_COLUMNS = tuple(field.name for field in fields(Semantics))
COLUMNS = ("mnemonic", "shape", *SEMANTIC_COLUMNS)


def order_key(row: Row) -> tuple[str, int, int, str]:
    """Sort by mnemonic, then the most particular shape first."""
    particular = 0 if row.pattern() else 1 if row.shape else 2
    return (row.mnemonic, particular, row.operand_count(), row.shape)


def format_row(row: Row) -> str:
    """Write a row as a line of the table."""
    cells = [row.mnemonic, row.shape]
    for value in astuple(row.semantics):
        cells.append(",".join(value) if isinstance(value, tuple) else str(value or ""))
    return "\t".join(cells)


def parse_row(line: str) -> Row:
    """Read a line of the table.

    Raises:
        ValueError: the number of cells is wrong.
    """
    cells = line.rstrip("\n").split("\t")
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{len(cells)} cells instead of {len(COLUMNS)}: {line!r}")
    cell = dict(zip(COLUMNS, cells, strict=True))

    def names(column: str) -> tuple[str, ...]:
        return tuple(cell[column].split(",")) if cell[column] else ()

    semantics = Semantics(
        flags_read=cell["flags_read"],
        flags_written=cell["flags_written"],
        flags_conditional=cell["flags_conditional"],
        flags_undefined=cell["flags_undefined"],
        implicit_read=names("implicit_read"),
        implicit_written=names("implicit_written"),
        memory=names("memory"),
        memory_printed=cell["memory_printed"],
        memory_first=cell["memory_first"],
        memory_other=cell["memory_other"],
        operand_access=names("operand_access"),
        x87_top=int(cell["x87_top"] or 0),
        same_register=cell["same_register"],
    )
    return Row(cell["mnemonic"], cell["shape"], semantics)
