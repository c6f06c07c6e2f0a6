"""The manual page is made from the program's help, and is what roff takes without a word."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from docs.pages import ROOT

PAGE = ROOT / "docs" / "corecast.1"


def test_the_page_is_that_of_todays_options() -> None:
    done = subprocess.run([sys.executable, "tools/make_manual.py", "--check"], cwd=ROOT)
    assert done.returncode == 0, "run tools/make_manual.py"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_roff_has_no_complaint() -> None:
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(PAGE)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "--timeline-from" in re.sub(".\b", "", done.stdout)  # letters in bold are struck twice
