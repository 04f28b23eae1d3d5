"""The key of a view changes with what decides its bytes, and with nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from doctrove_builder.render import make_look, plan_site, view_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.render import Look
    from doctrove_builder.site import Site, SiteLibrary, SitePage, SiteSection

PAGE = "long/1.0.0/page-7/"


@pytest.fixture(scope="module")
def small(make_long_site: Callable[[int, int], Site]) -> Site:
    return make_long_site(12, 0)


def keys(site: Site, look: Look) -> dict[str, str]:
    return {view.path: view_key(view) for view in plan_site(site, look)}


def with_page(site: Site, change: Callable[[SitePage], SitePage]) -> Site:
    """Change the page `page-7`."""

    def changed(library: SiteLibrary) -> SiteLibrary:
        volume = library.volumes[0]
        pages = tuple(change(page) if page.path == "page-7" else page for page in volume.pages)
        return msgspec.structs.replace(
            library, volumes=(msgspec.structs.replace(volume, pages=pages),)
        )

    return msgspec.structs.replace(site, libraries=tuple(map(changed, site.libraries)))


def changed_paths(before: Site, after: Site, look: Look) -> set[str]:
    old, new = keys(before, look), keys(after, look)
    assert old.keys() == new.keys()
    return {path for path in old if old[path] != new[path]}


def test_the_same_site_has_the_same_keys(small: Site, look: Look) -> None:
    assert keys(small, look) == keys(small, look)


def test_another_body_changes_its_page_and_its_machine_readable_forms_alone(
    small: Site, look: Look
) -> None:
    def reworded(section: SiteSection) -> SiteSection:
        assert section.source
        assert section.published
        return msgspec.structs.replace(
            section,
            source=msgspec.structs.replace(section.source, body="Other."),
            published=msgspec.structs.replace(section.published, body="Other."),
        )

    after = with_page(
        small,
        lambda page: msgspec.structs.replace(page, sections=tuple(map(reworded, page.sections))),
    )
    assert changed_paths(small, after, look) == {
        f"{PAGE}{name}" for name in ("index.html", "index.json", "index.md")
    }


def test_another_title_changes_the_pages_that_show_it(small: Site, look: Look) -> None:
    after = with_page(small, lambda page: msgspec.structs.replace(page, title="Renamed"))
    changed = changed_paths(small, after, look)
    assert {"long/1.0.0/index.html", "long/1.0.0/page-0/index.html", f"{PAGE}index.html"} <= changed
    assert not {"index.html", "long/index.html", "llms.txt"} & changed


def test_another_look_changes_every_page_and_no_text_file(small: Site, look: Look) -> None:
    other = make_look({"project.css": "body { color: red }"})
    old, new = keys(small, look), keys(small, other)
    same = {path for path in old if old[path] == new.get(path)}
    assert not {path for path in same if path.endswith(".html")}
    assert {"llms.txt", "robots.txt", f"{PAGE}index.json", f"{PAGE}index.md"} <= same
