from __future__ import annotations

from tests.changes.conftest import make

from doctrove_builder.assemble.ages import with_ages
from doctrove_builder.memory import Memory
from doctrove_schema.model import Section, Volume
from doctrove_schema.versions import Scheme


def volume(*sections: Section) -> Volume:
    return Volume(sections=sections)


def ages(
    volumes: dict[str, Volume], *, scheme: Scheme = Scheme.SEMVER
) -> dict[str, dict[str, str]]:
    """Return the age of each section of each volume."""
    aged = with_ages(volumes, library="lib", scheme=scheme)
    assert list(aged) == list(volumes)
    return {
        version: {section.id: section.since for section in one.sections}
        for version, one in aged.items()
    }


def test_sections_say_since_when_they_are_there() -> None:
    old, new, newest = (make(f"a/{name}", f"Text {name}.") for name in ("old", "new", "newest"))
    found = ages(
        {"3.0.0": volume(old, new, newest), "2.0.0": volume(old, new), "1.0.0": volume(old)}
    )
    assert found == {
        "3.0.0": {"a/old": "", "a/new": "2.0.0", "a/newest": "3.0.0"},
        "2.0.0": {"a/old": "", "a/new": "2.0.0"},
        "1.0.0": {"a/old": ""},
    }


def test_a_release_names_itself_and_not_its_prerelease() -> None:
    old, new = make("a/old", "Old."), make("a/new", "New.")
    found = ages({"2.0.0": volume(old, new), "2.0.0-rc.1": volume(old, new), "1.0.0": volume(old)})
    assert found["2.0.0"]["a/new"] == "2.0.0"
    assert found["2.0.0-rc.1"]["a/new"] == "2.0.0-rc.1"


def test_what_an_author_wrote_stays() -> None:
    found = ages({"2.0.0": volume(make("a/x", "X.", since="1.7")), "1.0.0": volume()})
    assert found["2.0.0"] == {"a/x": "1.7"}


def test_labels_are_as_old_as_the_order_says() -> None:
    found = ages({"summer": volume(make("a/x", "X.")), "winter": volume()}, scheme=Scheme.LABEL)
    assert found["summer"] == {"a/x": "summer"}


def test_with_a_memory_only_the_page_that_changed_is_made_anew() -> None:
    memory = Memory()
    kept, edited = make("a/x", "Kept."), make("b/y", "Before.")
    old = volume(make("c/z", "Old."))

    def built(new: Volume) -> Volume:
        memory.turn()
        return with_ages(
            {"2.0.0": new, "1.0.0": old}, library="lib", scheme=Scheme.SEMVER, apply=memory
        )["2.0.0"]

    first = volume(kept, edited)
    before, again = built(first), built(first)
    assert again is before
    after = built(volume(kept, make("b/y", "After.")))
    assert after.sections[0] is before.sections[0]
    assert after.sections[1].body == "After."
