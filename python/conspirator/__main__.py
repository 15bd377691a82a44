"""`python -m conspirator`: the command line, with the interpreter that is named."""

import sys

from conspirator.cli import main

if __name__ == "__main__":
    sys.exit(main())
