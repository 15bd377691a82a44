"""Selective game-tree search: grow a tree where it matters, choose a move, say how sure it is and why.

>>> import conspirator as cn
>>> position = cn.games.ConnectFour().position("4453")
>>> result = cn.search(position, "best-first", expansions=10_000)
>>> result.move in position.moves()
True
"""

from conspirator import evaluators, games, rules
from conspirator._budget import Budget
from conspirator._certificate import Certificate, verify
from conspirator._check import Breach, Check, check
from conspirator._errors import ArgumentError, ConspiratorError, GameError, PositionError
from conspirator._evaluator import Evaluator
from conspirator._game import Game
from conspirator._native import Node, Position, Tree, __version__
from conspirator._players import Player, players
from conspirator._result import Result
from conspirator._rule import GrowthRule
from conspirator._saved import load
from conspirator._search import search, searches
from conspirator._solve import Solution, solve
from conspirator.certainty import ErrorModel
from conspirator.experiments import reproduce, reproduce_all
from conspirator.learning import Learnt, learn
from conspirator.matches import MatchResult, match

__all__ = [
    "ArgumentError",
    "Breach",
    "Budget",
    "Certificate",
    "Check",
    "ConspiratorError",
    "ErrorModel",
    "Evaluator",
    "Game",
    "GameError",
    "GrowthRule",
    "Learnt",
    "MatchResult",
    "Node",
    "Player",
    "Position",
    "PositionError",
    "Result",
    "Solution",
    "Tree",
    "__version__",
    "check",
    "evaluators",
    "games",
    "learn",
    "load",
    "match",
    "players",
    "reproduce",
    "reproduce_all",
    "rules",
    "search",
    "searches",
    "solve",
    "verify",
]
