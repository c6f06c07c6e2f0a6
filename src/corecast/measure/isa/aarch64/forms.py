"""How keys of AArch64's forms become text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from corecast.dataclass import dataclass, field
from corecast.measure.isa.forms import Kind, Slot, Spelling
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

_IMMEDIATES = (
    "3", "16", "1", "8", "64", "2", "12", "24", "48", "6", "1.5", "0", "90", "0.0", "4", "0.5", "-1", "32", "256",
)  # fmt: skip
"""What `#i` may be: the first that the form takes."""
_OFFSETS = ("16", "8", "32", "64", "24", "48", "4", "2", "1", "3", "12", "6", "0")
"""The same in addresses, the aligned ones first."""
_CHOSEN = lazy_pattern("##|@@")
_MOST_SPELLINGS = 250
_WORDS = {
    "cond": "ne", "pattern": "pow2", "prfop": "pldl1keep", "nzcv": "nzcv", "fpcr": "fpcr", "fpsr": "fpsr",
    **{word: word for word in ("sy", "st", "ld", "ish", "ishst", "ishld", "nsh", "nshst", "nshld", "osh", "oshst",
                               "oshld", "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx", "mul vl")},
}  # fmt: skip
"""Operands that are words."""
_NOT_TIMED = frozenset(
    (
        "svc", "hvc", "smc", "brk", "hlt", "udf", "eret", "eretaa", "eretab", "drps", "dcps1", "dcps2", "dcps3", "wfe",
        "wfi", "wfet", "wfit", "sev", "sevl", "yield", "smstart", "smstop", "msr", "setffr", "wrffr", "rdffr", "rdffrs",
        "at", "ic", "sys", "sysl", "tlbi", "ldgm", "stgm", "stzgm",
    )
)  # fmt: skip
"""They leave user code, wait, or change how code after them works."""
_SIGNED = frozenset(("ldraa", "ldrab"))
"""They load through signed pointers: an address that nobody signed faults."""
_REGISTER = lazy_pattern(r"(?P<letter>[xwbhsdqvzp])(?P<part>\.\w+)?(?P<element>\[i\])?(?P<use>/[zm])?")
_SHIFT = lazy_pattern(r"(?P<word>lsl|lsr|asr|ror|msl|mul|uxt[bhwx]|sxt[bhwx]) #(?P<amount>[\w.]+)")
_BITS = {"x": 64, "w": 32, "z": 256, "p": 64}


_LISTS = ("ld1", "ld2", "ld3", "ld4", "st1", "st2", "st3", "st4", "tbl", "tbx")
"""Mnemonics of forms with lists of registers; keys show lists of one register without braces."""


@dataclass
class _Builder:
    """Collects the slots of a key; `##` stands for an immediate to be chosen, `@@` for one of an address."""

    mnemonic: str
    slots: list[Slot] = field(default_factory=list)

    def operand(self, key: str, number: str) -> str | None:
        if key.startswith("["):
            return self._memory(key)
        if key.startswith("{"):
            return self._list(key, number)
        listed = "2" if self.mnemonic.startswith("tb") else "1"
        if self.mnemonic.startswith(_LISTS) and key.startswith("v.") and number == listed:
            return self._list(f"{{{key.removesuffix('[i]')}}}{'[i]' if '[i]' in key else ''}", number)
        return _WORDS.get(key) or _shift(key) or self._register(key, number)

    def pair(self, letter: str, number: str) -> str:
        self.slots.append(Slot(number, "general", _BITS[letter], 2, 2))
        return f"{letter}{{{number}}}, {letter}{{{number}_1}}"

    def _register(self, key: str, name: str) -> str | None:
        if key == "#i":
            return "##"
        match = _REGISTER.fullmatch(key)
        if match is None:
            return None
        letter, part = match["letter"], match["part"] or ""
        limit = 32
        if letter == "p":
            limit = 8 if match["use"] or not part else 16  # what governs a vector instruction
        elif match["element"]:
            limit = 8 if letter == "z" else 16  # the encodings of some elements have fewer bits
        kind: Kind = "mask" if letter == "p" else "general" if letter in "xw" else "vector"
        self.slots.append(Slot(name, kind, _BITS.get(letter, 128), limit=limit))
        return f"{letter}{{{name}}}{part}{'[1]' if match['element'] else ''}{match['use'] or ''}"

    def _memory(self, key: str) -> str | None:
        inside, _, after = key[1:].partition("]")
        names = iter(("index",) if inside.startswith("z") else ("addr", "index"))
        parts = []
        for part in inside.split(", "):
            if part in _WORDS or part == "#i" or (shift := _shift(part)) is not None:
                parts.append("@@" if part == "#i" else _WORDS.get(part) or shift or "")
                continue
            text = self._register(part, next(names, "?"))
            if text is None:
                return None
            parts.append(text)
        return f"[{', '.join(parts)}]{after}"

    def _list(self, key: str, number: str) -> str | None:
        inside, _, element = key[1:].partition("}")
        if " - " in inside:
            digit = re.search(r"[34]", self.mnemonic)
            registers = [inside.split(" - ")[0]] * (int(digit[0]) if digit else 0)
        else:
            registers = inside.split(", ")
        match = _REGISTER.fullmatch(registers[0]) if registers else None
        if match is None or match["letter"] not in "vz" or len(set(registers)) != 1:
            return None
        self.slots.append(Slot(number, "vector", _BITS.get(match["letter"], 128), len(registers)))
        names = [number, *(f"{number}_{offset}" for offset in range(1, len(registers)))]
        texts = [f"{match['letter']}{{{name}}}{match['part'] or ''}" for name in names]
        return f"{{ {', '.join(texts)} }}{'[1]' if element else ''}"


def _shift(key: str) -> str | None:
    match = _SHIFT.fullmatch(key)
    if match is None:
        return None
    amount = {"i": "##", "1..4": "#2"}.get(match["amount"], f"#{match['amount']}")
    return f"{match['word']} {amount}"


def spellings(key: str) -> Iterator[Spelling]:
    """
    Raises:
        CannotMeasureError: forms of that kind cannot be measured.
    """
    mnemonic, _, rest = key.partition(" ")
    if mnemonic in _NOT_TIMED and key != "msr nzcv, x":
        raise CannotMeasureError(Reason.SYSTEM, key)
    if mnemonic in _SIGNED:
        raise CannotMeasureError(Reason.SIGNED_POINTER, key)
    keys = _split(rest)
    if "rel" in keys:
        return
    builder = _Builder(mnemonic)
    texts: list[str] = []
    pairs = mnemonic.startswith("casp")
    for number, operand in enumerate(keys, start=1):
        if pairs and operand in ("w", "x"):
            if number % 2 == 1:
                texts.append(builder.pair(operand, str(number)))
            continue
        after_memory = number > 1 and keys[number - 2] == "[x]"
        text = builder.operand(operand, "index" if after_memory and operand == "x" else str(number))
        if text is None:
            return
        texts.append("@@" if after_memory and text == "##" else text)
    for operands, slots in _with_ties(texts, builder.slots, keys):
        line = "\n".join(operands)
        choices = [_OFFSETS if mark == "@@" else _IMMEDIATES for mark in _CHOSEN.findall(line)]
        for chosen in islice(product(*choices), _MOST_SPELLINGS):
            values = iter(chosen)
            filled = _CHOSEN.sub(lambda _, values=values: f"#{next(values)}", line)  # type: ignore[misc]
            yield Spelling(mnemonic, tuple(filled.split("\n")) if filled else (), slots)


def _with_ties(
    texts: list[str], slots: list[Slot], keys: list[str]
) -> Iterator[tuple[tuple[str, ...], tuple[Slot, ...]]]:
    """The operands as they are; then with a later one that is the first one's register, as in many forms of SVE."""
    yield tuple(texts), tuple(slots)
    for index in range(1, len(keys)):
        narrow = (keys[0], keys[index]) == ("x", "w")
        if keys[index] != keys[0] and not narrow:
            continue
        if len(texts) != len(keys):
            return
        tied = [*texts[:index], "w{1}" if narrow else texts[0], *texts[index + 1 :]]
        yield tuple(tied), tuple(slot for slot in slots if slot.name != str(index + 1))


def _split(rest: str) -> list[str]:
    """Operands, at the commas outside brackets; `]` with a comma behind it ends one, too."""
    parts: list[str] = []
    depth = 0
    for word in rest.split(", ") if rest else []:
        if depth > 0:
            parts[-1] += f", {word}"
        else:
            parts.append(word)
        depth += sum(word.count(letter) for letter in "[{") - sum(word.count(letter) for letter in "]}")
    return parts
