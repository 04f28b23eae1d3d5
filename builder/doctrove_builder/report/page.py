"""The report card as one HTML page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from doctrove_builder.render.environment import POLICY
from doctrove_builder.report.card import LARGE, SHORTEST_COPY
from doctrove_builder.report.plots import Bar, bars

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from doctrove_builder.report.card import Card, Place, Places, SizeFigures, VolumeFigures

MOST_BARS = 60
FEW = 8
"""So many places of a list are shown at once."""

_METHODS = {
    "parsed": "parsed, not run",
    "brackets": "brackets counted, not parsed",
    "none": "not checked: there is no parser for it here",
}


def page_of(card: Card) -> str:
    """Return the HTML of a report card; it loads `style.css`, `report.css` and `theme.js`."""
    body = "\n".join(
        [
            _head(card),
            _panel("Volumes", _volumes(card)),
            _panel("Sizes of sections", _tokens(card)),
            _panel("Behind the newest release", _behind(card)),
            _panel("Symbols and provenance", _coverage(card)),
            _panel("Code blocks", _code(card)),
            _panel(
                "Links that lead nowhere", _places(card.broken_links, "every link leads somewhere")
            ),
            _panel("The same text in several files", _duplicates(card)),
            *([_panel("Size of the site", _size(card.size))] if card.size else []),
        ]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="robots" content="noindex">\n<meta name="color-scheme" content="light dark">\n'
        "<title>Report card</title>\n"
        '<script src="theme.js"></script>\n'
        '<link rel="icon" href="favicon.svg" type="image/svg+xml">\n'
        '<link rel="stylesheet" href="style.css">\n<link rel="stylesheet" href="report.css">\n'
        f'</head>\n<body class="plain">\n<main id="DT-main" class="single report">\n{body}\n'
        "</main>\n</body>\n</html>\n"
    )


def _head(card: Card) -> str:
    sections = sum(volume.sections for volume in card.volumes)
    errors = sum(count for severity, _, count in card.rules if severity == "error")
    warnings = sum(count for severity, _, count in card.rules if severity == "warning")
    tiles = [
        ("Libraries", len({volume.library for volume in card.volumes}), ""),
        ("Volumes", len(card.volumes), ""),
        ("Sections", sections, ""),
        ("Errors", errors, "bad" if errors else "ok"),
        ("Warnings", warnings, "warn" if warnings else "ok"),
        ("Broken links", card.broken_links.count, "bad" if card.broken_links.count else "ok"),
        ("Broken code", card.broken_code.count, "warn" if card.broken_code.count else "ok"),
        ("Large sections", card.tokens.outliers.count, ""),
    ]
    listed = "".join(
        f'<li class="{kind}"><b>{value:,}</b> {escape(name)}</li>' for name, value, kind in tiles
    )
    rules = "".join(
        f"<li><code>{escape(rule)}</code> {count:,} <small>{escape(severity)}</small></li>"
        for severity, rule, count in card.rules
    )
    said = f'<ul class="rules">{rules}</ul>' if rules else ""
    return f'<h1>Report card</h1>\n<ul class="tiles">{listed}</ul>{said}'


def _panel(title: str, parts: Iterable[str]) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def _volumes(card: Card) -> Iterator[str]:
    shown = card.volumes[:MOST_BARS]
    rows = [
        Bar(
            _name(volume),
            volume.sections,
            first=volume.inherited,
            said=f"{volume.sections:,}, {volume.tokens:,} tokens",
        )
        for volume in shown
    ]
    yield _lead("Sections of each volume. The pale part is taken over from another volume.")
    yield bars(rows, title="Sections of each volume")
    yield from _left_out(len(card.volumes) - len(shown))


def _tokens(card: Card) -> Iterator[str]:
    tokens = card.tokens
    yield _lead(
        f"Half of the sections have at most {tokens.median:,} tokens,"
        f" the largest {tokens.largest:,}. More than {tokens.upper:,}"
        f" is large, far from the others; {LARGE:,} or fewer never are."
    )
    rows = [
        Bar(f"≤ {bound:,}", count, kind="warn" if bound > 2 * tokens.upper else "")
        for bound, count in tokens.bins
    ]
    yield bars(rows, title="Sections by tokens")
    yield from _places(
        tokens.outliers, f"no section has more than {tokens.upper:,} tokens", unit="tokens"
    )


def _behind(card: Card) -> Iterator[str]:
    late = [volume for volume in card.volumes if volume.behind or volume.days_behind != 0]
    if not late:
        yield _fine("no volume is behind the newest release of its library")
        return
    rows = [
        (
            _name(volume),
            "" if volume.days_behind is None else f"{volume.days_behind:,}",
            f"{volume.behind:,}",
        )
        for volume in late[:MOST_BARS]
    ]
    yield _table(("Volume", "Days behind", "Sections that only the newest has"), rows)


def _coverage(card: Card) -> Iterator[str]:
    rows = [
        (
            _name(volume),
            _share(volume.with_symbols, volume.sections),
            _share(volume.with_provenance, volume.sections),
        )
        for volume in card.volumes[:MOST_BARS]
    ]
    yield _table(("Volume", "Sections that list symbols", "Sections with a link upstream"), rows)
    yield "<h3>Sections without a link upstream</h3>"
    yield from _places(card.without_provenance, "every section says where it comes from")


def _code(card: Card) -> Iterator[str]:
    if not card.code:
        yield _fine("there are no code blocks")
        return
    rows = [
        (one.language, f"{one.blocks:,}", _METHODS[one.method], f"{one.broken:,}")
        for one in card.code
    ]
    yield _lead(
        "No block is run here. JavaScript and TypeScript are only checked for their brackets."
    )
    yield _table(("Language", "Blocks", "How they were checked", "Broken"), rows)
    yield from _places(card.broken_code, "no block that was checked is broken")


def _duplicates(card: Card) -> Iterator[str]:
    yield _lead(
        "A volume that <code>extends</code> another need not repeat its text."
        f" Texts of fewer than {SHORTEST_COPY} characters are not counted."
    )
    fine = f"no text of {SHORTEST_COPY} characters or more is written twice"
    yield from _places(card.duplicates, fine, unit="tokens")


def _size(size: SizeFigures) -> Iterator[str]:
    share = 100 * size.total / size.limit
    yield _lead(
        f"{size.files:,} files, {size.total / 1e6:,.1f} MB:"
        f" {share:.1f} % of what GitHub Pages takes."
    )
    yield bars(
        [
            Bar("This site", size.total, said=f"{size.total / 1e6:,.1f} MB"),
            Bar("GitHub Pages", size.limit, kind="limit", said=f"{size.limit / 1e6:,.0f} MB"),
        ],
        title="Size of the site and of what GitHub Pages takes",
    )
    yield from _places(size.largest, "no file is near the 100 MiB that GitHub takes", unit="bytes")


def _places(places: Places, fine: str, *, unit: str = "") -> Iterator[str]:
    if not places.count:
        yield _fine(fine)
        return
    yield _list(places.listed[:FEW], unit)
    rest = places.listed[FEW:]
    if rest:
        left = places.count - FEW
        yield f"<details><summary>{left:,} more</summary>{_list(rest, unit)}"
        yield from _left_out(left - len(rest))
        yield "</details>"


def _list(places: Iterable[Place], unit: str) -> str:
    items = "".join(
        "<li>"
        + f"<code>{escape(place.file)}{f':{place.line}' if place.line else ''}</code> "
        + escape(place.what)
        + (f" <b>{place.value:,} {unit}</b>" if unit and place.value else "")
        + "</li>"
        for place in places
    )
    return f'<ul class="places">{items}</ul>'


def _left_out(count: int) -> Iterator[str]:
    if count > 0:
        yield f'<p class="soft">{count:,} more are not listed.</p>'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return (
        '<div class="table" role="group" tabindex="0" aria-label="Table"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _lead(markup: str) -> str:
    return f'<p class="soft">{markup}</p>'


def _fine(text: str) -> str:
    return f'<p class="fine">{escape(text)}</p>'


def _name(volume: VolumeFigures) -> str:
    return f"{volume.library} {volume.version}"


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({100 * part // whole} %)" if whole else "0"
