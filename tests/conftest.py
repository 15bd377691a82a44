"""Fixtures for all tests."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

import helpers

# A shell starts what runs in its background with Ctrl-C ignored, and every process that the tests start would
# inherit that. With a handler here they start with the default.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Any]:
    """Return the function that loads golden/<name>.json."""
    return helpers.golden
