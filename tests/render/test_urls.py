"""Addresses: what becomes a link, and how places of the site are written."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.render.urls import (
    absolute,
    base_path,
    change_id,
    climb,
    page_place,
    report_address,
    safe_address,
)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/a?b#c",
        "HTTP://example.org",
        "mailto:a@example.org",
        "../guide/",
        "page#part",
        "",
        "a/b:c",
    ],
)
def test_ordinary_addresses_become_links(address: str) -> None:
    assert safe_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\nscript:alert(1)",
        "\x01javascript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "//example.org/",
        "\\\\example.org",
        "https:\\example.org",
        'https://example.org/"onclick="x',
        "https://example.org/\u202egnp.exe",
        "file:///etc/passwd",
        "blob:x",
    ],
    ids=ascii,
)
def test_hostile_addresses_become_nothing(address: str) -> None:
    assert safe_address(address) == ""


@pytest.mark.parametrize(
    ("page", "place"),
    [
        ("", ""),
        ("index", ""),
        ("guide/routing", "guide/routing/"),
        ("../up", "%2E%2E/up/"),
        ("指南/a b", "指南/a%20b/"),
    ],
)
def test_a_page_has_a_folder_below_its_volume(page: str, place: str) -> None:
    assert page_place(page) == place


def test_a_page_climbs_to_the_root() -> None:
    assert [climb(""), climb("a/"), climb("a/b/c/")] == ["./", "../", "../../../"]


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/"),
        ("https://example.org", "/"),
        ("https://example.org/", "/"),
        ("https://example.org/re po/docs/", "/re%20po/docs/"),
    ],
)
def test_the_path_of_the_site_begins_and_ends_in_a_slash(base: str, path: str) -> None:
    assert base_path(base) == path


def test_an_absolute_address_is_quoted_and_needs_a_base() -> None:
    assert absolute("", "a/") == ""
    assert absolute("https://example.org/x", "@s%2Fn/日/") == (
        "https://example.org/x/@s%252Fn/%E6%97%A5/"
    )


@given(st.text(), st.text())
def test_entries_of_two_sections_never_have_one_id(one: str, other: str) -> None:
    assert (change_id(one) == change_id(other)) is (one == other)


@given(st.text())
def test_ids_of_entries_have_no_white_space_and_no_sign(section: str) -> None:
    assert not re.search(r"[\s\x00-\x2c./:-@\[-^`{-\x7f]", change_id(section))


@pytest.mark.parametrize(
    ("repository", "expected"),
    [
        (
            "https://github.com/a/b",
            "https://github.com/a/b/issues/new?title=Kit%201%3A%20%26%C3%A9",
        ),
        (
            "https://codeberg.org/a/b.git",
            "https://codeberg.org/a/b/issues/new?title=Kit%201%3A%20%26%C3%A9",
        ),
        (
            "https://gitlab.example.org/a/b/",
            "https://gitlab.example.org/a/b/-/issues/new?issue%5Btitle%5D=Kit%201%3A%20%26%C3%A9",
        ),
        ("git@github.com:a/b.git", ""),
        ("", ""),
    ],
    ids=["GitHub", "Gitea", "GitLab", "not on the web", "none"],
)
def test_problems_are_reported_in_the_repository(repository: str, expected: str) -> None:
    assert report_address(repository, "Kit 1: &é") == expected
