"""Boxes."""
from acme._base import Base
from acme._base import helper as helper

LIMIT: int = 3
"""How many."""

BARE = 4
_hidden = 5

class Box(Base):
    """A box."""

    color: str = "red"
    """Its color."""

    size = 3

    def __init__(self, x: int) -> None:
        """Make it."""
        self.x = x

    def __len__(self) -> int:
        """Count."""

    def __repr__(self) -> str:
        return ""

    def open(self) -> None:
        """Open it."""

    def close(self) -> None:
        pass

    def _secret(self) -> None:
        """Secret."""

    @property
    def lid(self) -> str:
        """Lid."""

    class Inner:
        """Inner."""
        def deep(self): pass
        def told(self):
            """Told."""

def make():
    """Make."""

def silent(): pass

def _private():
    """Private."""
