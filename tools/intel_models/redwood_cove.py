"""What loops on a Granite Rapids (Redwood Cove) say of the pipeline, beside the facts.

Some 200 loops written for the purpose, timed on one virtual machine without counters, 2026-11-22. 21,662 blocks of real
programs as loops have a MAPE of 6.2 % with the facts alone, of 1.4 % with what stands here.
"""

from __future__ import annotations

from typing import Any

# Loops of NOPs take as many cycles as if the loop buffer held so many copies: 14 slots 2.33, 20 3.49, 33 5.65, 39 6.47.
# Longer ones take a cycle more than their slots where these fill whole cycles (42 slots: 7.95); not modelled.
_LOOP_BUFFER = [[1, 16, 6], [17, 24, 4], [25, 38, 3], [39, 39, 2], [40, 191, 1]]

# The facts do not give these for any core after Rocket Lake: as on Ice Lake, with six decoders.
_AS_ICE_LAKE: dict[str, Any] = {
    "lcp_stall_cycles": 3,
    "instruction_queue_entries": 50,
    "predecode_to_decode_delay_cycles": 3,
    "complex_decoders": 1,
    "complex_decoder_max_uops": 4,
    "pop5c_requires_complex_decoder": True,
    "pop5c_ends_decode_group": False,
    "macro_fusible_can_use_last_decoder": True,
    "dsb_max_lines_per_block": 6,
    "dsb_branch_may_cross_or_end_at_32_byte_boundary": True,
    "dsb_both_32_byte_halves_must_be_cacheable": False,
    "dsb_max_lines_per_cycle": 2,
    "dsb_extra_slot_if_immediate_exceeds_bits": 32,
    "dsb_extra_slot_if_memory_and_immediate_exceeds_bits": 16,
    "mite_to_ms_stall_before_cycles": 1,
    "mite_to_ms_stall_after_cycles": 1,
    "dsb_to_ms_stall_after_cycles": 0,
}

FRONT_END: dict[str, Any] = {
    **_AS_ICE_LAKE,
    # 2,531 unrolled blocks from the decoders, MAPE by instructions a cycle: 17.2 % with 6, 11.7 with 7, 8.4 with 8,
    # 10.8 with 9.
    "predecode_width_instr_per_cycle": 8,
    # Of 201 blocks of which dec; jnz is split so that jnz starts a line of 64 bytes 135 take less than 0.95 cycles,
    # which the fused pair never does; of others hardly one.
    "macro_fusion_blocked_if_branch_offset_mod_64_is": 0,
    # lea, test, jnz 0.50 cycles; with dec in place of lea and test 1.00, as that one has a chain.
    "taken_branches_per_cycle": 2,
    # push, mov, push, mov, sub rsp, cmp 1.172, which is 7 / 6 with dec; jnz: nothing shows the uop of older cores.
    "stack_synchronisation": False,
    "lsd_with_stack_changes": True,
    "lsd_unroll_ranges_from_to_factor": _LOOP_BUFFER,
}

# Sizes as the facts have them (measured by others); which ports wait together is assumed.
BACK_END: dict[str, Any] = {
    "schedulers": [
        {"ports": ["0", "1", "5", "6", "B"], "entries": 97},
        {"ports": ["2", "3", "A"], "entries": 70},
        {"ports": ["4", "7", "8", "9"], "entries": 38},
    ],
}

# add r64, 8 and one of these in a chain take two cycles more than without the addition, through moves, too; imul,
# popcnt, cmov, adc, shld, pext, lea, loads and plain operations do not. What it costs of ports 0 and 6, a micro-op
# without a slot, is not modelled. Golden Cove does the same: https://tavianator.com/2025/shlxplained.html.
LATE_CONSTANTS: dict[str, Any] = {
    "late_constants_to": [
        *("shl", "shr", "sar", "rol", "ror", "shlx", "shrx", "sarx", "rorx", "bt", "btc", "btr", "bts", "bswap"),
        *("bextr", "bzhi", "cwd", "cdq", "cqo", "movd", "movq", "vmovd", "vmovq", "pinsr*", "vpinsr*", "cvtsi2s*"),
        *("vcvtsi2s*", "vpbroadcast*", "kmov*"),
    ],
    "late_constants_cycles": 2,
}

