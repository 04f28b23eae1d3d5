"""Laws of the small languages of HTTP that the host reads."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime, formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.host.conditions import Verdict, weigh_conditions
from doctrove_server.host.dates import format_date, parse_date
from doctrove_server.host.encodings import SUFFIXES, choose_coding
from doctrove_server.host.media import has_hashed_name
from doctrove_server.host.ranges import MAX_SPANS, parse_ranges
from doctrove_server.host.target import Fault, origin_form, read_target

SECONDS = st.integers(0, 253402300799)


@given(seconds=SECONDS)
def test_a_date_is_read_back_as_written(seconds: int) -> None:
    assert parse_date(format_date(seconds)) == seconds


@given(seconds=SECONDS)
def test_dates_are_written_as_the_standard_library_does(seconds: int) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    assert format_date(seconds) == format_datetime(moment, usegmt=True)


@pytest.mark.parametrize("seconds", [-1, 10**15])
def test_a_date_that_http_cannot_say_is_brought_in_range(seconds: int) -> None:
    assert parse_date(format_date(seconds)) in (0, 253402300799)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784111777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784111777),
        ("Sun Nov  6 08:49:37 1994", 784111777),
        ("Sun, 06 Nov 1994 08:49:60 GMT", 784111799),
        ("Sun, 06 Nov 1994 08:49:37 +0000", None),
        ("Sun, 06 Nov 1994 24:49:37 GMT", None),
        ("Sun, 31 Feb 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 0000 08:49:37 GMT", None),
        ("784111777", None),
        ("", None),
    ],
)
def test_the_three_forms_of_a_date_are_read(text: str, seconds: int | None) -> None:
    assert parse_date(text) == seconds


@given(text=st.text(max_size=40))
def test_any_text_is_a_date_or_none(text: str) -> None:
    seconds = parse_date(text)
    assert seconds is None or formatdate(seconds, usegmt=True)


NUMBER = st.one_of(st.just(""), st.integers(0, 60).map(str))


@given(
    size=st.integers(0, 50),
    specs=st.lists(st.tuples(NUMBER, NUMBER), max_size=20),
)
def test_ranges_lie_inside_the_file_and_never_add_up_to_more(
    size: int, specs: list[tuple[str, str]]
) -> None:
    spans = parse_ranges("bytes=" + ",".join(f"{a}-{b}" for a, b in specs), size=size)
    if spans is not None:
        assert all(0 <= span.start < span.stop <= size for span in spans)
        assert sum(span.stop - span.start for span in spans) <= size
        assert len(spans) <= MAX_SPANS


@given(path=st.binary(max_size=60))
def test_a_path_is_read_as_plain_names_or_refused(path: bytes) -> None:
    target = read_target(b"/" + path)
    if not isinstance(target, Fault):
        names = set("".join(target.parts))
        assert not names & {"/", "\\", "\0"}
        assert all(name and name not in (".", "..") for name in target.parts)


@given(names=st.lists(st.text(min_size=1, max_size=8), max_size=4), folder=st.booleans())
def test_every_plain_name_can_be_asked_for(names: list[str], folder: bool) -> None:
    escaped = [
        "".join(f"%{byte:02x}" for byte in name.encode("utf-8", "replace")) for name in names
    ]
    target = read_target("/".join(["", *escaped, *([""] if folder or not names else [])]).encode())
    plain = all(
        not name.startswith(".")
        and not any(char in "/\\\x7f" or char < " " for char in name)
        and name == name.encode("utf-8", "replace").decode()
        for name in names
    )
    if plain:
        assert not isinstance(target, Fault)
        assert target.parts == tuple(names)
        assert target.folder == (folder or not names)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (b"/a?b", b"/a?b"),
        (b"//a/b", b"//a/b"),
        (b"/http://a/b", b"/http://a/b"),
        (b"http://a/b?c", b"/b?c"),
        (b"http://a", b"/"),
        (b"http://a?c", b"/?c"),
        (b"http://a//b", b"//b"),
        (b"*", b"*"),
        (b"a:80", b"a:80"),
        (b"?://x/y", b"?://x/y"),
    ],
)
def test_an_absolute_form_is_reduced_to_its_path(url: bytes, path: bytes) -> None:
    assert origin_form(url) == path


@given(
    accept=st.text("brgzipstd*;q=01., ", max_size=40), have=st.sets(st.sampled_from([*SUFFIXES]))
)
def test_only_a_coding_that_is_there_and_named_is_chosen(accept: str, have: set[str]) -> None:
    chosen = choose_coding(accept.encode(), tuple(name for name in SUFFIXES if name in have))
    assert chosen == "" or (chosen in have and (chosen in accept or "*" in accept))


@given(
    tags=st.lists(st.text("abc,*W/ ", max_size=6), max_size=4), own=st.text("abc,*W/ ", max_size=6)
)
def test_a_list_of_tags_names_exactly_its_members(tags: list[str], own: str) -> None:
    etag = f'"{own}"'.encode().replace(b" ", b"-")
    listed = [f'"{tag}"'.replace(" ", "-") for tag in tags]
    fields = {b"if-none-match": ", ".join(listed).encode()}
    unchanged = weigh_conditions(fields, etag=etag, modified=0) is Verdict.UNCHANGED
    assert unchanged == (etag.decode() in listed)


@pytest.mark.parametrize(
    ("path", "hashed"),
    [
        ("app.3f2a91bc77.css", True),
        ("app.3f2a91bc77.css.map", True),
        ("_assets/app.0123456789.js", True),
        ("_volumes/express/5.1.0.abcdefabcdef.json", True),
        ("report.20260801.json", False),
        ("notes.decadefaced.txt", False),
        ("app.3f2a91bc77.html", False),
        ("app.3F2A91BC77.css", False),
        ("app.3f2a91b.css", False),
        ("3f2a91bc77.css", False),
        ("app.3f2a91bc77", False),
        ("5.1.0/index.json", False),
    ],
)
def test_a_hash_in_a_name_is_told_from_a_date_or_a_word(path: str, hashed: bool) -> None:
    assert has_hashed_name(tuple(path.split("/"))) == hashed
