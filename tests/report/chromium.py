"""The system's Chromium, and the marks of tests that drive it."""

from __future__ import annotations

import shutil
from typing import Final

import pytest

CHROMIUM: Final = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

IN_A_BROWSER: Final = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="install Chromium (apt install chromium) for these tests"),
]
