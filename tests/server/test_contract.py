"""The server held against recorded answers to hundreds of calls."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parents[3] / "shared" / "cases"


@pytest.mark.skipif(not CASES.is_dir(), reason="shared material is not here")
def test_every_recorded_answer_is_given() -> None:
    server = Path(sys.executable).with_name("doctrove-server")
    program, cases = CASES / "run_contract.py", CASES / "contract"
    command = [sys.executable, str(program), str(cases), "--", str(server)]
    run = subprocess.run(
        [*command, "--local-index", "{index}"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-4000:]
    assert run.stdout.splitlines()[-1].endswith("agree")
