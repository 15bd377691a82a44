"""A Ray cluster: one that is running, at an address, or one that begins on this machine."""

from __future__ import annotations

from importlib import import_module
from typing import Any
from warnings import catch_warnings, simplefilter

from conspirator._errors import ArgumentError, ConspiratorError


def join(on: str, concurrency: int | None, what: str) -> tuple[Any, bool]:
    """Join the cluster at an address, or begin one here, unless that is done; `what` is done there.

    Returns Ray, and whether somebody must leave the cluster again.
    """
    if on != "ray" and not on.startswith("ray://"):
        raise ArgumentError(f"{what} on ray or ray://HOST:PORT, not on {on!r}")
    ray = _find_ray()
    if ray.is_initialized():
        return ray, False
    options = {"log_to_driver": False, "configure_logging": False}
    try:
        with catch_warnings():
            simplefilter("ignore")  # what they say is in the error too
            if on == "ray":
                _begin(ray, concurrency, include_dashboard=False, **options)
            else:
                ray.init(address=on, **options)
    except (OSError, RuntimeError, ValueError) as error:
        raise ConspiratorError(
            f"cannot reach {on}: {str(error).splitlines()[0]}; is the address right, and "
            "RAY_AUTH_TOKEN that of the cluster?"
        ) from None
    return ray, True


def _begin(ray: Any, concurrency: int | None, **options: bool) -> None:
    """Begin a cluster on this machine, or join the one that `ray start` has begun here."""
    try:
        ray.init(num_cpus=concurrency, **options)
    except ValueError:
        if concurrency is None:
            raise
        ray.init(**options)  # the one that is there says itself how many processors it has


def _find_ray() -> Any:
    """Return Ray, which is an optional extra."""
    try:
        return import_module("ray")
    except ImportError:
        raise ArgumentError("--on ray needs Ray: pip install 'ray[client]'") from None


__all__ = ["join"]
