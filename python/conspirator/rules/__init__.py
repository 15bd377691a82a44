"""Each growth rule as one page of Python: the specification of the native rule of the same name.

They run on any game (`cn.search(position, cn.rules.BestFirst())`), expand the same leaves as the native
rules, and are the template for rules of your own. For speed use the native ones, by name.
"""

from conspirator.rules.b_star import BStar
from conspirator.rules.best_first import BestFirst
from conspirator.rules.conspiracy import Conspiracy
from conspirator.rules.descent import Descent
from conspirator.rules.improved_conspiracy import ImprovedConspiracy
from conspirator.rules.least_certainty import LeastCertainty
from conspirator.rules.minmax_approximation import MinmaxApproximation
from conspirator.rules.pn_mcts import PnMcts
from conspirator.rules.prior_penalty import PriorPenalty
from conspirator.rules.product_propagation import ProductPropagation
from conspirator.rules.proof_number import ProofNumber
from conspirator.rules.puct import Puct
from conspirator.rules.relevance import Relevance
from conspirator.rules.sibling_conspiracy import SiblingConspiracy
from conspirator.rules.uct import Uct
from conspirator.rules.unbounded_minimax import UnboundedMinimax

__all__ = [
    "BStar",
    "BestFirst",
    "Conspiracy",
    "Descent",
    "ImprovedConspiracy",
    "LeastCertainty",
    "MinmaxApproximation",
    "PnMcts",
    "PriorPenalty",
    "ProductPropagation",
    "ProofNumber",
    "Puct",
    "Relevance",
    "SiblingConspiracy",
    "Uct",
    "UnboundedMinimax",
]
