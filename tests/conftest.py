"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import helpers


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Any]:
    """Return the function that loads golden/<name>.json."""
    return helpers.golden
