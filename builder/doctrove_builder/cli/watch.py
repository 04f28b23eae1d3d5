"""The `doctrove-watch` command: arguments in, exit code out; `watch.preview` does the work."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.about import VERSION
from doctrove_builder.cli.shared_options import add_cache, add_jobs, add_sources, import_means
from doctrove_builder.reporting.escaping import visible
from doctrove_builder.watch.preview import REPORT, Wish, run_preview
from doctrove_builder.watch.signals import interrupted_by_signals
from doctrove_builder.watch.terminal import Terminal
from doctrove_server.host import CannotServe
from doctrove_server.host.hosts import is_host_name, is_loopback
from doctrove_server.host.serving import listen, url_of

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_DONE, EXIT_PROBLEM, EXIT_USAGE = 0, 1, 2

EXAMPLES = """\
examples:
  doctrove-watch authoring                  preview authoring/ at http://127.0.0.1:8732/
  doctrove-watch authoring --open           open it in the browser
  doctrove-watch authoring --port 0         on a free port; the URL is said on stderr
  doctrove-watch authoring --poll           where the file system tells of no changes
  doctrove-watch authoring --host 0.0.0.0   let other machines read it too

exit codes:
  0  ended by Ctrl C, SIGTERM or SIGHUP (130 by Ctrl C in the moment before it begins)
  1  the port is taken, or the disk refused
  2  wrong usage
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = watch_parser().parse_args(argv)
    source: Path = options.source
    if source.exists() and not source.is_dir():
        return _failed(f"{source} is a file; name the authoring folder", EXIT_USAGE)
    if not source.is_dir():
        return _failed(
            f"{source} is not a folder; `doctrove-build --init {source}` makes one", EXIT_USAGE
        )
    try:
        _watch(options)
    except CannotServe as error:
        return _failed(str(error), EXIT_PROBLEM)
    except BrokenPipeError:
        raise  # the reader of what is said has left
    except OSError as error:
        return _failed(f"{error.filename or source}: {error.strerror}", EXIT_PROBLEM)
    except KeyboardInterrupt:
        pass  # before the server has its own way to stop
    return EXIT_DONE


def _watch(options: argparse.Namespace) -> None:
    interrupted_by_signals()
    with listen(options.host, options.port) as listener:
        url = url_of(listener)
        print(f"Preview of {options.source} at {url}", file=sys.stderr)
        print(f"Report card at {url}{REPORT}/", file=sys.stderr, flush=True)
        if not is_loopback(options.host):
            print("Other machines can read it.", file=sys.stderr, flush=True)
        wish = Wish(
            source=options.source,
            address=options.host,
            allowed_hosts=tuple(options.allowed_host),
            cache=options.cache,
            jobs=options.jobs,
            strict=options.strict,
            poll=options.poll,
            imports=import_means(options),
            open_url=url if options.open else "",
        )
        terminal = Terminal(
            root=str(options.source), is_strict=options.strict, timings=options.timings
        )
        run_preview(wish, listener, terminal)


def watch_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(
        prog="doctrove-watch",
        description="Preview an authoring folder in the browser while it is written.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("source", metavar="SRC", type=Path, help="authoring folder")
    add("--version", action="version", version=f"doctrove {VERSION}")
    add(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address to listen on (default: 127.0.0.1, this machine alone)",
    )
    add(
        "--allowed-host",
        type=_name,
        metavar="NAME",
        action="append",
        default=[],
        help="a name that requests may call the preview by; repeatable",
    )
    add("--port", type=_port, default=8732, help="port, 0 for a free one (default: 8732)")
    add("--open", action="store_true", help="open the preview in the browser")
    add("--poll", action="store_true", help="look for changes instead of being told of them")
    add("--strict", action="store_true", help="treat warnings as errors")
    add("--timings", action="store_true", help="say how many ms each step of a build took")
    add_sources(parser)
    add_cache(parser, what="what earlier builds computed")
    add_jobs(parser, what="processes for large builds")
    return parser


def _name(text: str) -> str:
    if is_host_name(text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is no host name; give it without scheme and port")


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text[:6]) <= 65535:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number from 0 to 65535")


def _failed(message: str, code: int) -> int:
    print(f"doctrove-watch: {visible(message)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    raise SystemExit(main())
