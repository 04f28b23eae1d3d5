"""What stops an import.

ImportingError
├── SourceRefused      the source is not there, is not allowed, or is hostile
│   └── FileRefused    one file of it is not there or too large; a kind may note it and go on
├── OptionRefused      an option that the kind does not have, or a value that it cannot take
├── DownloadFailed     a registry or a host did not give what was asked for
│   └── NotThere       it answered that there is no such file
├── LockRefused        doctrove.lock is missing, damaged, or does not hold what is asked for
└── NothingImported    the source holds nothing that the kind can read
"""

from __future__ import annotations


class ImportingError(Exception):
    """Base of the errors of importers; `hint` says what to do."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class SourceRefused(ImportingError):
    """The source is not there, is not allowed, or is hostile."""


class FileRefused(SourceRefused):
    """One file of a source is not there or too large."""


class OptionRefused(ImportingError):
    """An option that the kind does not have, or a value that it cannot take."""


class DownloadFailed(ImportingError):
    """A registry or a host did not give what was asked for."""


class NotThere(DownloadFailed):
    """A registry or a host answered that there is no such file."""


class LockRefused(ImportingError):
    """The lock is missing, damaged, or does not hold what is asked for."""


class NothingImported(ImportingError):
    """The source holds nothing that the kind can read."""
