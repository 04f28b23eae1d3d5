"""What the components of documentation sites mean: callouts, and parts with their own title."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from doctrove_builder.importing.markdown.tags import Tag

CALLOUTS = {
    "admonition": "note",
    "alert": "note",
    "aside": "note",
    "banner": "note",
    "callout": "note",
    "caution": "caution",
    "check": "success",
    "danger": "danger",
    "error": "danger",
    "hint": "tip",
    "important": "important",
    "info": "info",
    "note": "note",
    "remark": "note",
    "success": "success",
    "tip": "tip",
    "warn": "warning",
    "warning": "warning",
}
"""By a component's name in lower case: the admonition that it is."""

_KINDS = {
    **CALLOUTS,
    "alert": "danger",
    "bulb": "tip",
    "default": "note",
    "deep-dive": "info",
    "destructive": "danger",
    "idea": "tip",
    "pitfall": "warning",
    "question": "question",
    "secondary": "note",
}
_TITLES = ("title", "label", "value", "name", "header", "heading", "summary", "eyebrow")


def is_callout(tag: Tag) -> str:
    """Return the admonition that a component is; empty when it is none."""
    name = tag.name.rpartition(".")[2].lower()
    if not tag.name or not tag.name[0].isupper():
        return ""
    kind = CALLOUTS.get(name, "")
    if not kind and name.endswith(("callout", "alert", "admonition", "note")):
        kind = "note"
    if not kind:
        return ""
    given = tag.text("type", "variant", "intent", "kind", "status", "severity", "level", "color")
    return _KINDS.get(given.lower(), kind) if given else kind


def component_heading(tag: Tag, *, items: tuple[str, ...]) -> str:
    """Return what a component says above its content, as Markdown; empty when nothing."""
    name = tag.name.rpartition(".")[2].lower()
    if name in {"file", "folder"}:
        return f"- `{named}`" if (named := tag.text("name", "title")) else ""
    if name in {"tabs", "tabgroup", "codegroup", "cards", "accordions", "accordiongroup", "steps"}:
        return ""
    if name in {"paramfield", "responsefield", "field", "apiproperty", "property"}:
        return _field(tag)
    title = tag.text(*_TITLES) or (items[0] if items else "")
    if not title:
        return ""
    address = tag.text("href", "link", "to", "url")
    heading = f"**[{title}]({address})**" if address else f"**{title}**"
    said = tag.text("description") if tag.alone else ""
    return f"{heading}: {said}" if said else heading


def _field(tag: Tag) -> str:
    named = tag.text("name", "path", "query", "body", "header", "label")
    if not named:
        return ""
    facts = [tag.text("type")] if tag.text("type") else []
    if "required" in tag.attributes:
        facts.append("required")
    if default := tag.text("default"):
        facts.append(f"default `{default}`")
    return f"**`{named}`**" + (f" ({', '.join(facts)})" if facts else "")
