"""Directives that describe objects of a program: `py:function`, `option`, `autoclass`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils.statemachine import StringList

from doctrove_builder.importing.restructured.directive import Own
from doctrove_builder.importing.restructured.marks import AutoDescribed, Described

if TYPE_CHECKING:
    from docutils import nodes
    from docutils.parsers.rst import Directive

_PYTHON = (
    "attribute class classmethod data decorator decoratormethod exception function method property "
    "staticmethod type"
)
_OTHERS = {
    "c": "function macro member struct enum enumerator type union var",
    "cpp": "function class struct member var type enum enum-class enumerator concept union",
    "js": "function class method attribute data module",
    "rst": "directive role directive:option",
    "http": "get post put patch delete head options any",
    "std": "option confval envvar describe object program-option",
}
_AUTO = (
    "autoattribute autoclass autodata autodecorator autoexception autofunction automethod "
    "automodule autoproperty autotypevar autopydantic_model autopydantic_settings"
)
_CLASSES = frozenset({"class", "exception"})
_NAME = re.compile(r"[\w.]+")
_SPOKEN = {"classmethod": "classmethod ", "staticmethod": "static ", "property": "property "}


class DescribedObject(Own):
    """An object of a program: signatures, one a line, and what is said of it."""

    def run(self) -> list[nodes.Node]:
        """Return the description; members are described within it."""
        domain, _, kind = self.name.rpartition(":")
        domain = domain.partition(":")[0] or ("py" if kind in _PYTHON.split() else "std")
        session = self.session
        node = Described()
        texts = [one.strip() for one in re.sub(r"\\\n\s*", "", self.argument).split("\n")]
        names = [self._name(domain, text) for text in texts if text]
        if not names:
            return self.parsed()
        module = self.option("module") or session.module if domain == "py" else ""
        node["kind"], node["name"] = kind, names[0]
        full = [_joined(module, name) for name in names]
        unlisted = {"noindex", "no-index", "no-index-entry"} & set(self.options)
        node["symbols"] = () if unlisted else tuple(dict.fromkeys((*full, *names)))
        node["anchors"] = tuple(full) + _option_anchors(kind, texts)
        node["signatures"] = tuple(self._signature(domain, kind, text) for text in texts if text)
        node["language"] = {"py": "python", "js": "javascript"}.get(domain, domain)
        if domain in {"std", "rst", "http"}:
            node["language"] = "text" if kind != "option" else "console"
        node["place"] = self.place()
        outer = session.classes
        if kind in _CLASSES:
            session.classes = (names[0],)
        node += self.parsed()
        session.classes = outer
        return [node]

    def _name(self, domain: str, text: str) -> str:
        if domain not in {"py", "js"}:
            return " ".join(text.split())
        found = _NAME.match(text)
        name = found[0].strip(".") if found else text.partition("(")[0].strip()
        outer = self.session.classes[-1] if self.session.classes else ""
        return _joined(outer, name) if outer and not name.startswith(f"{outer}.") else name

    def _signature(self, domain: str, kind: str, text: str) -> str:
        shown = " ".join(text.replace("\\", "").split())
        if domain != "py":
            return f"{kind.upper()} {shown}" if domain == "http" else shown
        before = "async " if "async" in self.options else ""
        for flag in ("abstractmethod", "classmethod", "staticmethod"):
            if flag in self.options:
                before += _SPOKEN.get(flag, "abstract ")
        before += _SPOKEN.get(kind, "")
        if kind in _CLASSES:
            before += f"{kind} "
        if kind in {"decorator", "decoratormethod"}:
            before += "@"
        after = f": {self.option('type')}" if self.option("type") else ""
        after += f" = {self.option('value')}" if self.option("value") else ""
        return f"{before}{shown}{after}"


class AutoObject(Own):
    """An autodoc directive: what it names is looked up in a package's source, if that is given."""

    def run(self) -> list[nodes.Node]:
        """Return a place for the object's documentation, the directive's own text within."""
        name = self.argument.split("(")[0].replace("::", ".").strip()
        session = self.session
        kind = self.name.removeprefix("auto").removeprefix("pydantic_")
        if kind == "module":
            session.module = name
        if session.classes and "." not in name:
            name = f"{session.classes[-1]}.{name}"
        node = AutoDescribed()
        node["kind"], node["name"] = kind, name
        node["module"] = session.module
        node["given"] = {key: value or "" for key, value in self.options.items()}
        node["place"] = self.place()
        outer = session.module, session.classes
        if kind in _CLASSES:
            module, session.classes = _taken_apart(name)
            session.module = module or session.module
        node += self.parsed()
        session.module, session.classes = outer
        return [node]


class AutoSummary(Own):
    """A list of objects by name."""

    def run(self) -> list[nodes.Node]:
        """Return a list of references."""
        names = [line.strip().lstrip("~") for line in self.content if line.strip()]
        lines = [f"- :py:obj:`{name}`" for name in names if re.fullmatch(r"[\w.]+", name)]
        file, line = self.place()
        self.content = StringList(initlist=lines, items=[(file, line)] * len(lines))
        return self.parsed()


class Module(Own):
    """The module that objects after it are named within."""

    def run(self) -> list[nodes.Node]:
        """Remember the module."""
        self.session.module = "" if self.argument == "None" else self.argument
        return self.parsed()


def _taken_apart(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the module that a class's name begins with, and the class, as it is headed."""
    parts = name.split(".")
    first = next((at for at, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[:first]), (".".join(parts[first:]),)


def _joined(outer: str, name: str) -> str:
    if not outer or name == outer or name.startswith(f"{outer}."):
        return name
    return f"{outer}.{name}"


def _option_anchors(kind: str, texts: list[str]) -> tuple[str, ...]:
    """Return the anchors that Sphinx gives command line options."""
    if kind != "option":
        return ()
    found: list[str] = []
    for text in texts:
        for part in text.split(","):
            word: Any = re.match(r"\s*(-{0,2}[\w-]+)", part)
            if word:
                found.append(f"cmdoption-{word[1].lstrip('-')}")
    return tuple(found)


OBJECTS: dict[str, type[Directive]] = {
    **dict.fromkeys(_PYTHON.split(), DescribedObject),
    **{f"py:{kind}": DescribedObject for kind in _PYTHON.split()},
    **{
        f"{domain}:{kind}": DescribedObject
        for domain, kinds in _OTHERS.items()
        for kind in kinds.split()
    },
    **dict.fromkeys(_OTHERS["std"].split(), DescribedObject),
    **dict.fromkeys(_AUTO.split(), AutoObject),
    "autosummary": AutoSummary,
    **dict.fromkeys(("module", "currentmodule", "py:module", "py:currentmodule"), Module),
}
