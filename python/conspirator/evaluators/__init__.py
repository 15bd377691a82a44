"""Evaluators around neural networks: ONNX, PyTorch, and any function of arrays (JAX, NumPy, ...).

>>> import conspirator as cn
>>> game = cn.games.ConnectFour()
>>> def network(planes):
...     '''A stone in the middle is good; all columns are equally likely.'''
...     ahead = planes[:, 0, :, 3].sum(axis=1) - planes[:, 1, :, 3].sum(axis=1)
...     return [[0.0] * 7 for _ in planes], ahead / 10
>>> evaluator = cn.evaluators.network(network)
>>> result = cn.search(game.start(), "puct", evaluator=evaluator, expansions=50, batch=8)
>>> result.expansions
50
"""

from conspirator.evaluators._cache import Cache
from conspirator.evaluators._network import NetworkEvaluator, network
from conspirator.evaluators._onnx import onnx
from conspirator.evaluators._torch import torch

__all__ = ["Cache", "NetworkEvaluator", "network", "onnx", "torch"]
