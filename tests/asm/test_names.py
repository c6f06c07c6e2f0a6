"""Names of functions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast.asm.names import choose_functions, plain_name
from corecast.errors import MarkerError


@pytest.mark.parametrize(
    ("symbol", "plain"),
    [
        ("main", "main"),
        ("_Z3fooid", "foo"),
        ("_ZN5outer5innerEv", "outer::inner"),
        ("_ZNK5outer3getEv", "outer::get"),
        ("_ZN1a1fIdEEvT_", "a::f"),
        ("_ZL6staticv", "static"),
        ("_Z", "_Z"),
        ("_Z99x", "_Z99x"),
    ],
)
def test_plain_names(symbol: str, plain: str) -> None:
    assert plain_name(symbol) == plain


@given(st.text(max_size=20))
def test_any_symbol_has_a_plain_name(symbol: str) -> None:
    assert plain_name("_ZN" + symbol)


NAMES = ["main", "main_loop", "_ZN5outer5innerEv", "__module_MOD_triad", "copy_"]


@pytest.mark.parametrize(
    ("wanted", "position"),
    [("main", 0), ("outer::inner", 2), ("inner", 2), ("main_", 1), ("triad", 3), ("copy", 4)],
)
def test_what_a_user_types(wanted: str, position: int) -> None:
    assert choose_functions(NAMES, wanted, "f") == [position]


def test_what_fits_several_is_refused() -> None:
    with pytest.raises(MarkerError, match="several functions fit 'mai': main, main_loop"):
        choose_functions(NAMES, "mai", "f")
