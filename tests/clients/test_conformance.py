"""The official conformance suite: every scenario that a server without its fixtures can take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SCENARIOS = [
    *(
        ("2025-11-25", scenario)
        for scenario in (
            "server-initialize",
            "ping",
            "tools-list",
            "resources-list",
            "prompts-list",
            "completion-complete",
            "dns-rebinding-protection",
        )
    ),
    *(
        ("2026-07-28", scenario)
        for scenario in (
            "tools-list",
            "resources-list",
            "prompts-list",
            "completion-complete",
            "sep-2164-resource-not-found",
            "dns-rebinding-protection",
            "caching",
            "http-header-validation",
            "input-required-result-unsupported-methods",
        )
    ),
]


@pytest.mark.parametrize(("revision", "scenario"), SCENARIOS)
def test_the_server_conforms(
    revision: str, scenario: str, node: Any, node_folder: Path, http_url: str
) -> None:
    suite = str((node_folder / "node_modules/.bin/conformance").resolve())
    what = ("--spec-version", revision, "--scenario", scenario)
    done = node(suite, "server", "--url", http_url, *what)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "0 failed" in done.stdout
