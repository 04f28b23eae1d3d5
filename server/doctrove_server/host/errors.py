"""What stops the host, as exceptions; what a client did wrong is a response, never one of these.

HostError
|-- CannotServe   the folder is missing, the address is taken: the command ends with exit code 1
`-- FileChanged   a file is not the described one any more: it is described anew
"""

from __future__ import annotations


class HostError(Exception):
    """Base of everything that the host raises."""


class CannotServe(HostError):
    """The host cannot start; the message says why and what to do."""


class FileChanged(HostError):
    """The file at a path is gone or another one than was described."""
