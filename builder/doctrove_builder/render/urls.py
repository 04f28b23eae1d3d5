"""How one page of the site links to another, and which of an author's addresses become links.

Every page is a folder with an `index.html`, so a page's address ends in `/`. Links are relative:
they climb to the root of the site and go down again, and work below any base path.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, urlsplit

from doctrove_builder.layout import FRONT_PAGES
from doctrove_schema.names import encode_name

LATEST = "latest"
"""Folder of the redirects to a library's newest version."""

SHEETS = "_pages"
"""Folder in a volume that holds its list of pages when that is too long for one."""

CHANGES = "_changes"
"""Folder in a library of the pages that say what changed; no version has its name."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WEB = re.compile(r"https?://([^/?#]+)", re.IGNORECASE)
_NOT_IN_IDS = re.compile("[^0-9A-Za-z\\-\u00c0-\u167f\u1681-\u1fff\u2070-\u2fff\u3001-\U0010ffff]")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\\<>\"`\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@lru_cache(maxsize=20_000)
def page_place(page: str) -> str:
    """Return the folder of a page below its volume's folder: empty for the front page."""
    if page in FRONT_PAGES:
        return ""
    return "".join(f"{encode_name(part)}/" for part in page.split("/"))


def changes_place(version: str, sheet: int = 1) -> str:
    """Return the folder below its library's of what changed in a version, which may have sheets."""
    return f"{CHANGES}/{encode_name(version)}/" + (f"{sheet}/" if sheet > 1 else "")


def change_id(section: str) -> str:
    """Return the HTML id of a section's entry among the changes; no two sections have the same.

    It begins with a letter, a `/` is two underscores, and what else is neither letter, digit nor
    `-` is its code point in hexadecimal between two. The site's script makes the same ids.
    """
    return "s-" + _NOT_IN_IDS.sub(
        lambda found: "__" if found[0] == "/" else f"_{ord(found[0]):x}_", section
    )


def href(path: str) -> str:
    """Write a path of `dist/` as a relative reference; the `%` of an encoded name is quoted."""
    return path.replace("%", "%25")


def climb(folder: str) -> str:
    """Return the reference from a folder of `dist/` to its root, which a place may follow."""
    return "../" * folder.count("/") or "./"


def absolute(base_url: str, path: str) -> str:
    """Return the absolute address of a path of `dist/` (RFC 3986); empty without a base."""
    return base_url.rstrip("/") + "/" + quote(path, safe="/@~!$&'()*+,;=:-._") if base_url else ""


def base_path(base_url: str) -> str:
    """Return the path part of the site's address, beginning and ending in `/`."""
    inner = quote(urlsplit(base_url).path.strip("/"), safe="/%@~!$&'()*+,;=:-._")
    return f"/{inner}/" if inner else "/"


def report_address(repository: str, title: str) -> str:
    """Return the address of a new issue with a title, in the form of GitHub and Gitea or GitLab.

    Empty for a repository that is not on the web.
    """
    on_web = _WEB.match(repository)
    if not on_web:
        return ""
    root = repository.rstrip("/").removesuffix(".git")
    if "gitlab." in on_web[1].lower():
        return f"{root}/-/issues/new?issue%5Btitle%5D={quote(title, safe='')}"
    return f"{root}/issues/new?title={quote(title, safe='')}"


def safe_address(address: str) -> str:
    """Return an author's address when it may become a link, else nothing.

    Links are `http`, `https`, `mailto` or relative; controls and backslashes are refused, since
    browsers drop or rewrite them and so see another scheme or host than is written.
    """
    if _UNSAFE.search(address) or address.startswith("//"):
        return ""
    scheme = _SCHEME.match(address)
    allowed = scheme is None or scheme.group().lower() in {"http:", "https:", "mailto:"}
    return address if allowed else ""
