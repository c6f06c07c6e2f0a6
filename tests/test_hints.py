"""Names of `typing` that are not imported at run time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import corecast
from corecast.hints import Any, Literal, Protocol, TypeVar, cached_property, cast, get_args, import_module
from corecast.machine.method import METHOD_CHOICES


def test_values_of_literals_are_known() -> None:
    assert get_args(Literal["a", "b"]) == ("a", "b")
    assert get_args(Literal["a"]) == ("a",)
    assert METHOD_CHOICES == ("auto", "simulate", "bounds")


def test_names_take_part_in_types() -> None:
    assert dict[str, Any] is not None
    assert Literal["a"] | None is not None
    assert None | TypeVar("T") is not None
    assert cast("int", "x") == "x"  # type: ignore[comparison-overlap]

    class Shape(Protocol):
        pass

    class Square(Shape):
        pass

    assert isinstance(Square(), Square)


def test_an_analysis_imports_only_what_it_needs() -> None:
    """What takes long to import, or to use, does not come back unnoticed."""
    file = Path(__file__).parent / "golden" / "avx_triad_on_zen1.s"
    package = str(Path(corecast.__file__).parents[1])  # the import hook of an editable checkout imports much
    code = (
        f"import sys; sys.path.insert(0, {package!r}); from corecast.cli.main import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, "analyze", file, "--cpu", "zen1"],
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {"typing", "dataclasses", "inspect", "tomllib", "json", "subprocess", "tempfile", "shutil", "textwrap"}
    heavy |= {
        "re",
        "enum",
        "functools",
        "collections",
        "contextlib",
        "signal",
        "importlib",
        "operator",
        "bisect",
        "math",
    }
    assert not heavy & set(done.stderr.split())


def test_a_cached_property_is_made_once() -> None:
    class Shape:
        made = 0

        @cached_property
        def area(self) -> int:
            """In square metres."""
            Shape.made += 1
            return 6

    shape = Shape()
    assert (shape.area, shape.area, Shape.made) == (6, 6, 1)
    assert Shape.area.__doc__ == "In square metres."


def test_modules_are_imported_by_their_whole_names() -> None:
    assert import_module("corecast.machine.method").METHOD_CHOICES == METHOD_CHOICES
