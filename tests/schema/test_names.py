from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_schema.names import decode_name, encode_name, fold, id_fault, name_fault, nearest

UNSAFE = set('/\\:*?"<>|+# %') | {chr(code) for code in range(32)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("express", "express"),
        ("@scope/name", "@scope%2Fname"),
        ("1.0.0+build.2", "1.0.0%2Bbuild.2"),
        ("org.example:core", "org.example%3Acore"),
        ("50%", "50%25"),
        ("v1.", "v1%2E"),
        (".net", "%2Enet"),
        ("..", "%2E%2E"),
        ("con", "%63on"),
        ("NUL.txt", "%4EUL.txt"),
        ("console", "console"),
        ("git~1", "git%7E1"),
        ("日本語", "日本語"),
        ("a\u200bb", "a%E2%80%8Bb"),
        ("", ""),
    ],
)
def test_a_name_is_encoded_for_every_file_system(text: str, name: str) -> None:
    assert encode_name(text) == name


@given(st.text())
def test_decoding_undoes_encoding(text: str) -> None:
    assert decode_name(encode_name(text)) == text


@given(st.text(min_size=1))
def test_an_encoded_name_is_one_safe_path_segment(text: str) -> None:
    name = encode_name(text)
    assert not UNSAFE & set(name.replace("%", ""))
    assert name[0] != "."
    assert name[-1] not in ". "


@pytest.mark.parametrize(
    ("library", "fault"),
    [
        ("express", ""),
        ("@scope/name", ""),
        ("Day.js", ""),
        ("日本語", ""),
        ("", "is empty"),
        (" x", "begins or ends with white space"),
        ("_assets", "begins with '_'"),
        (".well-known", "begins with '.'"),
        ("Index.HTML", "is the name of a file at the root of the published site"),
        ("cafe\u0301", "is not in Unicode normal form C"),
        ("a\u202eb", "holds a control or invisible character"),
        ("a\x00b", "holds a control or invisible character"),
        ("x" * 201, "is longer than 200 bytes"),
        ("/" * 70, "is longer than 200 bytes"),
    ],
)
def test_what_can_be_a_library_id(library: str, fault: str) -> None:
    assert id_fault(library) == fault


def test_a_version_may_begin_with_an_underscore() -> None:
    assert name_fault("_next") == ""


@pytest.mark.parametrize(
    ("one", "other"), [("Express", "express"), ("straße", "STRASSE"), ("é", "e\u0301")]
)
def test_names_that_collide_on_some_disk_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("word", "found"),
    [("titel", "title"), ("TITLE", "title"), ("sumary", "summary"), ("qqq", "")],
)
def test_the_nearest_known_word_is_found(word: str, found: str) -> None:
    assert nearest(word, ["title", "summary", "order"]) == found
