"""The prompt that a person can pick: look a library up before code is written with it."""

from __future__ import annotations

import msgspec

from doctrove_server.errors import InvalidArguments

NAME = "look_up_before_coding"
TITLE = "Look it up before you code"
DESCRIPTION = "Read the documentation of a library in the project's version before using it."
_LONGEST = 2_000


class PromptArgument(msgspec.Struct, frozen=True, kw_only=True):
    """One blank of the prompt."""

    name: str
    description: str
    required: bool = False


ARGUMENTS = (
    PromptArgument(name="library", description="Library id or name", required=True),
    PromptArgument(name="task", description="What is to be written"),
    PromptArgument(name="version", description="Version that the project uses"),
)


def text(values: dict[str, str]) -> str:
    """Return the prompt with its blanks filled in; raises `InvalidArguments`."""
    library = values.get("library", "").strip()[:_LONGEST]
    if not library:
        raise InvalidArguments('the prompt lacks its required argument "library"')
    task = values.get("task", "").strip()[:_LONGEST]
    version = values.get("version", "").strip()[:_LONGEST]
    used = (
        f'The project uses version "{version}": pass it to doc_extract.'
        if version
        else "Find the version that the project uses in its lockfile or manifest, and pass it to"
        " doc_extract."
    )
    aim = f"\n\nThe task: {task}" if task else ""
    return (
        f"Before you write code with {library}, read its documentation with the doctrove tools.\n\n"
        f"1. Call catalog_lookup for {library} if you are not sure of its id. {used}\n"
        "2. Call doc_extract once for each concept that the code will use, with that concept as"
        " focus.\n"
        "3. Write the code from what you read. Name the version and the sections that you relied"
        f" on, and say what the documentation did not cover.{aim}"
    )
