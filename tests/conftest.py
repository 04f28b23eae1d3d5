"""What holds for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# A shared machine is slow at times, and no test is about that. CI draws the same examples each
# time, so that a run there fails for a change and not by chance.
settings.register_profile("house", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "house")
