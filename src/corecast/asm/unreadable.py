"""Lines that are not instructions: what is wrong with them, in one message."""

from __future__ import annotations

from corecast.asm.code import Code, Isa
from corecast.dataclass import dataclass
from corecast.errors import SyntaxProblem
from corecast.hints import Iterable, Protocol, Sequence
from corecast.pattern import lazy_pattern

MAX_SHOWN = 10
"""Lines that a message explains."""
MIN_SIMILARITY = 0.7
"""Of a mnemonic that is suggested; 1 is the same word."""
_ISA_NAMES: dict[Isa, str] = {"x86": "an x86", "aarch64": "an AArch64", "riscv64": "a RISC-V"}
_NO_MNEMONIC = ("invalid instruction mnemonic", "unrecognized instruction mnemonic", "unexpected token at start")
_PREFIXES = frozenset(("lock", "rep", "repe", "repz", "repne", "repnz", "notrack", "bnd", "data16", "rex64", "wait"))
_MNEMONIC = lazy_pattern(r"[A-Za-z][\w.]*")
_LABEL = lazy_pattern(r"\s*[\w.$@?]+:(?![:=])\s*")
_MAX_WORD = 40


@dataclass(frozen=True)
class UnreadLine:
    """A line of text (or bytes of code) that is not an instruction; `line` is 0 where there is no text."""

    line: int
    text: str
    message: str
    """The assembler's message; "" where it gave none."""


class ReadCode(Protocol):
    """A region or kernel, as far as this module looks at it."""

    @property
    def file(self) -> str: ...
    @property
    def isa(self) -> Isa: ...
    @property
    def unreadable(self) -> tuple[UnreadLine, ...]: ...


def unread_lines(code: Code, indices: Iterable[int]) -> tuple[UnreadLine, ...]:
    """Those of the instructions of a text that could not be read."""
    unknown = [index for index in indices if code.instructions[index].unknown]
    if not unknown:
        return ()
    messages = dict(reversed(code.problems))
    found = []
    for index in unknown:
        line = code.instructions[index].line
        message = messages.get(line, "").rpartition("': ")[2]
        found.append(UnreadLine(line, code.instructions[index].text, message))
    return tuple(found)


def warn_outside(code: Code, inside: Iterable[UnreadLine]) -> tuple[str, ...]:
    """A warning about the lines of a text that could not be read and are not among `inside`."""
    if code.origin != "text" or not code.problems:
        return ()
    known = {each.line for each in inside}
    lines = [each for each in unread_lines(code, range(len(code.instructions))) if each.line not in known]
    return (could_not_be_read(lines, code.file, " outside the analyzed code"),) if lines else ()


def could_not_be_read(lines: Sequence[UnreadLine], file: str, where: str = "") -> str:
    """How many lines, at least one, and which is the first."""
    what = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
    text = " ".join(lines[0].text.split())[:60]
    return f"{what}{where} could not be read (first: {file}:{lines[0].line}: '{text}')"


def check_readable(regions: Sequence[ReadCode], skip: bool | None) -> tuple[str, ...]:
    """A warning for each file of which lines are left out.

    Args:
        regions: what is analyzed.
        skip: leave out the lines that are not instructions; None where that is not a choice.

    Raises:
        SyntaxProblem: there are such lines, and they are not to be skipped.
    """
    of_files: dict[str, dict[tuple[int, str], UnreadLine]] = {}
    for region in regions:
        for each in region.unreadable:
            of_files.setdefault(region.file, {})[(each.line, each.text or each.message)] = each
    for file, lines in of_files.items():
        if not skip:
            raise unreadable_error(
                sorted(lines.values(), key=lambda each: each.line), regions[0].isa, file or None, skip is not None
            )
    return tuple(_left_out(file, list(lines.values())) for file, lines in of_files.items())


def _left_out(file: str, lines: Sequence[UnreadLine]) -> str:
    shown = []
    for each in lines[:MAX_SHOWN]:
        text = " ".join(each.text.split())[: 2 * _MAX_WORD]
        shown.append(f"{file}:{each.line}: '{text}'" if each.line else f"{file}: {each.message}")
    more = [f"and {len(lines) - len(shown)} more"] if len(lines) > len(shown) else []
    what = "1 line that is not an instruction" if len(lines) == 1 else f"{len(lines)} lines that are not instructions"
    return f"left out {what}, so the cycles are those of the rest: {'; '.join([*shown, *more])}"


def unreadable_error(lines: Sequence[UnreadLine], isa: Isa, file: str | None, can_skip: bool = True) -> SyntaxProblem:
    """The error for text that holds such lines, at least one; `can_skip`: there is an option to leave them out."""
    shown = lines[:MAX_SHOWN]
    parts = [_explain(shown[0], isa)]
    parts += [(f"line {each.line}: " if each.line else "") + _explain(each, isa) for each in shown[1:]]
    if len(lines) > len(shown):
        parts.append(f"and {len(lines) - len(shown)} more")
    if can_skip:
        parts.append(f"--unknown skip leaves {'them' if len(lines) > 1 else 'it'} out")
    return SyntaxProblem("; ".join(parts), file, shown[0].line or None)


def _explain(unread: UnreadLine, isa: Isa) -> str:
    if not unread.line:
        return unread.message
    mnemonic = _mnemonic(unread.text)
    shown = mnemonic if len(mnemonic) <= _MAX_WORD else mnemonic[:_MAX_WORD] + "..."
    if not _exists(mnemonic, isa):
        nearest = _nearest(mnemonic, isa)
        return f"'{shown}' is not {_ISA_NAMES[isa]} instruction" + (f" (did you mean '{nearest}'?)" if nearest else "")
    text = " ".join(unread.text.split())
    text = text if len(text) <= 2 * _MAX_WORD else text[: 2 * _MAX_WORD] + "..."
    why = f" ({unread.message})" if unread.message else ""
    return f"no form of '{shown}' takes these operands: '{text}'{why}"


def _mnemonic(text: str) -> str:
    while (label := _LABEL.match(text)) is not None and label.end() < len(text):
        text = text[label.end() :]
    words = text.split()
    while len(words) > 1 and words[0].lower() in _PREFIXES:
        del words[0]
    return words[0].rstrip(";,") if words else ""


def _exists(mnemonic: str, isa: Isa) -> bool:
    """Whether the assembler knows the word, whatever its operands."""
    if len(mnemonic) > _MAX_WORD or _MNEMONIC.fullmatch(mnemonic) is None:
        return False
    from corecast import _core

    for syntax in ("att", "intel") if isa == "x86" else ("",):
        listing = _core.assemble(isa, mnemonic.lower() + "\n", syntax)
        if not any(problem.message.startswith(_NO_MNEMONIC) for problem in listing.problems):
            return True
    return False


def _nearest(mnemonic: str, isa: Isa) -> str:
    """The mnemonic that is spelled most alike, "" where none is near."""
    from difflib import get_close_matches

    from corecast import _core

    found = get_close_matches(mnemonic.lower()[:_MAX_WORD], _core.mnemonics(isa), 1, MIN_SIMILARITY)
    return found[0] if found else ""
