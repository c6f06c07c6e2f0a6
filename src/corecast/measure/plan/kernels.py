"""Kernels as they are timed: code, the values it starts with, how it repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast import _core
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError, SyntaxProblem
from corecast.hints import TYPE_CHECKING
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.isa.x86.registers import names_mmx
from corecast.measure.isa.x86.relatives import Relative, relatives
from corecast.measure.isa.x86.tiles import names_tiles, strides
from corecast.measure.thresholds import (
    KERNELS_DENSE_BYTES,
    KERNELS_FORWARDING_BYTES,
    KERNELS_FORWARDING_COPIES,
    KERNELS_SPARSE_BYTES,
)

if TYPE_CHECKING:
    from corecast.asm import Kernel


@dataclass(frozen=True)
class StartValues:
    """What registers and memory hold at first; what is not named here keeps the runner's uncritical values."""

    general: Mapping[int, int] = field(default_factory=dict)
    """By the number of a general-purpose register."""
    vector: Mapping[int, int] = field(default_factory=dict)
    """Eight bytes each, repeated over the register."""
    mask: Mapping[int, int] = field(default_factory=dict)
    """By the number of a mask or predicate register."""
    pointers: bool = False
    """Whether memory is full of addresses of itself, in place of numbers."""
    vector_bytes: int = 16
    """Vector registers are clean above."""
    mmx: bool = False
    """Whether registers of MMX hold numbers: x87's stack is full then."""
    memory: int | None = None
    """Eight bytes that fill memory in place of numbers."""
    x87_depth: int = 0
    """Numbers on x87's stack."""
    tiles: bool = False
    """Whether AMX's tiles are configured, and hold numbers."""

    def to_core(self) -> _core.StartValues:
        """The values as the runner takes them."""
        values = _core.StartValues()
        values.set_general(dict(self.general))
        values.set_vector(dict(self.vector))
        values.set_mask(dict(self.mask))
        number = _core.measuring_number if self.memory is None else self.memory
        values.memory = _core.measuring_data_address if self.pointers else number
        values.vector_bytes = self.vector_bytes
        values.mmx = self.mmx
        values.x87_depth = self.x87_depth
        values.tiles = self.tiles
        return values


@dataclass(frozen=True)
class TimedKernel:
    """Code whose execution is timed again and again."""

    isa: Isa
    """Instruction set."""
    code: bytes
    """Encoded instructions."""
    texts: tuple[str, ...]
    """Of its instructions."""
    lengths: tuple[int, ...]
    """Of its instructions, in bytes."""
    is_loop: bool = False
    """A loop's branch follows every execution, else the next copy does."""
    counter: int = -1
    """Number of a general register that the code leaves alone, -1: it uses all."""
    values: StartValues = StartValues()
    """What registers and memory hold at first."""
    keeps_flags: bool = False
    """It hands flags from one execution to the next: what closes the loop leaves them alone."""
    setting: bytes = b""
    """An instruction that is executed once, before: it sets the type of RISC-V's vectors."""
    relatives: tuple[Relative, ...] = ()
    """Data that x86 code addresses relative to the instruction pointer."""
    notes: tuple[str, ...] = ()
    """What the user should know about how the code became a kernel."""
    copies: int = 0
    """Of the shorter unrolled loop; 0: as many as the core's clock takes."""
    most_iterations: int = 0
    """Of a run, after which registers start again; 0: no limit."""
    data_pages: int = 1
    """Of memory, which the pages of addresses are in turn."""

    def instruction_at(self, offset: int) -> int | None:
        """Index of the instruction that holds a byte; a trap's offset may be the end of the last one."""
        start = 0
        for index, length in enumerate(self.lengths):
            if start <= offset < start + length:
                return index
            start += length
        return None


def of_instructions(
    instructions: Sequence[_core.Instruction],
    isa: Isa,
    *,
    is_loop: bool = False,
    counter: int | None = None,
    values: StartValues | None = None,
    setting: str = "",
    notes: tuple[str, ...] = (),
) -> TimedKernel:
    """Instructions as a kernel; counter and values are chosen where they are not given."""
    counter = free_counter(instructions, isa) if counter is None else counter
    return TimedKernel(
        isa=isa,
        code=b"".join(instruction.bytes for instruction in instructions),
        texts=tuple(instruction.text for instruction in instructions),
        lengths=tuple(instruction.length_bytes for instruction in instructions),
        is_loop=is_loop,
        counter=counter,
        keeps_flags=not is_loop and counter >= 0 and _hands_on_flags(instructions),
        values=values or start_values(instructions, isa),
        setting=_core.assemble(isa, setting).instructions[0].bytes if setting else b"",
        relatives=relatives(instructions) if isa == "x86" else (),
        notes=notes,
    )


