"""Fuzzes the files that `corecast import` reads: damaged copies of every source, imported into a new model and read."""

from __future__ import annotations

import functools
import gzip
import random
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

from harness import DATA, Fuzzer, flip, splice

NAMES = (
    *("instructions.xml", "core.yml", "exegesis.yaml", "winic.yaml", "TOY.jsonl.gz", "wrong.yaml.gz"),
    *("ibench.txt", "asmbench.txt"),
)
"""The file that the first byte chooses; it decides who reads it."""
OSACA = b"""osaca_version: 0.7.1
isa: x86
ROB_size: 224
load_latency: {gpr: 4.0, ymm: 7.0}
load_throughput_default: [[1, ['2', '3']]]
ports: ['0', 0DV, '1', '2', 2D, '3', 3D, '4']
instruction_forms:
- name: [vdivpd, vmulpd]
  operands: [{class: register, name: ymm}, {class: register, name: ymm}, {class: register, name: ymm}]
  latency: 13
  throughput: 8.0
  uops: 1
  port_pressure: [[1, '01'], [8, [0DV]]]
- name: add
  operands: [{class: memory, base: '*', offset: '*', index: '*', scale: '*'}, {class: register, name: gpr}]
  latency: 5
  port_pressure: [[1, '01'], [1, ['2', '3']]]
"""
WINIC = b"""---
- llvmName:        ADD64rr
  operands:
    - class:           register
      name:            GR64
      read:            true
      write:           true
  operandLatencies:
    - sourceOperand:   '1'
      targetOperand:   '0'
      latencyMin:      1
      latencyMax:      1.5
  throughputMin:   0.25
  throughputMax:   0.25
"""
IBENCH = b"""Using frequency 2.20GHz.
vaddpd-x_x_x-TP:   0.503 (clock cycles)   [DEBUG - result: 1.000000]
add-r_r-LT:   1.012 (clock cycles)   [DEBUG - result: 1.000000]
vfmadd213pd-mbis_y_y-TP:   0.50 (clock cycles)
"""
ASMBENCH = b"""add-r64_r64
Latency: 1.00 cycle
Throughput: 0.25 cycle

vmovapd-mbo_z
Latency: 7.00 cycle
Throughput: 0.50 cycle
"""
RECORD = (
    b'{"string":"ADD_01 (R64, R64)","mnemonic":"ADD","attrs":{},"uops":1,"retire_slots":1,"uops_mite":1,"uops_ms":0,'
    b'"ports":{"0156":1},"tp":null,"div_cycles":0,"complex_decoder":false,"simple_decoders":4,"locked":false,'
    b'"macro_fusible_with":[],"operands":[{"name":"REG0","type":"reg","r":true,"w":true},'
    b'{"name":"REG1","type":"reg","r":true,"w":false}],"latencies":[{"from":"REG0","to":"REG0","cycles":1}],'
    b'"variants":{}}\n'
)
WORDS = (
    *(b"", b"-1", b"1e999", b"nan", b"null", b"~", b"[]", b"{}", b"x", b"1*p", b"0*p01", b"1*p01+", b"'", b'"', b"<"),
    *(b"R64", b"ZMM", b"M512", b"K", b"M64_1to8", b"VSIB_YMM", b"gpr", b"0DV", b"1", b"99999999999", b"---", b": "),
)  # fmt: skip


def seeds() -> list[bytes]:
    texts = [
        (DATA / "imports" / "instructions.xml").read_bytes(),
        OSACA,
        (DATA / "imports" / "exegesis.yaml").read_bytes(),
    ]
    texts += [WINIC, RECORD, WINIC, IBENCH, ASMBENCH]
    return [bytes((number,)) + text for number, text in enumerate(texts) for _ in range(4)]


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = rng.choice(pool)
    for _ in range(rng.randrange(1, 5)):
        match rng.randrange(5):
            case 0:
                data = data[:1] + flip(rng, data[1:], rng.randrange(1, 4))
            case 1:
                data = data[:1] + splice(rng, data[1:], rng.choice(pool)[1:])
            case 2:
                at = rng.randrange(len(data))
                data = data[:1] + data[1 : at + 1] + data[at + rng.randrange(40) :]
            case _:
                at = rng.randrange(1, len(data)) if len(data) > 1 else 1
                end = at + rng.randrange(8)
                data = data[:at] + rng.choice(WORDS) + data[end:]
    return data


def target(data: bytes) -> None:
    from corecast import _core
    from corecast.convert.adapt import adapted
    from corecast.machine import load_machine
    from corecast.machine.making.folder import import_into

    _core.enumerate_forms = _few_forms  # all of them take seconds
    name = NAMES[data[0] % len(NAMES)] if data else NAMES[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(gzip.compress(data[1:], 1) if name == "TOY.jsonl.gz" else data[1:])
        imported = adapted(_read(path), {}, without_ports=True)
        for model in (Path(folder) / "new", Path(folder) / "new"):
            import_into(model, imported, "" if model.exists() else "skylake")
            machine = load_machine(model)
            problems = machine.core.check()
            assert not problems, problems[0]


@functools.cache
def _few_forms(isa: str) -> list[SimpleNamespace]:
    """What the enumeration gives for the opcodes that the seeds name."""
    from corecast import _core

    texts = {"ADD64rr": "add rcx, rdx", "IMUL64rr": "imul rcx, rdx"}
    listing = _core.assemble("x86", "\n".join(texts.values()) + "\n", "intel")
    return [
        SimpleNamespace(form=instruction.form, opcode=opcode, code=instruction.bytes)
        for opcode, instruction in zip(texts, listing.instructions, strict=True)
    ]


def _read(path: Path) -> object:
    from corecast.convert.importers.exegesis import import_exegesis
    from corecast.convert.importers.osaca_model import import_osaca
    from corecast.convert.importers.uops_info_model import import_uops_info
    from corecast.convert.importers.winic_model import import_winic

    if path.stem in ("ibench", "asmbench"):
        from corecast.convert.importers.bench_lists import import_asmbench, import_ibench
        from corecast.machine import load_machine

        return (import_ibench if path.stem == "ibench" else import_asmbench)(path, load_machine("skylake"))
    if path.name == "core.yml":
        return import_osaca(path)
    if path.name == "exegesis.yaml":
        return import_exegesis([path])
    if path.name.startswith(("winic", "wrong")):
        return import_winic([path], "x86")
    return import_uops_info(path, "SKL")


if __name__ == "__main__":
    sys.exit(Fuzzer("import", target, seeds, mutate).main())
