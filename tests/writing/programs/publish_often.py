"""Publish the tree of a JSON file many times; an error ends the program with its traceback."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from doctrove_builder.writing import Artefact, publish_tree

dest, tree = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))
artefacts = [Artefact(path=path, content=text.encode()) for path, text in tree.items()]
for _ in range(int(sys.argv[3])):
    publish_tree(dest, artefacts, durable=False)
