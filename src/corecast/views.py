"""How results appear in notebooks, as tables and as plots.

A result class inherits from `Viewed`, which has the methods that users call. What they return is made by the class'
*view*: a module with the functions of `View`, in a package above that of the result. `corecast.VIEWS` names the view of
each class; it is imported on first use, so that results never import what formats them.
"""

from __future__ import annotations

from corecast.errors import MissingPackageError
from corecast.hints import TYPE_CHECKING, Any, Mapping, Protocol, Sequence, cast

if TYPE_CHECKING:
    from types import ModuleType

    from matplotlib.axes import Axes
    from pandas import DataFrame


class View(Protocol):
    """What a view's module has; `result` is an instance of its class."""

    def html(self, result: Any) -> str:
        """The result as an HTML fragment that needs nothing else, readable on light and on dark pages."""

    def table(self, result: Any) -> Mapping[str, Sequence[Any]]:
        """The result's columns by their names, all of the same length."""

    def draw(self, result: Any, axes: Axes, **choices: Any) -> None:
        """Draws the result on matplotlib's axes; `choices` are those of its `plot`."""


class Viewed:
    """A result that notebooks show, and that is a table and a plot on demand."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """What Jupyter shows: an HTML fragment without references to other files."""
        return view_of(type(self)).html(self)

    def to_pandas(self) -> DataFrame:
        """The result as a pandas table; what its rows and columns are is listed in docs/python.md.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        pandas = optional_package("pandas", "tables", "notebook")
        frame: DataFrame = pandas.DataFrame(dict(view_of(type(self)).table(self)))
        return frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the result with matplotlib.

        Args:
            ax: where to draw; None: on a new figure.

        Returns:
            The axes that were drawn on, for titles, limits or `ax.figure.savefig(...)`.

        Raises:
            MissingPackageError: matplotlib is not installed.
            InputError: the result has nothing to draw.
        """
        axes = new_axes() if ax is None else ax
        view_of(type(self)).draw(self, axes)
        return axes


def view_of(kind: type) -> View:
    """The view of the result class `kind`, or of its nearest base that has one.

    Raises:
        LookupError: no view is registered.
    """
    from corecast import VIEWS
    from corecast.hints import import_module

    for each in kind.__mro__:
        name = VIEWS.get(f"{each.__module__}.{each.__qualname__}")
        if name is not None:
            return cast("View", import_module(name))
    raise LookupError(f"{kind.__qualname__} has no view: see corecast.VIEWS")


def new_axes() -> Axes:
    """Matplotlib's axes on a new figure.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    pyplot = optional_package("matplotlib.pyplot", "plots", "notebook")
    axes: Axes = pyplot.subplots(layout="constrained")[1]
    return axes


def optional_package(name: str, purpose: str, extra: str) -> ModuleType:
    """A module of a package that corecast can do without.

    Args:
        name: of the module, "matplotlib.pyplot".
        purpose: what needs it, for the message.
        extra: of corecast, which installs it.

    Raises:
        MissingPackageError: it is not installed.
    """
    from corecast.hints import import_module

    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise MissingPackageError(f"{purpose} need {package}: pip install 'corecast[{extra}]'") from None
