"""Publish the two trees of a JSON file in turn until killed; a line is printed after the first."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

from doctrove_builder.writing import Artefact, TwoRenames, exchange_trees, publish_tree

dest, trees, way = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8")), sys.argv[3]
exchange = TwoRenames() if way == "renames" else exchange_trees
for turn in itertools.count():
    tree = trees[turn % len(trees)]
    artefacts = [Artefact(path=path, content=text.encode()) for path, text in tree.items()]
    publish_tree(dest, artefacts, exchange=exchange, durable=False)
    if turn == 0:
        print("published", flush=True)  # noqa: T201 - the parent waits for it
