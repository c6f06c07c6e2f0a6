"""pipeline.toml of the AMD cores. Figures: the Software Optimization Guides as quoted by LLVM and jiegec's notes."""

from __future__ import annotations

from amd_models.cores import AmdCore
from cache_levels import levels_line

_HEAD = {
    "zen1": (
        "AMD Zen 1 and Zen+ (EPYC 7001, Ryzen 1000 and 2000)",
        ["zen", "znver1", "zenplus", "zen+", "ZEN1", "naples"],
    ),
    "zen2": ("AMD Zen 2 (EPYC 7002, Ryzen 3000)", ["znver2", "ZEN2", "rome"]),
    "zen3": ("AMD Zen 3 (EPYC 7003, Ryzen 5000)", ["znver3", "ZEN3", "milan"]),
    "zen4": ("AMD Zen 4 (EPYC 9004, Ryzen 7000)", ["znver4", "ZEN4", "genoa"]),
    "zen5": ("AMD Zen 5 (EPYC 9005, Ryzen 9000)", ["znver5", "ZEN5", "turin"]),
}
_GROUPS = {
    "ALU": ["ALU0", "ALU1", "ALU2", "ALU3"],
    "FP01": ["FP0", "FP1"],
    "FP03": ["FP0", "FP3"],
    "FP12": ["FP1", "FP2"],
    "FP23": ["FP2", "FP3"],
    "FP013": ["FP0", "FP1", "FP3"],
    "FP0123": ["FP0", "FP1", "FP2", "FP3"],
}
_LATER_GROUPS = {
    "BRU": ["ALU0", "BRU1"],
    "ALU03": ["ALU0", "ALU3"],
    "ALU12": ["ALU1", "ALU2"],
    "AGU": ["AGU0", "AGU1", "AGU2"],
    "LDV": ["AGU0", "AGU1"],
    "ST": ["ST0", "ST1"],
    "FP123": ["FP1", "FP2", "FP3"],
    "FP45": ["FP4", "FP5"],
}
_OWN_GROUPS = {
    "zen1": {"BRU": ["ALU0", "ALU3"], "AGU": ["AGU0", "AGU1"]},
    "zen2": {"BRU": ["ALU0", "ALU3"], "AGU": ["AGU0", "AGU1", "AGU2"], "LD": ["AGU0", "AGU1"]},
    "zen3": _LATER_GROUPS,
    "zen4": _LATER_GROUPS,
    "zen5": {
        "ALU": [f"ALU{number}" for number in range(6)],
        "BRU": ["ALU3", "ALU4", "ALU5"],
        "MUL": ["ALU0", "ALU1", "ALU2"],
        "AGU": ["AGU0", "AGU1", "AGU2", "AGU3"],
        "LDV": ["LDV0", "LDV1"],
        "ST": ["ST0", "ST1"],
        "FP02": ["FP0", "FP2"],
        "FP13": ["FP1", "FP3"],
        "FP023": ["FP0", "FP2", "FP3"],
        "FP123": ["FP1", "FP2", "FP3"],
        "FP45": ["FP4", "FP5"],
    },
}
_LATER_PORTS = "FP0 FP1 FP2 FP3 FP4 FP5 ALU0 ALU1 ALU2 ALU3 BRU1 AGU0 AGU1 AGU2 ST0 ST1"
_PORTS = {
    "zen1": "FP0 FP1 FP2 FP3 ALU0 ALU1 ALU2 ALU3 AGU0 AGU1 ST",
    "zen2": "FP0 FP1 FP2 FP3 ALU0 ALU1 ALU2 ALU3 AGU0 AGU1 AGU2 ST",
    "zen3": _LATER_PORTS,
    "zen4": _LATER_PORTS,
    "zen5": "FP0 FP1 FP2 FP3 FP4 FP5 ALU0 ALU1 ALU2 ALU3 ALU4 ALU5 AGU0 AGU1 AGU2 AGU3 LDV0 LDV1 ST0 ST1",
}
_FIGURE_NAMES = (
    *("opcache", "rob", "gpr", "vector", "int_prf", "fp_prf", "fp_state", "loads", "all_loads", "stores", "commits"),
    "mispredict",
)
_FIGURES = {
    "zen1": dict(zip(_FIGURE_NAMES, (8, 192, 6, 8, 168, 160, 16, 44, 72, 44, 1, 17), strict=True)),
    "zen2": dict(zip(_FIGURE_NAMES, (8, 224, 6, 8, 180, 160, 16, 44, 116, 48, 1, 16), strict=True)),
    "zen3": dict(zip(_FIGURE_NAMES, (8, 256, 6, 9, 192, 160, 16, 72, 116, 64, 2, 13), strict=True)),
    "zen4": dict(zip(_FIGURE_NAMES, (9, 320, 6, 9, 224, 192, 32, 88, 136, 64, 2, 13), strict=True)),
    "zen5": dict(zip(_FIGURE_NAMES, (12, 448, 8, 8, 240, 384, 32, 64, 448, 104, 2, 15), strict=True)),
}
# Schedulers: ports and entries. The vector schedulers' entries hold those of the queue that waits before them (64).
_EACH_ALU = [(f"ALU{number}",) for number in range(4)]
_LATER_SCHEDULERS: list[tuple[tuple[str, ...], int]] = [
    *((ports, 24) for ports in [("ALU0", "AGU0"), ("ALU1", "AGU1"), ("ALU2", "AGU2"), ("ALU3", "BRU1")]),
    *((ports, 32 + 32) for ports in [("FP0", "FP2", "FP4"), ("FP1", "FP3", "FP5")]),
]
_SCHEDULERS: dict[str, list[tuple[tuple[str, ...], int]]] = {
    "zen1": [
        *((ports, 14) for ports in [*_EACH_ALU, ("AGU0",), ("AGU1",)]),
        (("FP0", "FP1", "FP2", "FP3"), 36 + 64),
    ],
    "zen2": [
        *((ports, 16) for ports in _EACH_ALU),
        (("AGU0", "AGU1", "AGU2"), 28),
        (("FP0", "FP1", "FP2", "FP3"), 36 + 64),
    ],
    "zen3": _LATER_SCHEDULERS,
    # One of four times 24 for all general micro-ops, see _SCHEDULER_NOTES.
    "zen4": [
        ((*(f"ALU{number}" for number in range(4)), "BRU1", *(f"AGU{number}" for number in range(3))), 96),
        *_LATER_SCHEDULERS[-2:],
    ],
    "zen5": [
        (tuple(f"ALU{number}" for number in range(6)), 88),
        (("AGU0", "AGU1", "AGU2", "AGU3"), 56),
        (tuple(f"FP{number}" for number in range(6)), 3 * 38 + 96),
    ],
}
_SCHEDULER_NOTES = {
    "zen4": """\
# Documented: four of 24 for general micro-ops, each with an ALU, three with an address unit. How dispatch chooses among
# them is not: loops that keep all four ALUs busy with chains take the time that a common one of 96 would take, not that
# of the least loaded one (measured on an EPYC 9004). (assumed)
"""
}
# Vector micro-ops dispatched per cycle, where fewer than all macro-ops.
_VECTOR_DISPATCH = {"zen1": 4, "zen2": 4, "zen5": 6}
_LATER_MEMORY = """load_ports = "1*AGU"
vector_load_ports = "1*LDV"
store_address_ports = "1*AGU"
store_data_ports = "1*ST"
vector_store_data_ports = "1*FP45+1*ST0"
"""
_MEMORY = {
    "zen1": """load_ports = "1*AGU"
vector_load_ports = "1*AGU+1*FP0123"
store_address_ports = "1*AGU"
store_data_ports = "1*ALU+1*ST"
vector_store_data_ports = "1*FP2+1*ST"
""",
    "zen2": """load_ports = "1*LD"
vector_load_ports = "1*LD"
store_address_ports = "1*AGU"
store_data_ports = "1*ST"
vector_store_data_ports = "1*FP2+1*ST"
# uops.info: a general register stored and loaded again through the same address expression costs nothing (MOV, MOV: 0;
# ADD m64, r64: 1 cycle a turn), 6 cycles otherwise (8-bit accesses, which are not renamed).
store_forward_mirrored_cycles = 0
memory_mirroring = "full"
""",
    "zen3": _LATER_MEMORY + 'memory_mirroring = "stack"\n',
    # 317 measured blocks of real programs (benchmarks/accuracy) whose memory chains go through rax to r15 alike.
    "zen4": _LATER_MEMORY
    + """# Measured: `add dword ptr [rax], 1` takes 1.00 cycles a turn, whatever registers hold the address. After
# `mov [rsi], rax` a turn of `mov rax, [rsi]`, `mov eax, [rsi]`, `cmovc` or `shlx` takes 1.0, of `add rax, [rsi]`,
# `or`, `andn`, `popcnt` or `movsxd` 7.6 to 7.9, of `movzx` 6.1; with an index 1.0 (`movzx` 6.3). Relative to the
# instruction it is the same, but not of its own store: two `add dword ptr [rip + x], 1` take 2.0, one, or one of
# each of two variables, 5.9 to 6.7.
store_forward_mirrored_cycles = 0
memory_mirroring = "moves"
# Timed: `mov [r13], rax; mov rax, [r14]` of one address and `mov r14, r12; add dword ptr [r14], 1` take a cycle a turn
# in loops of 1 to 24 of them, 6.9 and 7.2 in loops of 28 and 40; through one register that nobody writes, in loops of
# any length, a cycle. `xchg` with memory takes 6.4 whatever the loop.
mirrored_loads_predicted = 24
# Measured on an EPYC 9004 (22,044 loops of real programs): stores that follow each other into the same aligned
# 32 bytes are written in one cycle; else each takes a cycle, in one line, too.
joined_stores_same_block_bytes = 32
store_write_unit = "L1W"
""",
    "zen5": """load_ports = "1*AGU"
vector_load_ports = "1*AGU+1*LDV"
store_address_ports = "1*AGU"
store_data_ports = "1*ST"
vector_store_data_ports = "1*FP45+1*ST"
# Assumed: joined with the load when renamed, as on Zen 2 (AM-20).
store_forward_mirrored_cycles = 0
memory_mirroring = "full"
""",
}
_FETCH = {
    "zen4": """\
# 32 by the documents. Measured on an EPYC 9004: 16.0 of code outside the op cache, copies of a block one after the
# other.
fetch_bytes_per_cycle = 16"""
}
_ENTRIES = {
    "zen4": """\
# Measured on an EPYC 9004, loops of renamed moves among constants of all kinds (docs/measuring.md, op cache): entries
# are delivered one a cycle and go on from line to line, each line takes a cycle of its own beside them. Constants are
# counted as they are encoded: wide ones of 16 or 32 bits, those of 64 bits twice, a jump's target once.
op_cache_entry_crosses_lines = true
op_cache_entry_limits = [
  { mops = 7, constants = 8, wide_constants = 8 },
  { mops = 8, constants = 8, wide_constants = 4 },
  { mops = 9, constants = 6, wide_constants = 3 },
]
"""
}
_STACK = {
    "zen4": """\
# Measured on an EPYC 9004, loops of moves that renaming does: `add`, `cmp`, `test` of rsp, and stores of it, take two
# slots that one cycle dispatches, whether there is an offset or not; `lea`, moves and addresses one. `push` and
# `lea rsp` take 1.0 cycles a turn, `push` and `add rsp` 2.0.
stack_offset_in_addresses = true
"""
}
_CONSTANTS = {
    "zen4": """\
# Measured on an EPYC 9004: three `cmp dword ptr [rsp + 16], 120` or `movabs` a cycle, four `mov eax, 305419896`.
dispatch_constants_per_cycle = 6
"""
}
_PAIRS = {
    "zen4": """\
# Measured on an EPYC 9004: `dec` and `jnz` beside two `cmovc` take 1.5 cycles, beside four moves of an immediate 1.25;
# pairs that write no register do not hold the others up, nor do branches alone.
register_pair_ports = ["ALU0", "ALU3"]
"""
}
_NOPS = {
    "zen4": """\
# Measured on an EPYC 9004: one takes no slot behind another NOP, a move, an addition, a comparison or a load of general
# registers; it does before them, and behind vector instructions.
nops = ["nop", "endbr64", "endbr32"]
"""
}
_WRITES = {
    "zen4": """
# The write port of the first-level cache: it takes stores in their order, two at once only into one block (see memory).
[units.L1W]
"""
}
_FUSED = {
    "zen1": '["cmp", "test"]',
    "zen2": '["cmp", "test"]',
    "zen3": '["cmp", "test", "and", "or", "xor", "add", "sub", "inc", "dec"]',
    "zen4": '["cmp", "test", "and", "or", "xor", "add", "sub", "inc", "dec"]',
    "zen5": '["cmp", "test", "and", "or", "xor", "add", "sub", "inc", "dec"]',
}
_FUSION_OF_MEMORY = {
    "zen4": """\
# Measured on an EPYC 9004: pairs whose first instruction reads memory take as many slots as two instructions, of
# registers one (docs/measuring.md, fusion).
""",
}
"""Why pairs that read memory do not fuse, of cores where they do not."""
_FORWARD = {
    "zen1": "uops.info ZEN+: ADD m64, r64 takes 7 cycles a turn, 1 of them the addition; MOVSD store and reload 8",
    "zen2": "uops.info ZEN2: ADD m8, r8 7 cycles a turn; MOVSD store and reload 8; uarch-bench: 16-byte vector 8.01",
    "zen3": "uops.info ZEN3: ADD m64, r64 takes 7 cycles a turn, 1 of them the addition; MOVSD store and reload 9",
    "zen5": "measured by jiegec: 8",
    "zen4": "uops.info ZEN3 (Zen 4 not measured): ADD m64, r64 7 cycles a turn; MOVSD store and reload 9",
}


