"""Small networks for tests: as ONNX models, and what they compute, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np


class Linear:
    """A network without hidden layers: a policy of logits and a value between -1 and 1."""

    def __init__(self, shape: tuple[int, ...], policy: int, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        self.shape, self.inputs, self.policy = shape, int(np.prod(shape)), policy
        self.weights = random.normal(size=(self.inputs, policy)).astype(np.float32)
        self.direction = (0.2 * random.normal(size=(self.inputs, 1))).astype(np.float32)

    def __call__(self, planes: Any) -> tuple[Any, Any]:
        """Return policy and value of a batch."""
        flat = planes.reshape(len(planes), -1).astype(np.float64)
        return flat @ self.weights, np.tanh(flat @ self.direction)

    def onnx(self, *, half: bool = False, names: tuple[str, str] = ("policy", "value")) -> bytes:
        """Return the same as a model."""
        from onnx import TensorProto, helper, numpy_helper

        kind = TensorProto.FLOAT16 if half else TensorProto.FLOAT
        of = np.float16 if half else np.float32
        graph = helper.make_graph(
            [
                helper.make_node("Flatten", ["planes"], ["flat"], axis=1),
                helper.make_node("MatMul", ["flat", "weights"], [names[0]]),
                helper.make_node("MatMul", ["flat", "direction"], ["sum"]),
                helper.make_node("Tanh", ["sum"], [names[1]]),
            ],
            "linear",
            [helper.make_tensor_value_info("planes", kind, ["n", *self.shape])],
            [
                helper.make_tensor_value_info(names[0], kind, ["n", self.policy]),
                helper.make_tensor_value_info(names[1], kind, ["n", 1]),
            ],
            [
                numpy_helper.from_array(self.weights.astype(of), "weights"),
                numpy_helper.from_array(self.direction.astype(of), "direction"),
            ],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 9
        return bytes(model.SerializeToString())
