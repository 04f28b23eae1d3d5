"""Print what a Markdown page costs: reading it, rendering it, and Pygments' part in that.

    python tests/benchmarks/markdown/measure.py [PAGES]

The pages are made here, about 150 words each with a block of Python, a list, a table and links.
Beside them stands markdown-it-py alone, on the same text in the same run.
"""

from __future__ import annotations

import random
import sys
from time import process_time
from typing import TYPE_CHECKING, TypeVar

from markdown_it import MarkdownIt

from doctrove_builder.markdown import parse_page, render_section
from doctrove_builder.markdown.highlight import highlight
from doctrove_builder.model import Document
from doctrove_builder.site import SectionSource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

WORDS = """
index volume library module function argument value schema table section query cache token parser
stream buffer request response header client server session policy record field
""".split()  # noqa: SIM905 - words read better as text

CODE = '''class {0}(Base):
    """{0} over {1}."""

    limit: int = {2}

    def run(self, {1}: str, *, n: float = 0.001) -> dict[str, int]:
        # {1} first
        if not {1}:
            raise ValueError(f"bad {1}: {{{1}!r}}")
        return {{"{1}": len({1}) + self.limit, "n": int(n * {2})}}
'''


def main() -> int:
    """Print milliseconds of processor time a page."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    choice = random.Random(7)
    documents = [Document(path=f"{i}.md", text=page(choice, i)) for i in range(count)]
    sources = [source for document in documents[:20] for source in _sources(document)]
    for source in sources:  # what is made once in a process
        render_section(source)
    plain = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    peer = _cost(lambda document: plain.render(document.text), documents)
    read = _cost(lambda document: parse_page(document, path="p", split_level=2), documents)
    sources = [source for document in documents for source in _sources(document)]
    html = _cost(render_section, sources) * len(sources) / count
    codes = [document.text.split("```")[1].removeprefix("python\n") for document in documents]
    colours = _cost(lambda code: highlight(code, language="python"), codes)
    size = sum(len(document.text) for document in documents) / count
    print(f"{count} pages, {size:.0f} characters and {len(sources) / count:.1f} sections each")
    for name, cost in (
        ("markdown-it-py alone", peer),
        ("parse_page", read),
        ("render_section", html),
        ("  of that highlighting", colours),
    ):
        print(f"{name:24} {cost * 1000:6.2f} ms a page, {cost / peer:4.1f} times")
    return 0


def page(choice: random.Random, number: int) -> str:
    """Return a page of documentation."""
    one, two = choice.sample(WORDS, 2)
    code = CODE.format(one.title(), two, number)
    return (
        f"# {one} {two} {number}\n\n{_prose(choice)}\n\n"
        f"## Using {one} {two}\n\n{_prose(choice)}\n\n"
        f"```python\n{code}```\n\n## Notes on {two}\n\n{_prose(choice)}\n\n"
        f"- {_prose(choice, 10)}\n- {_prose(choice, 10)}\n\n| name | type | default |\n"
        f"| --- | --- | --- |\n| `{one}` | int | {number} |\n| `{two}` | str | none |\n\n"
        f"See [the next page](page-{number + 1}.md).\n"
    )


def _prose(choice: random.Random, words: int = 45) -> str:
    marked = (f"`{choice.choice(WORDS)}`", f"**{choice.choice(WORDS)}**")
    return " ".join((*choice.choices(WORDS, k=words), *marked)) + "."


def _sources(document: Document) -> list[SectionSource]:
    found, _ = parse_page(document, path="p", split_level=2)
    return [SectionSource(body=one.body, prefix=one.heading.anchor) for one in found.passages]


def _cost(work: Callable[[T], object], items: Sequence[T]) -> float:
    before = process_time()
    for item in items:
        work(item)
    return (process_time() - before) / len(items)


if __name__ == "__main__":
    sys.exit(main())
