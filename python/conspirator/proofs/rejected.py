"""What the checker raises."""


class Rejected(Exception):
    """A certificate that does not prove what it says."""
