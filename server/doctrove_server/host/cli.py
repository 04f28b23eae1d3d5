"""The `doctrove-host` command: arguments in, exit code out; nothing else happens here."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_server.host.app import StaticHost
from doctrove_server.host.errors import CannotServe
from doctrove_server.host.hosts import host_check, is_host_name
from doctrove_server.host.serving import Running, listen, url_of

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_DONE, EXIT_PROBLEM = 0, 1

_EXAMPLES = """\
examples:
  doctrove-host                            serve dist/ at http://127.0.0.1:8730/
  doctrove-host site --port 0              serve site/ on a free port; the URL is said on stderr
  doctrove-host --host 0.0.0.0             let other machines read it too
  doctrove-host --allowed-host docs.test   answer to a name of your own on loopback
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = host_parser().parse_args(argv)
    try:
        _serve(options)
    except CannotServe as error:
        print(f"doctrove-host: {error}", file=sys.stderr)  # noqa: T201 - the command talks here
        return EXIT_PROBLEM
    except KeyboardInterrupt:
        pass  # before the server has its own way to stop
    return EXIT_DONE


def _serve(options: argparse.Namespace) -> None:
    folder: Path = options.folder
    if not folder.is_dir():
        state = "is not a folder" if folder.exists() else "is not there"
        raise CannotServe(f"{folder} {state}; build it with doctrove-build, or name another folder")
    hosts = host_check(options.host, tuple(options.allowed_host))
    # Absolute but not resolved: a link may be pointed elsewhere while it is served.
    host = StaticHost(str(folder.absolute()), hosts=hosts, listing=options.listing)
    with listen(options.host, options.port) as listener:
        running = Running(host)
        print(f"Serving {folder} at {url_of(listener)}", file=sys.stderr, flush=True)  # noqa: T201 - the command talks here
        running.serve_on(listener)


def host_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        prog="doctrove-host",
        description="Serve a folder over HTTP, and nothing outside it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "folder",
        metavar="DIR",
        nargs="?",
        type=Path,
        default=Path("dist"),
        help="folder to serve (default: dist)",
    )
    parser.add_argument(
        "--port", type=_port, default=8730, help="port, 0 for a free one (default: 8730)"
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address to listen on (default: 127.0.0.1, this machine alone)",
    )
    parser.add_argument(
        "--allowed-host",
        type=_name,
        metavar="NAME",
        action="append",
        default=[],
        help="a name that requests may call this host by, besides those of loopback; repeatable",
    )
    parser.add_argument(
        "--listing", action="store_true", help="list folders that have no index.html"
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {version('doctrove')}")
    return parser


def _name(text: str) -> str:
    if is_host_name(text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is no host name; give it without scheme and port")


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text[:6]) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number from 0 to 65535")
