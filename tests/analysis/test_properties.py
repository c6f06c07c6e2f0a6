"""What holds for every block of instructions, whatever it is."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from corecast import _core
from toy_machines import toy

_REGISTERS = st.sampled_from(["rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8"])
_OFFSETS = st.integers(-4, 4).map(lambda n: 8 * n)
_LINES = st.one_of(
    st.builds("addq %{}, %{}".format, _REGISTERS, _REGISTERS),
    st.builds("addq ${}, %{}".format, _OFFSETS, _REGISTERS),
    st.builds("imulq %{}, %{}".format, _REGISTERS, _REGISTERS),
    st.builds("movq %{}, %{}".format, _REGISTERS, _REGISTERS),
    st.builds("movq {}(%{}), %{}".format, _OFFSETS, _REGISTERS, _REGISTERS),
    st.builds("movq %{}, {}(%{})".format, _REGISTERS, _OFFSETS, _REGISTERS),
    st.builds("addq %{}, {}(%{})".format, _REGISTERS, _OFFSETS, _REGISTERS),
    st.builds("pushq %{}".format, _REGISTERS),
    st.builds("popq %{}".format, _REGISTERS),
    st.just("xorl %eax, %eax"),
    st.just("movb %bl, %ah"),
    st.just("divq %rcx"),
    st.just("vfmadd231pd %ymm1, %ymm2, %ymm0"),
    st.just("vpaddd %zmm1, %zmm2, %zmm0"),
    st.just("frobnicate"),
)
blocks = st.lists(_LINES, min_size=1, max_size=12)
modes = st.sampled_from(["loop", "unroll"])


def analyzed(lines: list[str], mode: str = "loop") -> _core.Analysis:
    listing = _core.assemble("x86", "\n".join(lines) + "\n", "att")
    return _core.analyze(toy("toy_x86").core, listing.instructions, mode)


@given(blocks, modes)
def test_distributions_agree_on_the_work_and_the_optimum_is_no_worse(lines: list[str], mode: str) -> None:
    result = analyzed(lines, mode)
    balanced, uniform = result.balanced, result.uniform
    assert abs(sum(balanced.totals) - sum(uniform.totals)) < 1e-6
    assert balanced.bound <= uniform.bound + 1e-6
    assert max(balanced.totals) <= balanced.bound + 1e-6
    assert all(abs(balanced.totals[port] - balanced.bound) < 1e-6 for port in balanced.limiting)


@given(blocks, modes)
def test_the_prediction_is_the_largest_bound(lines: list[str], mode: str) -> None:
    result = analyzed(lines, mode)
    assert result.cycles_per_iteration == max(result.bounds.values())
    assert abs(result.bounds[result.bottleneck] - result.cycles_per_iteration) < 1e-9
    assert result.cycles_per_iteration > 0


@given(blocks, _LINES)
def test_another_instruction_never_lowers_throughput_bounds(lines: list[str], line: str) -> None:
    # zmm closes a port for all vector uops, so that bounds still only grow. A push that undoes a pop does save a uop
    # now and then: the renamer's offset of the stack pointer no longer overflows. So does what writes a whole register
    # between a write of its second byte and whoever read both: they need not be merged.
    assume(not line.startswith(("push", "pop")))
    assume(not any(each.endswith(("%ah", "%bh", "%ch", "%dh")) for each in lines))
    before, after = analyzed(lines), analyzed([*lines, line])
    assert after.bounds["ports"] >= before.bounds["ports"] - 1e-6
    assert after.frontend.fused_uops >= before.frontend.fused_uops


@given(blocks, st.integers(2, 4))
def test_copies_of_a_block_take_as_many_times_its_cycles(lines: list[str], copies: int) -> None:
    once, several = analyzed(lines, "unroll"), analyzed(lines * copies, "unroll")
    assert abs(several.balanced.bound - copies * once.balanced.bound) < 1e-4
    assert abs(several.bounds["dependency"] - copies * once.bounds["dependency"]) < 1e-4


@given(blocks)
def test_chains_are_consistent(lines: list[str]) -> None:
    result = analyzed(lines)
    chains = [result.critical_path, *result.loop_carried]
    assert [chain.cycles for chain in result.loop_carried] == sorted(
        (chain.cycles for chain in result.loop_carried), reverse=True
    )
    for chain in chains[1:]:
        assert abs(sum(chain.instruction_cycles) - chain.cycles * chain.distance) < 1e-6
    for chain in chains:
        assert len(chain.instructions) == len(chain.instruction_cycles)
        assert all(0 <= index < len(lines) for index in chain.instructions)
    for producer, consumer, cycles, distance, kind, _ in result.edges:
        assert distance > 0 or producer < consumer
        assert cycles >= 0
        assert kind in ("register", "flags", "memory", "address")
