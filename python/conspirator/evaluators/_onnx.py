"""Networks in ONNX files, run by onnxruntime."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from conspirator._errors import ArgumentError, GameError
from conspirator._planes import numpy
from conspirator.evaluators._network import Head, Heads, NetworkEvaluator, choose_heads


def onnx(
    model: str | PathLike[str] | bytes,
    *,
    device: str = "cpu",
    threads: int | None = None,
    policy: Head = None,
    value: Head = None,
    **options: Any,
) -> NetworkEvaluator:
    """Return an evaluator around an ONNX model: a file, or its bytes. Needs onnxruntime.

    `policy` and `value` name the outputs, or number them; by default an output says by its name or its shape
    which one it is. A model that takes half-precision numbers gets them. `device` is "cpu" or "cuda";
    `threads` is for onnxruntime.

    Options, of all networks: `encode`, a function from a list of positions to an array (the game's usual
    planes); `moves`, a function from a position to the policy's outputs of its legal moves (those of the
    usual policy); `probabilities` (False: a policy is logits); `value_from`, "mover" or "max": who likes
    high values; `value_range`, (-1, 1); `symmetries`, the mean over the game's symmetries; `cache`, for how
    many positions to remember what was said; `largest`, the most positions at once; `base`, see
    `cn.Evaluator`.

    >>> import conspirator as cn
    >>> evaluator = cn.evaluators.onnx("model.onnx", cache=100_000)                         # doctest: +SKIP
    >>> cn.search(cn.games.ConnectFour().start(), "puct", evaluator=evaluator, batch=16)    # doctest: +SKIP
    """
    try:
        import onnxruntime
    except ImportError:
        raise ArgumentError("ONNX models need onnxruntime: pip install 'conspirator[onnx]'") from None
    providers = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}
    if device not in providers:
        raise ArgumentError(f"device must be 'cpu' or 'cuda', not {device!r}")
    available = onnxruntime.get_available_providers()
    if providers[device] not in available:
        raise ArgumentError(
            f"onnxruntime sees no device {device!r} here: use device='cpu', or pip install onnxruntime-gpu"
        )
    settings = onnxruntime.SessionOptions()
    if threads is not None:
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise ArgumentError(f"threads must be a whole number from 1 up, not {threads!r}")
        settings.intra_op_num_threads = threads
    source: Any = model if isinstance(model, bytes) else fspath(model)
    try:
        session = onnxruntime.InferenceSession(source, settings, providers=[providers[device]])
    except Exception as error:  # onnxruntime has a type of its own for every mistake
        shown = "the bytes" if isinstance(model, bytes) else str(model)
        raise ArgumentError(f"cannot read {shown} as an ONNX model: {error}") from error
    inputs = session.get_inputs()
    if len(inputs) != 1:
        listed = ", ".join(entry.name for entry in inputs)
        raise ArgumentError(f"the model must have one input, the planes; it has {len(inputs)}: {listed}")
    names = [output.name for output in session.get_outputs()]
    kind = {"tensor(float16)": "float16", "tensor(double)": "float64"}.get(inputs[0].type, "float32")
    sizes = [axis if isinstance(axis, int) else None for axis in inputs[0].shape[1:]]

    def run(planes: Any) -> Heads:
        given = list(planes.shape[1:])
        wrong = any(size not in (None, axis) for size, axis in zip(sizes, given, strict=False))
        if len(given) != len(sizes) or wrong:
            wanted = " x ".join("?" if size is None else str(size) for size in sizes)
            sizes_given = " x ".join(map(str, given))
            raise GameError(f"the model takes {wanted} for a position, and encode gives {sizes_given}")
        try:
            outputs = session.run(None, {inputs[0].name: planes.astype(getattr(numpy(), kind))})
        except Exception as error:
            raise GameError(f"the ONNX model failed: {error}") from error
        return choose_heads(outputs, names, policy, value)

    return NetworkEvaluator(run, **options)
