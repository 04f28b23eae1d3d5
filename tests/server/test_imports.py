"""What a server imports on its way to the first answer."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

FOREIGN = (
    "doctrove_builder",
    "doctrove_site_template",
    "jinja2",
    "jsonschema",
    "markdown_it",
    "mdit_py_plugins",
    "nh3",
    "pygments",
    "rich",
    "sqlite3",
    "watchdog",
    "yaml",
)
"""Of the builder, of other commands, or only for what was not asked of this server."""

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "doc_extract", "arguments": {"id": "express", "focus": "routing"}},
}


@pytest.fixture(scope="module")
def imported() -> frozenset[str]:
    """Every module that a server imports until it has answered a call."""
    program = "import sys; from doctrove_server.cli import main; sys.exit(main([]))"
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", program],
        input=f"{json.dumps(INITIALIZE)}\n{json.dumps(CALL)}\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    assert len(run.stdout.splitlines()) == 2
    return frozenset(re.findall(r"^import time:[ \d|]+?\s([\w.]+)$", run.stderr, re.MULTILINE))


def test_the_list_of_imports_is_a_real_one(imported: frozenset[str]) -> None:
    assert {"doctrove_server.tools.extract", "mcp.server.lowlevel", "msgspec"} <= imported


@pytest.mark.parametrize("name", FOREIGN)
def test_a_server_starts_and_answers_without(name: str, imported: frozenset[str]) -> None:
    assert not {module for module in imported if module.partition(".")[0] == name}


def test_the_sdk_is_imported_below_one_package_alone() -> None:
    program = (
        "import sys, pkgutil, importlib, doctrove_server\n"
        "for m in pkgutil.walk_packages(doctrove_server.__path__, 'doctrove_server.'):\n"
        "    below = m.name.removeprefix('doctrove_server.').split('.')[0]\n"
        "    if below not in {'protocol', 'stdio', 'host', 'compression'}:\n"
        "        importlib.import_module(m.name)\n"
        "print([m for m in sys.modules if m.partition('.')[0] in {'mcp', 'mcp_types'}])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