RENAME: dict[str, Any] = {
    # A chain of cmovs takes two cycles a link where its flags come from test, one where they come from cmp or add.
    "slow_flags_from": ["test", "and", "or", "xor"],
    "slow_flags_to": ["cmov*", "set*"],
    "slow_flags_cycles": 1,
    **LATE_CONSTANTS,
}

MEMORY: dict[str, Any] = {
    # Two stores a cycle to one line, 0.50 each; to two lines in turn 1.00 each.
    "paired_stores_same_line_bytes": 64,
    "paired_stores_bases_aligned": True,
    "store_write_unit": "L1W",
    # add [m], imm 1.0 a link, add [m], reg 7.3; mov, add reg, mov 7.2, mov, lea, mov 1.0; of words 7.3; with an index
    # in either address 5.0; narrower loads 0.5 from where the store starts, 5.0 behind that.
    "memory_mirroring": "alone",
    # 7.3 to 8.2, less what leads back; as fast as moves and the operation: add, sub, and, or, xor, imul, popcnt, bsf,
    # movbe, crc32, comparisons with constants, bt.
    "memory_mirroring_except": [
        *("movsx*", "cmov*", "adc", "sbb", "adcx", "adox", "mul", "mulx", "pdep", "pext"),
        *("shlx", "shrx", "sarx", "rorx", "andn", "bls*", "bzhi", "bextr", "cmp r*", "cmp m*, r*", "test m*, r*"),
    ],
    # Through other registers and displacements 0.5 to 0.7, in loops of up to 150; 1.5 in one of 400, the longest tried.
    "mirrored_loads_predicted": 400,
    # From data to data, where nothing is renamed: 6.2 to 6.3.
    "store_forward_extra_cycles": 5,
}

_GENERAL = ("add", "sub", "and", "or", "xor")
_ALONE = ("inc", "dec", "neg", "not")
_SHIFTS = ("shl", "shr", "sar", "rol", "ror")
_MOVES = ("movaps", "movapd", "movups", "movupd", "movdqa", "movdqu")


def copy_pairs() -> list[str]:
    """A move, and what changes the register that it has copied something to, in one slot.

    Loops of such pairs and NOPs: mov with these and one-byte constants 0.9 slots a pair; with imul, lea, cmp, adc, shl
    by cl, and of 8 or 16 bits 2.4. Loads with an operation of another register 0.9, with constants 2.4. Moves of SSE
    0.9, of AVX 2.8. Longer loops than some 60 instructions and code behind itself take both slots; loads with an
    operation are not renamed there either (8.0 cycles through memory and imul, 3.2 where a nop stands between).
    """
    rules = []
    for register, memory in (("r32", "m32"), ("r64", "m64")):
        with_register = [f"{name} {register}, {register}" for name in _GENERAL]
        changed = [
            *with_register,
            *(f"{name} {register}, {constant}" for name in _GENERAL for constant in ("i8", "i32")),
            *(f"{name} {register}" for name in _ALONE),
            *(f"{name} {register}, {count}" for name in _SHIFTS for count in ("i8", "1")),
        ]
        rules.append(_rule([f"mov {register}, {register}"], changed))
        joined_to_loads = [*with_register, f"imul {register}, {register}", f"neg {register}"]
        rules.append(_rule([f"mov {register}, {memory}"], joined_to_loads))
    vectors = ["* xmm, xmm", "* xmm, xmm, i8", "* xmm, i8"]
    rules.append(_rule([f"{name} xmm, xmm" for name in _MOVES], vectors))
    return rules


def _rule(first: list[str], second: list[str]) -> str:
    def named(keys: list[str]) -> str:
        return "[" + ", ".join(f'"{key}"' for key in keys) + "]"

    return f"{{first = {named(first)}, second = {named(second)}, into_copy = true}}"


def assumed_of_golden_cove() -> list[str]:
    """Keys of the pipeline that nobody published of Golden Cove: its models take them from Redwood Cove.

    What timed loops of a Granite Rapids say of renaming and memory is left out: Golden Cove was seen to differ there.
    Unrolled blocks of a Granite Rapids have a MAPE of 9.0 % with Golden Cove's model and these, 13.8 % without, loops
    4.6 and 5.3 %.
    """
    unread = ("complex_decoder_max_uops", "dsb_max_lines_per_cycle")
    return [*(f"front_end.{key}" for key in FRONT_END if key not in unread), *(f"back_end.{key}" for key in BACK_END)]
