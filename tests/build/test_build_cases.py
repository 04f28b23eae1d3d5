"""Each folder of cases/ is an authoring tree, and what the build says about it and makes of it.

`RENEW_CASES=1 pytest tests/build` writes the answers anew, to be read in the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from doctrove_builder.cli.build import main
from doctrove_schema.reading import read_index

CASES = sorted((Path(__file__).parent / "cases").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_build(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(case)
    dest = tmp_path / "dist"
    code = main(["authoring", str(dest), "--quiet", "--jobs=1", f"--cache={tmp_path / 'cache'}"])
    said = capsys.readouterr()
    assert said.out == ""
    expected = case / "expected.txt"
    answer = f"exit {code}\n\n{said.err}\n{_made(dest)}"
    if os.environ.get("RENEW_CASES"):
        expected.write_text(answer, "utf-8")
    assert answer == expected.read_text("utf-8")


def _made(dest: Path) -> str:
    """List every volume's sections, the first line of each, and the pages' own links."""
    if not dest.exists():
        return "nothing is published\n"
    lines: list[str] = []
    for entry in read_index((dest / "index.json").read_bytes(), name="index").index.entries:
        for version, volume in entry.volumes.items():
            lines.append(f"{entry.id} {version}")
            for section in volume.sections:
                trail = " > ".join((*section.trail, section.heading))
                first = section.body.splitlines()[0]
                lines.append(f"  {section.id} | {trail} | {first}")
    assets = sorted(path.name for path in (dest / "_assets").iterdir())
    lines += [name for name in assets if not name.endswith((".css", ".js")) and "icon" not in name]
    return "\n".join(lines) + "\n"
