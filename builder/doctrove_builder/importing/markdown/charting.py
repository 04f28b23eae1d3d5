"""The atlas of the pages that were read: what their links can lead to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.atlas import Atlas, objects_of, routes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.imported import Options
    from doctrove_builder.importing.markdown.atlas import Objects
    from doctrove_builder.importing.markdown.draft import Draft
    from doctrove_builder.importing.markdown.kind import Drafted
    from doctrove_builder.importing.markdown.site import Site


def chart(read: Drafted, beside: Sequence[Draft], objects: Objects) -> Atlas:
    """Chart the pages of a source, those that another reader writes, and the objects described."""
    tree, options, drafts = read.tree, read.options, (*read.drafts, *beside)
    site, docs = read.setting.site, read.docs
    labels: dict[str, tuple[str, str]] = {}
    names = {draft.path: {*draft.anchors, *draft.places} for draft in drafts}
    anchors = Counter(name for of_page in names.values() for name in of_page)
    for draft in drafts:
        for label, anchor in draft.labels.items():
            labels.setdefault(label.lower(), (draft.path, anchor))
    return Atlas(
        tree=tree,
        docs=docs,
        site_url=_site_url(site, options),
        directory_urls=site.generator == "mkdocs"
        and site.settings.get("use_directory_urls") is not False,
        repository=options.repository or site.setting("repo_url"),
        commit=options.commit,
        drafts={draft.path: draft for draft in drafts},
        by_file={draft.file: draft.path for draft in drafts},
        by_route=routes_of(drafts),
        labels=labels,
        references=site.generator == "mkdocs",
        anchors={a: path for path, of_page in names.items() for a in of_page if anchors[a] == 1},
        objects=objects_of(drafts, objects),
    )


def _site_url(site: Site, options: Options) -> str:
    """Return where the pages are published, ending in `/`; empty when that is not known."""
    url = options.base_url or site.setting("site_url")
    url = url if url.startswith(("https://", "http://")) else ""
    return url if url.endswith("/") or not url else f"{url}/"
