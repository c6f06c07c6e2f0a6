"""The verifier finds what its invariants name, and nothing in a model that keeps them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corecast.errors import MachineModelError
from corecast.machine import load_machine
from corecast.machine.resolve import unresolved
from corecast.machine.spelling import instructions_of, spelling
from corecast.machine.verify import Finding, errors_of, family_of, least_throughput, verify
from toy_machines import FOLDER

HEAD = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence\n"


def findings(tmp_path: Path, *rows: str, resolve: bool = False) -> list[Finding]:
    """Of a made-up model with these rows alone (blanks stand for tabs between `|`)."""
    folder = tmp_path / "toy_x86"
    shutil.copytree(FOLDER / "toy_x86", folder)
    for table in (folder / "forms").iterdir():
        table.write_text(HEAD)
    text = "".join("\t".join(cell.strip() for cell in row.split("|")) + "\n" for row in rows)
    (folder / "forms" / "first.tsv").write_text(HEAD + text)
    return verify(load_machine(folder), resolve=resolve)


def test_a_sound_row_gives_nothing(tmp_path: Path) -> None:
    assert findings(tmp_path, "imul r64, r64 | 1*p1 | | 1->1:3 | 1 | | | 1 | t | measured") == []


def test_a_row_that_cannot_be_read_is_told_with_its_form(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "imul r64, r64 | 1*p9 | | 1->1:3 | 1 | | | 1 | t | measured")
    assert (found.kind, found.form, found.line) == ("unreadable", "imul r64, r64", 2)
    assert str(found).endswith('first.tsv:2: imul r64, r64: ports: unknown port in "1*p9" (unreadable)')


def test_ports_that_are_busy_for_a_hundred_latencies_are_told(tmp_path: Path) -> None:
    """What a measurement on an empty x87 stack once left behind."""
    (found,) = findings(tmp_path, "fadd st, st | 411.122*p1 | | 1->1:3;2->1:3 | 1 | | | 411.12 | t | derived")
    assert (found.kind, found.form) == ("busy", "fadd st, st")
    assert "busy for 411.1 cycles, but its longest latency is 3" in found.message
    assert found.is_error


def test_what_is_not_pipelined_may_be_busy_for_its_latency(tmp_path: Path) -> None:
    assert findings(tmp_path, "rdrand r64 | 130*p1 | | 1->1:140 | 1 | | | 130 | t | measured") == []


@pytest.mark.parametrize("row", ["imul r64, r64", "imul r64, r64 | 1*p1 | | 1->1:3 | 1 | | | 1 | t | measured | more"])
def test_a_row_without_its_ten_columns_is_told_with_its_line(tmp_path: Path, row: str) -> None:
    (found,) = findings(tmp_path, "popcnt r64, r64 | 1*p1 | | 2->1:3 | 1 | | | 1 | t | measured", row)
    assert (found.kind, found.form, found.line) == ("unreadable", "imul r64, r64", 3)
    assert "ten columns" in found.message
    with pytest.raises(MachineModelError, match="ten columns"):
        load_machine(tmp_path / "toy_x86").row("imul r64, r64")


@pytest.mark.parametrize(
    ("source", "confidence", "told"),
    [("", "measured", "no source"), ("t", "", "confidence is one of"), ("t", "sure", "not 'sure'")],
)
def test_a_row_says_where_it_is_from(tmp_path: Path, source: str, confidence: str, told: str) -> None:
    (found,) = findings(tmp_path, f"imul r64, r64 | 1*p1 | | 1->1:3 | 1 | | | 1 | {source} | {confidence}")
    assert (found.kind, found.line) == ("unsourced", 2)
    assert told in found.message
    assert found.is_error


@pytest.mark.parametrize(("flags", "count"), [("", 1), ("eliminated", 0)])
def test_no_latency_only_for_eliminated_moves(tmp_path: Path, flags: str, count: int) -> None:
    found = findings(tmp_path, f"mov r64, r64 | 1*p1 | | 2->1:0 | 1 | | {flags} | | t | measured")
    assert [each.kind for each in found] == ["latency"] * count


@pytest.mark.parametrize(
    ("usage", "blocking", "measured", "wrong"),
    [
        ("1*p1", "", 0.5, True),
        ("1*p1", "", 0.97, False),
        ("2*p01", "", 1, False),
        ("1*p01+1*p1", "", 0.9, True),
        ("1*p01+1*p0156+1*p1", "", 0.9, True),
        ("1*p1", "DIV:8", 4, True),
        ("", "", 0.25, False),
    ],
)
def test_no_throughput_beats_its_ports(tmp_path: Path, usage: str, blocking: str, measured: float, wrong: bool) -> None:
    found = findings(tmp_path, f"popcnt r64, r64 | {usage} | {blocking} | 2->1:3 | 1 | | | {measured} | t | measured")
    assert [each.kind for each in found] == ["throughput"] * wrong


def test_the_bound_of_ports_is_that_of_the_tightest_subset() -> None:
    entry = {"ports": [(1.0, ("0", "1")), (2.0, ("1",))], "blocking": [(2.5, ("DIV",))]}
    assert least_throughput(load_machine(FOLDER / "toy_x86"), entry) == 2.5
    assert least_throughput(load_machine(FOLDER / "toy_x86"), {**entry, "blocking": []}) == 2.0


def test_a_key_that_no_instruction_has(tmp_path: Path) -> None:
    row = "| 1*p1 | | | 1 | | | | t | measured"
    found = findings(tmp_path, f"frobnicate r64, r64 {row}", f"add r64, r64 {row}", f"jne rel {row}", resolve=True)
    assert [(each.kind, each.form) for each in found] == [("unresolved", "frobnicate r64, r64")]


def test_an_outlier_among_siblings_is_told_but_is_no_error(tmp_path: Path) -> None:
    rows = [
        f"vpermq {register}, {register}, i8 | 1*p5 | | 2->1:{cycles} | 1 | | | | t | measured"
        for register, cycles in (("xmm", 3), ("ymm", 3))
    ]
    rows += ["vpermq ymm, m256, i8 | 1*p5 | | mem->1:3 | 1 | | | | t | measured"]
    family = [
        f"vaddpd {a}, {b}, {c} | 1*p01 | | 2->1:{cycles} | 1 | | | | t | measured"
        for a, b, c, cycles in (("xmm", "xmm", "xmm", 4), ("ymm", "ymm", "ymm", 4), ("zmm", "zmm", "zmm", 40),
                                ("xmm{k}", "xmm", "xmm", 4))
    ]  # fmt: skip
    found = findings(tmp_path, *rows, *family[:3])
    assert found == [], "three are not a family"
    widths = ("r8", "r16", "r32", "r64")
    latencies = (1, 1, 9, 1)
    found = findings(
        tmp_path / "again",
        *(
            f"neg {width} | 1*p1 | | 1->1:{cycles} | 1 | | | | t | measured"
            for width, cycles in zip(widths, latencies, strict=True)
        ),
    )
    assert [(each.kind, each.form, each.message) for each in found] == [
        ("outlier", "neg r32", "latency 9, of its siblings 1")
    ]
    assert errors_of(found) == []


def test_families_leave_widths_out() -> None:
    assert family_of("vaddpd ymm, ymm, m256") == family_of("vaddpd xmm, xmm, m128")
    assert family_of("add r32, r32") == family_of("add r64, r64") != family_of("add r64, i8")
    assert family_of("fadd v.2d, v.2d, v.2d") == family_of("fadd v.4s, v.4s, v.4s")


@pytest.mark.parametrize(
    ("isa", "key"),
    [
        ("x86", "vfmadd213pd zmm{k}{z}, zmm, m512"),
        ("x86", "lock add m64, r64"),
        ("x86", "lea r64, m3"),
        ("aarch64", "b.cond rel"),
        ("aarch64", "add x, x, #i, lsl #i"),
        ("aarch64", "ldr q, [x, #i]!"),
        ("aarch64", "movk x, #i, lsl #i"),
        ("aarch64", "ptrue p.b"),
        ("aarch64", "punpkhi p.h, p.b"),
        ("riscv64", "call rel"),
        ("riscv64", "vfmacc.vv v, v, v @m2,e64"),
    ],
)
def test_keys_are_found_by_spelling_them(isa: str, key: str) -> None:

    plain = key.partition(" @")[0]
    assert instructions_of(isa, [plain]).keys() == {plain}, spelling(isa, plain)  # type: ignore[arg-type]


def test_unresolved_takes_variants_for_their_form() -> None:
    assert unresolved("riscv64", ["add x, x, x", "vadd.vv v, v, v @m1,e8", "nothing x @m1"]) == ["nothing x @m1"]


def explained_findings(tmp_path: Path, explained: str) -> list[Finding]:
    """Of two rows without a latency, in a model with this `explained.tsv`."""
    row = "| 1*p1 | | 1->1:0 | 1 | | | | t | measured"
    findings(tmp_path, f"neg r32 {row}", f"not r32 {row}")
    (tmp_path / "toy_x86" / "explained.tsv").write_text(explained)
    return verify(load_machine(tmp_path / "toy_x86"))


def test_what_renaming_does_takes_no_time(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        "inc r64 | | | 1->1:0 | 1/0/1 | | | | t | measured",
        "dec r64 | | | 1->1:0 | 1 | | | | t | measured",
    )
    assert [each.form for each in found] == ["dec r64"]


def test_an_explained_finding_is_no_error(tmp_path: Path) -> None:
    found = explained_findings(tmp_path, "# made up\nkind\tform\treason\nlatency\tn*g r32\tseen twice\n")
    assert [(each.form, each.explanation and each.explanation.reason) for each in found] == [
        ("neg r32", "seen twice"),
        ("not r32", None),
    ]
    assert [each.form for each in errors_of(found)] == ["not r32"]


def test_an_explanation_of_nothing_is_told(tmp_path: Path) -> None:
    found = explained_findings(tmp_path, "kind\tform\treason\nlatency\tn*\tseen\noutlier\tn*\tseen\n")
    assert [(each.kind, each.line) for each in errors_of(found)] == [("stale", 3)]


@pytest.mark.parametrize("line", ["latency\tneg r32", "latency\t\twhy", "slow\tneg r32\twhy"])
def test_a_wrong_explanation_is_told_with_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(MachineModelError, match=r"explained\.tsv:2: "):
        explained_findings(tmp_path, f"kind\tform\treason\n{line}\n")


def test_latencies_through_memory_are_no_outliers(tmp_path: Path) -> None:
    rows = [
        f"neg m{width} | 1*p1 | | addr->flags:{cycles};mem->flags:{cycles};addr->mem:{cycles} | 1 | | | | t | measured"
        for width, cycles in ((8, 1), (16, 9), (32, 1), (64, 1))
    ]
    assert findings(tmp_path, *rows) == []
