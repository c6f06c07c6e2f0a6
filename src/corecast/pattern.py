"""Regular expressions that are compiled when they are first used.

Modules name the expressions that they may need. A run needs a few of them, and compiling all takes longer than to
analyze a loop.
"""

from __future__ import annotations

import re

from corecast.hints import TYPE_CHECKING, Any, AnyStr, cast


def lazy_pattern(text: AnyStr, flags: int | re.RegexFlag = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, but it is compiled, and found wrong, when the first of its attributes is asked for."""
    return cast("re.Pattern[AnyStr]", _Pattern(text, flags))


class _Pattern:
    """Stands for a compiled expression: takes over each of its attributes as it is asked for."""

    def __init__(self, text: Any, flags: int | re.RegexFlag) -> None:
        self._text = text
        self._flags = flags

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):  # of protocols, such as copying: nothing to compile for
                raise AttributeError(name)
            value = getattr(re.compile(self._text, self._flags), name)
            self.__dict__[name] = value
            return value

    def __repr__(self) -> str:
        return f"lazy_pattern({self._text!r})"
