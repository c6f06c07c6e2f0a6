"""What the kernels that look for the sizes of a core's buffers are made of, for each instruction set.

Every iteration starts with values that depend on the whole iteration before. Then come a chain of loads, each from the
address that the one before it loaded, a number of fillers, and a chain of square roots. Both chains can run at the same
time, unless the fillers, or the loads that wait before them, take so much room that the first square root does not get
in before the loads are done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from corecast.asm.code import Isa
from corecast.dataclass import dataclass


@dataclass(frozen=True)
class Filler:
    """Instructions that take one kind of room; {0} to {5} are the rotating registers, {line} a multiple of 64."""

    templates: tuple[str, ...]
    then: tuple[str, ...] = ()
    """What the rest of the fillers is, in a separate run: of two kinds by turns some cores keep both in one entry.
    Loads take integer registers, so that those fillers may have to wait: they come last."""
    share: float = 1.0
    """Of the first kind among them."""
    before: tuple[str, ...] = ()
    """In front of the first."""
    latest: bool = False
    """They wait for the chain of loads."""
    group: bool = False
    """Whatever is renamed with the first root takes such room."""
    also: tuple[str, ...] = ()
    """What they fill as well, and may fill first."""

    def lines(self, count: int) -> list[str]:
        first = round(self.share * count)
        kinds = ((self.templates, first), (self.then, count - first))
        return [texts[i % len(texts)] for texts, times in kinds for i in range(times)]


@dataclass(frozen=True)
class Probes:
    """Text of an instruction set."""

    join: tuple[str, ...]
    load: str
    root: str
    fillers: Mapping[str, tuple[Filler, ...]]
    """By what they fill; of several that one counts that fills it first, and of nearly equal ones the first: it takes
    the least beside."""
    mixed: tuple[str, ...]
    """Instructions for integer and vector ports by turns, which need nothing of each other."""
    nop: str
    plain: tuple[tuple[str, int], ...]
    """Instructions that only take a slot, with their bytes. Of `nop` some cores take two for one."""
    forward: tuple[str, ...]
    """A store and a load of what it stored, the chain's register in between. The load's address is a copy, so
    that cores that rename memory by the register do not."""
    vector_forward: tuple[str, ...]


_X86_GENERAL = ("r8", "r9", "r10", "r11", "r12", "r13")
_ROTATING = 6
_INTEGER, _VECTOR = ("integer_registers",), ("vector_registers",)


def _texts(template: str, names: Callable[[int], str]) -> tuple[str, ...]:
    """One for each rotating register."""
    return tuple(template.replace("{r}", names(i)).replace("{line}", str(64 * i)) for i in range(_ROTATING))


def _by_turns(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for pair in zip(first, second, strict=True) for text in pair)


def _x86() -> Probes:
    def general(template: str) -> tuple[str, ...]:
        return _texts(template, _X86_GENERAL.__getitem__)

    def vector(template: str) -> tuple[str, ...]:
        return _texts(template, lambda i: f"xmm{4 + i}")

    loads = _by_turns(general("mov {r}, [rsi]"), vector("movq {r}, qword ptr [rsi]"))
    vectors = vector("paddd {r}, xmm1")
    return Probes(
        join=(
            "movq rcx, xmm2", "and rcx, 0", "add rax, rcx",
            "mov rdx, rax", "and rdx, 0", "movq xmm3, rdx", "orpd xmm2, xmm3",
        ),
        load="mov rax, [rax]",
        root="sqrtsd xmm2, xmm2",
        fillers={
            "reorder_buffer": (
                Filler(("nop",), group=True), Filler(vectors, general("mov {r}, 77"), group=True),
            ),
            "integer_registers": (Filler(general("mov {r}, 77")),),
            "vector_registers": (Filler(vectors),),
            "load_queue": (Filler(loads),),
            "store_queue": (Filler(_texts("mov [rsi + {line}], r14", str)),),
            "integer_scheduler": (Filler(("test rax, rax",), latest=True),),
            "vector_scheduler": (
                Filler(vector("paddd {r}, xmm15"), before=("movq xmm15, rax",), latest=True, also=_VECTOR),
            ),
        },
        mixed=_by_turns(general("mov {r}, 77"), vectors),
        nop="nop",
        plain=(("xor edx, edx", 2), ("xor r8d, r8d", 3)),  # zeroed while they are renamed
        forward=("mov rbx, rsi", "mov [rsi], rax", "mov rax, [rbx]"),
        vector_forward=("mov rbx, rsi", "movups [rsi], xmm1", "movups xmm1, [rbx]"),
    )  # fmt: skip


def _aarch64() -> Probes:
    def general(template: str) -> tuple[str, ...]:
        return _texts(template, lambda i: f"x{8 + i}")

    def vector(template: str) -> tuple[str, ...]:
        return _texts(template, lambda i: f"v{4 + i}")

    extracted = vector("ext {r}.16b, v1.16b, v1.16b, #8")
    waiting = vector("ext {r}.16b, v15.16b, v15.16b, #8")
    loads = _by_turns(general("ldr {r}, [x5]"), _texts("ldr {r}, [x5]", lambda i: f"d{4 + i}"))
    return Probes(
        join=(
            "fmov x1, d2", "and x1, x1, xzr", "add x0, x0, x1",
            "and x2, x0, xzr", "fmov d3, x2", "orr v2.16b, v2.16b, v3.16b",
        ),
        load="ldr x0, [x0]",
        root="fsqrt d2, d2",
        fillers={
            "reorder_buffer": (
                Filler(("nop",), group=True),
                Filler(extracted, general("add {r}, x5, #8"), group=True),
            ),
            "integer_registers": (Filler(general("add {r}, x5, #8")),),
            "vector_registers": (Filler(extracted),),
            "load_queue": (Filler(loads),),
            "store_queue": (Filler(_texts("str x14, [x5, #{line}]", str)),),
            "integer_scheduler": (Filler(("tst x0, x0",), latest=True),),
            "vector_scheduler": (Filler(waiting, before=("fmov d15, x0",), latest=True, also=_VECTOR),),
        },
        mixed=_by_turns(general("add {r}, x5, #8"), extracted),
        nop="nop",
        plain=(("nop", 4),),
        forward=("mov x6, x5", "str x0, [x5]", "ldr x0, [x6]"),
        vector_forward=("mov x6, x5", "str q1, [x5]", "ldr q1, [x6]"),
    )  # fmt: skip


def _riscv64() -> Probes:
    def general(template: str) -> tuple[str, ...]:
        return _texts(template, lambda i: f"x{18 + i}")

    def floating(template: str) -> tuple[str, ...]:
        return _texts(template, lambda i: f"f{4 + i}")

    return Probes(
        join=(
            "fmv.x.d x11, f2", "andi x11, x11, 0", "add x10, x10, x11",
            "andi x12, x10, 0", "fmv.d.x f3, x12", "fadd.d f2, f2, f3",
        ),
        load="ld x10, 0(x10)",
        root="fsqrt.d f2, f2",
        fillers={
            "reorder_buffer": (
                Filler(("nop",), group=True),
                Filler(floating("fneg.d {r}, f1"), general("addi {r}, x13, 8"), group=True),
            ),
            "integer_registers": (Filler(general("addi {r}, x13, 8")),),
            "vector_registers": (Filler(floating("fneg.d {r}, f1")),),
            "load_queue": (Filler(_by_turns(general("ld {r}, 0(x13)"), floating("fld {r}, 0(x13)"))),),
            "store_queue": (Filler(_texts("sd x14, {line}(x13)", str)),),
            "integer_scheduler": (Filler(general("addi {r}, x10, 8"), latest=True, also=_INTEGER),),
            "vector_scheduler": (
                Filler(floating("fneg.d {r}, f15"), before=("fmv.d.x f15, x10",), latest=True, also=_VECTOR),
            ),
        },
        mixed=_by_turns(general("addi {r}, x13, 8"), floating("fneg.d {r}, f1")),
        nop="nop",
        plain=(("addi x0, x0, 0", 4),),
        forward=("mv x14, x13", "sd x10, 0(x13)", "ld x10, 0(x14)"),
        vector_forward=("mv x14, x13", "fsd f1, 0(x13)", "fld f1, 0(x14)"),
    )  # fmt: skip


def probes(isa: Isa) -> Probes:
    return {"x86": _x86, "aarch64": _aarch64, "riscv64": _riscv64}[isa]()


def window(isa: Isa, filler: Filler, count: int, loads: int, roots: int, pad: int = 0) -> list[str]:
    """One iteration with that many fillers; `pad` instructions before shift the groups that are renamed together."""
    text = probes(isa)
    before = [*text.join, *[text.nop] * pad, *[text.load] * loads, *filler.before]
    return [*before, *filler.lines(count), *[text.root] * roots]
