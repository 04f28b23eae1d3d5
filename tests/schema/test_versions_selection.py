"""Which version a request selects, why, and how one that is not there is refused."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_schema.errors import SchemaError
from doctrove_schema.versions import Scheme, Selection, VersionUnavailable, latest, select

SEMVER, PEP440, LABEL = Scheme.SEMVER, Scheme.PEP440, Scheme.LABEL

EXPRESS = "5.1.0 5.0.1 5.0.0 4.21.2 4.20.0 3.4.8 40.1.0-rc.1"
PRERELEASES = "1.0.0-rc.9 1.0.0-rc.10 1.0.0-beta"
TAGGED = "v2.0.0 1.0.0+b1 1.0.0+b2 0.9 nightly"
NUMPY = "1!1.0 2.0.0rc1 1.26.4 1.26.3.post1 1.2 1.2.0.dev1 1.0"
CODENAMES = "Noble jammy Focal focal 2.x"

CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "contract"


@pytest.mark.parametrize(
    ("scheme", "listed", "requested", "version", "kind"),
    [
        pytest.param(SEMVER, EXPRESS, None, "5.1.0", "latest", id="nothing asked for"),
        pytest.param(SEMVER, EXPRESS, " \t", "5.1.0", "latest", id="blanks"),
        pytest.param(SEMVER, EXPRESS, "LaTeSt", "5.1.0", "latest", id="latest in any case"),
        pytest.param(SEMVER, EXPRESS, " latest ", "5.1.0", "latest", id="latest and blanks"),
        pytest.param(SEMVER, PRERELEASES, "latest", "1.0.0-rc.10", "latest", id="no stable one"),
        pytest.param(SEMVER, EXPRESS, "4.21.2", "4.21.2", "exact", id="a listed name"),
        pytest.param(SEMVER, EXPRESS, "v4.21.2", "4.21.2", "exact", id="v before it"),
        pytest.param(SEMVER, EXPRESS, "V5.1.0", "5.1.0", "exact", id="capital v before it"),
        pytest.param(SEMVER, EXPRESS, "5.1.0+build", "5.1.0", "exact", id="build asked for"),
        pytest.param(SEMVER, EXPRESS, "5.1.0.0", "5.1.0", "exact", id="one more zero"),
        pytest.param(SEMVER, EXPRESS, "40.1.0-rc.1", "40.1.0-rc.1", "exact", id="a prerelease"),
        pytest.param(SEMVER, EXPRESS, "5", "5.1.0", "prefix", id="major"),
        pytest.param(SEMVER, EXPRESS, "v5", "5.1.0", "prefix", id="v and major"),
        pytest.param(SEMVER, EXPRESS, "4", "4.21.2", "prefix", id="4 is not 40"),
        pytest.param(SEMVER, EXPRESS, "5.0", "5.0.1", "prefix", id="minor, not its .0"),
        pytest.param(SEMVER, EXPRESS, "5.0.x", "5.0.1", "prefix", id="minor and x"),
        pytest.param(SEMVER, EXPRESS, "5.X", "5.1.0", "prefix", id="major and X"),
        pytest.param(SEMVER, EXPRESS, "V5.1.*", "5.1.0", "prefix", id="star"),
        pytest.param(SEMVER, EXPRESS, "5.1.0.x", "5.1.0", "prefix", id="star after three"),
        pytest.param(SEMVER, EXPRESS, "04.20", "4.20.0", "prefix", id="leading zeros"),
        pytest.param(SEMVER, EXPRESS, "40.1", "40.1.0-rc.1", "prefix", id="only a prerelease"),
        pytest.param(SEMVER, "5.0.1 5.0.2-rc.1", "5.0", "5.0.1", "prefix", id="stable first"),
        pytest.param(SEMVER, "5.1.0.3 5.1.0.2", "5.1.0", "5.1.0.3", "prefix", id="four numbers"),
        pytest.param(SEMVER, "5.1", "5.1.0", "5.1", "exact", id="listed shorter"),
        pytest.param(SEMVER, "5", "5.0", "5", "exact", id="listed as a major alone"),
        pytest.param(SEMVER, "5", "5.0.x", "5", "prefix", id="missing numbers are zeros"),
        pytest.param(SEMVER, "5.1.3 5.1", "5.1", "5.1", "exact", id="a name wins over a prefix"),
        pytest.param(SEMVER, "5.1.3 v5.1", "5.1", "v5.1", "exact", id="so does one with v"),
        pytest.param(SEMVER, "5.1.0 5.1", "5.1.0", "5.1.0", "exact", id="a name over an equal"),
        pytest.param(SEMVER, "5.1 v5.1", "V5.1", "v5.1", "exact", id="the same but for v first"),
        pytest.param(SEMVER, TAGGED, "2.0.0", "v2.0.0", "exact", id="listed with v"),
        pytest.param(SEMVER, TAGGED, "1.0.0", "1.0.0+b2", "exact", id="listed with build"),
        pytest.param(SEMVER, TAGGED, "1.0.0+b1", "1.0.0+b1", "exact", id="build by name"),
        pytest.param(SEMVER, TAGGED, "1", "1.0.0+b2", "prefix", id="prefix of builds"),
        pytest.param(SEMVER, TAGGED, "nightly", "nightly", "exact", id="a word that is listed"),
        pytest.param(PEP440, NUMPY, "latest", "1!1.0", "latest", id="pep440: epoch wins"),
        pytest.param(PEP440, NUMPY, "1.26", "1.26.4", "prefix", id="pep440: minor"),
        pytest.param(PEP440, NUMPY, "1.26.3", "1.26.3.post1", "prefix", id="pep440: post"),
        pytest.param(PEP440, NUMPY, "1.2.0", "1.2", "exact", id="pep440: equal"),
        pytest.param(PEP440, NUMPY, "1.2.x", "1.2", "prefix", id="pep440: x"),
        pytest.param(PEP440, NUMPY, "1", "1.26.4", "prefix", id="pep440: major of epoch 0"),
        pytest.param(PEP440, NUMPY, "1!1", "1!1.0", "prefix", id="pep440: with epoch"),
        pytest.param(PEP440, NUMPY, "1!1.*", "1!1.0", "prefix", id="pep440: epoch and star"),
        pytest.param(PEP440, NUMPY, "2", "2.0.0rc1", "prefix", id="pep440: only a prerelease"),
        pytest.param(PEP440, NUMPY, "2.0.0-RC.1", "2.0.0rc1", "exact", id="pep440: spelling"),
        pytest.param(PEP440, "2.1.0+cpu", "2.1.0", "2.1.0+cpu", "prefix", id="pep440: local"),
        pytest.param(LABEL, CODENAMES, None, "Noble", "latest", id="label: the first"),
        pytest.param(LABEL, CODENAMES, "JAMMY", "jammy", "exact", id="label: any case"),
        pytest.param(LABEL, CODENAMES, "focal", "focal", "exact", id="label: exact case wins"),
        pytest.param(LABEL, CODENAMES, "2.x", "2.x", "exact", id="label: looks like a prefix"),
    ],
)
def test_a_request_selects_a_version(
    scheme: Scheme, listed: str, requested: str | None, version: str, kind: str
) -> None:
    found = select(requested, listed.split(), scheme)
    assert (found.version, found.kind) == (version, kind)


@pytest.mark.parametrize(
    ("scheme", "listed", "requested", "nearest"),
    [
        pytest.param(SEMVER, EXPRESS, "9", "5.1.0 5.0.1 5.0.0", id="unknown major"),
        pytest.param(SEMVER, EXPRESS, "5.2", "5.1.0 5.0.1 5.0.0", id="unknown minor"),
        pytest.param(SEMVER, EXPRESS, "4.20.7", "4.20.0 4.21.2", id="unknown patch"),
        pytest.param(SEMVER, EXPRESS, "40.1.0", "40.1.0-rc.1", id="only its prerelease"),
        pytest.param(SEMVER, EXPRESS, "V40.1.0", "40.1.0-rc.1", id="only its prerelease, v"),
        pytest.param(SEMVER, EXPRESS, "5.1.0-rc.1", "5.1.0", id="only its release"),
        pytest.param(SEMVER, EXPRESS, "^4.20", "4.20.0 4.21.2", id="caret"),
        pytest.param(SEMVER, EXPRESS, "~5.0", "5.0.1 5.0.0 5.1.0", id="tilde"),
        pytest.param(SEMVER, EXPRESS, ">=5", "5.1.0 5.0.1", id="at least"),
        pytest.param(SEMVER, EXPRESS, "=5.1.0", "5.1.0", id="equals sign"),
        pytest.param(SEMVER, EXPRESS, "4.x.x", "4.21.2 4.20.0", id="x twice"),
        pytest.param(SEMVER, EXPRESS, "x", "5.1.0 5.0.1", id="x alone"),
        pytest.param(SEMVER, EXPRESS, "*", "5.1.0 5.0.1", id="star alone"),
        pytest.param(SEMVER, EXPRESS, "5.", "5.1.0 5.0.1", id="a dot at the end"),
        pytest.param(SEMVER, EXPRESS, "5-rc", "5.1.0 5.0.1", id="a prerelease prefix"),
        pytest.param(SEMVER, EXPRESS, "stable", "5.1.0 5.0.1", id="a word"),
        pytest.param(SEMVER, EXPRESS, "vv5", "5.1.0 5.0.1", id="v twice"),
        pytest.param(SEMVER, "1.0.0", "\ud800\n\x1b[2J", "1.0.0", id="controls"),
        pytest.param(SEMVER, "1.0.0", "9" * 10_000, "1.0.0", id="10,000 digits"),
        pytest.param(SEMVER, "1.0.0", "1.x" * 10_000, "1.0.0", id="long text"),
        pytest.param(PEP440, NUMPY, "1.26.5", "1.26.4 1.26.3.post1", id="pep440: patch"),
        pytest.param(PEP440, NUMPY, "2.0.0", "2.0.0rc1", id="pep440: only its prerelease"),
        pytest.param(PEP440, NUMPY, "1!2", "1!1.0", id="pep440: epoch"),
        pytest.param(PEP440, NUMPY, "1!1.26.4", "1!1.0", id="pep440: number of another epoch"),
        pytest.param(PEP440, NUMPY, "1!" * 10_000, "1!1.0", id="pep440: long text"),
        pytest.param(LABEL, CODENAMES, "FOCAL", "Focal focal Noble", id="label: two by case"),
        pytest.param(LABEL, CODENAMES, "nobel", "Noble jammy", id="label: a slip"),
        pytest.param(LABEL, CODENAMES, "2", "Noble jammy", id="label: no prefixes"),
        pytest.param(LABEL, CODENAMES, "x" * 100_000, "Noble jammy", id="label: long text"),
    ],
)
def test_a_version_that_is_not_there_is_refused_with_the_nearest(
    scheme: Scheme, listed: str, requested: str, nearest: str
) -> None:
    with pytest.raises(VersionUnavailable) as refused:
        select(requested, listed.split(), scheme)
    offered = nearest.split()
    assert list(refused.value.nearest[: len(offered)]) == offered
    assert refused.value.requested == requested
    assert set(refused.value.versions) == set(listed.split())
    assert len(str(refused.value)) < 400
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("listed", "requested", "note"),
    [
        pytest.param(EXPRESS, None, "latest stable release", id="latest"),
        pytest.param(PRERELEASES, None, "no stable release; latest prerelease", id="prerelease"),
        pytest.param(EXPRESS, "5.1.0", "exact match", id="exact"),
        pytest.param(EXPRESS, "v5.1.0", "exact match", id="exact but for v"),
        pytest.param("5.1", "5.1.0", "exact match: 5.1.0 equals 5.1", id="equal"),
        pytest.param(EXPRESS, "v05", "prefix match 5.x → latest 5.x release", id="prefix"),
        pytest.param(
            EXPRESS,
            "40.X",
            "prefix match 40.x → no stable release; latest 40.x prerelease",
            id="prefix of prereleases",
        ),
    ],
)
def test_the_note_says_why(listed: str, requested: str | None, note: str) -> None:
    assert select(requested, listed.split(), SEMVER).note == note


@pytest.mark.parametrize(
    ("scheme", "listed", "requested", "message"),
    [
        pytest.param(
            SEMVER,
            "5.1.0 4.21.2",
            " 9\n",
            'version "9" is unavailable. Nearest of 2 available: 5.1.0, 4.21.2. '
            'Use "latest", an exact version or a prefix (such as "5.1").',
            id="numbers",
        ),
        pytest.param(
            SEMVER,
            "5.0.0-rc.1",
            "5.0.0",
            'version "5.0.0" is unavailable: only prereleases of it are listed. Nearest of 1 '
            'available: 5.0.0-rc.1. Use "latest", an exact version or a prefix (such as "5.0").',
            id="only a prerelease",
        ),
        pytest.param(
            SEMVER,
            "10.0.0 9.0.0 8.0.0 7.0.0 6.0.0 5.0.0 4.0.0 3.0.0 2.0.0",
            "1",
            'version "1" is unavailable. Nearest of 9 available: 2.0.0, 3.0.0, 4.0.0, 5.0.0, '
            "6.0.0, 7.0.0, 8.0.0, 9.0.0. "
            'Use "latest", an exact version or a prefix (such as "2.0").',
            id="more than eight",
        ),
        pytest.param(
            LABEL,
            "noble jammy",
            "x",
            'version "x" is unavailable. Nearest of 2 available: noble, jammy. '
            'Use "latest" or one of these names.',
            id="labels",
        ),
        pytest.param(
            SEMVER,
            "",
            "5",
            'version "5" is unavailable: no version is listed, the index may be damaged.',
            id="nothing listed",
        ),
    ],
)
def test_the_refusal_says_what_to_ask_for(
    scheme: Scheme, listed: str, requested: str, message: str
) -> None:
    with pytest.raises(VersionUnavailable) as refused:
        select(requested, listed.split(), scheme)
    assert str(refused.value) == message


def test_a_refusal_is_a_schema_error_that_travels_between_processes() -> None:
    refusal = VersionUnavailable("9", ("5.1.0",), ("5.1.0",), "because")
    copy = pickle.loads(pickle.dumps(refusal))
    assert isinstance(copy, SchemaError)
    assert str(copy) == str(refusal)


def answer(requested: str, listed: list[str], scheme: Scheme) -> Selection | VersionUnavailable:
    try:
        return select(requested, listed, scheme)
    except VersionUnavailable as refusal:
        return refusal


requests = st.one_of(
    st.from_regex(r"[vV]?[0-9]{1,2}(\.[0-9]{1,2}){0,3}(-rc\.[0-9])?(\.[xX*])?", fullmatch=True),
    st.sampled_from(["latest", "", "1!1", "^1", "*", "1.0rc1"]),
    st.text(max_size=10),
)
lists = st.lists(
    st.one_of(
        st.from_regex(r"v?[0-9](\.[0-9]){0,3}(-rc\.[0-9])?(\+b)?", fullmatch=True),
        st.from_regex(r"([01]!)?[0-9](\.[0-9]){0,2}(rc1|\.dev1|\.post1)?", fullmatch=True),
        st.text(min_size=1, max_size=5),
    ),
    max_size=8,
)


@given(requests, lists, st.sampled_from(Scheme))
def test_only_listed_versions_are_given_or_offered(
    requested: str, listed: list[str], scheme: Scheme
) -> None:
    found = answer(requested, listed, scheme)
    if isinstance(found, VersionUnavailable):
        assert set(found.nearest) <= set(listed)
        assert bool(found.nearest) is bool(listed)
        assert str(found).isprintable()
    else:
        assert found.version in listed
        assert found.kind != "latest" or found.version == latest(listed, scheme)


@given(lists, st.sampled_from(Scheme))
def test_every_listed_name_selects_itself(listed: list[str], scheme: Scheme) -> None:
    for name in listed:
        if name.strip() == name:
            assert select(name, listed, scheme).version == name


@given(requests, lists.flatmap(lambda names: st.tuples(st.just(names), st.permutations(names))))
def test_the_order_of_the_list_does_not_matter(
    requested: str, orders: tuple[list[str], list[str]]
) -> None:
    for scheme in (SEMVER, PEP440):
        one, other = (answer(requested, listed, scheme) for listed in orders)
        assert str(one) == str(other)


@pytest.mark.skipif(not CASES.is_dir(), reason="shared material is not here")
def test_selection_agrees_with_the_recorded_answers() -> None:
    index = json.loads((CASES / "index.json").read_text("utf-8"))
    versions = {entry["id"]: entry["versions"] for entry in index["entries"]}
    calls = [json.loads(line) for line in (CASES / "calls.jsonl").read_text("utf-8").splitlines()]
    compared = 0
    for call in calls:
        asked, expected = call["arguments"], call["expect"]
        listed = versions.get(str(asked.get("id")))
        if listed is None or call["tool"] != "doc_extract":
            continue
        if expected.get("error", "version") != "version":
            continue
        compared += 1
        try:
            found = select(asked.get("version"), listed, SEMVER)
        except VersionUnavailable:
            assert expected == {"error": "version"}, asked
        else:
            given_answer = {"version": found.version, "releaseKind": found.kind}
            assert {key: expected.get(key) for key in given_answer} == given_answer, asked
    assert compared
