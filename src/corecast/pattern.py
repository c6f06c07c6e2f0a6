"""Regular expressions that are compiled when they are first used.

Modules name the expressions that they may need. A run needs few of them, or none: compiling all takes longer than to
analyze a loop, and importing what compiles them a sixth of that. What every run reads is therefore looked at without
them where it is as usual. Flags are part of the text: `(?i)`.
"""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    import re


def lazy_pattern(text: AnyStr) -> re.Pattern[AnyStr]:
    """As `re.compile`, but it is compiled, and found wrong, when the first of its attributes is asked for."""
    return cast("re.Pattern[AnyStr]", _Pattern(text))


class _Pattern:
    """Stands for a compiled expression: takes over each of its attributes as it is asked for."""

    def __init__(self, text: Any) -> None:
        self._text = text

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):  # of protocols, such as copying: nothing to compile for
                raise AttributeError(name)
            import re

            value = getattr(re.compile(self._text), name)
            self.__dict__[name] = value
            return value

    def __repr__(self) -> str:
        return f"lazy_pattern({self._text!r})"
