"""How text goes to a stream: width, colour, characters."""

from __future__ import annotations

import os

from corecast.dataclass import dataclass
from corecast.hints import TextIO

DEFAULT_WIDTH = 100
_CODES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "blue": "34", "magenta": "35"}


@dataclass(frozen=True)
class TextStyle:
    """Without a terminal: no colours, nothing cut, 100 columns as the aim of folding."""

    width: int = DEFAULT_WIDTH
    colour: bool = False
    cut: bool = False
    """Whether long instruction text is cut at `width`; files and pipes get all of it."""
    ellipsis: str = "..."

    @classmethod
    def for_stream(cls, stream: TextIO) -> TextStyle:
        """The style that fits a stream: colours and cuts on a terminal only, NO_COLOR and TERM=dumb honoured."""
        if not stream.isatty():
            return cls()
        import shutil

        encoding = (getattr(stream, "encoding", None) or "").lower().replace("-", "")
        return cls(
            width=max(60, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns),
            colour=not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
            cut=True,
            ellipsis="\N{HORIZONTAL ELLIPSIS}" if encoding == "utf8" else "...",
        )

    def paint(self, text: str, *names: str) -> str:
        """`text` in the named colours, or as it is where the style has none."""
        if not self.colour or not names or not text:
            return text
        return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"

    def shorten(self, text: str, width: int) -> str:
        """`text` cut to `width` characters where the style cuts."""
        if not self.cut or len(text) <= width:
            return text
        return text[: max(1, width - len(self.ellipsis))] + self.ellipsis
