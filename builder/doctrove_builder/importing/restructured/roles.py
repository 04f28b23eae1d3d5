"""Interpreted text, `:role:`text``: docutils' styles, Sphinx's references, a project's links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.utils import unescape

from doctrove_builder.importing.restructured.marks import CrossReference

if TYPE_CHECKING:
    from doctrove_builder.importing.restructured.session import Session

_EXPLICIT = re.compile(r"(.+?)(?<!\x00)\s*<([^<>]*)>", re.DOTALL)
_STYLES: dict[str, type[nodes.TextElement]] = {
    "emphasis": nodes.emphasis,
    "strong": nodes.strong,
    "subscript": nodes.subscript,
    "sub": nodes.subscript,
    "superscript": nodes.superscript,
    "sup": nodes.superscript,
    "dfn": nodes.emphasis,
    "guilabel": nodes.strong,
    "menuselection": nodes.strong,
    "abbr": nodes.inline,
    "abbreviation": nodes.inline,
    "ac": nodes.inline,
    "acronym": nodes.inline,
}
_CODE = frozenset(
    [
        "code",
        "literal",
        "command",
        "file",
        "samp",
        "kbd",
        "mimetype",
        "newsgroup",
        "program",
        "regexp",
        "makevar",
        "manpage",
        "math",
        "eq",
        "token",
        "keyword",
        "option",
        "envvar",
        "confval",
        "title",
        "title-reference",
        "t",
        "cite",
        "strike",
    ]
)
_REFERENCES = frozenset({"any", "doc", "download", "numref", "ref", "term"})
_OBJECTS = frozenset(
    [
        "attr",
        "class",
        "const",
        "data",
        "deco",
        "exc",
        "external",
        "func",
        "meth",
        "mod",
        "obj",
        "type",
        "paramref",
        "macro",
        "member",
        "struct",
        "enum",
        "enumerator",
        "union",
        "var",
        "function",
    ]
)
_DOMAINS = frozenset({"c", "cpp", "js", "py", "rst", "std"})
_ADDRESSES = {
    "pep": ("https://peps.python.org/pep-{0:0>4}/", "PEP {0}"),
    "pep-reference": ("https://peps.python.org/pep-{0:0>4}/", "PEP {0}"),
    "rfc": ("https://datatracker.ietf.org/doc/html/rfc{0}.html", "RFC {0}"),
    "rfc-reference": ("https://datatracker.ietf.org/doc/html/rfc{0}.html", "RFC {0}"),
    "cve": ("https://www.cve.org/CVERecord?id=CVE-{0}", "CVE {0}"),
    "cwe": ("https://cwe.mitre.org/data/definitions/{0}.html", "CWE {0}"),
}
_NAME = re.compile(r"[\w.:~!()\[\], -]+")


def interpreted(  # noqa: PLR0911 - one a sort of role
    session: Session, text: str, role: str, line: int
) -> list[nodes.Node]:
    """Return the nodes of an interpreted text; a role that is not known leaves its text as code."""
    name = (role or session.setting.default_role or "code").lower()
    plain = unescape(text)
    domain, _, short = name.rpartition(":")
    if name in session.setting.links:
        return [_external(session.setting.links[name], text)]
    if name in _ADDRESSES:
        return [_address(name, text)]
    if name in _STYLES:
        return [_STYLES[name]("", _abbreviated(name, plain))]
    if name in _CODE or name in session.custom_roles or (domain == "std" and short in _CODE):
        return [nodes.literal("", _code(name, plain))]
    if name in _REFERENCES or (domain == "std" and short in _REFERENCES):
        return [_reference(short, text)]
    if (not domain and name in _OBJECTS) or domain.split(":")[0] in _DOMAINS:
        return [_object(short, text)]
    if name == "raw" or name.startswith("raw-"):
        return []
    session.note("role-unknown", line, f"the role {role!r} is not known; its text is kept")
    title, _ = _split(text)
    return [nodes.literal("", title) if _NAME.fullmatch(title) else nodes.inline("", title)]


def _split(text: str) -> tuple[str, str]:
    """Return title and target of `title <target>`; the same for both where there is one text."""
    if found := _EXPLICIT.fullmatch(text):
        return unescape(found[1]), unescape(found[2])
    return unescape(text), unescape(text)


def _reference(role: str, text: str) -> nodes.Node:
    title, target = _split(text)
    shown = title if title != target else (title if role in {"term", "any"} else "")
    if title == target and title.startswith("!"):
        return nodes.inline("", title[1:])
    node = CrossReference("", shown) if shown else CrossReference()
    node["role"], node["target"] = role, " ".join(target.split())
    return node


def _object(role: str, text: str) -> nodes.Node:
    """Return a reference to an object of a program: `~a.b.C` shows `C`, `!a.b` is no link."""
    title, target = _split(text)
    explicit = title != target
    linked = not (title.startswith("!") or target.startswith("!"))
    title, target = title.lstrip("!"), target.lstrip("!")
    if not explicit:
        if title.startswith("~"):
            title = title.lstrip("~").rpartition(".")[2]
        title = title.lstrip(".~")
        if role in {"func", "meth", "function"} and title and not title.endswith(")"):
            title += "()"
    target = target.lstrip("~").removesuffix("()")
    shown: nodes.Node = nodes.inline("", title) if " " in title else nodes.literal("", title)
    if not linked:
        return shown
    node = CrossReference("", "", shown)
    node["role"], node["target"] = f"py:{role}", " ".join(target.split())
    return node


def _external(link: tuple[str, str], text: str) -> nodes.Node:
    address, caption = link
    title, target = _split(text)
    if title == target:
        title = _filled(caption, target) if caption else _filled(address, target)
    return nodes.reference("", title, refuri=_filled(address, target))


def _filled(pattern: str, value: str) -> str:
    return pattern.replace("%s", value).replace("%%", "%")


def _address(name: str, text: str) -> nodes.Node:
    address, caption = _ADDRESSES[name]
    title, target = _split(text)
    number, _, fragment = target.partition("#")
    shown = caption.format(number) if title == target else title
    href = address.format(number) + (f"#{fragment}" if fragment else "")
    return nodes.reference("", shown, refuri=href)


def _abbreviated(name: str, text: str) -> str:
    if name == "menuselection":
        return text.replace("-->", "→")
    return text.replace("&", "") if name == "guilabel" and "&&" not in text else text


def _code(name: str, text: str) -> str:
    if name == "samp":
        return text.replace("{", "").replace("}", "")
    return text.removeprefix("~").removeprefix("!") if name in {"file", "command"} else text
