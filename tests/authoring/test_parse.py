"""What the parsed tree holds, apart from what the golden cases show."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doctrove_builder.authoring import parse_authoring
from doctrove_builder.authoring.pages import page_path
from doctrove_builder.markdown import parse_page
from doctrove_builder.model import Authoring, Document, Library, Options, Tree, VolumeSource
from doctrove_builder.rules import BuildRule
from doctrove_schema.sections import section_id

if TYPE_CHECKING:
    from doctrove_schema.problem import Problem

PAGE = "# Page\n\nText.\n"


def parse(**files: str) -> tuple[Authoring, tuple[Problem, ...]]:
    """Parse documents by path; a library.yaml is there unless given."""
    texts = {"a/library.yaml": "name: Alpha\n", **files}
    documents = {path: Document(path=path, text=text) for path, text in sorted(texts.items())}
    return parse_authoring(Tree(documents=documents, assets={}), parse_page=parse_page)


def volume(text: str) -> tuple[VolumeSource, tuple[Problem, ...]]:
    """Parse one single-file volume."""
    authoring, problems = parse(**{"a/1.0.0.yaml": text})
    return authoring.libraries[0].volumes[0], problems


def ids(made: VolumeSource) -> list[str]:
    return [section_id(p.path, s.heading.anchor) for p in made.pages for s in p.passages]


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("routing.md", "routing"),
        ("guide/routing.md", "guide/routing"),
        ("guide/index.md", "guide"),
        ("guide/README.md", "guide"),
        ("guide/Readme.markdown", "guide"),
        ("index.md", "index"),
        ("README.md", "index"),
        ("v1.2.md", "v1.2"),
        ("a/b/c/index.md", "a/b/c"),
    ],
)
def test_a_page_path_is_the_file_path(file: str, path: str) -> None:
    assert page_path(file) == path


def test_a_library_has_what_its_file_says() -> None:
    authoring, problems = parse(
        **{
            "a/library.yaml": 'id: "@s/alpha"\nname: Alpha\nsummary: S\naliases: [al]\n'
            "homepage: https://x.org/\nrepository: https://x.org/r\nlicense: MIT\n"
            'popularity: 3\nversion_scheme: pep440\nversions: ["1.0"]\nsuperseded_by: b\n',
            "a/1.0/p.md": PAGE,
            "b/library.yaml": "name: Beta\n",
            "b/1.0.0/p.md": PAGE,
        }
    )
    assert problems == ()
    alpha, beta = authoring.libraries
    assert alpha == Library(
        file="a/library.yaml",
        folder="a",
        id="@s/alpha",
        name="Alpha",
        summary="S",
        aliases=("al",),
        homepage="https://x.org/",
        repository="https://x.org/r",
        license="MIT",
        popularity=3,
        version_scheme="pep440",
        versions=("1.0",),
        versions_at=(10, 11),
        superseded_by="b",
        volumes=alpha.volumes,
    )
    assert (beta.id, beta.name, beta.version_scheme, beta.versions) == ("b", "Beta", "semver", ())


def test_a_volume_has_what_its_file_says_with_places() -> None:
    made, problems = volume(
        'summary: S\nreleased: "2025-03-31"\nextends: "0.9.0"\nremove:\n  - a/b\n  - c\n'
        "order: [x, z]\nsource:\n  repository: https://x.org/r\n  commit: '0123abc'\n"
        "  base_url: https://x.org/d/\nsections: [{heading: H, body: B}]\n"
    )
    assert problems == ()
    assert (made.file, made.version, made.single_file) == ("a/1.0.0.yaml", "1.0.0", True)
    assert (made.summary, made.released) == ("S", "2025-03-31")
    assert (made.extends, made.extends_at) == ("0.9.0", (3, 10))
    assert (made.remove, made.remove_at) == (("a/b", "c"), ((5, 5), (6, 5)))
    assert (made.order, made.order_at) == (("x", "z"), ((7, 9), (7, 12)))
    assert made.source.repository == "https://x.org/r"
    assert made.source.commit == "0123abc"
    assert made.source.base_url == "https://x.org/d/"


def test_texts_of_one_line_lose_their_line_ends() -> None:
    authoring, problems = parse(
        **{
            "a/library.yaml": "name: Alpha\nsummary: >\n  Two\n  lines\n",
            "a/1.0.0.yaml": "summary: |\n  One\nsections: [{heading: 'a\n\n    b', body: x}]\n",
        }
    )
    assert problems == ()
    library = authoring.libraries[0]
    assert (library.summary, library.volumes[0].summary) == ("Two lines", "One")
    assert library.volumes[0].pages[0].passages[0].heading.text == "a b"


def test_the_project_has_its_settings() -> None:
    authoring, _ = parse(
        **{
            "doctrove.yaml": "format: doctrove-authoring@1\ntitle: T\ndescription: D\n"
            "base_url: https://x.org/docs\nlanguage: de\nrepository: https://x.org/r\n"
            'updated: "2025-04-01"\noptions: {split_level: 3, full_index: false, x-a: 1}\n'
        }
    )
    project = authoring.project
    assert (project.title, project.description, project.language) == ("T", "D", "de")
    assert (project.base_url, project.repository) == ("https://x.org/docs/", "https://x.org/r")
    assert project.updated == "2025-04-01"
    assert project.options == Options(split_level=3, full_index=False)


def test_a_tree_without_doctrove_yaml_has_the_defaults() -> None:
    authoring, problems = parse(**{"a/1.0.0/p.md": PAGE})
    assert problems == ()
    assert (authoring.project.title, authoring.project.language) == ("Documentation", "en")


@pytest.mark.parametrize(
    ("project", "settings", "sections"),
    [
        ("", "", ["p", "p/two"]),
        ("options: {split_level: 3}", "", ["p", "p/two", "p/three"]),
        ("options: {split_level: 3}", "split_level: 1", ["p"]),
    ],
)
def test_the_split_level_comes_from_the_volume_then_the_project(
    project: str, settings: str, sections: list[str]
) -> None:
    authoring, _ = parse(
        **{
            "doctrove.yaml": f"format: doctrove-authoring@1\n{project}\n",
            "a/1.0.0/volume.yaml": f"summary: S\n{settings}\n",
            "a/1.0.0/p.md": "# P\n\nA\n\n## Two\n\nB\n\n### Three\n\nC\n",
        }
    )
    assert ids(authoring.libraries[0].volumes[0]) == sections


def test_sections_of_a_file_are_grouped_by_the_page_in_their_ids() -> None:
    made, problems = volume(
        "sections:\n"
        "  - {heading: First, body: a}\n"
        "  - {id: routing/params, heading: Params, body: b}\n"
        "  - {id: routing, heading: Routing, body: c}\n"
        "  - {id: lone, heading: Lone, body: d}\n"
        "  - {id: guide/deep/x, heading: X, body: e}\n"
    )
    assert problems == ()
    assert ids(made) == ["first", "lone", "routing", "routing/params", "guide/deep/x"]
    titles = {page.path: page.title for page in made.pages}
    assert titles == {"": "Alpha", "routing": "Routing", "guide/deep": "Deep"}
    trails = {s.heading.text: s.trail for page in made.pages for s in page.passages}
    assert trails["Params"] == ("Routing",)
    assert trails["Routing"] == trails["X"] == trails["First"] == ()


def test_a_heading_of_a_file_stays_as_it_is_written() -> None:
    made, _ = volume("sections: [{heading: '__init__ <T> & `x`', body: b}]\n")
    heading = made.pages[0].passages[0].heading
    assert heading.text == "__init__ <T> & x"
    assert heading.html == "__init__ &lt;T&gt; &amp; <code>x</code>"


def test_places_in_a_block_are_those_of_the_file() -> None:
    made, problems = volume(
        "sections:\n"
        "  - heading: A\n"
        "    body: |\n"
        "      See [x](x.md).\n"
        "\n"
        "      ### Inner\n"
        "\n"
        "      - more [y](y.md)\n"
        "  - heading: B\n"
        '    body: "See [z](z.md)"\n'
    )
    assert problems == ()
    first, second = made.pages[0].passages
    assert [(link.href, link.line, link.column) for link in first.links] == [
        ("x.md", 4, 11),
        ("y.md", 8, 14),
    ]
    assert [(h.text, h.anchor, h.line) for h in first.inner] == [("Inner", "inner", 6)]
    assert first.lines == (2, 8)
    assert [(link.href, link.line, link.column) for link in second.links] == [("z.md", 10, 11)]
    assert second.lines == (9, 10)


def test_anchors_inside_bodies_are_unique_in_their_page() -> None:
    body = "Text.\\n\\n### Options\\n\\nText."
    made, _ = volume(
        "sections:\n"
        f'  - {{heading: A, body: "{body}"}}\n'
        f'  - {{heading: Options, body: "{body}"}}\n'
        f'  - {{id: p/a, heading: A, body: "{body}"}}\n'
    )
    anchors = [
        [anchor for s in page.passages for anchor in (s.heading.anchor, s.inner[0].anchor)]
        for page in made.pages
    ]
    assert anchors == [["a", "options-1", "options", "options-2"], ["a", "options"]]


def test_thousands_of_equal_headings_cost_no_more_than_different_ones() -> None:
    made, problems = volume("sections:\n" + "  - {heading: Same, body: b}\n" * 2000)
    assert ids(made) == ["same", *(f"same-{n}" for n in range(1, 2000))]
    assert {p.rule for p in problems} == {BuildRule.REPEATED_HEADING}


@pytest.mark.parametrize("body", ["---\ntitle: x\n---\n\ntext", "# Title\n\ntext", "## Two\n\nx"])
def test_a_body_is_kept_whole(body: str) -> None:
    indented = body.replace("\n", "\n      ")
    made, _ = volume(f"sections:\n  - heading: A\n    body: |-\n      {indented}\n")
    assert [s.body for p in made.pages for s in p.passages] == [body]


def test_unsafe_addresses_never_go_on() -> None:
    authoring, problems = parse(
        **{
            "doctrove.yaml": "format: doctrove-authoring@1\nbase_url: javascript:x\n",
            "a/library.yaml": "name: A\nhomepage: javascript:x\nrepository: 'data:,x'\n",
            "a/1.0.0.yaml": "source: {base_url: 'vbscript:x'}\n"
            "sections: [{heading: H, body: B, path: 'javascript:x'}]\n",
        }
    )
    assert [p.rule for p in problems] == [BuildRule.NOT_A_URL] * 5
    library = authoring.libraries[0]
    assert (authoring.project.base_url, library.homepage, library.repository) == ("", "", "")
    assert library.volumes[0].source.base_url == ""
    assert library.volumes[0].pages[0].passages[0].path == ""


@pytest.mark.parametrize(
    "settings", ["name: [", "name: A\nversion_scheme: cargo\n", "", "- a\n"], ids=repr
)
def test_a_broken_library_file_is_told_once(settings: str) -> None:
    authoring, problems = parse(**{"a/library.yaml": settings, "a/noble/p.md": PAGE})
    assert len(problems) == 1
    assert [v.version for v in authoring.libraries[0].volumes] == ["noble"]


def test_every_page_is_checked_even_in_a_volume_that_cannot_stand() -> None:
    _, problems = parse(**{"a/latest/p.md": "# P\n\n```js\nopen\n", "a/1.0.0/p.md": PAGE})
    assert [p.rule.value for p in problems] == ["version-name", "unclosed-code-fence"]


def test_other_processes_can_parse_the_pages() -> None:
    documents = {
        f"a/1.0.0/p{n}.md": Document(path=f"a/1.0.0/p{n}.md", text=f"# P{n}\n\nText.\n")
        for n in range(9)
    }
    documents["a/library.yaml"] = Document(path="a/library.yaml", text="name: A\n")
    tree = Tree(documents=documents, assets={})
    here = parse_authoring(tree, parse_page=parse_page)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = parse_authoring(tree, parse_page=parse_page, each=partial(pool.map, chunksize=4))
    assert here == there


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "a", "b", "a/x", "a/y", "b/x", "a/x/z", "section"]),
            st.sampled_from(["A", "X", "Same", "a/x", "?", "section"]),
        ),
        max_size=8,
    )
)
def test_every_section_of_a_file_has_an_id_of_its_own(sections: list[tuple[str, str]]) -> None:
    listed = "".join(
        f"  - heading: {heading!r}\n    body: Text.\n" + (f"    id: {given_id}\n" * bool(given_id))
        for given_id, heading in sections
    )
    made, _ = volume(f"sections:\n{listed}" if listed else "sections: []\n")
    made_ids = ids(made)
    assert len(made_ids) == len(sections) == len(set(made_ids))
    assert {given_id for given_id, _ in sections if given_id} <= set(made_ids)
