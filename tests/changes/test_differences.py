from __future__ import annotations

import pytest

from doctrove_builder.render.change_views import ChangeView
from doctrove_builder.render.differences import differences


def html(old: str, new: str) -> str:
    change = ChangeView(kind="changed", id="s-a", text="A", href="a/", old_body=old, new_body=new)
    return str(differences(change))


CASES = {
    "words": (
        "It waits for three seconds <at most>.",
        "It waits for five seconds <at most>.",
        '<div class="prose">It waits for <del>three</del><ins>five</ins> '
        "seconds &lt;at most&gt;.\n</div>",
    ),
    "code": (
        "```\na\n```",
        "```\nb\n```",
        "<pre><code>```\n<del>a\n</del><ins>b\n</ins>```\n</code></pre>",
    ),
    "unchanged lines far away": (
        "# 1\n# 2\n# 3\n# 4\nold end of it all",
        "# 1\n# 2\n# 3\n# 4\nnew end of it all",
        '<p class="gap">2 unchanged lines</p><div class="prose"># 3\n# 4\n'
        "<del>old</del><ins>new</ins> end of it all\n</div>",
    ),
    "paragraphs keep their blank lines and not their wrapping": (
        "",
        "One\ntwo.\n\nThree\n- four\n| five |\nsix",
        '<div class="prose"><ins>One two.\n\nThree\n- four\n| five |\nsix\n</ins></div>',
    ),
    "white space": (
        "One two\nthree",
        "One\ntwo three",
        '<p class="gap">Only line breaks and spaces changed.</p>',
    ),
    "nothing": ("One", "One", ""),
}


@pytest.mark.parametrize(("old", "new", "expected"), CASES.values(), ids=CASES)
def test_differences_are_marked(old: str, new: str, expected: str) -> None:
    assert html(old, new) == expected
