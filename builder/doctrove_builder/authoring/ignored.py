"""Files that editors and systems leave behind: neither read, nor copied, nor watched."""

from __future__ import annotations

import re
from fnmatch import translate

IGNORED = (
    ".*",  # hidden files: .git, .DS_Store, .doctrove, .#lock, .file.swp, .~lock.file#
    "*~",  # copies that editors keep
    "#*#",  # Emacs saves
    "*.swp",  # Vim
    "*.swo",
    "*.swx",
    "4913",  # Vim tries whether it may write
    "___jb_*___",  # JetBrains safe write
    "~$*",  # office documents that are open
    "*.tmp",
    "*.temp",
    "*.bak",
    "*.orig",  # merges
    "*.rej",
    "*.part",  # downloads
    "*.crdownload",
    "*.pyc",
    "__pycache__",
    "node_modules",
    "thumbs.db",  # Windows
    "ehthumbs.db",
    "desktop.ini",
    "$recycle.bin",
    "system volume information",
    "__macosx",  # macOS archives and folders
    "icon\r",
    "lost+found",
)
"""Name patterns as of a shell, compared without regard to letter case."""

_IGNORED = re.compile("|".join(translate(pattern) for pattern in IGNORED))


def is_ignored(name: str) -> bool:
    """Say whether a file or folder of this name is passed over."""
    return _IGNORED.match(name.lower()) is not None
