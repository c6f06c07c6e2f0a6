"""What making kernels needs to know of an instruction set: one module implements it for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corecast import _core
from corecast.asm.code import Isa
from corecast.hints import Protocol
from corecast.measure.isa.forms import EndKind, Form, Kind, RegisterNames, Slot, Spelling, Values
from corecast.measure.isa.link_table import LinkTable


class InstructionSet(RegisterNames, Protocol):
    """Modules are instances of this."""

    @property
    def DISPLACED_STORES(self) -> bool:
        """Whether every store takes any displacement; else instances store to addresses in different registers."""

    @property
    def INDEX_ALONE(self) -> str:
        """How a register in an address is spelled as an index without a base, where there are such."""

    @property
    def LENGTHENER(self) -> str:
        """Text of a prefix that makes an instruction longer, however often it stands there, and changes nothing else;
        "" where there is none."""

    @property
    def COUNTERS(self) -> Sequence[int]:
        """Numbers of general registers that may count iterations, the best first."""

    def spellings(self, key: str) -> Iterable[Spelling]:
        """Ways to write a key as text: the first that assembles to the key is right. None: such operands are not known.

        Raises:
            InputError: forms of that kind cannot be measured.
        """

    def locations(self) -> Mapping[int, tuple[Kind, int]]:
        """Kinds and numbers of registers by their locations; the stack pointer is none of them."""

    def pools(self, slots: Sequence[Slot], /) -> dict[str, list[int]]:
        """Registers by kind that kernels of a form with such slots may use, the best first. The loop's counter is
        none of them."""

    def may_overlap(self, form: Form, /) -> bool:
        """Whether the register of a source may be that of the destination."""

    def special_values(self, form: Form, /) -> dict[int, int]:
        """Start values of general registers that the form implies and that mean something there."""

    def other_values(self, form: Form, /) -> Sequence[Values]:
        """What else operands may hold that the form's time may depend on."""

    def value_dependent(self, form: Form, /) -> bool:
        """Whether the form's time depends on what its operands hold, so that chains have to keep it."""

    def keeps_values(self, form: Form, source: str, /) -> bool:
        """Whether a chain of the form through this operand runs to values of the same kind; else it is given them
        anew."""

    def numbers(self, form: Form, source: str = "", /) -> tuple[int, int] | None:
        """Eight bytes each that vector registers hold, and the last operand, in a chain through an operand. None: the
        usual ones."""

    @property
    def LINKS(self) -> LinkTable:
        """Helper instructions that carry a dependency from an operand of one kind to one of another."""

    @property
    def FENCE(self) -> str:
        """An instruction that waits for all before it, and that all behind it wait for; "" where there is none."""

    def breaker(self, kind: EndKind, number: int, scratch: int, bits: int = 64, /) -> str:
        """Text of an instruction that gives a location a value that depends on nothing but `scratch`.

        That is a register of its kind (for flags a general one) and holds the value that the location starts with.

        Raises:
            InputError: there is none for this kind.
        """

    def elements(self, form: Form, /) -> str:
        """How vectors whose length is the core's lie in the memory that a form reads or writes: the width of `LINKS`.

        Raises:
            InputError: no helper stores and loads them.
        """

    def address(self, form: Form, target: int, base: int, index: int, /) -> str:
        """Text of an instruction that gives a register the address that a form reaches from two others, but for its
        displacement. Forms without an index leave the last one out."""

    def vector_base(self, instruction: _core.Instruction, /) -> int:
        """Start value, repeated every eight bytes, of a vector of addresses that the instruction uses."""

    def vector_bytes(self, instruction: _core.Instruction, /) -> int:
        """Width of the widest vector register that the instruction names."""

    def writes_flags_only(self, instruction: _core.Instruction, /) -> bool:
        """A comparison that serves the branch behind it."""

    def counts_down(self, instruction: _core.Instruction, /) -> int | None:
        """The number of the general register that the instruction decrements."""

    def closing(
        self, instructions: Sequence[_core.Instruction], counter: int, keeps_flags: bool, /
    ) -> list[_core.Instruction]:
        """What closes the loop that times these instructions; empty where no register is left to count."""


def instruction_set(isa: Isa) -> InstructionSet:
    if isa == "x86":
        from corecast.measure.isa.x86 import instruction_set as x86

        return x86
    if isa == "aarch64":
        from corecast.measure.isa.aarch64 import instruction_set as aarch64

        return aarch64
    from corecast.measure.isa.riscv import instruction_set as riscv

    return riscv
