"""What ends or restarts a build of the preview from inside; none of it is a fault.

Interrupted
├── Stopped       the preview ends
└── Superseded    the sources changed meanwhile: what is built is old already
"""

from __future__ import annotations


class Interrupted(Exception):
    """Base of what interrupts a build between two of its steps."""


class Stopped(Interrupted):
    """The preview ends."""


class Superseded(Interrupted):
    """There is a newer state to build."""
