"""What `import corecast` offers, and what it costs."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest

import corecast


def test_public_names() -> None:
    assert sorted(corecast.__all__) == ["Kernel", "__version__", "analyze", "load_machine", "predict"]


@pytest.mark.parametrize("name", corecast.__all__)
def test_every_public_name_is_there_and_listed(name: str) -> None:
    assert getattr(corecast, name) is not None
    assert name in dir(corecast)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="analyse"):
        _ = corecast.analyse


def test_version_is_the_one_of_the_distribution() -> None:
    assert corecast.__version__ == importlib.metadata.version("corecast")


def test_import_loads_no_room() -> None:
    """Nothing of the package but errors at most: the command line's --help depends on it."""
    code = "import sys, corecast; print(*sorted(m for m in sys.modules if m.startswith('corecast.')))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() in ([], ["corecast.errors"])
