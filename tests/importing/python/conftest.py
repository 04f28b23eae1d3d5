"""A package in memory with what a package can hold, and what is read of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.python.kind import read
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.importing.imported import Imported


SETUP = "raise SystemExit('it was executed')\n"


INIT = '''"""The package.

It does `things`.
"""
from pkg._core import Client as Client, connect
from pkg import extra

__all__ = ["Client", "connect", "LIMIT"]

#: How many at once.
LIMIT: int = 10
'''


CORE = '''
from typing import Annotated, overload
from typing_extensions import Doc, deprecated


class _Base:
    def __init__(self, host: str, *, port: int = 80) -> None:
        """Open nothing yet.

        Args:
            host: Where to.
            port: Which door.
        """

    def close(self) -> None:
        """Close."""

    def _hidden(self) -> None:
        """Hidden."""


class Client(_Base):
    """A client.

    See [`connect`][pkg.connect].

    ## In detail

    ```python
    Client("a")  # <b>
    ```
    """

    retries: int = 3
    """How often."""

    @property
    def name(self) -> str:
        """The name."""

    def __len__(self) -> int:
        return 0

    @deprecated("Use `close`.")
    def stop(self) -> None: ...


@overload
def connect(to: str) -> Client: ...
@overload
def connect(to: int, /) -> None: ...
def connect(
    to: Annotated[str | int, Doc("""Where to, a <name>.""")], *, timeout: float = 1.0
) -> Client | None:
    """Connect.

    Returns:
        A client.

    Raises:
        OSError: If it fails.

    Examples:
        >>> connect("a")
        <Client>
    """


if __name__ == "__main__":
    def not_public(): ...
'''


EXTRA = '''"""More.

Parameters in reST: ``x``.
"""

def spam(x):
    """Do it with :func:`pkg.connect`.

    :param x: The *thing*, see :class:`~pkg.Client`.
    :type x: int
    :returns: Nothing.

    .. versionadded:: 2.0
       Now faster.

    Like so::

        spam(1)
    """

def bare(a, *b, c=None, **d): pass
'''


FILES: Mapping[str, str] = {
    "setup.py": SETUP,
    "PKG-INFO": "Metadata-Version: 2.1\nName: pkg\nVersion: 1\nSummary: A thing\n"
    "License: MIT\nProject-URL: Source, https://code.example/pkg\n",
    "README.md": "# Pkg\n\nHello.\n",
    "src/pkg/__init__.py": INIT,
    "src/pkg/_core.py": CORE,
    "src/pkg/extra.py": EXTRA,
    "src/pkg/broken.py": "def f(:\n",
    "src/pkg/tests/test_x.py": "def test_x(): ...\n",
    "src/pkg/.agents/skills/using/SKILL.md": "---\nname: using\n---\n# Using\n\nLike this.\n",
}


def read_files(files: Mapping[str, str] = FILES, **values: str | bool) -> Imported:
    return read(tree_of(files), Options(library="pkg", version="1", values=dict(values)))


def page_of(imported: Imported, path: str) -> str:
    return next(page.markdown for page in imported.pages if page.path == path)


def section_of(markdown: str, anchor: str) -> str:
    found = re.search(rf"(?m)^#+ .*{{#{re.escape(anchor)}}}\n(?s:(.*?))(?=^#{{2,3}} |\Z)", markdown)
    assert found, f"no section {anchor} in:\n{markdown}"
    return found[1].strip()


def pages_of(files: Mapping[str, str]) -> dict[str, str]:
    imported = read(tree_of(files), Options(library="p", version="1"))
    return {page.path: page.markdown for page in imported.pages}