def _strings(values: list[str]) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


def _schedulers(core: str) -> str:
    lines = [f"  {{ ports = {_strings(list(ports))}, entries = {entries} }}," for ports, entries in _SCHEDULERS[core]]
    return "\n".join(["schedulers = [", *lines, "]"])


def _dispatch_limits(core: str) -> str:
    if core not in _VECTOR_DISPATCH:
        return ""
    return f'dispatch_limits = [{{ ports = ["FP0123"], uops_per_cycle = {_VECTOR_DISPATCH[core]} }}]\n'


_VALIDATED = {
    "zen1": ("measured kernels", "PMEvo's instruction mixes of Zen+"),
    "zen4": ("measured blocks of six programs",),
}
"""What predictions were compared with: docs/accuracy.md, docs/evaluation."""


def _validated(core: str) -> str:
    return f"validated = {_strings(_VALIDATED[core])}\n" if core in _VALIDATED else ""


def pipeline_text(core: AmdCore) -> str:
    """The file's text."""
    title, aliases = _HEAD[core.name]
    figures = _FIGURES[core.name]
    memory_fuses = "false" if core.name in _FUSION_OF_MEMORY else "true"
    groups = {**_GROUPS, **_OWN_GROUPS[core.name]}
    group_lines = "\n".join(f"{name} = {_strings(members)}" for name, members in groups.items())
    divider = {5: "ALU1", 4: "ALU0", 3: "ALU0"}.get(core.generation, "ALU2")
    forward = "derived" if core.name == "zen4" else "measured"
    wide = core.generation >= 5
    return f'''# Made by tools/make_amd_models.py. Sources and conflicts: SOURCES.md.
format = 1
name = "{core.name}"
title = "{title}"
vendor = "amd"
isa = "x86"
aliases = {_strings(aliases)}
{_validated(core.name)}llvm_cpu = "{core.llvm_cpu}"
forms = {_strings(["osaca.tsv", "relative.tsv"] if wide else ["rules.tsv", "measured.tsv", "llvm.tsv"])}
source = "AMD's optimization guides as quoted by LLVM and jiegec; Chips and Cheese"
confidence = "documented"

[ports]
names = {_strings(_PORTS[core.name].split())}

[ports.groups]
{group_lines}

[units.DIV]
port = "{divider}"

[units.FDIV]
port = "{core.divider_port}"

# The microcode sequencer: one instruction of more than two macro-ops after the other.
[units.MS]
{_WRITES.get(core.name, "")}
[front_end]
{_FETCH.get(core.name, f"fetch_bytes_per_cycle = {64 if wide else 32}")}
decoders = {8 if wide else 4}
op_cache_width_mops_per_cycle = {figures["opcache"]}
# An entry: macro-ops of one 64-byte line of code.
op_cache_entry_mops = {6 if wide else figures["opcache"]}
op_cache_entry_bytes = 64
op_cache_entries_per_cycle = {2 if wide else 1}
{_ENTRIES.get(core.name, "")}taken_branches_per_cycle = {2 if wide else 1}
# The stack pointer's own unit is synchronized when an instruction names it, not after some distance.
stack_engine_offset_bits = 40
{_STACK.get(core.name, "")}
[rename]
dispatch_width_uops_per_cycle = {8 if wide else 6}
read_modify_write_is_one_slot = true
move_elimination_bits = [32, 64]
{_dispatch_limits(core.name)}{_CONSTANTS.get(core.name, "")}
[back_end]
# A micro-op's scheduler is chosen at dispatch, its port among the scheduler's when it leaves. The vector schedulers'
# entries include the 64 of the queue before them.
{_SCHEDULER_NOTES.get(core.name, "")}{_schedulers(core.name)}
retire_width_uops_per_cycle = 8
rob_entries = {figures["rob"]}
int_prf_entries = {figures["int_prf"]}
fp_prf_entries = {figures["fp_prf"]}
fp_prf_architectural_entries = {figures["fp_state"]}
integer_alu_ports = {_strings(groups["ALU"])}
mispredict_cycles = {figures["mispredict"]}

[memory]
load_latency_cycles = {core.load_cycles[0]}
vector_load_latency_cycles = {core.load_cycles[1]}
# Forms with a memory operand: the measured latency from the address is the operation's and these.
vector_operand_load_latency_cycles = {core.load_cycles[1]}
# Addresses of a scaled index, or of base, index and displacement, take a cycle longer: AMD's guides; timed on an EPYC
# 9004, general and vector loads and operations on memory alike.
complex_address_cycles = 1
store_latency_cycles = 1
load_queue_entries = {figures["loads"]}
# The queue holds loads until they have their data; so many may wait for retirement in all.
loads_in_flight = {figures["all_loads"]}
store_queue_entries = {figures["stores"]}
stores_per_cycle = {figures["commits"]}
# Store data ready to load result ready. {_FORWARD[core.name]}. ({forward})
store_forward_latency_cycles = {figures["gpr"]}
vector_store_forward_latency_cycles = {figures["vector"]}
{_MEMORY[core.name]}{levels_line(core.name)}

[derive]
zmm_ports = false
ymm_from_xmm = {"false" if core.name == "zen1" else "true"}

[fusion]
{_PAIRS.get(core.name, "")}{_NOPS.get(core.name, "")}{_FUSION_OF_MEMORY.get(core.name, "")}pairs = [
  {{ first = {_FUSED[core.name]}, second = ["j*"], first_memory = {memory_fuses} }},
]
'''
