"""Several schedulers, ports chosen when micro-ops leave, limits of dispatch: as pipeline.toml states them."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.errors import MachineModelError
from corecast.machine import load_machine, variant

PORTS = {"alu": ["ALU0", "ALU1", "ALU2", "ALU3"], "agu": ["AGU0", "AGU1", "AGU2"], "fp": ["FP0", "FP1", "FP2", "FP3"]}
SCHEDULERS = "schedulers"
LIMITS = "rename.limits"
TWO_CHAINS = "vaddsd xmm0, xmm0, xmm2\n" * 20 + "vmulsd xmm1, xmm1, xmm2\n" * 20
ADDITIONS = "".join(f"lea r{n}, [rax + 1]\n" for n in range(8, 14))


def cycles(text: str, settings: dict[str, object] | None = None, cpu: str = "zen2") -> float:
    machine = load_machine(cpu)
    changed = variant(machine, settings or {})  # type: ignore[arg-type]
    listing = _core.assemble(machine.isa, text, "intel" if machine.isa == "x86" else "")
    assert not listing.problems
    return _core.simulate(changed.core, listing.instructions, "loop").cycles_per_iteration


def schedulers(**entries: int) -> dict[str, object]:
    return {SCHEDULERS: [{"ports": PORTS[kind], "entries": count} for kind, count in entries.items()]}


def test_a_full_scheduler_stops_rename() -> None:
    """Two chains overlap as long as both fit; a vector scheduler of few entries sees one at a time."""
    assert cycles(TWO_CHAINS, schedulers(alu=64, agu=28, fp=100)) == pytest.approx(60, abs=1)
    assert cycles(TWO_CHAINS, schedulers(alu=64, agu=28, fp=6)) > 80
    assert cycles(TWO_CHAINS, schedulers(alu=6, agu=6, fp=100)) == pytest.approx(60, abs=1)


def test_the_oldest_takes_any_free_port_where_ports_are_chosen_late() -> None:
    """Multiplications have one port; the additions leave it alone."""
    body = ("imul r8, rax, 3\n" + "".join(f"lea r{n}, [rax + 1]\n" for n in (9, 10, 11))) * 4
    late = cycles(
        body,
        {"schedulers": [{"ports": PORTS["alu"], "entries": 64}], "rename.width": 4},
    )
    assert late == pytest.approx(4, abs=0.05)


def test_a_limit_of_dispatch_counts_those_that_have_no_other_port() -> None:
    assert cycles(ADDITIONS) == pytest.approx(1.5, abs=0.05)
    assert cycles(ADDITIONS, {LIMITS: [{"ports": PORTS["alu"], "uops_per_cycle": 2}]}) == pytest.approx(3, abs=0.05)
    assert cycles(ADDITIONS, {LIMITS: [{"ports": ["ALU0", "ALU1"], "uops_per_cycle": 2}]}) == pytest.approx(
        1.5, abs=0.05
    )


def test_what_a_scheduler_takes_and_starts_per_cycle() -> None:
    all_alus = {"ports": PORTS["alu"], "entries": 64}
    assert cycles(ADDITIONS, {SCHEDULERS: [{**all_alus, "accepts_per_cycle": 3}]}) == pytest.approx(2, abs=0.05)
    assert cycles(ADDITIONS, {SCHEDULERS: [{**all_alus, "issues_per_cycle": 1}]}) == pytest.approx(6, abs=0.05)


def test_more_micro_ops_than_entries_pass_all_the_same() -> None:
    tiny = {SCHEDULERS: [{"ports": [*PORTS["alu"], *PORTS["agu"], *PORTS["fp"]], "entries": 1, "accepts_per_cycle": 1}]}
    assert cycles("add [rdi], rax\n", tiny) >= 1
    assert 6 <= cycles(ADDITIONS, tiny) <= 12  # an entry is free again in the cycle after next


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({SCHEDULERS: [{"ports": ["ALU9"], "entries": 4}]}, "there is no ALU9"),
        ({SCHEDULERS: [{"entries": 4}]}, "schedulers.0.ports is missing"),
        ({SCHEDULERS: [{"ports": ["ALU0"]}]}, "schedulers.0.entries is missing"),
        ({SCHEDULERS: [{"ports": ["ALU0"], "entries": 0}]}, "entries must be a number from 1 to"),
        ({LIMITS: [{"ports": ["ALU0"]}]}, "limits.0.uops_per_cycle is missing"),
    ],
)
def test_malformed_schedulers_are_refused(setting: dict[str, object], message: str) -> None:
    with pytest.raises(MachineModelError, match=message):
        variant(load_machine("zen2"), setting)  # type: ignore[arg-type]


SHARED = "ports.shared_result"
SHIFTS_AND_A_PRODUCT = "vpmullw zmm0{k1}{z}, zmm1, zmm2\n" + "vpslld zmm3, zmm3, 1\n" * 2  # all on port 0


def test_results_of_packed_integers_leave_a_port_one_a_cycle() -> None:
    """Three starts in three cycles would have a shift's result meet the product of two iterations before, which started
    four cycles earlier and takes four more."""
    assert cycles(SHIFTS_AND_A_PRODUCT, {SHARED: []}, "skylake_x") == pytest.approx(3, abs=0.01)
    assert cycles(SHIFTS_AND_A_PRODUCT, cpu="skylake_x") > 3.2


def test_other_results_have_a_way_out_of_their_own() -> None:
    """Latencies of 1 and 4 cycles on one port: floating-point arithmetic and logic."""
    body = "vrcp14ps zmm0, zmm1\n" + "vandps zmm3, zmm3, zmm2\n"
    for text in (body, body.replace("vandps", "vpandd")):
        assert cycles(text, {SHARED: []}, "skylake_x") == cycles(text, cpu="skylake_x")


def test_ports_chosen_at_rename_wait_in_the_scheduler_that_has_them() -> None:
    """Loads take entries that arithmetic does not miss; together they may not be more than `scheduler_entries`."""
    body = "vaddsd xmm0, xmm0, xmm2\nmov rcx, [rsi]\n" * 40 + "vmulsd xmm1, xmm1, xmm2\nmov rcx, [rsi]\n" * 40

    def of(alu: int, agu: int, both: int = 200) -> float:
        parts = [{"ports": ["0", "1", "4", "5", "6"], "entries": alu}, {"ports": ["2", "3", "7"], "entries": agu}]
        return cycles(body, {SCHEDULERS: parts, "scheduler.entries": both}, "skylake_x")

    assert of(200, 200) == pytest.approx(160, abs=1)
    assert of(200, 24) == pytest.approx(160, abs=1)
    assert of(24, 200) > 180
    assert of(200, 200, 24) > 180


def test_schedulers_of_ports_chosen_at_rename_have_entries_alone() -> None:
    with pytest.raises(MachineModelError, match="ports and entries alone"):
        cycles("nop\n", {SCHEDULERS: [{"ports": ["0"], "entries": 20, "issues_per_cycle": 1}]}, "skylake_x")


def test_a_port_belongs_to_one_scheduler() -> None:
    parts = [{"ports": ["0", "1"], "entries": 20}, {"ports": ["1", "5"], "entries": 20}]
    with pytest.raises(MachineModelError, match="each port in one scheduler at most"):
        cycles("nop\n", {SCHEDULERS: parts}, "skylake_x")
