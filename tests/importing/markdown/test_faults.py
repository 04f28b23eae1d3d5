"""What the authors of pages write and other generators read: each small thing by itself."""

from __future__ import annotations

import pytest

from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.markdown.kind import read
from doctrove_builder.importing.markdown.nesting import MAX_NESTED
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.source_tree import tree_of

SITES = {
    "plain": {},
    "myst": {"docs/conf.py": "", "docs/index.md": "# Top\n\nText.\n"},
    "docusaurus": {"docusaurus.config.js": ""},
}


def _read(text: str, site: str = "plain", **more: str) -> Imported:
    files = {**SITES[site], "docs/a.md": f"# A\n\n{text}", **more}
    return read(tree_of(files), Options(library="x", version="1", base_url="https://x.example/"))


def _page(imported: Imported) -> str:
    (page,) = (page for page in imported.pages if page.path == "a")
    return page.markdown


CASES = {
    "tabs without a blank line": (
        "::::{tab-set}\n:::{tab-item} One\na\n:::\n:::{tab-item} Two\nb\n:::\n::::\nAfter.\n",
        "myst",
        "**One**\n\na\n\n**Two**\n\nb\n\nAfter.",
    ),
    "a comment after an include": (
        "```{include} part.txt\n```\n% hidden\n\nText 5 %\n% 5\n",
        "myst",
        "Part.\n\nText 5 %",
    ),
    "a class that names the admonition": (
        "```{admonition} Do\n:class: tip\nIt.\n```\n",
        "myst",
        "::: tip Do\nIt.\n:::",
    ),
    "magic comments": (
        "```js\n// highlight-next-line\na\n  /* highlight-start */\nb // highlight-end\n```\n",
        "docusaurus",
        "```js\na\nb // highlight-end\n```",
    ),
    "a longer container in a shorter": (
        "::: tip\n:::: info X\na\n::::\nb\n:::\nAfter.\n",
        "plain",
        "::::: tip\n:::: info X\na\n::::\nb\n:::::\nAfter.",
    ),
    "open details": (
        "::: details More {open}\na\n:::\n",
        "plain",
        "::: details More\na\n:::",
    ),
    "empty anchors": (
        'Before <a id="here"></a>it.\n\n<a name="there"></a>\n\n## H\n\n<a id="in"/>\n'
        '[a](#here) [b](#there) [c](#in) `<a id="x"></a>`\n',
        "plain",
        'Before it.\n\n## H {#h}\n\na [b](#h) [c](#h) `<a id="x"></a>`',
    ),
    "a dead link": (
        "See [nope](gone.md) [site](/gone/) [file](part.txt)\n",
        "plain",
        "See nope site [file](https://x.example/part.txt)",
    ),
}


@pytest.mark.parametrize(
    ("text", "site", "expected"), [pytest.param(*case, id=name) for name, case in CASES.items()]
)
def test_a_page_becomes_what_its_author_sees(text: str, site: str, expected: str) -> None:
    assert _page(_read(text, site, **{"docs/part.txt": "Part.\n"})) == expected


@pytest.mark.parametrize(
    ("include", "kind"),
    [
        pytest.param("gone.md", "include-missing", id="missing"),
        pytest.param("a.md", "include-circle", id="circular"),
    ],
)
def test_a_page_that_only_includes_says_why_it_is_empty(include: str, kind: str) -> None:
    imported = _read(f"<!--@include: ./{include}-->\n", **{"docs/b.md": "# B\n\nText.\n"})
    assert [page.path for page in imported.pages] == ["b"]
    assert [note.kind for note in imported.notes] == [kind, "page-empty"]


def test_a_limit_of_includes_is_said_once_and_is_no_circle() -> None:
    parts = {
        f"docs/_partials/{level}.md": f"Line.\n\n<!--@include: ./{level + 1}.md-->\n" * 3
        for level in range(12)
    }
    imported = _read("<!--@include: ./_partials/0.md-->\n", **parts)
    assert "include-circle" not in {note.kind for note in imported.notes}
    limits = [
        note for note in imported.notes if note.kind in {"include-dropped", "include-too-large"}
    ]
    assert len({note.kind for note in limits}) == len(limits) > 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{'>' * 5_000} deep\n", id="quotes"),
        pytest.param(f"{'- ' * 500}deep\n", id="lists on a line"),
        pytest.param("".join(f"{'  ' * n}- x{n}\n" for n in range(60)) + "deep\n", id="lists"),
        pytest.param(
            "".join(f"{'    ' * n}!!! note\n" for n in range(40)) + f"{'    ' * 40}deep\n",
            id="admonitions",
        ),
        pytest.param(
            "".join(f"{':' * n} tip\n" for n in range(63, 2, -1))
            + "deep\n"
            + "".join(f"{':' * n}\n" for n in range(3, 64)),
            id="containers",
        ),
    ],
)
def test_what_is_nested_too_deep_stays_as_text_that_a_build_reads(text: str) -> None:
    tree = tree_of({"docs/a.md": f"# A\n\n{text}\nAfter.\n"})
    imported = read(tree, Options(library="x", version="1"))
    given = Given(library="x", version="1", kind="markdown", source="source")
    volume = materialise(imported, given, tree)
    assert "deep" in imported.pages[0].markdown
    assert imported.pages[0].markdown.rstrip().endswith("After.")
    kinds = [note.kind for note in volume.coverage.notes]
    assert kinds.count("nesting-dropped") == 1
    assert not {"nested-too-deep", "unclosed-container"} & set(kinds)


def test_what_is_nested_as_deep_as_allowed_stays() -> None:
    rule = "- - " * MAX_NESTED
    objects = "\n\n".join(["::: acme.box"] * (MAX_NESTED + 5))
    quote = f"{'> ' * MAX_NESTED}deep"
    page = _page(_read(f"{quote}\n\n{rule}\n\n{objects}\n\nEnd.\n"))
    assert page.startswith(f"{quote}\n\n{rule.strip()}")
    assert page.count("`acme.box`") == MAX_NESTED + 5
