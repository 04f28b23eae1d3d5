"""The order of versions: a table of hard cases, and the laws that it keeps."""

from __future__ import annotations

from itertools import pairwise

import pytest
import semver
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from doctrove_schema.versions import (
    MAX_LENGTH,
    Scheme,
    equal_versions,
    is_stable,
    is_version,
    latest,
    ordered,
)

SEMVER, PEP440, LABEL = Scheme.SEMVER, Scheme.PEP440, Scheme.LABEL

number = st.integers(0, 30).map(str)
identifier = st.one_of(number, st.sampled_from(["alpha", "beta", "rc", "RC", "a-1", "x", "-"]))
dotted = st.lists(identifier, min_size=1, max_size=3).map(".".join)
suffix = st.tuples(
    st.one_of(st.just(""), dotted.map("-{}".format)),
    st.one_of(st.just(""), dotted.map("+{}".format)),
).map("".join)
strict_semver = st.tuples(st.tuples(number, number, number).map(".".join), suffix).map("".join)
loose_semver = st.tuples(
    st.sampled_from(["", "v", "V"]),
    st.lists(st.one_of(number, st.just("007")), min_size=1, max_size=5).map(".".join),
    suffix,
).map("".join)
pep440 = st.tuples(
    st.sampled_from(["", "v", "1!", "2!"]),
    st.lists(number, min_size=1, max_size=4).map(".".join),
    st.sampled_from(["", "a1", ".alpha2", "b1", "rc1", "-c10", "rc9"]),
    st.sampled_from(["", ".post1", "-2", ".post"]),
    st.sampled_from(["", ".dev0", ".dev10", "dev9"]),
    st.sampled_from(["", "+cpu", "+cu118.1", "+1"]),
).map("".join)
anything = st.one_of(loose_semver, pep440, st.text(max_size=12), st.sampled_from(["next", "2.x"]))


@pytest.mark.parametrize(
    ("scheme", "oldest_first"),
    [
        pytest.param(SEMVER, "1.0.0 2.0.0 2.1.0 2.1.1", id="semver.org: numbers"),
        pytest.param(
            SEMVER,
            "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 "
            "1.0.0-rc.1 1.0.0",
            id="semver.org: prereleases",
        ),
        pytest.param(SEMVER, "2.2.0 2.9.0 2.10.0", id="2.10 after 2.9"),
        pytest.param(SEMVER, "1.0.0-rc.9 1.0.0-rc.10", id="rc.10 after rc.9"),
        pytest.param(SEMVER, "v0.0.3 0.0.4", id="the letter v has no weight"),
        pytest.param(SEMVER, "1.3.0-pre.5 1.3.0 1.3.1-pre.1", id="a prerelease before its release"),
        pytest.param(SEMVER, "5 5.0.1 5.1 5.1.0.1 5.1.2", id="missing numbers are zeros"),
        pytest.param(SEMVER, "1.0.0-RC.1 1.0.0-rc.1", id="identifiers compare by ASCII"),
        pytest.param(SEMVER, "1.0.0-1 1.0.0-99 1.0.0--", id="numbers before words"),
        pytest.param(SEMVER, "5.1 5.1.0 5.1.0+b1 5.1.0+b2 v5.1.0", id="equal ones by their text"),
        pytest.param(SEMVER, "2.x next 0.0.1-a 0.0.1", id="what is no version comes last"),
        pytest.param(PEP440, "1.0.dev1 1.0a1 1.0rc1 1.0 1.0.post1", id="pep440: kinds of release"),
        pytest.param(PEP440, "1.0 2024.1 1!0.1", id="pep440: an epoch goes before everything"),
        pytest.param(PEP440, "1.0a2.dev1 1.0a2 1.0b1 1.0rc9 1.0rc10", id="pep440: prereleases"),
        pytest.param(PEP440, "1.0 1.0+cpu 1.0+cu118 1.0.1", id="pep440: local versions"),
        pytest.param(PEP440, "1.0 1.0.0 v1.0", id="pep440: equal ones by their text"),
        pytest.param(LABEL, "zebra 10 9 apple", id="labels as given, the first is the newest"),
    ],
)
def test_versions_are_ordered_newest_first(scheme: Scheme, oldest_first: str) -> None:
    expected = tuple(reversed(oldest_first.split()))
    given_order = expected if scheme is LABEL else tuple(sorted(expected))
    assert ordered(given_order, scheme) == expected


