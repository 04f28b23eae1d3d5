"""What stops the server, or one call of a tool.

ServerError
├── ConfigError             a setting, the command line or the local index is wrong: exit 2
│   └── WrongKeys           keys of the block `mcp`
├── UnknownTool             a protocol error, not an answer
├── UnknownResource         a protocol error, not an answer
└── ToolError               becomes an `isError` answer with its `code`
    ├── InvalidArguments    validation
    ├── NotFound            not-found
    ├── NoSuchVersion       version
    ├── MemoryFailed        internal
    └── SourceError         a source cannot be used
        ├── NetworkError    network
        └── SourceTimeout   timeout
"""

from __future__ import annotations

from typing import ClassVar


class ServerError(Exception):
    """Base of all errors of this package."""


class ConfigError(ServerError):
    """A wrong setting or an unusable local index; the message names it and where it came from."""


class WrongKeys(ConfigError):
    """Keys of a block in the configuration file that are wrong, each with its path."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        self.faults = faults
        """Paths of keys, and what is wrong with each."""
        super().__init__("; ".join(f'"{path}": {text}' for path, text in faults))


class UnknownTool(ServerError):
    """A call of a tool that is not here."""


class UnknownResource(ServerError):
    """An address that names no resource."""

    def __init__(self, uri: str, message: str) -> None:
        self.uri = uri
        super().__init__(message)


class ToolError(ServerError):
    """A failure that the model should read; the message ends with the next step."""

    code: ClassVar[str] = "internal"


class InvalidArguments(ToolError):
    """An argument is missing, of the wrong type or out of its bounds."""

    code = "validation"


class NotFound(ToolError):
    """No library goes by that id."""

    code = "not-found"


class NoSuchVersion(ToolError):
    """The library is there, the version asked for is not."""

    code = "version"


class MemoryFailed(ToolError):
    """The context memory could not be read or written."""


class SourceError(ToolError):
    """A source could not be read."""

    code = "network"


class NetworkError(SourceError):
    """A source answered wrongly, or not at all."""


class SourceTimeout(SourceError):
    """A source did not answer in time."""

    code = "timeout"
