"""What an address named that another address names now."""


class MovedError(Exception):
    """What a page is asked for has another number now: `old` in the address leads to `new`."""

    def __init__(self, old: str, new: str) -> None:
        """Take both numbers."""
        super().__init__(f"{old} is {new} now")
        self.old, self.new = old, new