def is_dense(kernel: TimedKernel) -> bool:
    """Whether decoders may be what takes its time, and longer encodings help."""
    lengthens = instruction_set(kernel.isa).LENGTHENER and not kernel.relatives
    return bool(lengthens) and len(kernel.code) < KERNELS_DENSE_BYTES * len(kernel.lengths)


def spread(kernel: TimedKernel) -> TimedKernel:
    """The same in sparse code, as far as the instruction set lets instructions be longer."""
    lengthener = instruction_set(kernel.isa).LENGTHENER
    if not lengthener or kernel.relatives:  # those are told from where instructions stand
        return kernel
    prefix = _core.assemble(kernel.isa, lengthener).instructions[0].bytes
    code, texts, start = b"", [], 0
    for text, length in zip(kernel.texts, kernel.lengths, strict=True):
        times = max(0, KERNELS_SPARSE_BYTES - length)
        code += prefix * times + kernel.code[start : start + length]
        texts.append("; ".join([*[lengthener] * times, text]))
        start += length
    lengths = tuple(max(KERNELS_SPARSE_BYTES, length) for length in kernel.lengths)
    return replace(kernel, code=code, texts=tuple(texts), lengths=lengths)


def unrolled_to_forward(kernel: TimedKernel) -> TimedKernel:
    """A chain through memory, so often in a row that a core cannot learn which store and load belong together: a Zen 4
    then knows what is loaded without waiting for it, in loops of up to 24 such loads."""
    return replace(kernel, copies=min(KERNELS_FORWARDING_COPIES, max(1, KERNELS_FORWARDING_BYTES // len(kernel.code))))


def start_values(
    instructions: Sequence[_core.Instruction], isa: Isa, *, general: Mapping[int, int] | None = None
) -> StartValues:
    """Values that suit the code: memory holds pointers where general registers are loaded from it; vector registers
    are as wide as the code's, for wider parts that are not clean slow narrower code down on some cores."""
    widths = map(instruction_set(isa).vector_bytes, instructions)
    return StartValues(
        general={**(_strides(instructions) if isa == "x86" else {}), **(general or {})},
        vector=_vector_addresses(instructions, isa),
        pointers=any(_loads_general(instruction, isa) for instruction in instructions),
        vector_bytes=max(widths, default=16),
        mmx=isa == "x86" and any(map(names_mmx, instructions)),
        tiles=isa == "x86" and any(map(names_tiles, instructions)),
    )


def _strides(instructions: Sequence[_core.Instruction]) -> dict[int, int]:
    locations = instruction_set("x86").locations()
    return strides(instructions, {place: number for place, (kind, number) in locations.items() if kind == "general"})


def free_counter(instructions: Sequence[_core.Instruction], isa: Isa) -> int:
    """Number of a general register that the instructions leave alone, -1 where they use all."""
    locations = instruction_set(isa).locations()
    used = {locations.get(location) for location in _touched(instructions)}
    return next((number for number in instruction_set(isa).COUNTERS if ("general", number) not in used), -1)


_FLAGS = "flags"
_COUNTED = "cf"
"""The flag that `dec` leaves alone."""


def _hands_on_flags(instructions: Sequence[_core.Instruction]) -> bool:
    """Whether a flag is read that an earlier execution wrote, and that counting iterations would overwrite."""
    carry = _core.register_number("x86", _COUNTED)
    read: set[int] = set()
    written: set[int] = set()
    for instruction in instructions:
        uses = [use for operand in instruction.operands if operand.name == _FLAGS for use in operand.registers]
        read |= {use.reg for use in uses if use.read} - written
        written |= {use.reg for use in uses if use.write}
    return bool(read & written - {carry})


def _touched(instructions: Sequence[_core.Instruction]) -> set[int]:
    """Locations that the instructions read or write."""
    found = {use.reg for each in instructions for operand in each.operands for use in operand.registers}
    return found | {reg for each in instructions for access in each.memory for reg in (access.base, access.index)}


def _vector_addresses(instructions: Sequence[_core.Instruction], isa: Isa) -> dict[int, int]:
    """Start values of vector registers that hold addresses, or what is added to one."""
    locations = instruction_set(isa).locations()
    found: dict[int, int] = {}
    for instruction in instructions:
        for access in instruction.memory:
            value = 0 if access.base else instruction_set(isa).vector_base(instruction)
            for location in (access.index, access.base):
                for operand in instruction.operands:
                    registers = [use.reg for use in operand.registers]
                    if location in registers and location in locations and locations[location][0] == "vector":
                        found |= {locations[reg][1]: value for reg in registers}
    return found


def _loads_general(instruction: _core.Instruction, isa: Isa) -> bool:
    """Whether a general register gets a pointer's worth of bytes from memory."""
    locations = instruction_set(isa).locations()
    return any(access.read and access.width_bytes >= 8 for access in instruction.memory) and any(
        use.write and use.reg in locations and locations[use.reg][0] == "general"
        for operand in instruction.operands
        for use in operand.registers
    )


def timed_kernel(kernel: Kernel, *, is_loop: bool | None = None) -> TimedKernel:
    """A region of code as the kernel that is timed.

    A loop's own closing branch, with a comparison that only serves it, gives way to the branch of the loop that counts:
    which way the original would go depends on data that is not there.

    Raises:
        InputError: empty, or with branches inside.
        SyntaxProblem: an instruction that could not be read.
    """
    for index, instruction in enumerate(kernel.instructions):
        if instruction.unknown:
            raise SyntaxProblem(f"'{instruction.text}' cannot be read", kernel.file or None, line_of(kernel, index))
    body, counter, notes = _without_closing_branch(kernel.instructions, kernel.isa)
    if not body:
        raise InputError("there is no instruction to time beside the loop's own branch", kernel.file or None)
    for index, instruction in enumerate(body):
        if instruction.branch != "none":
            raise InputError(
                f"'{instruction.text}': code with branches inside cannot be timed",
                kernel.file or None,
                line_of(kernel, index),
            )
    given = kernel.isa == "x86"  # addresses relative to the instruction: see x86_relatives
    accesses = (access for instruction in body for access in instruction.memory)
    if any((access.symbol or access.pc_relative) and not (given and access.pc_relative) for access in accesses):
        notes = (*notes, "symbols have no addresses here: they count as 0")
    closed = len(body) < len(kernel.instructions)
    return of_instructions(
        body, kernel.isa, is_loop=closed if is_loop is None else is_loop, counter=counter, notes=notes
    )


def line_of(kernel: Kernel, index: int) -> int | None:
    """Line of the text that an instruction comes from, None for code without text."""
    return kernel.instructions[index].line or None if kernel.origin == "text" else None


def _without_closing_branch(
    instructions: tuple[_core.Instruction, ...], isa: Isa
) -> tuple[tuple[_core.Instruction, ...], int | None, tuple[str, ...]]:
    """The body, the register that its own counting leaves free, and notes."""
    if not instructions or instructions[-1].branch not in ("conditional", "unconditional"):
        return instructions, None, ()
    body, branch = instructions[:-1], instructions[-1]
    gone, counter = [branch.text], None
    if body and branch.branch == "conditional":
        if instruction_set(isa).writes_flags_only(body[-1]):
            gone.insert(0, body[-1].text)
            body = body[:-1]
        else:
            counter = _counter_of(body, isa)
            if counter is not None:
                return body[:-1], counter, ()  # the loop that times it is the same
    return body, None, (f"the loop is closed by '{_CLOSINGS[isa]}' in place of '{'; '.join(gone)}'",)


def _counter_of(body: Sequence[_core.Instruction], isa: Isa) -> int | None:
    """The register that the last instruction decrements, where the others leave it alone."""
    counter = instruction_set(isa).counts_down(body[-1])
    locations = instruction_set(isa).locations()
    used = {locations.get(location) for location in _touched(body[:-1])}
    return None if counter is None or ("general", counter) in used else counter


_CLOSINGS: dict[Isa, str] = {"x86": "dec; jnz", "aarch64": "sub; cbnz", "riscv64": "addi; bnez"}
