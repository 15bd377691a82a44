"""Networks of PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conspirator._errors import ArgumentError, GameError
from conspirator.evaluators._network import Head, Heads, NetworkEvaluator, choose_heads


def torch(
    module: Any,
    *,
    device: str | None = None,
    half: bool = False,
    policy: Head = None,
    value: Head = None,
    **options: Any,
) -> NetworkEvaluator:
    """Return an evaluator around a PyTorch module, which is put on `device` and into evaluation mode.

    The module returns (policy, value), a dictionary with such names, or one of them; `policy` and `value` say
    which output is which where that is not clear. `half` computes in half precision: float16 on a GPU,
    bfloat16 on a CPU. The other options are those of `cn.evaluators.onnx`. Needs torch.

    >>> import conspirator as cn
    >>> evaluator = cn.evaluators.torch(module, device="cuda", half=True, cache=100_000)    # doctest: +SKIP
    >>> cn.search(cn.games.Hex().start(), "puct", evaluator=evaluator, batch=64)            # doctest: +SKIP
    """
    try:
        import torch as pytorch
    except ImportError:
        raise ArgumentError("PyTorch modules need torch: pip install 'conspirator[torch]'") from None
    if not isinstance(module, pytorch.nn.Module):
        raise ArgumentError(f"a torch.nn.Module is wanted, not {type(module).__name__}")
    try:
        target = pytorch.device(device or "cpu")
    except RuntimeError:
        raise ArgumentError(f"device must be such as 'cpu', 'cuda' or 'cuda:1', not {device!r}") from None
    if target.type == "cuda" and not pytorch.cuda.is_available():
        raise ArgumentError(
            "torch sees no GPU here: use device='cpu', or install torch with CUDA and a driver"
        )
    module = module.to(target).eval()
    kind = pytorch.float16 if target.type == "cuda" else pytorch.bfloat16

    def array(output: Any) -> Any:
        return output if output is None else output.detach().float().cpu().numpy()

    def run(planes: Any) -> Heads:
        try:
            with pytorch.inference_mode(), pytorch.autocast(target.type, dtype=kind, enabled=half):
                batch = pytorch.tensor(planes, device=target)  # a copy: the planes are not to be written
                outputs = module(batch)
        except RuntimeError as error:
            raise GameError(f"the module failed for planes of shape {planes.shape}: {error}") from error
        if isinstance(outputs, Mapping):
            named = {name: array(output) for name, output in outputs.items()}
            return choose_heads(named, [], policy, value)
        if isinstance(outputs, pytorch.Tensor):
            return choose_heads([array(outputs)], [], policy, value)
        arrays = [array(output) for output in outputs]
        if len(arrays) == 2 and policy is None and value is None and arrays[1] is not None:
            return choose_heads(arrays, [], *_usual(arrays))
        return choose_heads(arrays, [], policy, value)

    return NetworkEvaluator(run, **options)


def _usual(arrays: list[Any]) -> tuple[Head, Head]:
    """Return which of two outputs is the policy and which the value: the single numbers are values."""
    single = [array is not None and array.size == array.shape[0] for array in arrays]
    return (1, 0) if single[0] and not single[1] else (0, 1)
