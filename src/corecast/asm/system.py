"""Instructions that leave the program for the system, or that only the system may execute: blocks end before them.

Reading a clock or a system register, and fences, are ordinary instructions here: they execute like others.
"""

from __future__ import annotations

from corecast.asm.code import Isa

# fmt: off
_MNEMONICS: dict[Isa, frozenset[str]] = {
    "x86": frozenset({
        "syscall", "sysenter", "sysexit", "sysexitq", "sysret", "sysretq", "int", "int1", "int3", "into", "iret",
        "iretd", "iretq", "hlt", "ud0", "ud1", "ud2", "cpuid", "cli", "sti", "clts", "rdmsr", "wrmsr", "rdpmc", "invd",
        "wbinvd", "wbnoinvd", "invlpg", "invpcid", "lgdt", "lidt", "lldt", "ltr", "lmsw", "swapgs", "xsetbv",
        "monitor", "mwait", "monitorx", "mwaitx", "vmcall", "vmmcall", "vmlaunch", "vmresume", "vmrun", "vmxon",
        "vmxoff", "rsm", "wrfsbase", "wrgsbase", "xbegin", "xend", "xabort", "in", "out",
        "insb", "insw", "insd", "outsb", "outsw", "outsd", "rep insb", "rep insw", "rep insd",
        "rep outsb", "rep outsw", "rep outsd",
    }),
    "aarch64": frozenset({
        "svc", "hvc", "smc", "brk", "hlt", "udf", "eret", "eretaa", "eretab", "drps", "dcps1", "dcps2", "dcps3",
        "wfe", "wfi", "wfet", "wfit", "sys", "sysl", "dc", "ic", "at", "tlbi",
    }),
    "riscv64": frozenset({
        "ecall", "ebreak", "c.ebreak", "unimp", "c.unimp", "mret", "sret", "uret", "dret", "wfi", "fence.i",
        "sfence.vma", "hfence.vvma", "hfence.gvma",
    }),
}
# fmt: on


def is_system(isa: Isa, mnemonic: str) -> bool:
    return mnemonic in _MNEMONICS[isa]
