"""Writes the form table of gem5_sve: the gem5 core of the SVE thesis (Brank), with the latencies of its appendix B.

    python tools/make_gem5_model.py [-o src/corecast/machine/data/gem5_sve/forms/thesis.tsv]

gem5 knows operation classes, not instructions: each form (the keys of the shipped models of A64FX and Neoverse V2)
gets the class that gem5's Arm instruction set puts its mnemonic in, and the class its unit and latency from listing
B.1. Forms of classes that the listing does not have are left out, and those of extensions that the core lacks.
"""

from __future__ import annotations

import argparse
import re
from fnmatch import fnmatchcase
from pathlib import Path

from corecast.machine import load_machine
from extensions.models import executable

TARGET = Path(__file__).resolve().parent.parent / "src/corecast/machine/data/gem5_sve/forms/thesis.tsv"
KEYS_OF = ("a64fx", "neoverse_v2")
LOAD_CYCLES = 5

# Class: ports, latency, whether the unit is taken for all of it (listing B.1: pipelined=False).
CLASSES = {
    "IntAlu": ("INT", "1", False),
    "IntMult": ("M", "2", False),
    "IntDiv": ("M", "9", True),
    "SimdAdd": ("FP", "2", False),
    "SimdAddAcc": ("FP", "4", False),
    "SimdAlu": ("FP", "2", False),
    "SimdCmp": ("FP", "2", False),
    "SimdCvt": ("FP", "3", False),
    "SimdMisc": ("FP", "2", False),
    "SimdMult": ("FP", "4", False),
    "SimdMultAcc": ("FP", "4", False),
    "SimdShift": ("FP", "2", False),
    "SimdShiftAcc": ("FP", "4", False),
    "SimdFloatAdd": ("FP", "2", False),
    "SimdFloatAlu": ("FP", "2", False),
    "SimdFloatCmp": ("FP", "2", False),
    "SimdFloatCvt": ("FP", "3", False),
    "SimdFloatDiv": ("FP", "11", True),
    "SimdFloatMisc": ("FP", "2", False),
    "SimdFloatMult": ("FP", "4", False),
    "SimdFloatMultAcc": ("FP", "4", False),
    "SimdFloatSqrt": ("FP", "12", True),
    "SimdReduceAdd": ("FP", "10", False),
    "SimdReduceAlu": ("FP", "12", False),
    "SimdReduceCmp": ("FP", "9", False),
    # One value a vector length (section 3.3.2); 8 at 512 bits (B.1), and 2 and 4 below fit equation 5.3's figures.
    "SimdFloatReduceAdd": ("FP", "2Q", True),
    "SimdFloatReduceCmp": ("FP", "9", False),
    "FloatAdd": ("FP", "2", False),
    "FloatCmp": ("FP", "2", False),
    "FloatCvt": ("FP", "3", False),
    "FloatDiv": ("FP", "11", True),
    "FloatSqrt": ("FP", "12", True),
    "FloatMultAcc": ("FP", "4", False),
    "FloatMisc": ("FP", "3", False),
    "FloatMult": ("FP", "3", False),
    "SimdPredAlu": ("P", "1", False),
}

