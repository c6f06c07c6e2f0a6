"""ISA extensions: what each core has, and that it executes nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corecast import Kernel, _core, analyze, predict
from corecast.analysis.options import AnalyzeOptions
from corecast.cli.main import main
from corecast.errors import InputError, MachineModelError, UnsupportedInstructionError
from corecast.machine import Machine, load_machine, variant
from corecast.machine.resolve import beyond_extensions
from corecast.machine.search import PACKAGED

NAMES = sorted(folder.name for folder in PACKAGED.iterdir() if (folder / "pipeline.toml").is_file())
NEHALEM = {"nehalem"}
AVX = NEHALEM | {"sandy_bridge", "ivy_bridge"}
SERVERS = {"sapphire_rapids", "emerald_rapids", "granite_rapids"}
ARROW = {"arrow_lake_p", "arrow_lake_e"}
HYBRID = ARROW | {"alder_lake_p", "alder_lake_e", "meteor_lake_p", "meteor_lake_e"}
ICE = {"ice_lake", "ice_lake_x", "tiger_lake", "rocket_lake"}
VNNI = SERVERS | ICE | {"cascade_lake", "zen4", "zen5"}
AVX512 = VNNI | {"skylake_x"}
X86 = {name for name in NAMES if load_machine(name).isa == "x86"}
SVE2 = {"neoverse_n2", "neoverse_v2", "neoverse_v3"}
SVE = SVE2 | {"neoverse_v1", "a64fx", "gem5_sve"}
ARM = {name for name in NAMES if load_machine(name).isa == "aarch64"}
RVV = {"sifive_p670", "sifive_x280", "spacemit_x60"}
EARLY_RVV = {"xuantie_c910", "xuantie_c920"}
RISCV = {name for name in NAMES if load_machine(name).isa == "riscv64"}
INSTRUCTIONS = [
    ("x86", "vaddpd %zmm0, %zmm1, %zmm2", AVX512, "AVX-512F"),
    ("x86", "vaddpd %xmm16, %xmm1, %xmm2", AVX512, "AVX-512F, AVX-512VL"),
    ("x86", "vaddpd %ymm0, %ymm1, %ymm2{%k1}", AVX512, "AVX-512F, AVX-512VL"),
    ("x86", "vpmaxsb %ymm17, %ymm1, %ymm2", AVX512, "AVX-512BW, AVX-512F, AVX-512VL"),
    ("x86", "vpdpbusd %zmm0, %zmm1, %zmm2", VNNI, "AVX-512VNNI"),
    ("x86", "{vex} vpdpbusd %ymm0, %ymm1, %ymm2", SERVERS | HYBRID | {"zen5"}, "AVX-VNNI"),
    ("x86", "{vex} vpmadd52luq %ymm0, %ymm1, %ymm2", ARROW, "AVX-IFMA"),
    ("x86", "vpdpbssd %ymm0, %ymm1, %ymm2", ARROW, "AVX-VNNI-INT8"),
    ("x86", "vaddph %zmm0, %zmm1, %zmm2", SERVERS, "AVX-512FP16"),
    ("x86", "tdpbssd %tmm2, %tmm1, %tmm0", SERVERS, "AMX-INT8"),
    ("x86", "tilezero %tmm0", SERVERS, "AMX-TILE"),
    ("x86", "tdpfp16ps %tmm2, %tmm1, %tmm0", {"granite_rapids"}, "AMX-FP16"),
    ("x86", "vaddpd %ymm0, %ymm1, %ymm2", X86 - NEHALEM, "AVX"),
    ("x86", "vpaddd %ymm0, %ymm1, %ymm2", X86 - AVX, "AVX2"),
    ("x86", "vfmadd231pd %ymm0, %ymm1, %ymm2", X86 - AVX, "FMA"),
    ("x86", "shlx %rax, %rbx, %rcx", X86 - AVX, "BMI2"),
    ("x86", "lzcnt %rax, %rbx", X86 - AVX, "LZCNT"),
    ("x86", "tzcnt %rax, %rbx", X86, ""),  # bsf on older cores, and compilers for any core rely on that
    ("x86", "endbr64", X86, ""),  # a nop on older cores
    ("x86", "vpcmov %xmm0, %xmm1, %xmm2, %xmm3", set(), "XOP"),
    ("x86", "addq %r17, %rax", set(), "APX"),
    ("x86", "{nf} addq %rbx, %rax", set(), "APX"),
    ("x86", "addq %rbx, %rax, %rcx", set(), "APX"),
    ("aarch64", "ldadd x0, x1, [x2]", ARM - {"cortex_a72"}, "LSE"),
    ("aarch64", "casal x0, x1, [x2]", ARM - {"cortex_a72"}, "LSE"),
    ("aarch64", "fadd z0.d, z1.d, z2.d", SVE, "SVE or SME"),
    ("aarch64", "match p0.b, p1/z, z0.b, z1.b", SVE2, "SVE2"),
    ("aarch64", "cpyfp [x0]!, [x1]!, x2!", set(), "FEAT_MOPS"),
    ("aarch64", "fmopa za0.s, p0/m, p1/m, z0.s, z1.s", set(), "SME"),
    ("aarch64", "fmla v0.8h, v1.8h, v2.8h", ARM - {"cortex_a72", "thunderx2"}, "FP16"),
    ("aarch64", "bfdot v0.4s, v1.8h, v2.8h", SVE2 | {"neoverse_v1"}, "BF16"),
    ("aarch64", "smmla v0.4s, v1.16b, v2.16b", SVE2 | {"neoverse_v1"}, "I8MM"),
    ("aarch64", "paciasp", ARM, ""),  # a nop on older cores
    ("aarch64", "fmla v0.2d, v1.2d, v2.2d", ARM, ""),
    ("riscv64", "sh1add a0, a1, a2", RISCV - EARLY_RVV, "Zba"),
    ("riscv64", "czero.eqz a0, a1, a2", {"spacemit_x60"}, "Zicond"),
    ("riscv64", "fadd.h fa0, fa1, fa2", EARLY_RVV | {"sifive_x280", "spacemit_x60"}, "Zfh"),
    ("riscv64", "vfmacc.vv v0, v1, v2", RVV | EARLY_RVV, "V 1.0"),
    ("riscv64", "vsetvli t0, a0, e64, m2", RVV | EARLY_RVV, "V 1.0"),
    ("riscv64", "vsetvli t0, a0, e64, m2, ta, ma", RVV, "V 1.0"),
    ("riscv64", "vsetvli t0, a0, e32, mf2", RVV, "V 1.0"),
    ("riscv64", "vzext.vf2 v0, v2", RVV, "V 1.0"),
    ("riscv64", "fmadd.d fa0, fa1, fa2, fa3", RISCV, ""),
]


@pytest.mark.parametrize(
    ("isa", "text", "having", "missing"), INSTRUCTIONS, ids=[text for _, text, _, _ in INSTRUCTIONS]
)
def test_a_core_executes_what_it_has_and_nothing_else(isa: str, text: str, having: set[str], missing: str) -> None:
    kernel = Kernel.from_text(text, isa=isa)
    assert not kernel.instructions[0].unknown
    for name in NAMES:
        machine = load_machine(name)
        if machine.isa != isa:
            continue
        if name in having:
            assert machine.core.lacks(kernel.instructions[0]) == ""
            analyze(kernel, machine)
            continue
        with pytest.raises(UnsupportedInstructionError, match=rf"needs .*{missing}.*, which {name} does not have"):
            analyze(kernel, machine)


@pytest.mark.parametrize("name", NAMES)
def test_every_model_lists_its_extensions_with_their_source(name: str) -> None:
    machine = load_machine(name)
    assert machine.extensions
    assert set(machine.extensions) <= set(_core.extension_names(machine.isa))
    table = machine.pipeline["extensions"]
    assert table["source"]
    assert table["confidence"] in ("documented", "assumed")


@pytest.mark.parametrize("isa", ["x86", "aarch64", "riscv64"])
def test_no_row_is_of_an_instruction_that_the_core_lacks(isa: str) -> None:
    needs: dict[str, list[int]] = {}
    for form in _core.enumerate_forms(isa):
        needs.setdefault(form.form.partition(" @")[0], []).extend(form.requirements)
    for name in NAMES:
        machine = load_machine(name)
        if machine.isa == isa:
            forms = machine.keys()
            keys = ((key, needs.get(key.partition(" @")[0])) for key in forms)
            assert [key for key, needed in keys if needed and not machine.core.has_one_of(needed)] == [], name


ZMM = ".L1:\n\taddq $64, %rax\n\tvmovupd (%rsi,%rax), %zmm0\n\tjne .L1\n"


def test_the_message_names_file_line_instruction_and_extension(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "loop.s"
    file.write_text(ZMM)
    for verb in (["analyze"], ["explore", "--sweep", "rob_entries=64,128"], ["analyze", "--unknown", "error"]):
        assert main([*verb, str(file), "--cpu", "nehalem"]) == 2
        captured = capsys.readouterr()
        expected = f"corecast: error: {file}:3: 'vmovupd' needs AVX-512F, which nehalem does not have\n"
        assert captured.err.endswith(expected), verb
        assert captured.out == ""


def test_decoded_instructions_are_named_by_address() -> None:
    with pytest.raises(UnsupportedInstructionError, match=r"'vmovupd zmm.*' at 0x1 needs AVX-512F"):
        analyze("9062f1fd4810040e", "zen3")


def test_skipping_says_what_is_left_out_first() -> None:
    region = analyze(ZMM, "zen3", AnalyzeOptions(unknown="skip")).regions[0]
    assert region.warnings[0] == (
        "line 3: vmovupd zmm0, zmmword ptr [rsi + rax] needs AVX-512F, which zen3 does not have: left out"
    )
    row = region.instructions[1]
    assert (row.status, row.matched_form, row.nearest_forms) == ("unknown", "", ())


def test_blocks_that_a_core_cannot_execute_have_no_forecast() -> None:
    for method in ("bounds", "simulate"):
        found = predict(["62f1fd4810040e", "90"], "zen3", method=method)  # type: ignore[arg-type]
        assert list(found.statuses) == ["error", "ok"]
        assert found[0].cycles is None
    assert predict(["62f1fd4810040e"], "zen4").statuses == ["ok"]


def test_a_setting_gives_a_core_an_extension_or_takes_it_away() -> None:
    wider = variant(load_machine("zen3"), {"extensions.avx512f": True})
    assert analyze(ZMM, wider).regions[0].prediction.cycles_per_iteration > 0
    older = variant(load_machine("zen3"), {"extensions.sse4.1": False})
    assert older.core.lacks(Kernel.from_text("pmulld %xmm0, %xmm1").instructions[0]) == "SSE4.1"
    with pytest.raises(InputError, match="x86 has no extension avx512ff; did you mean avx512f"):
        variant(load_machine("zen3"), {"extensions.avx512ff": True})
    with pytest.raises(MachineModelError, match=r"extensions\.avx512f must be true or false"):
        variant(load_machine("zen3"), {"extensions.avx512f": "yes"})


def model(tmp_path: Path, table: str) -> Machine:
    text = 'name = "mine"\nisa = "x86"\n[ports]\nnames = ["A"]\n[rename]\ndispatch_width_uops_per_cycle = 1\n'
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pipeline.toml").write_text(text + table)
    return load_machine(folder)


def test_a_model_without_a_list_is_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine = model(tmp_path, "")
    assert machine.extensions is None
    assert machine.core.lacks(Kernel.from_text("vaddpd %zmm0, %zmm1, %zmm2").instructions[0]) == ""
    assert main(["machine", "check", str(tmp_path / "mine")]) == 0
    assert "mine: no [extensions]: which instructions the core has is not checked" in capsys.readouterr().out


def test_a_model_adds_to_the_list_of_the_one_it_extends(tmp_path: Path) -> None:
    keys = 'name = "mine"\nextends = "zen3"\n[extensions]\navx512f = true\nsha = false\n'
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "pipeline.toml").write_text(keys)
    machine = load_machine(folder)
    theirs = load_machine("zen3").extensions
    assert theirs is not None
    assert machine.extensions == tuple(sorted({*theirs, "avx512f"} - {"sha"}))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('names = ["avx512"]', r"extensions\.names must be an extension of x86, not 'avx512'"),
        ('names = ["sve"]', r"extensions\.names must be an extension of x86, not 'sve'"),
        ("names = 3", r"extensions\.names must be a list of strings"),
        ('names = []\navx = "yes"', r"extensions\.avx must be true or false"),
        ("names = []\navx3 = true", r"extensions\.avx3 must be an extension of x86, not 'avx3'"),
    ],
)
def test_faulty_lists_are_refused(table: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(MachineModelError, match=message):
        model(tmp_path, f"[extensions]\n{table}\n")


def test_the_check_finds_rows_of_instructions_that_the_core_lacks(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "forms").mkdir(parents=True)
    head = "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence\n"
    rows = "".join(
        f"{form}\t1*A\t\t\t1\t\t\t\tme\tmeasured\n" for form in ("vaddpd ymm, ymm, ymm", "vaddpd zmm, zmm, zmm")
    )
    (folder / "forms" / "rows.tsv").write_text(head + rows)
    (folder / "pipeline.toml").write_text(
        'name = "mine"\nisa = "x86"\nforms = ["rows.tsv"]\n[ports]\nnames = ["A"]\n'
        '[rename]\ndispatch_width_uops_per_cycle = 1\n[extensions]\nnames = ["avx"]\n'
    )
    machine = load_machine(folder)
    assert beyond_extensions(machine, machine.keys()) == ["vaddpd zmm, zmm, zmm"]


def test_lookup_says_what_a_core_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lookup", "vaddpd zmm, zmm, zmm", "--cpu", "zen3", "--cpu", "zen4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split() == ["zen3", "needs", "AVX-512F,", "which", "zen3", "does", "not", "have"] for line in lines)
    assert main(["lookup", "fmopa*", "--cpu", "neoverse_v2"]) == 0
    out = capsys.readouterr().out
    assert "fmopa za.s, p/m, p/m, z.s, z.s\n  neoverse_v2  needs SME, which neoverse_v2 does not have" in out
    assert main(["lookup", "tilezero", "--cpu", "sapphire_rapids"]) == 0
    assert "sapphire_rapids  not known" in capsys.readouterr().out


def test_cpus_shows_the_extensions_of_one_core(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cpus", "granite_rapids"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for title in ("AVX-512F", "AMX-TILE", "AVX-VNNI", "(documented: LLVM"):
        assert title in text
    assert main(["cpus", "neoverse_n1", "--format", "json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["cpus"]
    assert "lse" in entry["extensions"]
    assert "sve" not in entry["extensions"]


def test_what_opcodes_of_another_llvm_need_is_known_as_far_as_names_are_the_same() -> None:
    """The tables are of one version of LLVM; most opcodes that this one decodes must be in them."""
    for isa in ("x86", "aarch64", "riscv64"):
        opcodes = _core.enumerate_opcodes(isa)
        listed = [each for each in opcodes if _core.requirement(isa, _core.disassemble(isa, each.code).instructions[0])]
        assert len(listed) > 0.85 * len(opcodes)
