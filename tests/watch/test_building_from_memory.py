"""What is built from memory is what is built anew, whatever changed between two builds."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.authoring import Readings
from doctrove_builder.cache import Cache
from doctrove_builder.memory import ANEW, Memory
from doctrove_builder.pipeline.checking import Means, Request, check
from doctrove_builder.pipeline.progress import Silent
from doctrove_builder.render import make_look, plan_site
from doctrove_builder.watch.digests import Digests

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from doctrove_builder.memory import Apply
    from doctrove_builder.pipeline.checking import Checked
    from doctrove_builder.render import View

LOOK = make_look()


@pytest.fixture
def cache() -> Generator[Cache]:
    with contextlib.closing(Cache(None, today=1)) as opened:
        yield opened


def built(root: Path, cache: Cache, apply: Apply, **kept: Any) -> tuple[Checked, tuple[View, ...]]:
    means = Means(cache=cache, executor=None, progress=Silent(), apply=apply, **kept)
    checked = check(Request(source=root, dest=None), means)
    return checked, plan_site(checked.laid.site, LOOK, apply=apply)


def _edit(root: Path) -> None:
    (root / "tool/1.0.0/other.md").write_text("# Other\n\nEdited, [first](guide.md#first).\n")


def _rename_a_heading(root: Path) -> None:
    (root / "tool/1.0.0/guide.md").write_text("# Guide\n\nThe lead.\n\n## Second\n\nText.\n")


def _rename_a_page(root: Path) -> None:
    (root / "tool/1.0.0/guide.md").rename(root / "tool/1.0.0/manual.md")


def _remove_a_volume(root: Path) -> None:
    (root / "tool/2.0.0/guide.md").unlink()
    (root / "tool/2.0.0/volume.yaml").unlink()
    (root / "tool/2.0.0").rmdir()


def _order(root: Path) -> None:
    (root / "tool/2.0.0/volume.yaml").write_text('extends: "1.0.0"\norder: [other, guide]\n')


def _remove_a_section(root: Path) -> None:
    (root / "tool/2.0.0/volume.yaml").write_text('extends: "1.0.0"\nremove: [guide/first]\n')


def _name_the_library(root: Path) -> None:
    (root / "tool/library.yaml").write_text("name: Another\n")


def _name_the_site(root: Path) -> None:
    text = 'format: "doctrove-authoring@1"\ntitle: Another\nrepository: https://example.org/x\n'
    (root / "doctrove.yaml").write_text(text)


def _add_a_picture(root: Path) -> None:
    (root / "tool/1.0.0/dot.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (root / "tool/1.0.0/other.md").write_text("# Other\n\n![A dot](dot.png)\n")


def _add_a_library(root: Path) -> None:
    (root / "new/1.0.0").mkdir(parents=True)
    (root / "new/library.yaml").write_text("name: New\naliases: [tool]\n")
    (root / "new/1.0.0/index.md").write_text(
        "# New\n\nSee [the tool](../../tool/1.0.0/guide.md).\n"
    )


CHANGES = [
    _edit, _rename_a_heading, _rename_a_page, _remove_a_volume, _order, _remove_a_section,
    _name_the_library, _name_the_site, _add_a_picture, _add_a_library,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("turned", [True, False], ids=["published before", "failed before"])
def test_a_change_gives_what_building_anew_gives(
    files: Any, cache: Cache, change: Callable[[Path], None], turned: bool
) -> None:
    memory, kept = Memory(), {"readings": Readings(), "digest": Digests()}
    built(files.root, cache, memory, **kept)
    if turned:
        memory.turn()
    change(files.root)
    for _ in range(3):  # what is forgotten is made again
        checked, views = built(files.root, cache, memory, **kept)
        memory.turn()
        again, fresh = built(files.root, cache, ANEW)
        assert checked.problems == again.problems
        assert checked.index == again.index
        assert checked.laid == again.laid
        assert views == fresh


def test_what_did_not_change_is_the_same_object(files: Any, cache: Cache) -> None:
    memory, readings = Memory(), Readings()
    before, old = built(files.root, cache, memory, readings=readings)
    memory.turn()
    (files.root / "tool/1.0.0/other.md").write_text("# Other\n\nEdited.\n")
    after, new = built(files.root, cache, memory, readings=readings)
    pages = {page.path: page for page in before.laid.site.libraries[0].volumes[0].pages}
    same = {page.path: page for page in after.laid.site.libraries[0].volumes[0].pages}
    assert same["guide"] is pages["guide"]
    assert same["other"] is not pages["other"]
    changed = {view.path for view, was in zip(new, old, strict=True) if view != was}
    assert "tool/1.0.0/other/index.html" in changed
    assert "tool/1.0.0/guide/index.html" not in changed


def test_a_result_is_forgotten_when_nothing_asks_for_it_in_a_generation() -> None:
    memory, calls = Memory(), list[str]()

    def outer(text: str) -> str:
        return memory(inner, text) + "!"

    def inner(text: str) -> str:
        calls.append(text)
        return text.upper()

    assert [memory(outer, "a"), memory(outer, "a")] == ["A!", "A!"]
    memory.turn()
    assert memory(outer, "a") == "A!"  # the inner result is kept along
    memory.turn()
    assert memory(inner, "a") == "A"
    assert calls == ["a"]
    memory.turn()
    memory.turn()
    assert memory(outer, "a") == "A!"
    assert calls == ["a", "a"]
