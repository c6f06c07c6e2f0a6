"""Where machine models lie: the folders of the user's own, then those that come with the package.

A model of the user's own hides one of the same name that comes with the package. Looked for are, in this order, the
folders of the environment variable CORECAST_MACHINES (separated like PATH), `corecast/machines` below XDG_CONFIG_HOME
(or ~/.config), and `corecast/machines` below XDG_DATA_HOME (or ~/.local/share).
"""

from __future__ import annotations

import os

from corecast.hints import TYPE_CHECKING, Any, Iterator

if TYPE_CHECKING:
    from pathlib import Path

    PACKAGED: Path
    """The folder of the models that come with the package."""

PIPELINE = "pipeline.toml"
_PACKAGED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def __getattr__(name: str) -> Any:
    if name != "PACKAGED":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pathlib import Path

    return Path(_PACKAGED)


def search_path() -> Iterator[str]:
    """The folders that hold models, the first that has a name wins."""
    for entry in os.environ.get("CORECAST_MACHINES", "").split(os.pathsep):
        if entry:
            yield normal(entry)
    yield os.path.join(user_folder("XDG_CONFIG_HOME", ".config"), "machines")
    yield os.path.join(user_folder("XDG_DATA_HOME", ".local", "share"), "machines")
    yield _PACKAGED


def normal(path: str | Path) -> str:
    """A path's spelling in messages: `./models//zen4` is `models/zen4`."""
    from pathlib import Path

    return str(Path(path))


def user_folder(variable: str, *below_home: str) -> str:
    """corecast's part of one of the user's folders as the XDG base directories say."""
    place = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), *below_home)
    return os.path.join(place, "corecast")


def model_folders() -> Iterator[str]:
    """Every folder with a model, hidden ones included."""
    for place in search_path():
        yield from sorted(entry for entry in _entries(place) if is_model(entry))


def is_model(folder: str) -> bool:
    """Whether there is a model in a folder."""
    return os.path.isfile(os.path.join(folder, PIPELINE))


def _entries(place: str) -> list[str]:
    """Nothing where there is no such folder, or this user may not look into it (as in another one's home)."""
    try:
        return [os.path.join(place, name) for name in os.listdir(place)]
    except OSError:
        return []


def folders_called(name: str) -> Iterator[str]:
    """Folders whose own name is `name` in any spelling: most names are those of folders, and no file needs reading."""
    wanted = same_name(name)
    if wanted and os.sep not in wanted and wanted not in (os.curdir, os.pardir):
        yield from filter(is_model, (os.path.join(place, wanted) for place in search_path()))


def same_name(name: str) -> str:
    """A name's spelling for comparisons: `Skylake-AVX512` and `skylake_avx512` are one."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")