@pytest.mark.parametrize(
    ("text", "schemes", "stable_in"),
    [
        pytest.param("5.1.0", [SEMVER, PEP440, LABEL], [SEMVER, PEP440, LABEL], id="three numbers"),
        pytest.param("5", [SEMVER, PEP440, LABEL], [SEMVER, PEP440, LABEL], id="one number"),
        pytest.param("V5.1", [SEMVER, PEP440, LABEL], [SEMVER, PEP440, LABEL], id="capital v"),
        pytest.param(
            "1.2.3.4.5", [SEMVER, PEP440, LABEL], [SEMVER, PEP440, LABEL], id="five numbers"
        ),
        pytest.param("1.3.0-pre.5", [SEMVER, PEP440, LABEL], [LABEL], id="a prerelease"),
        pytest.param(
            "1.0.0-rc.1+b", [SEMVER, PEP440, LABEL], [LABEL], id="a prerelease with build"
        ),
        pytest.param(
            "1.0.0+build.2", [SEMVER, PEP440, LABEL], [SEMVER, PEP440, LABEL], id="a build"
        ),
        pytest.param("1.0rc1", [PEP440, LABEL], [LABEL], id="pep440 prerelease"),
        pytest.param("1.0.dev1", [PEP440, LABEL], [LABEL], id="pep440 development release"),
        pytest.param("1.0.post1", [PEP440, LABEL], [PEP440, LABEL], id="pep440 post-release"),
        pytest.param("1!2.0", [PEP440, LABEL], [PEP440, LABEL], id="an epoch"),
        pytest.param("2.x", [LABEL], [LABEL], id="2.x"),
        pytest.param("2.*", [LABEL], [LABEL], id="2.*"),
        pytest.param("^5", [LABEL], [LABEL], id="a range"),
        pytest.param("1..2", [LABEL], [LABEL], id="an empty number"),
        pytest.param("1.0.0-", [LABEL], [LABEL], id="an empty prerelease"),
        pytest.param("1.0.0-rc..1", [LABEL], [LABEL], id="an empty identifier"),
        pytest.param("5.", [LABEL], [LABEL], id="a trailing dot"),
        pytest.param("nightly", [LABEL], [LABEL], id="a word"),
        pytest.param("\u0663.\u0661", [LABEL], [LABEL], id="digits that are not ASCII"),
        pytest.param("latest", [], [LABEL], id="latest"),
        pytest.param("LATEST", [], [LABEL], id="latest in capitals"),
        pytest.param("", [], [LABEL], id="nothing"),
        pytest.param(" 1.0", [], [LABEL], id="a blank before"),
        pytest.param("1.0\n", [], [LABEL], id="a line end"),
        pytest.param("a\u202eb", [], [LABEL], id="a control"),
        pytest.param(
            "9" * MAX_LENGTH, [SEMVER, PEP440, LABEL], [SEMVER, PEP440, LABEL], id="longest"
        ),
        pytest.param("9" * (MAX_LENGTH + 1), [], [LABEL], id="too long"),
    ],
)
def test_the_grammar_and_stability_of_each_scheme(
    text: str, schemes: list[Scheme], stable_in: list[Scheme]
) -> None:
    assert [scheme for scheme in Scheme if is_version(text, scheme)] == schemes
    assert [scheme for scheme in Scheme if is_stable(text, scheme)] == stable_in


@pytest.mark.parametrize(
    ("scheme", "versions", "expected"),
    [
        pytest.param(SEMVER, "1.3.0-pre.5 1.2.0 1.10.0", "1.10.0", id="the newest stable"),
        pytest.param(
            SEMVER, "1.0.0-rc.9 1.0.0-rc.10 1.0.0-beta", "1.0.0-rc.10", id="no stable one"
        ),
        pytest.param(SEMVER, "nightly 1.0.0-rc.1", "1.0.0-rc.1", id="a version before a word"),
        pytest.param(SEMVER, "nightly", "nightly", id="nothing but a word"),
        pytest.param(PEP440, "2.0rc1 1.0 1.0.post1 3.0.dev1", "1.0.post1", id="pep440"),
        pytest.param(LABEL, "beta alpha", "beta", id="the first label"),
    ],
)
def test_the_latest_version(scheme: Scheme, versions: str, expected: str) -> None:
    assert latest(versions.split(), scheme) == expected


def test_there_is_no_latest_of_nothing() -> None:
    with pytest.raises(ValueError, match="no versions"):
        latest((), SEMVER)


