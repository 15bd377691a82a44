"""Networks that learn a game by playing it: `cn.learn`, and `learnt(folder=...)` as an evaluator.

One idea in each file, in the order in which data flows: `view` shows positions to a network, `lessons` plays
games and says what they teach, `window` remembers that, `tower` is the network, `learner` makes it learn and
keeps everything in a folder, `workers` are who plays.
"""

from conspirator.learning.learner import Learnt, learn, learnt

__all__ = ["Learnt", "learn", "learnt"]
