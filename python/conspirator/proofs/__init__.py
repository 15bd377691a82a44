"""Check a certificate by the rules of its game, written again in plain Python: nothing here uses the core.

The folder works by itself too: copy it anywhere, and `python -m proofs FILE` checks a certificate.
"""

from __future__ import annotations

from .checker import Checked, check_file
from .rejected import Rejected

__all__ = ["Checked", "Rejected", "check_file"]
