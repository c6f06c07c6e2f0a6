"""Where machine models lie: the folders of the user's own, then those that come with the package.

A model of the user's own hides one of the same name that comes with the package. Looked for are, in this order, the
folders of the environment variable CORECAST_MACHINES (separated like PATH), `corecast/machines` below XDG_CONFIG_HOME
(or ~/.config), and `corecast/machines` below XDG_DATA_HOME (or ~/.local/share).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PIPELINE = "pipeline.toml"
PACKAGED = Path(__file__).parent / "data"


def search_path() -> Iterator[Path]:
    """The folders that hold models, the first that has a name wins."""
    for entry in os.environ.get("CORECAST_MACHINES", "").split(os.pathsep):
        if entry:
            yield Path(entry)
    yield user_folder("XDG_CONFIG_HOME", ".config") / "machines"
    yield user_folder("XDG_DATA_HOME", ".local", "share") / "machines"
    yield PACKAGED


def user_folder(variable: str, *below_home: str) -> Path:
    """corecast's part of one of the user's folders as the XDG base directories say."""
    place = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), *below_home)
    return Path(place) / "corecast"


def model_folders() -> Iterator[Path]:
    """Every folder with a model, hidden ones included."""
    for place in search_path():
        yield from sorted(entry for entry in _entries(place) if os.path.isfile(entry / PIPELINE))


def _entries(place: Path) -> list[Path]:
    """Nothing where there is no such folder, or this user may not look into it (as in another one's home)."""
    try:
        return list(place.iterdir())
    except OSError:
        return []


def folders_called(name: str) -> Iterator[Path]:
    """Folders whose own name is `name` in any spelling: most names are those of folders, and no file needs reading."""
    wanted = same_name(name)
    if wanted and os.sep not in wanted and wanted not in (os.curdir, os.pardir):
        yield from (place / wanted for place in search_path() if os.path.isfile(place / wanted / PIPELINE))


def same_name(name: str) -> str:
    """A name's spelling for comparisons: `Skylake-AVX512` and `skylake_avx512` are one."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")
