"""Who waits for memory and how long: bounds and simulation tell the same, on cores whose rows hold an access whole."""

from __future__ import annotations

import pytest

from corecast import Kernel, _core
from corecast.asm.code import Isa
from corecast.errors import MachineModelError
from corecast.machine import load_machine, variant

Case = tuple[str, str, float]

CHAINS: dict[str, Case] = {
    # 5.5 to any load, and the 9 cycles that the row has beyond a load's 4
    "from memory through an atomic": ("neoverse_n1", "ldadd w9, w1, [x2]\n str w1, [x2]", 14.5),
    # what the row says of the data, less what it counts for a store; then 5.5 to the load
    "to memory through an atomic": ("neoverse_n1", "ldadd w1, w9, [x2]\n ldr w1, [x2]", 14.5),
    # one micro-op that loads before its data are there
    "to memory through an atomic of one micro-op": ("sifive_p670", "amoor.d t0, t1, (t3)\n ld t1, 0(t3)", 6),
    # an address of the row's five parts is not an operation on the data
    "to memory through a store of many parts": (
        "neoverse_n1",
        "st1 {v0.2s, v1.2s, v2.2s}, [x2]\n ldr d0, [x2]",
        6.7,
    ),
    # 6.7 to any vector load, and the 2 cycles that the row has beyond a load's 5
    "from memory through a load of many parts": ("neoverse_n1", "ldp q0, q9, [x2]\n str q0, [x2]", 8.7),
    # nothing is known of it: a cycle behind what any load takes, 5.82
    "through an atomic of unknown latency": ("apple_m1", "swp x9, x1, [x2]\n ldr x1, [x2]", 6.82),
    # 16 to any vector load, and the 3 cycles that those of SVE have beyond its 8
    "through a load of SVE": ("a64fx", "ld1d {z0.d}, p0/z, [x2]\n st1d {z0.d}, p0, [x2]", 19),
    "through a load that no port of the row's tells": (
        "a64fx",
        "mov v0.16b, v2.16b\n ld2 {v0.s, v1.s}[1], [x2]\n str d0, [x2]",
        16,
    ),
    # the ports that carry data do not update the base besides
    "from base to base of a load of many parts": (
        "a64fx",
        "ld3r {v0.1d, v1.1d, v2.1d}, [x2], #24\n mul x2, x2, x9",
        6,
    ),
    # whether it was stored; that waits for the address although its data do not
    "from the address to a store's status": (
        "neoverse_v1",
        "stxrb w1, w9, [x2]\n and x1, x1, xzr\n orr x2, x1, x8",
        7,
    ),
}


def cycles(cpu: str, lines: str, isa: Isa) -> tuple[float, float]:
    """Bound of the dependencies, and simulated cycles."""
    machine = load_machine(cpu)
    end = "subs x20, x20, #1\n b.ne .L" if isa == "aarch64" else "addi s11, s11, -1\n bnez s11, .L"
    instructions = list(Kernel.from_text(f".L: {lines}\n {end}\n", isa=isa).instructions)
    bound = _core.analyze(machine.core, instructions, "loop").bounds["dependency"]
    return bound, _core.simulate(machine.core, instructions, "loop").cycles_per_iteration


@pytest.mark.parametrize("case", CHAINS.values(), ids=CHAINS)
def test_chains_through_memory_take_what_the_rows_say(case: Case) -> None:
    cpu, lines, expected = case
    isa: Isa = "riscv64" if cpu.startswith("sifive") else "aarch64"
    assert cycles(cpu, lines, isa) == pytest.approx((expected, expected), abs=1 / 16)


def test_what_takes_no_time_does_not_wait_for_a_cycle_of_its_own() -> None:
    """A64FX packs movprfx with what follows: what takes time is to hand four of them on."""
    bound, simulated = cycles("a64fx", "\n ".join(["movprfx z0.h, p0/z, z0.h"] * 8), "aarch64")
    assert bound <= 1
    assert simulated == pytest.approx(10 / 4 + 1, abs=0.5)  # and the cycle behind the taken branch


def test_a_unit_goes_to_the_oldest_that_waits_for_it() -> None:
    """Else those that wait longest keep the reorder buffer full, and the unit runs dry."""
    lines = "\n ".join(f"casl w{n}, w16, [x{n + 1}]" for n in range(0, 16, 2))
    _, simulated = cycles("neoverse_n1", lines, "aarch64")
    assert simulated / 8 == pytest.approx(14.25, abs=0.01)


ODD = (-1, 0, 0.5, 3e9, 1e300)
SIZES = ("stores.joined_block_bytes", "stores.paired_line_bytes", "memory.line_bytes", "store_queue.entries")
STORES: dict[str, tuple[Isa, str]] = {
    "granite_rapids": (
        "x86",
        ".L: mov %rax, (%rdi)\n mov %rax, 4(%rdi)\n push %rbx\n vmovupd 60(%rdi), %ymm1\n jnz .L",
    ),
    "zen4": ("x86", ".L: mov %rax, (%rdi)\n mov %rax, 4(%rdi)\n push %rbx\n vmovupd 60(%rdi), %ymm1\n jnz .L"),
    "neoverse_n1": ("aarch64", ".L: str x1, [x2]\n stp x1, x4, [x2, #8]\n ldr q0, [x2, #60]\n b.ne .L"),
}


@pytest.mark.parametrize("value", ODD)
@pytest.mark.parametrize("key", SIZES)
@pytest.mark.parametrize("cpu", STORES)
def test_sizes_that_no_memory_has_are_refused_or_have_results(cpu: str, key: str, value: float) -> None:
    """Bounds divided by a line of half a byte cut to none."""
    isa, code = STORES[cpu]
    try:
        machine = variant(load_machine(cpu), {key: value})
    except MachineModelError:
        return
    instructions = list(Kernel.from_text(code + "\n", isa=isa).instructions)
    assert _core.predict(machine.core, instructions, "loop")[0] > 0
    assert _core.simulate(machine.core, instructions, "loop").cycles_per_iteration > 0
