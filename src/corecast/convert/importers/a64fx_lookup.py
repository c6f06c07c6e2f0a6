"""Which entry of the A64FX manual's instruction list an instruction form has."""

from __future__ import annotations

import re
from collections.abc import Iterable

from corecast.convert.importers.a64fx_forms import QUALIFIERS, Form, option_fits, scalar_vector, sizes_of
from corecast.convert.importers.a64fx_manual import Entry

# What LLVM prints instead of the architecture's name.
PRINTED = {
    "asr": "ASRV", "lsl": "LSLV", "lsr": "LSRV", "ror": "RORV", "mul": "MADD", "mneg": "MSUB", "smull": "SMADDL",
    "umull": "UMADDL", "smnegl": "SMSUBL", "umnegl": "UMSUBL", "cmp": "SUBS", "cmn": "ADDS", "tst": "ANDS",
    "neg": "SUB", "negs": "SUBS", "ngc": "SBC", "ngcs": "SBCS", "mvn": "ORN", "cinc": "CSINC", "cset": "CSINC",
    "cinv": "CSINV", "csetm": "CSINV", "cneg": "CSNEG", "bfi": "BFM", "bfxil": "BFM", "bfc": "BFM", "rev": "REV",
    "dc": "SYS", "ic": "SYS",
}  # fmt: skip
PRINTED_SVE = {
    "cmple": "CMPGE", "cmplt": "CMPGT", "cmplo": "CMPHI", "cmpls": "CMPHS", "facle": "FACGE", "faclt": "FACGT",
    "fcmle": "FCMGE", "fcmlt": "FCMGT", "movs": "ORRS", "nots": "EORS", "eon": "EOR", "orn": "ORR", "bic": "BIC",
}  # fmt: skip

# Spellings that the list knows as an alias inside another instruction: (pattern of the key, instruction, option).
ALIASES = (
    (r"(asr|lsr|lsl) [wx], [wx], #i", "SBFM", ""),  # the amount is not in the key: the row for larger amounts
    (r"ror [wx], [wx], #i", "EXTR", "ROR (immediate)"),
    (r"ubfx .*", "UBFM", "UBFX"),
    (r"ubfiz .*", "UBFM", "UBFIZ"),
    (r"sbfx .*", "SBFM", "SBFX"),
    (r"sbfiz .*", "SBFM", "SBFIZ"),
    (r"uxt[bh] [wx], [wx]", "UBFM", "UXTB"),
    (r"sxt[bhw] [wx], [wx]", "SBFM", "SXTB"),
    (r"mov [wx], #i", "MOVZ", ""),
    (r"mul [wx], .*", "MADD", "MUL"),
    (r"smull x, w, w", "SMADDL", "SMULL"),
    (r"umull x, w, w", "UMADDL", "UMULL"),
    (r"(madd|msub) [wx], .*", "MSUB", ""),
    (r"[su]m(add|sub)l x, .*", "UMSUBL", ""),
    (r"mov [bhsd], v\.[bhsd]\[i\]", "DUP (element)", "MOV (scalar)"),
    (r"(mvn|not) v\..*", "NOT", "MVN"),
    (r"mov v\.\w+, v\.\w+", "ORR (vector, register)", "MOV (vector)"),
    (r"mov (v\.[bhsd]\[i\]), \1", "INS (element)", "MOV (element)"),
)


class Manual:
    """The list, by mnemonic."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries: dict[str, list[tuple[Entry, str, str]]] = {}
        self._all = tuple(entries)
        element = ""
        before = ""
        for entry in self._all:
            if entry.instruction != before:
                element = ""
            before = entry.instruction
            if entry.table == "sve" and (sizes := sizes_of(entry.option.replace(" |", ""))):
                element = "|".join(sorted(sizes))
            names, _, rest = entry.instruction.partition(" (")
            for name in names.split(", "):
                for spelled in _written_out(name):
                    self._entries.setdefault(spelled.lower(), []).append((entry, rest.rstrip(")"), element))

    def has(self, mnemonic: str, table: str) -> bool:
        """Whether a part of the list knows an instruction in any variant."""
        return any(entry.table == table for entry, _, _ in self._entries.get(mnemonic, ()))

    def _alias(self, form: Form) -> Entry | None:
        for pattern, instruction, option in ALIASES:
            if not re.fullmatch(pattern, form.key):
                continue
            named = [entry for entry in self._all if entry.instruction == instruction]
            exact = [entry for entry in named if entry.option == option]
            exact += [entry for entry in named if entry.option.startswith(option)]
            if exact:
                return exact[0]
        return None

    def find(self, form: Form) -> Entry | None:
        """The entry for a form, None where the list has none."""
        if alias := self._alias(form):
            return alias
        for name in _names(form):
            fitting = [
                (entry, qualifier)
                for entry, qualifier, element in self._entries.get(name, ())
                if entry.table == form.table and _qualified(qualifier, form) and option_fits(entry, form, element)
            ]
            if fitting:
                return min(fitting, key=lambda pair: _rank(pair[0], pair[1], form))[0]
        return None


def _rank(entry: Entry, qualifier: str, form: Form) -> tuple[bool, bool, bool]:
    """What makes an entry fit less well than others."""
    return not qualifier, qualifier == "vector" and scalar_vector(form), _last_resort(entry, form)


def _last_resort(entry: Entry, form: Form) -> bool:
    """Whether an entry has no option (what remains when others do not hold), or one that names another spelling."""
    if not entry.option:
        return True
    word = entry.option.split(" ")[0].split("<")[0]
    return word.isupper() and word.isalnum() and not entry.option.startswith("<") and word.lower() != form.mnemonic


def _qualified(qualifier: str, form: Form) -> bool:
    test = QUALIFIERS.get(qualifier) if qualifier else None
    return qualifier == "" or (test is not None and test(form))


def _written_out(name: str) -> list[str]:
    """The names that "CAS{|A|AL|L}B" stands for."""
    if match := re.match(r"(\w+)\{([|\w]*)\}(\w*)", name):
        return [match[1] + middle + match[3] for middle in match[2].split("|")]
    return [name]


def _names(form: Form) -> list[str]:
    own = form.mnemonic
    if form.table == "base" and own in PRINTED:
        return [PRINTED[own].lower()]
    if form.table == "sve" and own in PRINTED_SVE:
        return [own, PRINTED_SVE[own].lower()]
    return [own]
