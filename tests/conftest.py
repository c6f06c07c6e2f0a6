"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: a slow machine is not a failure. CI repeats the same examples, so that a red run can be repeated.
settings.register_profile("developer", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "developer")
