import os


@decorated
class Box:
    """A box."""


def other(): ...
