"""What the checker raises."""


class Rejected(ValueError):
    """A certificate that does not prove what it says."""
