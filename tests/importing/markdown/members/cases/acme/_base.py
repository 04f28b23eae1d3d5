class Base:
    """Base."""
    def inherited(self) -> None:
        """From the base."""
    def bare_inherited(self) -> None:
        pass
    def open(self) -> None:
        """Over."""
def helper():
    """Help."""
