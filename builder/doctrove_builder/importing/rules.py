"""What `imports:` in doctrove.yaml can get wrong; `problems.md` explains each rule."""

from __future__ import annotations

from doctrove_schema.problem import Rule


class ImportRule(Rule):
    """Rules about imported volumes."""

    IMPORT_FAILED = "import-failed"
    IMPORT_NOT_PINNED = "import-not-pinned"
    IMPORT_TAKEN = "import-taken"
