"""The command line of `doctrove-server`, read into flags; what they mean is decided elsewhere."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NoReturn

import msgspec

from doctrove_server.about import VERSION
from doctrove_server.config import IN_MEMORY, Given
from doctrove_server.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_HTTP = "127.0.0.1:8731"

_EXAMPLES = """\
examples:
  doctrove-server                                           the built-in index, over stdio
  doctrove-server --index-url https://docs.example.org      a published index
  doctrove-server --local-index dist/index.json             an index on disk
  doctrove-server --http                                    Streamable HTTP on 127.0.0.1:8731
  DOCS_TOKEN=... doctrove-server --http 0.0.0.0:8731 --token-env DOCS_TOKEN \\
      --allowed-host docs.example.org                       the same for a team

environment (an option wins over its variable, a variable over the file):
  DOCTROVE_INDEX_URL, DOCTROVE_LOCAL_INDEX, DOCTROVE_CACHE_TTL, DOCTROVE_TIMEOUT_MS,
  DOCTROVE_RANKING, DOCTROVE_MAX_ANSWER_TOKENS, DOCTROVE_CONTEXT_MEMORY, DOCTROVE_DEBUG,
  DOCTROVE_CONFIG; DOCTROVE_LLM_URL, DOCTROVE_LLM_MODEL, DOCTROVE_LLM_API_KEY,
  DOCTROVE_LLM_TIMEOUT_MS

configuration file (JSON):
  {"indexUrl": "...", "localIndex": "...", "cacheTtl": 600, "timeoutMs": 15000,
   "ranking": "tiered", "maxAnswerTokens": 8000, "contextMemory": false, "debug": false,
   "mcp": {"type": "compressed"}}

exit codes: 0 done, 2 wrong usage, configuration or local index
"""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line says."""

    flags: dict[str, Given]
    """Settings by their field's name."""

    no_cache: bool = False
    config: str = ""
    http: str = ""
    """Address to listen on; empty for stdio."""

    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    token_env: str = ""
    insecure: bool = False


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message}. See doctrove-server --help")


def read_options(argv: Sequence[str]) -> Options:
    """Read the command line; raises `ConfigError`, and `SystemExit` after --help or --version."""
    read = server_parser().parse_args(argv)
    about_http = (read.allowed_host, read.allowed_origin, read.token_env, read.insecure)
    if any(about_http) and not read.http:
        names = "--allowed-host, --allowed-origin, --token-env and --insecure"
        raise ConfigError(f"{names} belong to --http. See doctrove-server --help")
    flags: dict[str, Given] = {}
    for field, option in (
        ("remote", "--index-url"),
        ("local_index", "--local-index"),
        ("cache_ttl", "--cache-ttl"),
        ("timeout_ms", "--timeout-ms"),
        ("ranking", "--ranking"),
        ("most_answer_tokens", "--max-answer-tokens"),
        ("context_memory", "--context-memory"),
    ):
        value: str | None = getattr(read, field)
        if value is not None:
            flags[field] = Given(value, option, is_text=True)
    if read.debug:
        flags["debug"] = Given(True, "--debug")
    if read.no_cache:
        flags.setdefault("cache_ttl", Given(0, "--no-cache"))
    return Options(
        flags=flags,
        no_cache=read.no_cache,
        config=read.config or "",
        http=read.http or "",
        allowed_hosts=tuple(read.allowed_host),
        allowed_origins=tuple(read.allowed_origin),
        token_env=read.token_env or "",
        insecure=read.insecure,
    )


def server_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = _Parser(
        prog="doctrove-server",
        description="Serve versioned library documentation to coding agents (MCP).",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--version", action="version", version=f"doctrove {VERSION}")
    add(
        "--index-url",
        dest="remote",
        metavar="URL",
        type=_filled,
        help="folder of a published index",
    )
    add("--local-index", metavar="PATH", type=_filled, help="an index on disk")
    add("--cache-ttl", metavar="SECONDS", type=_filled, help="how long answers live (600; 0: off)")
    add("--no-cache", action="store_true", help="the same as --cache-ttl 0")
    add("--timeout-ms", metavar="MS", type=_filled, help="for one fetch of the index (15000)")
    add("--ranking", metavar="PROFILE", type=_filled, help="tiered (default) or fused")
    add(
        "--max-answer-tokens",
        dest="most_answer_tokens",
        metavar="N",
        type=_filled,
        help="ceiling of an answer of doc_extract (8000; 0: off)",
    )
    add(
        "--context-memory",
        metavar="PATH",
        nargs="?",
        const=IN_MEMORY,
        type=_filled,
        help="remember what is looked up, in a file or, without PATH, in this process; five more"
        " tools (false: off, whatever the configuration file says)",
    )
    add("--debug", action="store_true", help="say more on stderr, and cache statistics at the end")
    add("--config", metavar="PATH", type=_filled, help="a JSON file with settings")
    http = parser.add_argument_group("Streamable HTTP instead of stdio")
    add = http.add_argument
    add(
        "--http",
        metavar="HOST:PORT",
        nargs="?",
        const=DEFAULT_HTTP,
        help=f"serve Streamable HTTP instead of stdio (without a value: {DEFAULT_HTTP})",
    )
    add("--allowed-host", metavar="HOST", action="append", default=[], help="accept this Host too")
    add("--allowed-origin", metavar="ORIGIN", action="append", default=[], help="and this Origin")
    add("--token-env", metavar="NAME", help="variable that holds the bearer token to ask for")
    add("--insecure", action="store_true", help="allow an address beyond loopback without a token")
    return parser


def _filled(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected a value, not an empty text")
    return text
