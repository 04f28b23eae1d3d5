"""Sections made by hand."""

from __future__ import annotations

from hashlib import sha256

from doctrove_schema.model import Section


def make(identity: str, body: str, *, heading: str = "", since: str = "") -> Section:
    """Make a section; its page is what stands before the last `/` of its id."""
    page, slash, anchor = identity.rpartition("/")
    return Section(
        id=identity,
        heading=heading or anchor,
        body=body,
        page=page if slash else identity,
        trail=(page.capitalize(),) if slash else (),
        since=since,
        sha256=sha256(body.encode()).hexdigest(),
    )
