"""The TypeScript SDK's clients, the inspector and the dsh bridge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.tools.registry import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def check(told: Any) -> None:
    assert told["server"] == "doctrove"
    assert "doc_extract" in told["instructions"]
    assert told["tools"] == list(TOOLS)
    assert told["version"].startswith("5")
    assert (told["error"], told["isError"]) == ("not-found", True)
    assert "express" in told["catalog"]
    assert told["prompts"] == ["look_up_before_coding"]
    assert told["completed"] == ["express"]


@pytest.mark.parametrize("over", ["stdio", "http"])
def test_the_sdk_1_uses_everything(
    over: str, told: Callable[..., Any], server_command: Path, http_url: str
) -> None:
    check(told("sdk1.mjs", str(server_command) if over == "stdio" else http_url))


@pytest.mark.parametrize("over", ["stdio", "http"])
@pytest.mark.parametrize(
    ("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")], ids=["auto", "legacy"]
)
def test_the_client_2_uses_everything(
    mode: str,
    revision: str,
    over: str,
    told: Callable[..., Any],
    server_command: Path,
    http_url: str,
) -> None:
    result = told("sdk2.mjs", mode, str(server_command) if over == "stdio" else http_url)
    assert result["revision"] == revision
    check(result)


def test_the_dsh_bridge_registers_and_calls_the_tools(
    told: Callable[..., Any], server_command: Path
) -> None:
    result = told("dsh.mjs", str(server_command))
    assert result["names"] == [f"mcp__doctrove__{name}" for name in TOOLS]
    assert result["version"].startswith("5")
    assert result["shown"].startswith("# Express")
    assert result["bad"].startswith("Error (not-found): ")
    assert "sections" in result["schemaKept"]
    assert result["left"] == []
    assert result["logged"] == []


@pytest.fixture
def inspector(node: Any, node_folder: Path) -> Callable[..., Any]:
    """Run the inspector's command line."""
    package = node_folder / "node_modules/@modelcontextprotocol/inspector/package.json"
    entry = json.loads(package.read_text("utf-8"))["bin"]["mcp-inspector"]
    patient = ("--connect-timeout", "200000")
    return lambda *arguments: node(str(package.parent / entry), "--cli", *arguments, *patient)


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_finds_nothing_wrong_with_the_schemas(
    era: str, inspector: Callable[..., Any], server_command: Path
) -> None:
    listing = ("--method", "tools/list", "--strict", "--protocol-era", era)
    done = inspector(str(server_command), *listing)
    assert done.returncode == 0, done.stderr
    assert [tool["name"] for tool in json.loads(done.stdout)["tools"]] == list(TOOLS)


def test_the_inspector_tells_a_failed_call(
    inspector: Callable[..., Any], server_command: Path
) -> None:
    call = ("--method", "tools/call", "--tool-name", "doc_extract", "--tool-arg")
    assert inspector(str(server_command), *call, "id=express").returncode == 0
    failed = inspector(str(server_command), *call, "id=no-such-library")
    assert failed.returncode == 5
    assert "not-found" in failed.stdout
