"""`python -m proofs FILE`: check a certificate with nothing but Python."""

from __future__ import annotations

import sys

from . import Rejected, check_file

if __name__ == "__main__":
    try:
        print(check_file(sys.argv[1]))
    except (Rejected, OSError, IndexError) as error:
        sys.exit(f"rejected: {error}")
