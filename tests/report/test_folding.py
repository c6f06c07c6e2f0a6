"""Folding gives the lines of textwrap."""

from __future__ import annotations

import textwrap

from hypothesis import example, given
from hypothesis import strategies as st

from corecast.report.folding import fold

INDENTS = st.sampled_from(("", "  ", "Front end   ", " " * 12))


@given(
    text=st.text(alphabet="ab-. \t\n\N{NO-BREAK SPACE}é", max_size=80) | st.text(alphabet="ab ", max_size=80),
    width=st.integers(13, 40),
    first=INDENTS,
    rest=INDENTS,
    hyphens=st.booleans(),
)
@example(text="a  " * 9 + "a", width=13, first="", rest="  ", hyphens=False)
def test_lines_are_those_of_textwrap(text: str, width: int, first: str, rest: str, hyphens: bool) -> None:
    wanted = textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=hyphens)
    assert fold(text, width, first, rest, hyphens=hyphens) == wanted
