"""What holds for every page of every site, checked on a small site with everything in it."""

from __future__ import annotations

import itertools
import posixpath
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urljoin, urlsplit

import msgspec
import pytest

from doctrove_builder.render.environment import POLICY

if TYPE_CHECKING:
    from doctrove_builder.site import Site

HOME = "https://site.invalid/below/a/path/"
OTHER_FILES = {"index.json"}
"""Files at the root that the site links to and that another stage writes."""


class Page(HTMLParser):
    """The tags of one page."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.inline: list[str] = []
        self._raw = ""
        self.feed(content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._raw = tag if tag in {"script", "style"} else ""

    def handle_data(self, data: str) -> None:
        if self._raw and data.strip():
            self.inline.append(data)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 (as in the base class)
        self._raw = ""

    def all(self, attribute: str, *tags: str) -> list[str]:
        return [
            a[attribute] for tag, a in self.tags if attribute in a and (not tags or tag in tags)
        ]


@pytest.fixture(scope="module")
def pages(built: dict[str, bytes]) -> dict[str, Page]:
    return {path: Page(content) for path, content in built.items() if path.endswith(".html")}


def target_of(path: str, href: str, *, base: str) -> tuple[str, str] | None:
    """Return the artefact and the fragment that a link of a page leads to; None for elsewhere."""
    start = HOME + path.replace("%", "%25").removesuffix("index.html")
    if path == "404.html":
        start = urljoin(HOME, base) + "some/deep/place"
        if href.startswith("/") and base == "/":
            href = href.replace("/", HOME, 1)  # The script of the page puts these right.
        elif href.startswith("/"):
            href = href.replace(base, HOME, 1)
    address = urljoin(start, href)
    if not address.startswith(HOME):
        return None
    bare, _, fragment = address.removeprefix(HOME).partition("#")
    file = unquote(bare)
    return (f"{file}index.html" if file.endswith("/") or not file else file), unquote(fragment)


def test_every_link_leads_to_a_planned_file_and_every_fragment_to_an_id(
    built: dict[str, bytes], pages: dict[str, Page], site: Site
) -> None:
    base = urlsplit(site.base_url).path or "/"
    ids = {path: set(page.all("id")) for path, page in pages.items()}
    checked = 0
    for path, page in pages.items():
        for href in page.all("href"):
            found = target_of(path, href, base=base)
            if found is None or (path == "404.html" and href.startswith(".")):
                continue
            file, fragment = found
            checked += 1
            assert file in built or file in OTHER_FILES, (path, href)
            if fragment and file.endswith(".html"):
                assert fragment in ids[file], (path, href)
            elif fragment:
                assert points_at_a_section(built[file], fragment), (path, href)
    assert checked > 5000


def points_at_a_section(content: bytes, fragment: str) -> bool:
    """Follow a JSON pointer (RFC 6901) to an object with a body."""
    _, name, number = fragment.split("/")
    value = msgspec.json.decode(content, type=dict[str, Any])
    return "body" in value[name][int(number)]


def test_ids_are_unique_in_every_page(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        ids = page.all("id")
        assert len(ids) == len(set(ids)), path


def test_every_page_begins_with_the_policy_before_anything_is_loaded(
    pages: dict[str, Page],
) -> None:
    for path, page in pages.items():
        order = [tag for tag, _ in page.tags if tag in {"script", "link", "meta"}]
        assert order[:2] == ["meta", "meta"], path
        policy = [attributes for tag, attributes in page.tags if tag == "meta"][1]
        assert policy["http-equiv"] == "Content-Security-Policy", path
        hashes = re.findall(r" 'sha256-([^']+)'", policy["content"])
        own = [b64encode(sha256(text.encode()).digest()).decode() for text in page.inline]
        assert sorted(hashes) == sorted(own), path
        bare = re.sub(r" 'sha256-[^']+'", "", policy["content"])
        assert bare == (POLICY.replace("img-src 'self'", "img-src 'self' data:") if own else POLICY)


def test_no_page_has_inline_script_style_or_handler_but_the_one_that_stands_alone(
    pages: dict[str, Page], site: Site
) -> None:
    for path, page in pages.items():
        assert bool(page.inline) == (path == "404.html" and not site.base_url), path
        names = {name for _, attributes in page.tags for name in attributes}
        assert "style" not in names, path
        assert not [name for name in names if name.startswith("on")], path


def test_no_page_loads_anything_from_elsewhere(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        loaded = page.all("src") + [
            attributes["href"]
            for tag, attributes in page.tags
            if tag == "link" and attributes["rel"] in {"stylesheet", "icon"}
        ]
        if page.inline:
            assert len(loaded) == 1, path
            assert loaded[0].startswith("data:image/svg+xml,"), path
            continue
        assert loaded, path
        assert not [address for address in loaded if re.match(r"[a-z]+:|//", address)], path


def test_style_sheets_and_scripts_load_nothing_from_elsewhere(built: dict[str, bytes]) -> None:
    assets = [content for path, content in built.items() if path.endswith((".css", ".js"))]
    assert len(assets) > 4
    for content in assets:
        assert not re.search(rb"@import|url\(|https?://(?!www\.w3\.org)", content)


def test_unsafe_addresses_do_not_become_links(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        schemes = {urlsplit(href).scheme for href in page.all("href", "a")}
        assert schemes <= {"", "https", "http", "mailto"}, path


def test_links_to_elsewhere_do_not_hand_over_the_window(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        for tag, attributes in page.tags:
            if tag == "a" and attributes.get("href", "").startswith("http"):
                assert "noopener" in attributes["rel"], (path, attributes["href"])


def test_headings_never_skip_a_level(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
        assert levels.count(1) == 1, path
        main = levels[levels.index(1) :]
        steps = [b - a for a, b in itertools.pairwise(main)]
        assert max(steps, default=0) <= 1, path


def test_every_folder_of_a_page_has_its_machine_readable_forms(built: dict[str, bytes]) -> None:
    pages = [p for p in built if p.count("/") >= 2 and p.endswith("/index.html")]
    pages = [p for p in pages if "/latest/" not in p and "/_changes/" not in p]
    assert pages
    for path in pages:
        folder = posixpath.dirname(path)
        assert f"{folder}/index.json" in built
        assert f"{folder}/index.md" in built


def test_without_an_address_there_is_nothing_absolute_to_be_wrong(
    built: dict[str, bytes], site: Site
) -> None:
    known = bool(site.base_url)
    assert ("sitemap.xml" in built) is known
    assert ("feed.xml" in built) is known
    assert (b'rel="canonical"' in built["express/5.1.0/index.html"]) is known


def test_a_sitemap_lists_the_canonical_pages_of_documentation(
    built: dict[str, bytes], pages: dict[str, Page], site: Site
) -> None:
    listed = re.findall(r"<loc>([^<]+)</loc>", built.get("sitemap.xml", b"").decode())
    canonical = {
        attributes["href"]
        for path, page in pages.items()
        for tag, attributes in page.tags
        if tag == "link" and attributes["rel"] == "canonical" and "/_changes/" not in path
        if attributes["href"] == site.base_url + quote(path.removesuffix("index.html"), safe="/@")
    }
    assert set(listed) == canonical
    assert len(listed) == len(set(listed))


def test_names_of_assets_hold_their_hash_so_that_they_never_change(built: dict[str, bytes]) -> None:
    for path in built:
        if path.startswith("_assets/"):
            assert re.fullmatch(r"_assets/[a-z]+\.[0-9a-f]{16}\.(css|js|svg)", path)
