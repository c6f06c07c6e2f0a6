"""Names of functions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corecast import _core
from corecast.asm.names import choose_functions, function_name, heading_name, readable_name
from corecast.errors import MarkerError

DOT = "_ZN3num3dotEPKdS1_i"  # num::dot(double const*, double const*, int)
DOT_FLOAT = "_ZN3num3dotEPKfS1_i"
AXPY = "_ZN3num4axpyIdEEvRSt6vectorIT_SaIS2_EERKS4_S2_"  # void num::axpy<double>(std::vector<double, ...>&, ...)
TRACE = "_ZNK3num1M2trEi"  # num::M::tr(int) const
CALL = "_ZNK3num1McliEi"
SHIFT = "_ZN3numlsERSoRKNS_1ME"  # num::operator<<(std::ostream&, num::M const&)
NEW = "_Znwm"
LEGACY = "_ZN5hello4main17h0123456789abcdefE"
LEGACY_TRAIT = "_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE"
V0 = "_RNvCs1234_7mycrate3foo"
MSVC = "?scale@num@@YANPEBNH@Z"


@pytest.mark.parametrize(
    ("symbol", "readable"),
    [
        ("main", "main"),
        ("_Z3fooid", "foo(int, double)"),
        ("__ZN1a1bEv", "a::b()"),
        ("_ZNK5outer3getEv", "outer::get() const"),
        ("_Z3foov.cold", "foo() (.cold)"),
        ("_Z", "_Z"),
        ("_Z99x", "_Z99x"),
        (LEGACY, "hello::main"),
        (LEGACY_TRAIT, "<T as core::convert::Into<U>>::into"),
        (V0, "mycrate::foo"),
        (MSVC, "double num::scale(double const *, int)"),
        ("_R", "_R"),
        ("?", "?"),
    ],
)
def test_readable_names(symbol: str, readable: str) -> None:
    assert readable_name(symbol) == readable


@pytest.mark.parametrize(
    ("symbol", "plain"),
    [
        ("main", "main"),
        ("_ZN1a1fIdEEvT_", "a::f"),
        ("_ZL6staticv", "static"),
        (CALL, CALL),  # no legal symbol
        ("_ZNK3num1MclEi", "num::M::operator()"),
        (SHIFT, "num::operator<<"),
        (NEW, "operator new"),
        (AXPY, "num::axpy"),
        (LEGACY_TRAIT, "into"),
        (MSVC, "num::scale"),
    ],
)
def test_plain_names(symbol: str, plain: str) -> None:
    assert function_name(symbol).plain == plain


@given(st.sampled_from(["_ZN", "_Z", "_R", "_RNv", "?", "__Z"]), st.text(max_size=30))
def test_any_symbol_has_a_name(prefix: str, symbol: str) -> None:
    assert function_name(prefix + symbol).full


def test_a_short_symbol_with_an_endless_name_stays_as_it_is() -> None:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    doubled = "".join(f"S_IS{digits[i]}_S{digits[i]}_E" for i in range(34))
    bomb = f"_Z1fSt4pairIiiE{doubled}"
    assert _core.demangle(bomb[: len("_Z1fSt4pairIiiE") + 10 * 5]).startswith("f(std::pair<int, int>")
    assert _core.demangle(bomb) == ""
    assert readable_name(bomb) == bomb
    assert _core.demangle("_Z" + "P" * 100_000 + "i") == ""


def test_long_names_are_shortened_in_headings() -> None:
    assert heading_name(DOT) == "num::dot(double const*, double const*, int)"
    assert heading_name(AXPY) == "num::axpy<double>"
    assert heading_name("_Z5scaleIfEvT_.cold") == "scale<float>(float) (.cold)"


NAMES = [
    *("main", "main_loop", "_ZN5outer5innerEv", "__module_MOD_triad", "copy_"),
    *(DOT, DOT_FLOAT, AXPY, TRACE, SHIFT, LEGACY, MSVC),
]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("main", ["main"]),
        ("outer::inner", ["_ZN5outer5innerEv"]),
        ("inner", ["_ZN5outer5innerEv"]),
        ("main_", ["main_loop"]),
        ("triad", ["__module_MOD_triad"]),
        ("copy", ["copy_"]),
        ("num::dot(double const*, double const*, int)", [DOT]),
        ("num::dot(double  const *,double const*,int)", [DOT]),
        ("num::dot(const double*, const double *, int)", [DOT]),
        ("dot(const float*, const float*, int)", [DOT_FLOAT]),
        ("num::dot", [DOT, DOT_FLOAT]),
        ("num::axpy<double>", [AXPY]),
        ("num::axpy< double >", [AXPY]),
        ("axpy", [AXPY]),
        ("num::M::tr(int) const", [TRACE]),
        ("num::M::tr(int)", [TRACE]),
        ("M::tr", [TRACE]),
        ("num::operator<<", [SHIFT]),
        ("hello::main", [LEGACY]),
        ("num::scale(double const*, int)", [MSVC]),
        (AXPY, [AXPY]),
    ],
)
def test_what_a_user_types(wanted: str, found: list[str]) -> None:
    assert [NAMES[position] for position in choose_functions(NAMES, wanted, "f")] == found


def test_what_fits_several_is_refused() -> None:
    with pytest.raises(MarkerError, match="several functions fit 'mai': main, main_loop"):
        choose_functions(NAMES, "mai", "f")
    with pytest.raises(MarkerError, match=r"several functions fit 'get': a::get\(\), b::get\(\)"):
        choose_functions(["_ZN1a3getEv", "_ZN1b3getEv"], "get", "f")


def test_a_wrong_name_lists_the_closest_first() -> None:
    with pytest.raises(MarkerError, match=r"no function 'num::dott'; found: num::dot\(double const\*"):
        choose_functions(NAMES, "num::dott", "f")
    with pytest.raises(MarkerError, match="no function 'copi'; found: copy_, "):
        choose_functions(NAMES, "copi", "f")
