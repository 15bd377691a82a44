"""How sure a search may be: error models of evaluators, and what follows from them for a grown tree.

An error model says how the true outcome of a position is distributed, given its static value, the phase of
the game and the player to move. `conspirator calibrate` fits one; those of our own games' evaluators are
here.

>>> import conspirator as cn
>>> model = cn.ErrorModel.of(cn.games.ConnectFour())
>>> model.outcomes
(1.0, 512.0, 1023.0)
"""

from conspirator.certainty.model import Dependence, ErrorModel, Table

__all__ = ["Dependence", "ErrorModel", "Table"]
