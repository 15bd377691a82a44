"""Pictures of searches, drawn with matplotlib (`pip install 'conspirator[figures]'`).

>>> import conspirator as cn
>>> from conspirator.figures import Growth
>>> position = cn.games.ConnectFour().position("4453")
>>> growth = Growth.of(position, "best-first", expansions=200)
>>> growth.expansions, len(growth.rows)
(200, 68)
"""

from conspirator.figures.growth import Growth

__all__ = ["Growth"]
