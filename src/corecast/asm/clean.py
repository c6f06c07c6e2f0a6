"""First pass over assembly text: keep what is code, blank the rest, and note what the blanked lines say.

Line numbers never move: a dropped line becomes an empty one. Only the directives that change which instructions there
are (macros, conditions, symbol values, data between instructions, alignment, the syntax switch) reach the assembler;
everything about symbols, debug information and unwinding would only slow it down or stop it.
"""

from __future__ import annotations

from corecast.asm.code import SourceMap
from corecast.asm.guard import LONG_LINE, excess
from corecast.asm.scan import label_end, typed_function
from corecast.dataclass import dataclass, field
from corecast.errors import InputError
from corecast.pattern import lazy_pattern

MAX_REPEATED_LINES = 1_000_000
"""Bound on what nested `.rept` directives may expand to."""

_DATA = {
    ".byte", ".2byte", ".4byte", ".8byte", ".short", ".hword", ".half", ".value", ".word", ".long", ".int", ".quad",
    ".xword", ".dword", ".octa", ".inst", ".insn", ".p2align", ".align", ".balign",
}  # fmt: skip
_CONTROL = {
    ".macro", ".endm", ".endmacro", ".rept", ".rep", ".irp", ".irpc", ".endr", ".exitm", ".purgem", ".altmacro",
    ".noaltmacro", ".else", ".elseif", ".endif", ".set", ".equ", ".equiv", ".unreq", ".option",
}  # fmt: skip
_FILE = lazy_pattern(r'\s*\.file\s+(\d+)\s+"([^"\n]*)"(?:\s+"([^"\n]*)")?')
_BLOCK_COMMENT = lazy_pattern(r'(?sm)"(?:\\.|[^"\\\n])*"|//[^\n]*|^[ \t]*#[^\n]*|#[ \t][^\n]*|(/\*.*?\*/)')
_ICC_POSITION = lazy_pattern(r"(?m)#(\d+)\.\d+[ \t]*$")
_MAIN_FILE = lazy_pattern(r'(?m)^\s*\.file\s+"([^"\n]*)"')
_NUMBER = lazy_pattern(r"0[xX][0-9a-fA-F]+|[0-9]+")


@dataclass
class CleanText:
    """Text ready for the assembler, line by line as in the file, and what the dropped lines said."""

    lines: list[str]
    functions: set[str] = field(default_factory=set)
    switches: list[tuple[int, str]] = field(default_factory=list)
    """(line, "intel" or "att") of each syntax directive."""
    isa_hints: list[str] = field(default_factory=list)
    """Arguments of directives that name the instruction set."""
    positions: SourceMap = field(default_factory=SourceMap)
    problems: list[tuple[int, str]] = field(default_factory=list)


