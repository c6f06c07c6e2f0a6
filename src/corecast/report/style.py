"""How text goes to a stream: width, colour, characters."""

from __future__ import annotations

import os

from corecast.dataclass import dataclass, field
from corecast.hints import Mapping, TextIO

DEFAULT_WIDTH = 80
LEAST_WIDTH = 60
_CODES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}


@dataclass(frozen=True)
class TextStyle:
    """Without a terminal: no colours, lines of 80 columns."""

    width: int = DEFAULT_WIDTH
    colour: bool = False
    ellipsis: str = "..."
    columns: tuple[str, ...] = ()
    """Of the table of instructions, in this order; none: the usual ones."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Texts of source files by name, for the column `code`."""
    names_core: bool = False
    """Whether a region's first line names the core, as where there is a report for each of several."""

    @classmethod
    def for_stream(cls, stream: TextIO) -> TextStyle:
        """The style that fits a stream: the terminal's width, or COLUMNS; colours as `wants_colour` says."""
        encoding = (getattr(stream, "encoding", None) or "").lower().replace("-", "")
        return cls(
            width=max(LEAST_WIDTH, _columns(stream)),
            colour=wants_colour(stream),
            ellipsis="\N{HORIZONTAL ELLIPSIS}" if stream.isatty() and encoding == "utf8" else "...",
        )

    @classmethod
    def for_file(cls) -> TextStyle:
        """The style of a file: COLUMNS wide, never coloured."""
        return cls(width=max(LEAST_WIDTH, _columns(None)))

    def paint(self, text: str, *names: str) -> str:
        """`text` in the named colours, or as it is where the style has none."""
        if not self.colour or not names or not text:
            return text
        return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"

    def shorten(self, text: str, width: int) -> str:
        """`text` cut to `width` characters in its middle, as the ends of names tell most."""
        if len(text) <= width:
            return text
        kept = max(2, width - len(self.ellipsis))
        return text[: (kept + 1) // 2] + self.ellipsis + text[len(text) - kept // 2 :]


def wants_colour(stream: TextIO) -> bool:
    """Whether text on a stream is coloured: on terminals, unless TERM is `dumb`.

    NO_COLOR (any value) and CLICOLOR=0 switch it off, FORCE_COLOR and CLICOLOR_FORCE (other than 0) on for pipes, too;
    NO_COLOR wins.
    """
    forced = os.environ.get("FORCE_COLOR")
    if os.environ.get("NO_COLOR") or forced in ("0", "false"):
        return False
    if forced or os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb" and os.environ.get("CLICOLOR") != "0"


def _columns(stream: TextIO | None) -> int:
    """COLUMNS, else the width of the stream's terminal, else `DEFAULT_WIDTH`."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        return (os.get_terminal_size(stream.fileno()).columns if stream is not None else 0) or DEFAULT_WIDTH
    except (AttributeError, ValueError, OSError):  # a stand-in, or no terminal
        return DEFAULT_WIDTH
