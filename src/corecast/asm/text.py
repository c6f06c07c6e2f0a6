"""Assembly text, as compilers and people write it, to Code."""

from __future__ import annotations

from corecast.asm.clean import CleanText, clean
from corecast.asm.code import ISAS, NO_TARGET, Code, CodeLabel, Isa, MarkerEvent, Origin, functions_between
from corecast.asm.detect import may_be_listing
from corecast.asm.dialect import guess_isa, guess_x86_syntax
from corecast.asm.guard import harmless
from corecast.asm.markers import comment_events, data_events
from corecast.asm.places import places_up_to
from corecast.dataclass import dataclass
from corecast.errors import InputError, SyntaxProblem
from corecast.hints import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from corecast import _core

MAX_REWRITTEN_LINES = 20_000
"""Different refused lines for which other spellings are tried."""
SAMPLE_LINES = 300
"""Lines that are tried as each instruction set where nothing else tells it."""
FEW_PROBLEMS = 5
"""A dialect is the right one where at most one line in this many is rejected."""


@dataclass(frozen=True)
class _Dialect:
    isa: Isa
    syntax: str
    switches: Sequence[tuple[int, str]]

    def syntax_at(self, line: int) -> str:
        """The x86 syntax in force at a line."""
        position = places_up_to(line, [switch[0] for switch in self.switches]) - 1
        return self.switches[position][1] if position >= 0 else self.syntax


def read_text(
    text: str, file: str = "<text>", isa: Isa | None = None, syntax: str = "auto", origin: Origin = "text"
) -> Code:
    """Read a whole assembly text, or a disassembler's listing.

    Arguments and errors are those of `read_assembly`.
    """
    if origin == "text" and may_be_listing(text):
        from corecast.asm.listings import listing_kind, read_listing

        kind = listing_kind(text)
        if kind:
            return read_listing(text, kind, file, isa, lambda text, file, isa: read_assembly(text, file, isa, syntax))
    return read_assembly(text, file, isa, syntax, origin)


def read_assembly(
    text: str, file: str = "<text>", isa: Isa | None = None, syntax: str = "auto", origin: Origin = "text"
) -> Code:
    """Read a whole assembly text.

    Args:
        text: the text; line numbers count its lines from 1.
        file: name for messages.
        isa: the instruction set, None to tell it from the text.
        syntax: for x86 "att", "intel" or "auto"; directives in the text go before it.
        origin: what the text came from.

    Raises:
        InputError: nothing to read: no instruction, no legal one, or an instruction set that cannot be determined.
    """
    cleaned = clean(text, file)
    if not any(cleaned.lines):
        raise InputError("the text has no instructions", file)
    listing, dialect, lines = _assemble(cleaned, file, isa, syntax)
    instructions = listing.instructions
    labels = [
        CodeLabel(_spelling(label, lines) if "Ltmp" in label.name else label.name, label.index, label.line, label.name)
        for label in listing.labels
    ]
    problems = _problems(listing, lines)
    for problem in listing.problems:
        if problem.fatal:
            raise InputError(problem.message, file, problem.line or None)
    if not instructions:
        if listing.problems:
            raise SyntaxProblem(listing.problems[0].message, file, listing.problems[0].line)
        raise InputError("the text has no instructions", file)
    if listing.problems and all(instruction.unknown for instruction in instructions):
        if other := _other_isa(cleaned, dialect.isa):
            raise InputError(f"the code is {other}, not {dialect.isa}: choose another core", file)
        line, message = problems[0] if problems else (0, "no legal instruction")
        raise SyntaxProblem(f"no line is a legal {dialect.isa} instruction; the first problem: {message}", file, line)

    def markers() -> list[MarkerEvent]:
        # A marker between two lines: instructions up to its line stand before it.
        numbers = [instruction.line for instruction in instructions]
        return sorted(
            [*comment_events(text, numbers), *data_events(dialect.isa, instructions, listing.data)],
            key=lambda event: event.index,
        )

    positions = cleaned.positions
    return Code(
        isa=dialect.isa,
        file=file,
        origin=origin,
        instructions=instructions,
        targets=_targets(instructions, labels),
        labels=labels,
        functions=functions_between(labels, cleaned.functions, len(instructions)),
        markers=markers,
        source_line=lambda index: positions.at(instructions[index].line),
        statement=lambda index: _statement(dialect.isa, cleaned.lines, instructions, index),
        problems=sorted([*cleaned.problems, *problems]),
    )


def _statement(isa: Isa, lines: Sequence[str], instructions: Sequence[_core.Instruction], index: int) -> str:
    """The text of an instruction without label, comment and spare blanks."""
    line = instructions[index].line
    neighbours = [*instructions[max(index - 1, 0) : index], *instructions[index + 1 : index + 2]]
    if not 0 < line <= len(lines) or any(other.line == line for other in neighbours):
        return ""
    text = lines[line - 1].split("//" if isa == "aarch64" else "#", 1)[0]
    if ";" in text or "/*" in text:
        return ""
    words = text.split()
    while words and words[0].endswith(":"):
        del words[0]
    return " ".join(words)


def _assemble(cleaned: CleanText, file: str, isa: Isa | None, syntax: str) -> tuple[_core.Listing, _Dialect, list[str]]:
    """Assemble in the dialect that gives the fewest problems, then once more with the lines that could be respelled."""
    lines = cleaned.lines
    isa = isa or guess_isa(cleaned) or _try_isas(cleaned, file)
    tried = _assemble_as(isa, cleaned, lines, syntax)
    listing, dialect = min(tried, key=lambda trial: len(trial[0].problems))
    if listing.problems:
        replaced = _respell(listing, dialect, lines)
        if replaced:
            lines = [replaced.get(number, line) for number, line in enumerate(lines, 1)]
            listing = _call(dialect.isa, "\n".join(lines) + "\n", dialect.syntax)
    return listing, dialect, lines


