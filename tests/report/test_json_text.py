"""The JSON report is laid out by our own writer: it must write what the standard library would."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from corecast.report.json import _text

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


@given(VALUES)
def test_it_writes_as_the_standard_library_does(value: object) -> None:
    assert _text(value) == json.dumps(value, indent=2, ensure_ascii=False)