@pytest.mark.parametrize(
    ("scheme", "versions", "groups"),
    [
        pytest.param(SEMVER, "5.1 4.0.0 v5.1.0 5.1.1", (("v5.1.0", "5.1"),), id="missing numbers"),
        pytest.param(SEMVER, "1.0.0+b1 1.0.0+b2", (("1.0.0+b2", "1.0.0+b1"),), id="build metadata"),
        pytest.param(
            SEMVER, "1.0.0-rc.01 1.0.0-rc.1 1.0.0", (("1.0.0-rc.1", "1.0.0-rc.01"),), id="rc"
        ),
        pytest.param(SEMVER, "1.0.0 1.0.0 next latest", (), id="a name twice, and words"),
        pytest.param(
            PEP440, "1.0a1 1.0.alpha1 1.0", (("1.0a1", "1.0.alpha1"),), id="pep440 spellings"
        ),
        pytest.param(PEP440, "1.0 1.0+cpu", (), id="pep440 local versions differ"),
        pytest.param(LABEL, "1.0 1.0.0", (), id="labels differ"),
    ],
)
def test_versions_that_compare_equal_are_grouped(
    scheme: Scheme, versions: str, groups: tuple[tuple[str, ...], ...]
) -> None:
    assert equal_versions(versions.split(), scheme) == groups


@given(st.lists(strict_semver, max_size=8))
def test_semver_order_agrees_with_the_semver_package(versions: list[str]) -> None:
    found = [semver.Version.parse(text) for text in ordered(versions, SEMVER)]
    assert all(newer.compare(older) >= 0 for newer, older in pairwise(found))


@given(st.lists(pep440, max_size=8))
def test_pep440_order_agrees_with_packaging(versions: list[str]) -> None:
    found = [Version(text) for text in ordered(versions, PEP440)]
    assert found == sorted(map(Version, versions), reverse=True)


@given(pep440)
def test_pep440_stability_agrees_with_packaging(text: str) -> None:
    assert is_version(text, PEP440)
    assert is_stable(text, PEP440) is not Version(text).is_prerelease


@given(st.lists(anything, max_size=10).flatmap(lambda v: st.tuples(st.just(v), st.permutations(v))))
def test_order_and_latest_do_not_depend_on_the_order_given(
    lists: tuple[list[str], list[str]],
) -> None:
    one, other = lists
    for scheme in (SEMVER, PEP440):
        assert ordered(one, scheme) == ordered(other, scheme)
        assert equal_versions(one, scheme) == equal_versions(other, scheme)
        if one:
            assert latest(one, scheme) == latest(other, scheme)


@given(st.lists(anything, max_size=8), st.sampled_from([SEMVER, PEP440]))
def test_the_order_is_total_and_transitive(versions: list[str], scheme: Scheme) -> None:
    """Each pair stands in the whole list as it stands alone."""
    whole = ordered(versions, scheme)
    assert sorted(whole) == sorted(versions)
    for index, newer in enumerate(whole):
        for older in whole[index + 1 :]:
            assert ordered((older, newer), scheme) == (newer, older)


@given(st.lists(number, min_size=1, max_size=4).map(".".join), st.just("-rc.1") | st.just(""))
def test_v_zeros_and_build_metadata_have_no_weight(numbers: str, prerelease: str) -> None:
    spellings = {
        f"{letter}{numbers}{zeros}{prerelease}{build}"
        for letter in ("", "v", "V")
        for zeros in ("", ".0")
        for build in ("", "+b.1")
    }
    (group,) = equal_versions(tuple(spellings), SEMVER)
    assert set(group) == spellings


@pytest.mark.parametrize("scheme", list(Scheme), ids=lambda scheme: scheme.value)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("9" * 10_000, id="10,000 digits"),
        pytest.param("1." * 200_000, id="dots"),
        pytest.param("1.0.0-" + "a." * 200_000, id="identifiers"),
        pytest.param("1.0" + "-" * 400_000, id="dashes"),
        pytest.param("v" * 400_000, id="letters"),
        pytest.param("1!" * 200_000, id="epochs"),
        pytest.param("\ud800", id="half a character"),
    ],
)
def test_hostile_text_is_no_version(text: str, scheme: Scheme) -> None:
    assert not is_version(text, scheme)
    assert set(ordered((text, "1.0.0"), scheme)) == {text, "1.0.0"}
