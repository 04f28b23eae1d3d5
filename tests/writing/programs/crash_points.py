"""Die at every single file operation of a publication in turn, and print what is then there.

For point n: publish the first tree, fork a child that publishes the second one and kills itself
right before its n-th file operation (as Python's audit events tell them), and print one JSON line:
the files of the destination after the death, after `repair`, and after the next publication, and
what then stands beside the destination. Ends with the first child that lives.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import sys
from pathlib import Path

from doctrove_builder.writing import Artefact, TwoRenames, exchange_trees, publish_tree, repair

DEST, WAY = Path(sys.argv[1]), sys.argv[3]
FIRST, SECOND = json.loads(Path(sys.argv[2]).read_text("utf-8"))
EXCHANGE = TwoRenames() if WAY == "renames" else exchange_trees


def publish(tree: dict[str, str], *, durable: bool = False) -> None:
    """Publish the texts of a tree."""
    artefacts = [Artefact(path=path, content=text.encode()) for path, text in tree.items()]
    publish_tree(DEST, artefacts, exchange=EXCHANGE, durable=durable)


def files() -> dict[str, str] | None:
    """Read what the destination holds; None when it is absent."""
    if not DEST.exists():
        return None
    paths = (path for path in DEST.rglob("*") if path.is_file())
    return {path.relative_to(DEST).as_posix(): path.read_text("utf-8") for path in paths}


def die_at(point: int) -> None:
    """Kill this process right before its file operation with this number."""
    left = point

    def count(event: str, _: object) -> None:
        nonlocal left
        if event == "open" or event.startswith(("os.", "ctypes.dlsym")):
            left -= 1
            if left == -1:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


for number in itertools.count():
    publish(FIRST)
    if (child := os.fork()) == 0:
        die_at(number)
        publish(SECOND, durable=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    dead = files()
    repair(DEST)
    repaired = files()
    publish(SECOND)
    report = {
        "killed": os.WIFSIGNALED(status),
        "dead": dead,
        "repaired": repaired,
        "again": files(),
        "beside": sorted(path.name for path in DEST.parent.iterdir()),
    }
    print(json.dumps(report), flush=True)  # noqa: T201 - what the parent reads
    if not report["killed"]:
        sys.exit(os.waitstatus_to_exitcode(status))
