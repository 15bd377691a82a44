"""Evaluations a second of a network in a search, against the number of leaves in a batch.

`conspirator bench --batch onnx`, or, where only NumPy and PyTorch are installed,

    PYTHONPATH=python python tools/measure_batches.py torch --device cuda

The network has the shape of those that play: residual blocks of 3 x 3 convolutions on an 11 x 11 board of
Hex, a policy and a value. Its weights are random, which costs as much time as learnt ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from time import perf_counter
from typing import Any, Literal

import conspirator as cn
from conspirator._errors import ArgumentError
from conspirator.bench.measure import Row
from conspirator.evaluators import NetworkEvaluator

BATCHES = (1, 2, 4, 8, 16, 32, 64)
"""Leaves in a batch."""
CHANNELS, BLOCKS, SIZE = 64, 6, 11

Kind = Literal["onnx", "torch"]


def weights(seed: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield the network's arrays by name: convolutions of the blocks, then the heads."""
    import numpy as np

    random = np.random.default_rng(seed)

    def array(*shape: int) -> Any:
        fan = int(np.prod(shape[1:]))
        return (random.normal(size=shape) / fan**0.5).astype(np.float32)

    yield "enter", array(CHANNELS, 2, 3, 3)
    for block in range(BLOCKS):
        yield f"first{block}", array(CHANNELS, CHANNELS, 3, 3)
        yield f"second{block}", 0.2 * array(CHANNELS, CHANNELS, 3, 3)
    yield "policy_weights", array(1, CHANNELS, 1, 1)
    yield "value_weights", array(1, CHANNELS)


def onnx_network() -> bytes:
    """Return the network as an ONNX model. Needs the package onnx."""
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        raise ArgumentError("the benchmark with ONNX needs onnx: pip install onnx onnxruntime") from None
    nodes, same = [], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}

    def add(kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    x = add("Relu", [add("Conv", ["planes", "enter"], "entered", **same)], "x")
    for block in range(BLOCKS):
        inner = add("Conv", [x, f"first{block}"], f"a{block}", **same)
        inner = add("Relu", [inner], f"b{block}")
        inner = add("Conv", [inner, f"second{block}"], f"c{block}", **same)
        x = add("Relu", [add("Add", [x, inner], f"d{block}")], f"x{block}")
    add("Flatten", [add("Conv", [x, "policy_weights"], "board", kernel_shape=[1, 1])], "policy", axis=1)
    mean = add("Flatten", [add("GlobalAveragePool", [x], "pooled")], "mean", axis=1)
    add("Tanh", [add("Gemm", [mean, "value_weights"], "sum", transB=1)], "value")
    kind = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "residual",
        [helper.make_tensor_value_info("planes", kind, ["n", 2, SIZE, SIZE])],
        [
            helper.make_tensor_value_info("policy", kind, ["n", SIZE * SIZE]),
            helper.make_tensor_value_info("value", kind, ["n", 1]),
        ],
        [numpy_helper.from_array(array, name) for name, array in weights()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    return bytes(model.SerializeToString())


def torch_network() -> Any:
    """Return the network as a PyTorch module."""
    try:
        import torch
    except ImportError:
        raise ArgumentError("the benchmark with PyTorch needs torch: pip install torch") from None
    from torch.nn import functional

    base: Any = torch.nn.Module

    class Residual(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            arrays = {name: torch.nn.Parameter(torch.from_numpy(array)) for name, array in weights()}
            self.arrays = torch.nn.ParameterDict(arrays)

        def forward(self, planes: Any) -> Any:
            x = functional.relu(functional.conv2d(planes, self.arrays["enter"], padding=1))
            for block in range(BLOCKS):
                inner = functional.relu(functional.conv2d(x, self.arrays[f"first{block}"], padding=1))
                inner = functional.conv2d(inner, self.arrays[f"second{block}"], padding=1)
                x = functional.relu(x + inner)
            policy = functional.conv2d(x, self.arrays["policy_weights"]).flatten(1)
            value = torch.tanh(functional.linear(x.mean(dim=(2, 3)), self.arrays["value_weights"]))
            return policy, value

    return Residual()


def evaluator(kind: Kind, device: str, half: bool = False) -> NetworkEvaluator:
    """Return the network as an evaluator."""
    if kind == "onnx":
        return cn.evaluators.onnx(onnx_network(), device=device)
    return cn.evaluators.torch(torch_network(), device=device, half=half)


def batches(seconds: float, kind: Kind = "onnx", device: str = "cpu", half: bool = False) -> list[Row]:
    """Measure evaluations a second of `puct` on Hex, for batches of 1 to 64 leaves."""
    network = evaluator(kind, device, half)
    start = cn.games.Hex(size=SIZE).start()
    rows: list[Row] = []
    for batch in BATCHES:
        cn.search(start, "puct", evaluator=network, expansions=2 * batch, batch=batch)  # warm
        before, begun = network.positions, perf_counter()
        cn.search(start, "puct", evaluator=network, seconds=seconds, batch=batch)
        rate = (network.positions - before) / (perf_counter() - begun)
        ratio = None if not rows else rate / rows[0].rate
        reference = "" if ratio is None else "to batch=1"
        rows.append(Row(f"batch={batch}", rate, "positions/s", ratio, reference, ""))
    return rows


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["onnx", "torch"])
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--half", action="store_true", help="half precision, with torch")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each size of batch")
    given = parser.parse_args(arguments)
    rows = batches(given.seconds, given.kind, given.device, given.half)
    facts = {
        "version": cn.__version__,
        "network": f"{BLOCKS} blocks of {CHANNELS} channels, Hex {SIZE}x{SIZE}, puct",
        "kind": given.kind,
        "device": given.device,
        "half": given.half,
        "seconds": given.seconds,
        "positions_per_second": {row.name: round(row.rate, 1) for row in rows},
        "times": {row.name: round(row.rate / rows[0].rate, 2) for row in rows},
    }
    print(json.dumps(facts, indent=2))
