"""A Ray cluster: one that is running, at an address, or one that begins on this machine."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from warnings import catch_warnings, simplefilter

from conspirator._errors import ArgumentError, ConspiratorError


def find_ray() -> Any:
    """Return Ray, which is an optional extra."""
    try:
        return import_module("ray")
    except ImportError:
        raise ArgumentError("--on ray needs Ray: pip install 'ray[client]'") from None


def connect(ray: Any, on: str, concurrency: int | None, what: str) -> None:
    """Join the cluster at an address, or begin one here; `what` is done there."""
    if on != "ray" and not on.startswith("ray://"):
        raise ArgumentError(f"{what} on ray or ray://HOST:PORT, not on {on!r}")
    options = {"log_to_driver": False, "configure_logging": False}
    try:
        with catch_warnings():
            simplefilter("ignore")  # what they say is in the error too
            if on == "ray":
                ray.init(num_cpus=concurrency, include_dashboard=False, **options)
            else:
                ray.init(address=on, **options)
    except (OSError, RuntimeError, ValueError) as error:
        raise ConspiratorError(
            f"cannot reach {on}: {str(error).splitlines()[0]}; is RAY_AUTH_TOKEN that of the cluster?"
        ) from None


__all__ = ["connect", "find_ray"]