# First match decides. Vectors: NEON and SVE alike.
VECTOR = (
    ("SimdFloatReduceAdd", "fadda faddv"),
    ("SimdFloatReduceCmp", "fmaxv fminv fmaxnmv fminnmv"),
    ("SimdReduceAdd", "addv saddv uaddv saddlv uaddlv"),
    ("SimdReduceAlu", "andv orv eorv"),
    ("SimdReduceCmp", "smaxv umaxv sminv uminv"),
    ("SimdFloatDiv", "fdiv fdivr"),
    ("SimdFloatSqrt", "fsqrt frsqrte"),
    (
        "SimdFloatMultAcc",
        "fmla fmls fmad fmsb fnmla fnmls fnmad fnmsb fmadd fmsub fnmadd fnmsub ftmad fcmla frecps frsqrts frecpe",
    ),
    ("SimdFloatMult", "fmul fmulx ftsmul fnmul"),
    ("SimdFloatAdd", "fadd fsub fsubr fabd faddp fcadd"),
    ("SimdFloatCmp", "fcm* fac* fmax* fmin*"),
    ("SimdFloatCvt", "fcvt* scvtf ucvtf"),
    ("SimdFloatAlu", "fabs fneg"),
    ("SimdFloatMisc", "frint* fscale fexpa ftssel fmov frecpx"),
    ("SimdAddAcc", "saba uaba sabal* uabal* sadalp uadalp"),
    ("SimdMultAcc", "mla mls mad msb smlal* smlsl* umlal* umlsl* sdot udot"),
    ("SimdMult", "mul smulh umulh smull smull2 umull umull2 pmul sqdmulh sqrdmulh"),
    ("SimdShiftAcc", "ssra usra srsra ursra sli sri"),
    (
        "SimdShift",
        "lsl lslr lsr lsrr asr asrr asrd shl sshr ushr sshl ushl sshll* ushll* shll* shrn* "
        "rshrn* srshl urshl srshr urshr",
    ),
    ("SimdCmp", "cmp* cmeq cmg* cmh* cml* cmtst smax smin umax umin smaxp sminp umaxp uminp"),
    (
        "SimdAdd",
        "add sub subr addp sqadd uqadd sqsub uqsub sabd uabd saddl* uaddl* ssubl* usubl* saddw* uaddw* shadd uhadd "
        "srhadd urhadd incb inch incw incd decb dech decw decd incp decp",
    ),
    (
        "SimdAlu",
        "and orr eor bic orn not mvn movi mvni mov dup dupm sel bsl bit bif cnt clz cls cnot rbit rev* ext splice insr "
        "compact last* zip* uzp* trn* tbl tbx sunpk* uunpk* sxt* uxt* abs neg xtn* cpy",
    ),
    ("SimdMisc", "index movprfx ins umov smov"),
)
SCALAR_FLOAT = (
    ("FloatDiv", "fdiv"),
    ("FloatSqrt", "fsqrt"),
    ("FloatMultAcc", "fmadd fmsub fnmadd fnmsub"),
    ("FloatMult", "fmul fnmul fmulx"),
    ("FloatAdd", "fadd fsub fabd"),
    ("FloatCmp", "fcm* fccmp* fmax* fmin* fac*"),
    ("FloatCvt", "fcvt* scvtf ucvtf"),
    ("FloatMisc", "fabs fneg fmov frint* fcsel"),
)
PREDICATE = (
    (
        "SimdPredAlu",
        "ptrue* pfalse ptest pfirst pnext punpk* brk* and* orr* eor* bic* nand* nor* orn* mov movs not nots sel rev "
        "trn* zip* uzp* rdffr* setffr wrffr cntp",
    ),
    # Table 5.27: loops count their `while` among SimdCmp, and none among SimdPredAlu.
    ("SimdCmp", "while*"),
)
GENERAL = (
    ("IntMult", "mul madd msub mneg smull umull smaddl umaddl smsubl umsubl smnegl umnegl smulh umulh"),
    ("IntDiv", "sdiv udiv"),
    (
        "IntAlu",
        "add adds sub subs and ands orr eor eon orn bic bics mov movi movz movn movk mvn neg negs cmp cmn tst "
        "lsl lsr asr ror extr bfi bfxil bfm ubfx sbfx ubfiz sbfiz ubfm sbfm sxt* uxt* csel cset csetm csinc "
        "csinv csneg cinc cinv cneg ccmp ccmn adc adcs sbc sbcs ngc ngcs clz cls rbit rev rev16 rev32 adr "
        "adrp addvl addpl rdvl cntb cnth cntw cntd incb inch incw incd decb dech decw decd b b.cond bl br blr "
        "ret cbz cbnz tbz tbnz ctermeq ctermne",
    ),
)
STRUCTURE = re.compile(r"(ld|st)([234])[bhwd]?$")
VECTOR_ADDRESS = re.compile(r"\[[^\]]*z\.")
NEON_VECTOR = re.compile(r"(^|[ {,])v\.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    target = parser.parse_args().output
    lists = [load_machine(name).keys() for name in KEYS_OF]
    core = load_machine("gem5_sve")
    forms = {key for each in lists for key in each if executable(core, key)}
    keys = sorted(forms, key=lambda key: key.encode())
    rows = [row for key in keys if (row := row_of(key)) is not None]
    head = (
        "# The gem5 core of the SVE thesis (appendix B, listing B.1). Made by tools/make_gem5_model.py; do not edit.\n"
        "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence\n"
    )
    target.write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return 0


def row_of(key: str) -> str | None:
    """The row of a form, None where its class is not known."""
    if "@" in key:
        return None
    mnemonic, _, rest = key.partition(" ")
    if "[" in rest:
        return access(key, mnemonic, rest)
    for family, applies in (
        (
            PREDICATE,
            mnemonic.startswith("while")
            or rest[:2] in ("p.", "p/", "p,")
            or rest == "p"
            or mnemonic in ("ptest", "cntp"),
        ),
        (VECTOR, "z." in rest or rest.startswith("z,") or NEON_VECTOR.search(rest) is not None),
        (SCALAR_FLOAT, rest[:2] in ("d,", "s,", "h,")),
        (GENERAL, True),
    ):
        if applies and (found := class_of(mnemonic, family)):
            return operation(key, found, rest)
        if applies and family is not PREDICATE and family is not SCALAR_FLOAT:
            return None
    return None


def class_of(mnemonic: str, family: tuple[tuple[str, str], ...]) -> str | None:
    for name, globs in family:
        if any(fnmatchcase(mnemonic, glob) for glob in globs.split()):
            return name
    return None


def operation(key: str, name: str, rest: str) -> str:
    ports, cycles, whole = CLASSES[name]
    mnemonic = key.split(" ")[0]
    if (
        mnemonic
        in ("cmp", "cmn", "tst", "ccmp", "ccmn", "fcmp", "fcmpe", "fccmp", "fccmpe", "ptest", "ctermeq", "ctermne")
        and "z." not in rest
    ):
        latency = f"*->flags:{cycles}"
    elif mnemonic.startswith(("b", "cb", "tb", "ret")) and ("rel" in rest or mnemonic in ("br", "blr", "ret", "bl")):
        latency = ""
    else:
        latency = f"*->1:{cycles}"
    blocked = "DIV" if ports == "M" else ports  # of several units the one that is taken; the divider alone
    return row(key, f"1*{ports}", f"{blocked}:{cycles}" if whole else "", latency, "1", name)


def access(key: str, mnemonic: str, rest: str) -> str | None:
    """Loads and stores: MemRead and MemWrite. Addresses that are stepped have a micro-op of class IntAlu for it."""
    store = mnemonic.startswith("st")
    if (not store and not mnemonic.startswith(("ld", "prf"))) or re.match(
        r"(ld|st)(a|l|x|clr|eor|set|smax|smin|umax|umin|add|g)", mnemonic
    ):
        return None  # exclusive accesses, atomics
    if re.match(r"st(t?n?p)$|ldn?p(sw)?$", mnemonic):
        return pair(key, mnemonic, rest, store)
    step = 1 if rest.rstrip().endswith("]!") or re.search(r"\],", rest) else 0
    extra = "+1*INT" if step else ""
    if VECTOR_ADDRESS.search(rest):
        if mnemonic.startswith("prf"):
            return row(key, "1L*LS", "", "", "1L", "MemRead, one a lane")
        if store:
            return row(key, "1L*LS", "", "", "1L", "MemWrite, one a lane")
        # The first micro-op copies the source vector (gem5's gather; table 5.27 counts it in SimdAlu).
        # Two lanes a cycle: the last one's data come L / 2 - 1 cycles behind the first one's.
        loaded, from_vector = (f"0.5L+{cycles - 1}" for cycles in (LOAD_CYCLES, LOAD_CYCLES + 2))
        latency = f"addr->1:{loaded};*->1:{from_vector};index->1:{from_vector}"
        return row(key, "1L*LS+1*FP", "", latency, "1L+1", "MemRead, one a lane, and SimdAlu")
    structure = STRUCTURE.match(mnemonic)
    if structure is not None:
        count = int(structure[2])
        sorting = "SimdMisc, one a register"
        latency = "" if store else f"*->1:{LOAD_CYCLES + 2}"
        kind = "MemWrite" if store else "MemRead"
        return row(key, f"{count}*LS+{count}*FP{extra}", "", latency, str(2 * count + step), f"{kind} and {sorting}")
    if mnemonic == "ld1" or mnemonic == "st1":
        count = max(1, len(re.findall(r"v\.", rest.split("[")[0])))
        latency = "" if store else f"*->1:{LOAD_CYCLES}"
        return row(key, f"{count}*LS{extra}", "", latency, str(count + step), "MemWrite" if store else "MemRead")
    if mnemonic.startswith("prf"):
        return row(key, "1*LS", "", "", "1", "MemRead")
    latency = "" if store else f"*->1:{LOAD_CYCLES}"
    return row(key, f"1*LS{extra}", "", latency, str(1 + step), "MemWrite" if store else "MemRead")


def pair(key: str, mnemonic: str, rest: str, store: bool) -> str:
    """General registers: one access; vector registers: one each (gem5's NEON pair stores, thesis section 5.2.1)."""
    count = 1 if rest[0] in "xwi" else 2
    step = 1 if rest.rstrip().endswith("]!") or re.search(r"\],", rest) else 0
    extra = "+1*INT" if step else ""
    latency = "" if store else f"*->1:{LOAD_CYCLES};*->2:{LOAD_CYCLES}"
    return row(key, f"{count}*LS{extra}", "", latency, str(count + step), "MemWrite" if store else "MemRead")


def row(key: str, ports: str, blocking: str, latency: str, uops: str, what: str) -> str:
    cells = [key, ports, blocking, latency, uops, "", "", "", f"thesis:B.1({what})", "documented"]
    return "\t".join(cells)


if __name__ == "__main__":
    raise SystemExit(main())