def _other_isa(cleaned: CleanText, isa: Isa) -> Isa | None:
    """The instruction set of a text of which this one has no line: the one that has most of the first lines."""
    sample = [line for line in cleaned.lines if line][:SAMPLE_LINES]
    problems = _problems_by_isa(cleaned, sample)
    other = min(ISAS, key=lambda each: problems[each])
    return other if other != isa and 2 * problems[other] < len(sample) else None


def _problems_by_isa(cleaned: CleanText, sample: Sequence[str]) -> dict[Isa, int]:
    """Lines of a sample that each instruction set refuses."""
    return {
        isa: min(len(listing.problems) for listing, _ in _assemble_as(isa, cleaned, sample, "auto")) for isa in ISAS
    }


def _try_isas(cleaned: CleanText, file: str) -> Isa:
    """The instruction set in which the first lines are legal."""
    sample = [line for line in cleaned.lines if line][:SAMPLE_LINES]
    problems = _problems_by_isa(cleaned, sample)
    best = [isa for isa in ISAS if problems[isa] == min(problems.values())]
    if len(best) > 1:
        raise InputError("the instruction set cannot be determined from the text: name it or the CPU", file)
    return best[0]


def _call(isa: Isa, text: str, syntax: str) -> _core.Listing:
    from corecast import _core

    return _core.assemble(isa, harmless(text, syntax == "intel" or ".intel_syntax" in text), syntax)


def _assemble_as(
    isa: Isa, cleaned: CleanText, lines: Sequence[str], syntax: str
) -> list[tuple[_core.Listing, _Dialect]]:
    """Assemble in the likeliest dialect, and in the other one too where many lines are refused."""
    source = "\n".join(lines) + "\n"
    if isa != "x86":
        return [(_call(isa, source, ""), _Dialect(isa, "", ()))]
    guess = guess_x86_syntax(cleaned) if syntax == "auto" else syntax
    first = _call(isa, source, guess)
    trials = [(first, _Dialect(isa, guess, cleaned.switches))]
    starts_with_switch = bool(cleaned.switches) and not any(cleaned.lines[: cleaned.switches[0][0] - 1])
    few = FEW_PROBLEMS * len(first.problems) <= sum(map(bool, lines))
    if first.problems and syntax == "auto" and not starts_with_switch and not few:
        other = "att" if guess == "intel" else "intel"
        trials.append((_call(isa, source, other), _Dialect(isa, other, cleaned.switches)))
    return trials


def _respell(listing: _core.Listing, dialect: _Dialect, lines: list[str]) -> dict[int, str]:
    """Legal spellings of refused lines, by line number."""
    from corecast.asm.rewrite import alternatives

    refused: dict[tuple[str, str], list[int]] = {}
    for problem in listing.problems:
        if 0 < problem.line <= len(lines) and lines[problem.line - 1]:
            key = (lines[problem.line - 1], dialect.syntax_at(problem.line))
            if key in refused or len(refused) < MAX_REWRITTEN_LINES:
                refused.setdefault(key, []).append(problem.line)
    replaced: dict[int, str] = {}
    open_lines = {key: alternatives(key[0], dialect.isa, key[1]) for key in refused}
    while open_lines:
        probes: dict[str, list[tuple[tuple[str, str], str]]] = {}
        for key in list(open_lines):
            spelling = next(open_lines[key], None)
            if spelling is None:
                del open_lines[key]
            else:
                probes.setdefault(key[1], []).append((key, spelling))
        for syntax, probe in probes.items():
            answer = _call(dialect.isa, "\n".join(spelling for _, spelling in probe) + "\n", syntax)
            bad = {problem.line for problem in answer.problems}
            for number, (key, spelling) in enumerate(probe, 1):
                if number not in bad:
                    replaced.update(dict.fromkeys(refused[key], spelling))
                    del open_lines[key]
    return replaced


def _problems(listing: _core.Listing, lines: list[str]) -> list[tuple[int, str]]:
    problems = []
    for problem in listing.problems:
        text = " ".join(lines[problem.line - 1].split()) if 0 < problem.line <= len(lines) else ""
        problems.append((problem.line, f"cannot read '{text}': {problem.message}" if text else problem.message))
    return problems


def _spelling(label: _core.Label, lines: list[str]) -> str:
    """A label as the text has it."""
    text = lines[label.line - 1].split(":", 1)[0].strip() if 0 < label.line <= len(lines) else ""
    return text if text.isdigit() else str(label.name)


def _targets(instructions: Sequence[_core.Instruction], labels: Sequence[CodeLabel]) -> list[int]:
    """Where each direct branch goes; a local number `1b`, `1f` means the nearest such label."""
    places: dict[str, list[int]] = {}
    for label in labels:
        places.setdefault(label.target, []).append(label.index)
    count = len(instructions)
    targets = [NO_TARGET] * count
    for index, instruction in enumerate(instructions):
        name = instruction.target
        if not name or instruction.branch == "call":
            continue
        found = places.get(name)
        if found is None and name[:-1].isdigit() and name[-1] in "bf":
            candidates = places.get(name[:-1], [])
            position = places_up_to(index, candidates)
            position -= name[-1] == "b"
            found = candidates[position : position + 1] if position >= 0 else None
        if found:
            # Texts pasted together repeat their labels: a branch means the nearest.
            place = found[0] if len(found) == 1 else min(found, key=lambda place: abs(place - index))
            targets[index] = place if place < count else NO_TARGET
    return targets
