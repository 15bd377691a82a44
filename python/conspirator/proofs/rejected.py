"""What the checker raises."""


class Rejected(Exception):
    """A certificate that does not prove what it says."""


def demand(holds: object, complaint: str) -> None:
    """Raise it unless something holds."""
    if not holds:
        raise Rejected(complaint)
