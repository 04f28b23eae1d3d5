"""Text and code that pages take from other files, in the dialects that real documentation uses.

MkDocs: `--8<-- "path"` (PyMdown Snippets), `{! path !}` (mdx_include), `{* path *}` (FastAPI's),
`{% include-markdown "path" %}`. VitePress: `<<< path`, `<!--@include: path-->`. MyST:
`literalinclude`, `include`. mdBook: `{{#include path}}`. Docusaurus: imported partials and raw
files, `file=path` of a code block. Microsoft Learn: `[!INCLUDE [x](path)]`, `:::code source=...`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown import slicing
from doctrove_builder.importing.markdown.cutting import (
    Cut,
    cut_marks,
    cut_options,
    cut_ranges,
    cut_region,
    cut_spec,
    snippet_lines,
)
from doctrove_builder.importing.markdown.frontmatter import split_front
from doctrove_builder.importing.markdown.languages import language_of
from doctrove_builder.importing.markdown.lines import (
    SOFT_BREAK,
    Line,
    Role,
    closes,
    fence_of,
    roles,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.files import Files
    from doctrove_builder.importing.markdown.slicing import Numbered

MAX_DEPTH = 10
MAX_LINES = 60_000
"""Of one page with all that it includes."""

MARKDOWN = (".md", ".markdown", ".mdx")

_SNIPPET = re.compile(
    r"""(?P<indent>[ \t]*)(?P<quote>;?)-{1,}8<-{1,}[ \t]+(["'])(?P<path>[^"']+)\3[ \t]*"""
)
_SNIPPET_BLOCK = re.compile(r"(?P<indent>[ \t]*)-{1,}8<-{1,}[ \t]*")
_BRACES = re.compile(r"(?P<indent>[ \t]*)\{!>?[ \t]*(?P<path>[^!{}]+?)[ \t]*!\}[ \t]*(?P<rest>.*)")
_STARS = re.compile(r"(?P<indent>[ \t]*)\{\*[ \t]+(?P<path>\S+)(?P<options>[^}]*)\*\}[ \t]*")
_ARROWS = re.compile(
    r"(?P<indent>[ \t]*)<<<[ \t]*(?P<path>[^\s{#\[]+)(?:#(?P<region>[\w.-]+))?(?P<rest>.*)"
)
_COMMENT = re.compile(
    r"(?P<indent>[ \t]*)<!--[ \t]*@include:[ \t]*(?P<path>[^\s{#]+?)"
    r"(?:#(?P<region>[\w-]+))?(?:\{(?P<lines>[\d,-]*)\})?[ \t]*-->[ \t]*"
)
_JINJA = re.compile(
    r"""(?P<indent>[ \t]*)\{%-?[ \t]*include(?:-markdown)?[ \t]+"""
    r"""(["'])(?P<path>[^"']+)\2(?P<options>.*?)-?%\}[ \t]*"""
)
_MDBOOK = re.compile(
    r"(?P<indent>[ \t]*)\{\{[ \t]*#(?:rustdoc_)?include[ \t]+(?P<path>[^\s:}]+)"
    r"(?::(?P<spec>[^}\s]+))?[ \t]*\}\}[ \t]*"
)
_LEARN = re.compile(
    r"(?P<indent>[ \t]*)\[!INCLUDE[ \t]*\[[^\]]*\]\((?P<path>[^)\s]+)\)\][ \t]*", re.IGNORECASE
)
_LEARN_CODE = re.compile(r"(?P<indent>[ \t]*):::code\b(?P<options>.*?)(?::::)?[ \t]*")
_DIRECTIVE = re.compile(r"\{(?P<name>literalinclude|include)\}[ \t]*(?P<path>\S+)[ \t]*")
_OPTION = re.compile(r"[ \t]*:([\w-]+):[ \t]*(.*)")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_FILE_KEY = re.compile(r"""\bfile=(?:"([^"]+)"|'([^']+)'|([^\s"'}]+))""")
_HIGHLIGHT = re.compile(r"\bhl\[([\d:,\s-]*)\]")
_LINES = re.compile(r"\bln\[([\d:,\s-]*)\]|\[ln:([\d:,\s-]*)\]")
_ARROW_REST = re.compile(r"(?:\{(?P<braces>[^}]*)\})?[ \t]*(?:\[(?P<title>[^\]]*)\])?[ \t]*")


class Includer:
    """Replaces the includes of one page; counts what it found and notes what it did not."""

    def __init__(self, files: Files, page: str) -> None:
        """`page` is the page's own file."""
        self.files = files
        self.page = page
        self.notes: list[Note] = []
        self.resolved = 0
        self.used: set[str] = set()
        self._lines = 0

    def expand(
        self, lines: Sequence[Line], *, file: str = "", stack: tuple[str, ...] = ()
    ) -> list[Line]:
        """Return the lines with every include in its place; `file` is the one they are from."""
        file = file or self.page
        stack = stack or (file,)
        made: list[Line] = []
        kinds = roles(lines)
        at = 0
        while at < len(lines):
            step, found = self._one(lines, kinds, at, file=file, stack=stack)
            if found is None:
                made.append(lines[at])
            else:
                made += found
            at += step
            if len(made) > MAX_LINES:
                self._note("include-too-large", lines[0], f"more than {MAX_LINES:,} lines")
                break
        return made

    def _one(
        self,
        lines: Sequence[Line],
        kinds: Sequence[Role],
        at: int,
        *,
        file: str,
        stack: tuple[str, ...],
    ) -> tuple[int, list[Line] | None]:
        """Return how many lines an include at this line takes, and what stands in its place."""
        line, role = lines[at], kinds[at]
        text = line.text
        if role is Role.OPEN:
            return self._fence(lines, at, file=file, stack=stack)
        if "8<" in text:
            return self._snippet(lines, at, in_code=role is not Role.TEXT, file=file, stack=stack)
        if "{!" in text and (found := _BRACES.fullmatch(text)):
            wanted = _LINES.search(found["rest"]) or _LINES.search(found["path"])
            spec = (wanted[1] or wanted[2]) if wanted else ""
            path = _LINES.sub("", found["path"]).strip()
            cut = cut_ranges(spec)
            in_code = role is not Role.TEXT
            return 1, self._file(
                path, line, found["indent"], cut=cut, text=not in_code, file=file, stack=stack
            )
        if "{{" in text and "include" in text and (found := _MDBOOK.fullmatch(text)):
            cut = cut_spec(found["spec"] or "")
            is_text = role is Role.TEXT
            return 1, self._file(
                found["path"], line, found["indent"], cut=cut, text=is_text, file=file, stack=stack
            )
        if role is not Role.TEXT:
            return 1, None
        return self._in_text(lines, at, file=file, stack=stack)

    def _in_text(  # noqa: PLR0911 - one a dialect
        self, lines: Sequence[Line], at: int, *, file: str, stack: tuple[str, ...]
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        text = line.text
        if "{*" in text and (found := _STARS.fullmatch(text)):
            return 1, self._starred(found, line, file=file)
        if "<<<" in text and (found := _ARROWS.fullmatch(text)):
            return 1, self._arrow(found, line, file=file)
        if "@include" in text and (found := _COMMENT.fullmatch(text)):
            cut: Cut | None = cut_region(found["region"] or "", found["lines"] or "")
            return 1, self._file(
                found["path"], line, found["indent"], cut=cut, text=True, file=file, stack=stack
            )
        if "{%" in text and (found := _JINJA.fullmatch(text)):
            options = {k: a or b for k, a, b in _ATTRIBUTE.findall(found["options"])}
            cut = cut_marks(options.get("start", ""), options.get("end", ""))
            return 1, self._file(
                found["path"], line, found["indent"], cut=cut, text=True, file=file, stack=stack
            )
        if "[!INCLUDE" in text.upper() and (found := _LEARN.fullmatch(text)):
            return 1, self._file(
                found["path"], line, found["indent"], text=True, file=file, stack=stack
            )
        if ":::code" in text and (found := _LEARN_CODE.fullmatch(text)):
            options = {k: a or b for k, a, b in _ATTRIBUTE.findall(found["options"])}
            if "source" in options:
                cut = cut_ranges(options.get("range", ""))
                return 1, self._code(
                    options["source"],
                    line,
                    found["indent"],
                    cut=cut,
                    info=options.get("language", ""),
                    file=file,
                )
        return 1, None

    def _snippet(
        self, lines: Sequence[Line], at: int, *, in_code: bool, file: str, stack: tuple[str, ...]
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        if found := _SNIPPET.fullmatch(line.text):
            if found["quote"]:
                return 1, [line.with_text(line.text.replace(";", "", 1))]
            return 1, self._snippet_file(found["path"], line, found["indent"], in_code, file, stack)
        block = _SNIPPET_BLOCK.fullmatch(line.text)
        if block is None:
            return 1, None
        made: list[Line] = []
        for end in range(at + 1, len(lines)):
            text = lines[end].text.strip()
            if _SNIPPET_BLOCK.fullmatch(lines[end].text):
                return end - at + 1, made
            if text and not text.startswith(";"):
                found_lines = self._snippet_file(
                    text.strip("\"'"), lines[end], block["indent"], in_code, file, stack
                )
                made += found_lines or []
        return 1, None

    def _snippet_file(  # noqa: PLR0913, PLR0917 - the parts of one include
        self, spec: str, line: Line, indent: str, in_code: bool, file: str, stack: tuple[str, ...]
    ) -> list[Line] | None:
        path, _, part = spec.partition(":") if "://" not in spec else (spec, "", "")

        def cut(found: Numbered) -> Numbered | None:
            if not part:
                return slicing.without_marks(found, "snippet")
            if re.fullmatch(r"[\d:,-]+", part):
                return snippet_lines(found, part)
            section = slicing.snippet_section(found, part)
            return section if section is None else slicing.without_marks(section, "snippet")

        return self._file(
            path,
            line,
            indent,
            cut=cut,
            text=not in_code,
            configured_first=True,
            file=file,
            stack=stack,
        )

    def _starred(self, found: re.Match[str], line: Line, *, file: str) -> list[Line] | None:
        wanted = _LINES.search(found["options"])
        highlight = _HIGHLIGHT.search(found["options"])
        info = language_of(found["path"])
        if highlight and not wanted:
            marked = highlight[1].replace(":", "-").replace(",", " ")
            info = f'{info} hl_lines="{marked}"'
        spec = wanted[1] or wanted[2] if wanted else ""
        return self._code(
            found["path"], line, found["indent"], cut=cut_ranges(spec), info=info, file=file
        )

    def _arrow(self, found: re.Match[str], line: Line, *, file: str) -> list[Line] | None:
        rest = _ARROW_REST.fullmatch(found["rest"])
        braces = (rest["braces"] or "" if rest else "").split()
        marked = next((part for part in braces if re.fullmatch(r"[\d,-]+", part)), "")
        language = next((p for p in braces if re.fullmatch(r"[A-Za-z][\w+-]*", p)), "")
        title = rest["title"] if rest and rest["title"] else ""
        info = language or language_of(found["path"])
        info += f"{{{marked}}}" if marked else ""
        info += f" [{title}]" if title else ""
        cut = cut_region(found["region"] or "", "")
        return self._code(found["path"], line, found["indent"], cut=cut, info=info, file=file)

    def _fence(
        self, lines: Sequence[Line], at: int, *, file: str, stack: tuple[str, ...]
    ) -> tuple[int, list[Line] | None]:
        line = lines[at]
        fence = fence_of(line.text)
        if fence is None:
            return 1, None
        end = next(
            (i for i in range(at + 1, len(lines)) if closes(lines[i].text, fence.mark)), len(lines)
        )
        if directive := _DIRECTIVE.fullmatch(fence.info.strip()):
            options = {
                found[1]: found[2].strip()
                for one in lines[at + 1 : end]
                if (found := _OPTION.fullmatch(one.text))
            }
            if directive["name"] == "include" and "literal" not in options:
                cut = cut_options(options)
                found_lines = self._file(
                    directive["path"],
                    line,
                    fence.prefix,
                    cut=cut,
                    text=True,
                    file=file,
                    stack=stack,
                )
            else:
                found_lines = self._code(
                    directive["path"],
                    line,
                    fence.prefix,
                    cut=cut_options(options),
                    info=options.get("language") or language_of(directive["path"]),
                    file=file,
                )
            return min(end, len(lines) - 1) - at + 1, found_lines or []
        named = _FILE_KEY.search(fence.info)
        if named and not any(one.text.strip() for one in lines[at + 1 : end]):
            path, _, spec = (named[1] or named[2] or named[3]).partition("#")
            cut = cut_ranges(spec.replace("L", ""))
            path = path.replace("<rootDir>", "")
            info = _FILE_KEY.sub("", fence.info).strip() or language_of(path)
            made = self._code(path, line, fence.prefix, cut=cut, info=info, file=file)
            return min(end, len(lines) - 1) - at + 1, made or []
        return 1, None

    def code_of(
        self, path: str, line: Line, *, info: str = "", file: str = ""
    ) -> list[Line] | None:
        """Return a file as a code block."""
        return self._code(path, line, "", info=info or language_of(path), file=file or self.page)

    def text_of(
        self, path: str, line: Line, indent: str, *, file: str, stack: tuple[str, ...]
    ) -> list[Line] | None:
        """Return a file as text with its own includes."""
        return self._file(path, line, indent, text=True, file=file, stack=stack)

    def _code(  # noqa: PLR0913 - the parts of one include
        self,
        path: str,
        line: Line,
        indent: str,
        *,
        cut: Cut | None = None,
        info: str,
        file: str,
    ) -> list[Line] | None:
        found = self._read(path, line, cut=cut, configured_first=False, file=file)
        if found is None:
            return []
        target, lines = found
        longest = max(
            (len(m[0]) for _, text in lines for m in re.finditer(r"`{3,}", text)), default=2
        )
        mark = "`" * (longest + 1)
        body = [_included(line, indent, target, one) for one in lines]
        return [line.with_text(f"{indent}{mark}{info}"), *body, line.with_text(f"{indent}{mark}")]

    def _file(  # noqa: PLR0913 - the parts of one include
        self,
        path: str,
        line: Line,
        indent: str,
        *,
        cut: Cut | None = None,
        text: bool,
        configured_first: bool = False,
        file: str,
        stack: tuple[str, ...],
    ) -> list[Line] | None:
        found = self._read(path, line, cut=cut, configured_first=configured_first, file=file)
        if found is None:
            return []
        target, lines = found
        if not text:
            return [_included(line, indent, target, one) for one in lines]
        if target in stack or len(stack) > MAX_DEPTH:
            self._note("include-circle", line, f"{path} includes itself")
            return []
        if (
            not target.lower().endswith(MARKDOWN)
            and cut is None
            and language_of(target) not in {"", "text"}
        ):
            return self._code(path, line, indent, info=language_of(target), file=file)
        front = split_front("\n".join(one for _, one in lines)).lines
        body = [_included(line, indent, target, one) for one in lines[front:]]
        return self.expand(body, file=target, stack=(*stack, target))

    def _read(
        self,
        path: str,
        line: Line,
        *,
        cut: Cut | None,
        configured_first: bool,
        file: str,
    ) -> tuple[str, Numbered] | None:
        if "://" in path:
            self._note("include-remote", line, f"{path} is not on this disk")
            return None
        target = self.files.find(path, page=file, configured_first=configured_first)
        if target is None and file != self.page:
            target = self.files.find(path, page=self.page, configured_first=configured_first)
        if target is None:
            if self.files.leads_out(path, page=file):
                self._note("include-outside", line, f"{path} leads out of the source")
            else:
                self._note("include-missing", line, f"{path} is not in the source")
            return None
        try:
            lines = slicing.numbered(self.files.tree.read_text(target).replace(SOFT_BREAK, ""))
        except FileRefused as error:
            self._note("include-refused", line, error.message)
            return None
        chosen = cut(lines) if cut else lines
        if chosen is None:
            self._note(
                "include-part-missing", line, f"the part of {path} that is named is not there"
            )
            return None
        self.resolved += 1
        self.used.add(target)
        self._lines += len(chosen)
        if self._lines > MAX_LINES:
            self._note("include-too-large", line, f"with {path} more than {MAX_LINES:,} lines")
            return None
        return target, chosen

    def _note(self, kind: str, line: Line, message: str) -> None:
        self.notes.append(Note(kind=kind, place=f"{self.page}:{line.number}", message=message))


def _included(line: Line, indent: str, target: str, one: tuple[int, str]) -> Line:
    number, text = one
    return Line(f"{indent}{text}" if text else "", line.number, target, number)
