"""Code blocks of HTML, exact to the byte: line numbers, prompts of buttons and anchors left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.html.parsing import classes, found, tag, text_of
from doctrove_builder.importing.prose.tree import CodeBlock
from doctrove_builder.importing.restructured.code_directives import guessed_language

if TYPE_CHECKING:
    from doctrove_builder.importing.html.parsing import Element

_LANGUAGES = {
    "python3": "python", "py": "python", "py3": "python", "ipython3": "ipython", "pycon3": "pycon",
    "none": "", "text": "", "console": "console", "shell": "bash",
}  # fmt: skip
_CLASS = re.compile(r"(?:highlight|language|lang|brush:?|sourceCode)-?([\w+#.-]+)")
_NO_LANGUAGE = frozenset({"source", "code", "block", "wrapper"})


def language_of(element: Element) -> str:
    """Return the language that an element, or one around or within it, is marked with."""
    inner = found(element, name="code")
    around = (element.getparent(), element) if element.getparent() is not None else (element,)
    for one in (inner, *reversed(around), _grandparent(element)):
        if one is None:
            continue
        if written := one.get("data-language") or one.get("data-lang"):
            return _named(written)
        for cls in (one.get("class") or "").split():
            matched = _CLASS.fullmatch(cls)
            if matched and matched[1] not in _NO_LANGUAGE:
                return _named(matched[1])
    return ""


def read_pre(pre: Element, *, title: str = "") -> CodeBlock:
    """Return the code of a `pre`."""
    text = text_of(pre)
    text = text.removeprefix("\n") if tag(pre) == "pre" else text
    text = text.rstrip("\n")
    language = language_of(pre)
    if language == "default":
        language = guessed_language(text, "default")
    return CodeBlock(text, language, title)


def is_code(element: Element) -> bool:
    """Say whether an element is a wrapper that Sphinx puts around highlighted code."""
    own = classes(element)
    return "highlight" in own or any(cls.startswith("highlight-") for cls in own)


def _grandparent(element: Element) -> Element | None:
    parent = element.getparent()
    return None if parent is None else parent.getparent()


def _named(written: str) -> str:
    name = written.strip().lower()
    return _LANGUAGES.get(name, name)
