"""The laboratory: matches between searches and engines, ratings, and what is kept of them.

players, openings -> plan -> games -> workers -> store -> standings (ratings, sprt) -> export, report
"""

from conspirator._players import Player
from conspirator.matches.games import Adjudication
from conspirator.matches.ratings import Ratings, rate
from conspirator.matches.run import match
from conspirator.matches.scores import Score
from conspirator.matches.sprt import Sprt
from conspirator.matches.standings import MatchResult, Standings
from conspirator.matches.store import Record, Store

__all__ = [
    "Adjudication",
    "MatchResult",
    "Player",
    "Ratings",
    "Record",
    "Score",
    "Sprt",
    "Standings",
    "Store",
    "match",
    "rate",
]
