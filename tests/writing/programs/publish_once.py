"""Publish once as another user or under a limit, and say on standard output how it went.

Standard input: one JSON object with `dest`, `files` (text by path), and optional `uid`, `fsize`.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

from doctrove_builder.writing import Artefact, WritingError, publish_tree

order = json.load(sys.stdin)
if limit := order.get("fsize"):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
if uid := order.get("uid"):
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
artefacts = [Artefact(path=path, content=text.encode()) for path, text in order["files"].items()]
try:
    published = publish_tree(Path(order["dest"]), artefacts)
except WritingError as error:
    answer: dict[str, object] = {
        "error": type(error).__name__,
        "message": error.message,
        "hint": error.hint,
    }
else:
    answer = {
        "written": published.written,
        "unchanged": published.unchanged,
        "left": published.left,
    }
json.dump(answer, sys.stdout)
