"""Fuzzes machine model files: pipeline.toml and form tables, loaded and used."""

from __future__ import annotations

import random
import re
import sys
import tempfile
from pathlib import Path

from harness import DATA, ROOT, Fuzzer, flip, splice

MARK = b"\n=====\n"
WORDS = (
    *("1*p01+1*p23", "2*p0156", "0.5*ALU", "-1*p0", "1e308*p0", "nan*p0", "inf*p0", "1*", "*p0", "1*p9", "1*V0|V1"),
    *("?", "", "DIV:8", "DIV:-1", "DIV:", "DIV:nan", "1->1:4", "1->1:4;2->1:4;addr->1:9", "*->*:1", "1->", "->1:4"),
    *("1->1:inf", "1/2/1", "1/2", "-1", "nan", "1;0;0;4", "1;0", "eliminated", "zero_idiom,dep_breaking"),
    *("fusible:*", "measured", "0", "0.5", "1e300", "99999999999999999999", "1e-320", "0x10", "form", "add r64, r64"),
    *("add r64, r64 @same", "\t", "\t\t\t", "#", "[ports]", "names = []", 'names = ["0","0"]', "format = 2"),
    *('isa = "mips"', 'forms = ["../x.tsv"]', "[ports.groups]", 'A = ["A"]', "dispatch_width_uops_per_cycle = 0"),
    *("[[rules]]", 'effect = "fuse"', 'effect = "delay"', "cycles = 2", 'producer = { mnemonics = ["cmp"] }'),
    *('pipeline_of = "zen4"', 'forms_of = ["zen4"]', "a = { value = 4, confidence = 3 }", "[rules.consumer]"),
    *("dispatch_width_uops_per_cycle = -4", "rob_entries = 1e99", "in_order = true", "[memory]"),
    *("load_latency_cycles = 'x'", "aliases = [1]", "pairs = [{first = ['cmp'], second = ['j*']}]", "{", "}", '"'),
)  # fmt: skip
CODE = {"x86": "add rax, rbx\nmov rcx, [rdi]\nidiv rbx\nvaddpd ymm0, ymm1, [rsi]\n"
               "push rbx\npop rbp\nmov [rsi+8], rcx\nmov [rdi], rcx\ncmp rcx, rax\njne .L1\n",
        "aarch64": "add x0, x1, x2\nldr q0, [x1], #16\nstp x4, x5, [x2]\nfmla v0.2d, v1.2d, v2.2d\n"
                   "cmp x0, x1\nb.ne .L1\n",
        "riscv64": "add a0, a1, a2\nfld fa0, 0(a0)\nsd a3, 8(a0)\n"
                   "fmadd.d fa0, fa1, fa2, fa3\nbnez a0, .L1\n"}  # fmt: skip


def seeds() -> list[bytes]:
    """Whole small models, each `pipeline.toml` and one table; of large models the first rows."""
    folders = sorted((DATA / "machines").glob("*/pipeline.toml"))
    folders += sorted((ROOT / "src" / "corecast" / "machine" / "data").glob("*/pipeline.toml"))
    found = []
    for head in folders:
        table = min(head.parent.glob("forms/*.tsv"))
        lines = [line for line in table.read_bytes().splitlines() if not line.startswith(b"#")]
        origins = [line for line in lines if line.startswith(b"@")]
        rows = origins + lines[len(origins) : len(origins) + 40]
        text = re.sub(rb"forms\s*=\s*\[[^\]]*\]", b'forms = ["forms.tsv"]', head.read_bytes(), count=1)
        text = re.sub(rb'^name = "\w+"', b'name = "toy"', text, count=1, flags=re.MULTILINE)
        found.append(text + MARK + b"\n".join(rows) + b"\n")
    return found


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = rng.choice(pool)
    for _ in range(rng.randrange(1, 4)):
        match rng.randrange(6):
            case 0:
                data = flip(rng, data, rng.randrange(1, 4))
            case 1:
                data = splice(rng, data, rng.choice(pool))
            case _:
                lines = data.split(b"\n")
                at = rng.randrange(len(lines))
                separator = b"\t" if b"\t" in lines[at] else b" "
                words = lines[at].split(separator)
                words[rng.randrange(len(words))] = rng.choice(WORDS).encode()
                lines[at] = separator.join(words) if rng.random() < 0.8 else rng.choice(WORDS).encode()
                if rng.random() < 0.1:
                    del lines[at]
                data = b"\n".join(lines)
    return data


def target(data: bytes) -> None:
    from corecast.api import analyze_region
    from corecast.asm import Kernel
    from corecast.machine import load_machine

    head, _, table = data.partition(MARK)
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "toy"
        (model / "forms").mkdir(parents=True)
        (model / "pipeline.toml").write_bytes(head)
        (model / "forms" / "forms.tsv").write_bytes(table)
        machine = load_machine(model)
        kernel = Kernel.from_text(".L1:\n" + CODE[machine.isa], isa=machine.isa)
        analyze_region(kernel, machine)


if __name__ == "__main__":
    sys.exit(Fuzzer("model", target, seeds, mutate, ".s").main())
