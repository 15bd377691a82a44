"""Evaluations a second of a network against the size of batches, with little more than NumPy installed.

PYTHONPATH=python python tools/measure_batches.py torch --device cuda --half
"""

from conspirator.bench.networks import main

if __name__ == "__main__":
    main()