def split_lines(text: str) -> list[str]:
    """Lines as editors count them, whatever the line ends are."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def _without_block_comments(text: str) -> str:
    # Behind the last end of a comment no comment can end: searching there would only cost time.
    end = text.rfind("*/") + 2
    code = _BLOCK_COMMENT.sub(
        lambda match: match[0] if match[1] is None else " " + "\n" * match[1].count("\n"), text[:end]
    )
    return code + text[end:] if end > 1 else text


def clean(text: str, file: str | None = None) -> CleanText:
    """Blank what is not code.

    Raises:
        InputError: a `.rept` that would expand without measure.
    """
    raw = "\n".join(split_lines(text)) if "\r" in text else text
    code = _without_block_comments(raw) if "/*" in raw else raw
    cleaner = _Cleaner(file)
    cleaner.run(code.split("\n"))
    result = cleaner.result
    if cleaner.position_lines:
        result.positions = SourceMap(cleaner.position_lines, cleaner.positions)
    elif "..B1." in raw or "mark_description" in raw:
        result.positions = _icc_positions(raw)
    return result


def _icc_positions(text: str) -> SourceMap:
    """Source positions from the comments `#line.column` that ICC ends its lines with."""
    main = _MAIN_FILE.search(text)
    name = main[1] if main else "source"
    keys: list[int] = []
    values: list[str] = []
    line = 1
    end = 0
    for match in _ICC_POSITION.finditer(text):
        line += text.count("\n", end, match.start())
        end = match.start()
        keys += (line, line + 1)
        values += (f"{name}:{match[1]}", "")
    return SourceMap(keys, values)


class _Cleaner:
    """State of one pass: the section, the nesting of macros and repetitions, the tables of source files."""

    def __init__(self, file: str | None) -> None:
        self.file = file
        self.result = CleanText([])
        self.in_code = True
        self.sections: list[bool] = []
        self.previous = True
        self.macro_depth = 0
        self.repeats: list[int] = []
        self.source_files: dict[str, str] = {}
        self.position_lines: list[int] = []
        self.positions: list[str] = []
        self.other = {
            ".text": self._text, ".data": self._other_section, ".bss": self._other_section,
            ".section": self._section, ".pushsection": self._push, ".popsection": self._pop,
            ".previous": self._swap, ".loc": self._location, ".file": self._source_file, ".type": self._type,
            ".intel_syntax": self._switch, ".att_syntax": self._switch, ".arch": self._hint, ".cpu": self._hint,
            ".attribute": self._hint, ".include": self._included, ".incbin": self._included,
        }  # fmt: skip

    def run(self, lines: list[str]) -> None:
        out = self.result.lines
        for number, line in enumerate(lines, 1):
            stripped = line.lstrip()
            if not stripped:
                out.append("")
                continue
            if len(line) > LONG_LINE and (fault := excess(line)):
                self.result.problems.append((number, fault))
                out.append("")
                continue
            first = stripped[0]
            if first == ".":
                out.append(self._dotted(number, line, stripped))
            elif first in "#;@" or stripped.startswith("//"):
                out.append("")
            elif ":" in stripped and (end := label_end(line)) is not None:
                out.append(self._labelled(number, line, end))
            elif self.in_code or self.macro_depth:
                out.append(line)
            else:
                out.append("")

    def _labelled(self, number: int, line: str, end: int) -> str:
        """A line that begins with a label: a directive may follow it."""
        keep = self.in_code or self.macro_depth > 0
        rest = line[end:].lstrip()
        if rest.startswith("."):
            rest = self._dotted(number, rest, rest)
            return (line[:end] + " " + rest) if keep else ""
        if rest[:1] in "#;@" or rest.startswith("//"):
            return line[:end] if keep else ""
        return line if keep else ""

    def _dotted(self, number: int, line: str, stripped: str) -> str:
        """A line that begins with a dot: a directive, or a local label or symbol."""
        name = stripped.split(None, 1)[0]
        if ":" in stripped and (end := label_end(line)) is not None:
            return self._labelled(number, line, end)
        if self.macro_depth and "\\" in name and not name.startswith(".\\"):
            return line
        name = name.lower()
        if name in _DATA:
            return line if self.in_code or self.macro_depth else ""
        if name in _CONTROL or name.startswith(".if"):
            self._nest(number, name, stripped)
            return line
        action = self.other.get(name)
        if action is not None:
            return action(number, line)
        if "=" in stripped and stripped[len(name) :].lstrip().startswith("="):
            return line
        if "=" in name:
            return line
        return ""

    def _nest(self, number: int, name: str, stripped: str) -> None:
        if name == ".macro":
            self.macro_depth += 1
        elif name in (".endm", ".endmacro"):
            self.macro_depth = max(0, self.macro_depth - 1)
        elif name in (".rept", ".rep"):
            self.repeats.append(_highest_count(stripped[len(name) :]))
            total = 1
            for count in self.repeats:
                total *= count
            if total > MAX_REPEATED_LINES:
                raise InputError(f"{name} repeats more than {MAX_REPEATED_LINES} lines", self.file, number)
        elif name in (".irp", ".irpc"):
            self.repeats.append(1 + stripped.count(",") + (len(stripped) if name == ".irpc" else 0))
        elif name == ".endr" and self.repeats:
            self.repeats.pop()

    def _enter(self, in_code: bool) -> str:
        self.previous, self.in_code = self.in_code, in_code
        return ""

    def _text(self, number: int, line: str) -> str:
        return self._enter(True)

    def _other_section(self, number: int, line: str) -> str:
        return self._enter(False)

    def _section(self, number: int, line: str) -> str:
        return self._enter(_is_code_section(line))

    def _push(self, number: int, line: str) -> str:
        self.sections.append(self.in_code)
        return self._enter(_is_code_section(line))

    def _pop(self, number: int, line: str) -> str:
        return self._enter(self.sections.pop() if self.sections else True)

    def _swap(self, number: int, line: str) -> str:
        return self._enter(self.previous)

    def _source_file(self, number: int, line: str) -> str:
        match = _FILE.match(line)
        if match is not None:
            self.source_files[match[1]] = match[3] if match[3] is not None else match[2]
        return ""

    def _location(self, number: int, line: str) -> str:
        words = line.split(None, 3)
        if len(words) >= 3 and self.in_code:
            name, place = self.source_files.get(words[1], ""), words[2]
            self.position_lines.append(number)
            known = name and place != "0" and place.isascii() and place.isdigit()
            self.positions.append(f"{name}:{place}" if known else "")
        return ""

    def _type(self, number: int, line: str) -> str:
        function = typed_function(line)
        if function is not None:
            self.result.functions.add(function)
        return ""

    def _switch(self, number: int, line: str) -> str:
        words = line.lower().split()
        intel = words[0] == ".intel_syntax"
        if words[1:2] == (["prefix"] if intel else ["noprefix"]):
            self.result.problems.append((number, f"{words[0]} {words[1]} is not supported; taken as {words[0]}"))
        self.result.switches.append((number, "intel" if intel else "att"))
        return ".intel_syntax noprefix" if intel else ".att_syntax"

    def _hint(self, number: int, line: str) -> str:
        self.result.isa_hints.append(" ".join(line.split()))
        return ""

    def _included(self, number: int, line: str) -> str:
        self.result.problems.append((number, f"{line.split()[0]} is not followed"))
        return ""


def _is_code_section(line: str) -> bool:
    words = line.split("#", 1)[0].split(None, 1)
    fields = [field.strip().strip('"') for field in words[1].split(",")] if len(words) > 1 else [""]
    name = fields[0]
    if name.startswith((".text", ".init.text", "__TEXT")) or name in (".init", ".fini"):
        return not name.startswith("__TEXT") or fields[1:2] == ["__text"] or "pure_instructions" in fields
    return len(fields) > 1 and "x" in fields[1]


def _highest_count(argument: str) -> int:
    """Upper bound of a `.rept` count, from the numbers in it; a symbol counts as one."""
    bound = 1
    shifts = "<<" in argument
    for number in _NUMBER.findall(argument.split("#", 1)[0].split("//", 1)[0]):
        value = MAX_REPEATED_LINES + 1 if len(number) > 18 else int(number, 16 if number[1:2] in ("x", "X") else 10)
        bound *= max(1, 1 << min(value, 64) if shifts else value)
        if bound > MAX_REPEATED_LINES:
            break
    return bound
