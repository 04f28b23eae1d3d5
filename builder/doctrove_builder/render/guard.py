"""Check that a page made with a project's templates keeps what every page promises.

The policy stands first, by the letter, so no reading of the page puts anything before it. All that
follows is held against lists of what is allowed; what they do not name is refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from markupsafe import escape

from doctrove_builder.markdown.sanitise import TAGS
from doctrove_builder.render.blame import blame
from doctrove_builder.render.errors import TemplateRefused
from doctrove_builder.render.markup import ATTRIBUTES, SPACE, Tag, Unclear, read_tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.render.look import Look


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BEGINNING = re.compile(
    rf"{SPACE}*+<!(?:DOCTYPE|doctype) html>{SPACE}*+(<html{ATTRIBUTES}{SPACE}*+>){SPACE}*+"
    rf'<head>{SPACE}*+<meta charset="utf-8">{SPACE}*+'
)
_SCHEME = re.compile(r"([^/?#:]*):")
_SCHEMES: Final = frozenset({"http", "https", "mailto"})

_ELEMENTS: Final = TAGS | _listed(
    "address article aside body button circle col colgroup data datalist desc ellipse fieldset "
    "footer g h1 head header hgroup html input label legend line link main menu meta meter nav "
    "optgroup option output path picture polygon polyline progress rect script search select "
    "source svg textarea title"
)
"""What authors may write in Markdown, and what frames are made of."""

_ATTRIBUTES: Final = _listed(
    # of all elements
    "accesskey autocapitalize autocomplete autofocus class dir draggable enterkeyhint hidden id "
    "inert inputmode lang popover role spellcheck tabindex title translate "
    # of some
    "abbr align alt async charset checked cite cols colspan content datetime decoding defer "
    "disabled download fetchpriority for headers height high href hreflang http-equiv label list "
    "loading low max maxlength media min minlength multiple name open optimum pattern placeholder "
    "popovertarget popovertargetaction property readonly referrerpolicy rel required reversed rows "
    "rowspan scope selected size sizes span src srcset start step target type valign value width "
    "wrap blocking "
    # of drawings
    "clip-rule cx cy d fill fill-opacity fill-rule focusable opacity points preserveaspectratio r "
    "rx ry stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width "
    "transform viewbox x x1 x2 xmlns y y1 y2"
)
_NAMED: Final = frozenset({"button", "details", "input", "meta", "select", "textarea"})
"""Elements with a `name`; that of another one could hide a property of the document."""

_RELATIONS: Final = _listed(
    "alternate author canonical help icon license me next prev search stylesheet"
)
"""Links of a head. The policy does not reach those that have a browser open connections."""

_SHOWN = 80
_ADDRESSES: Final = ("cite", "href", "src", "data-to", "data-root")
_HINT = 'extend "!layout.html" and leave its beginning alone'


class Promised(NamedTuple):
    """What is expected of one page."""

    policy: str
    roots: tuple[str, ...]
    """The starts of addresses of the site's own files."""

    target: str
    """Where a redirect leads; empty for other pages."""

    inlined: tuple[str, ...] = ()
    """Elements that may stand in the page as they are: the policy has the hashes of their texts."""


def check_page(text: str, *, name: str, look: Look, promised: Promised) -> None:
    """Raise `TemplateRefused` for a page without the policy, or with what it may not have.

    `name` is the template that the page was rendered with.
    """
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(promised.policy)}">'
    begun = _BEGINNING.match(text)
    if not begun or not text.startswith(meta, begun.end()):
        source, line = blame(look, name, ("<!doctype", "<html", "<head", "html_attributes"))
        message = "the page has lost its content security policy"
        raise TemplateRefused(message, source=source, line=line, hint=_HINT)
    for element in promised.inlined:
        text = text.replace(element, "", 1)
    excerpt, message = _fault(text, begun, look, promised)
    if message:
        source, line = blame(look, name, (excerpt, excerpt.split(maxsplit=1)[0]))
        raise TemplateRefused(message, source=source, line=line)


def _fault(text: str, begun: re.Match[str], look: Look, promised: Promised) -> tuple[str, str]:
    """Return what is wrong first, as it is written, and how; two empty texts for nothing."""
    if "\0" in text:
        return "\0", "the page has a NUL character"
    scripts = _scripts(look, promised)
    try:
        for tag in read_tags(text, start=begun.start(1)):
            if tag.at == begun.end():
                continue  # the policy
            beginning = tag.at < begun.end()
            for message in _faults(tag, scripts, promised, beginning=beginning):
                return tag.source, message
    except Unclear as unclear:
        return (
            unclear.excerpt,
            f"browsers may read {unclear.excerpt!r} in another way than it looks",
        )
    return "", ""


def _scripts(look: Look, promised: Promised) -> frozenset[str]:
    """Return the addresses of scripts: a redirect has one of its own, which no other page has."""
    return frozenset(
        root + asset.path
        for root in promised.roots
        for asset in look.assets
        if asset.name.endswith(".js") and (asset.name == "redirect.js") == bool(promised.target)
    )


def _faults(
    tag: Tag, scripts: frozenset[str], promised: Promised, *, beginning: bool
) -> Iterator[str]:
    """Yield what is wrong with one tag."""
    given = tag.attributes
    if tag.name == "script" and (given.get("src") not in scripts or tag.text):
        yield "the page loads a script of its own"
    if tag.name not in _ELEMENTS:
        yield f"the page has an element <{tag.name}>"
    for attribute in given:
        free = attribute.startswith(("data-", "aria-"))
        misplaced = attribute == "name" and tag.name not in _NAMED
        if misplaced or not (free or attribute in _ATTRIBUTES):
            yield f"the page has an attribute {attribute} of <{tag.name}>"
    if "http-equiv" in given and not _is_refresh(tag, promised):
        yield "the page has an http-equiv of its own"
    if "charset" in given and not beginning:
        yield "the page has a charset of its own"
    if tag.name == "link" and not set(given.get("rel", "-").lower().split()) <= _RELATIONS:
        yield f"the page has a link of the kind {given.get('rel', '')[:_SHOWN]!r}"
    if given.get("data-to", promised.target) != promised.target:
        yield "the page redirects to elsewhere"
    addresses = [given[name] for name in _ADDRESSES if name in given]
    addresses += re.split(r"[\s,]+", given.get("srcset", ""))
    yield from (
        f"the page has the address {address[:_SHOWN]!r}"
        for address in addresses
        if not _is_harmless(address)
    )


def _is_refresh(tag: Tag, promised: Promised) -> bool:
    kind, content = tag.attributes["http-equiv"].lower(), tag.attributes.get("content")
    leads = bool(promised.target) and content == f"0; url={promised.target}"
    return tag.name == "meta" and kind == "refresh" and leads


def _is_harmless(address: str) -> bool:
    """Tell whether an address has no scheme, or one that only leads somewhere."""
    bare = "".join(character for character in address if character > " ")
    scheme = _SCHEME.match(bare)
    return scheme is None or scheme[1].lower() in _SCHEMES
