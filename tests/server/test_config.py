"""Every setting from every layer, the order of the layers, and what a wrong value says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.config import (
    IN_MEMORY,
    Settings,
    settings,
    unknown_keys,
    without_effect,
)
from doctrove_server.config_file import read_file
from doctrove_server.errors import ConfigError
from doctrove_server.options import Options, read_options
from doctrove_server.sources.address import read_address

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://docs.example.org"
ROWS = [
    ("remote", "--index-url", "DOCTROVE_INDEX_URL", "indexUrl", URL, URL, read_address(URL)),
    (
        "local_index",
        "--local-index",
        "DOCTROVE_LOCAL_INDEX",
        "localIndex",
        "a.json",
        "a.json",
        "a.json",
    ),
    ("cache_ttl", "--cache-ttl", "DOCTROVE_CACHE_TTL", "cacheTtl", "60", 60, 60),
    ("cache_ttl", "--cache-ttl", "DOCTROVE_CACHE_TTL", "cacheTtl", "0", 0, 0),
    ("cache_ttl", "--cache-ttl", "DOCTROVE_CACHE_TTL", "cacheTtl", "86400", 86400, 86400),
    ("timeout_ms", "--timeout-ms", "DOCTROVE_TIMEOUT_MS", "timeoutMs", "1", 1, 1),
    ("timeout_ms", "--timeout-ms", "DOCTROVE_TIMEOUT_MS", "timeoutMs", "300000", 300000, 300000),
    ("ranking", "--ranking", "DOCTROVE_RANKING", "ranking", "fused", "fused", "fused"),
]
IDS = [f"{row[0]}={row[4]}" for row in ROWS]


def read(
    *argv: str, env: dict[str, str] | None = None, file: dict[str, Any] | None = None
) -> Settings:
    return settings(flags=read_options(argv).flags, env=env or {}, file=file or {}, path="c.json")


def test_the_defaults_are_those_of_the_seed() -> None:
    assert read() == Settings(
        remote=None, local_index="", cache_ttl=600, timeout_ms=15000, ranking="tiered", debug=False
    )


@pytest.mark.parametrize(
    ("field", "flag", "variable", "key", "text", "value", "expected"), ROWS, ids=IDS
)
def test_a_setting_is_read_from_each_layer(
    field: str, flag: str, variable: str, key: str, text: str, value: object, expected: object
) -> None:
    for one in (
        read(flag, text),
        read(f"{flag}={text}"),
        read(env={variable: text}),
        read(file={key: value}),
    ):
        assert getattr(one, field) == expected


@pytest.mark.parametrize(
    ("field", "flag", "variable", "key", "text", "value", "expected"), ROWS, ids=IDS
)
def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    field: str, flag: str, variable: str, key: str, text: str, value: object, expected: object
) -> None:
    wrong = {variable: "\x00 wrong"}
    assert getattr(read(flag, text, env=wrong, file={key: []}), field) == expected
    assert getattr(read(env={variable: text}, file={key: []}), field) == expected
    assert getattr(read(env={variable: ""}, file={key: value}), field) == expected
    assert getattr(read(file={key: None}), field) == getattr(Settings(), field)
    assert getattr(read(file={key: ""}), field) == getattr(Settings(), field)


@pytest.mark.parametrize("word", ["1", "true", "YES", "On"])
def test_debug_is_on_for_these_words(word: str) -> None:
    assert read(env={"DOCTROVE_DEBUG": word}).debug
    assert read("--debug", env={"DOCTROVE_DEBUG": "0"}).debug


@pytest.mark.parametrize("word", ["0", "false", "NO", "off"])
def test_debug_is_off_for_these_words(word: str) -> None:
    assert not read(env={"DOCTROVE_DEBUG": word}, file={"debug": True}).debug


def test_debug_in_the_file_is_a_boolean() -> None:
    assert read(file={"debug": True}).debug
    assert read(env={"DOCTROVE_DEBUG": ""}, file={"debug": True}).debug


WRONG = [
    (
        "--cache-ttl",
        "DOCTROVE_CACHE_TTL",
        "cacheTtl",
        ["-1", "86401", "1e3", "0x10", "1.5", " ", "2 ", "a", "٣"],
    ),
    (
        "--timeout-ms",
        "DOCTROVE_TIMEOUT_MS",
        "timeoutMs",
        ["0", "300001", "-5", "1e3", "soon", "9" * 5000],
    ),
    (
        "--index-url",
        "DOCTROVE_INDEX_URL",
        "indexUrl",
        ["docs", "ftp://h", "http://", "https://h h", " https://h"],
    ),
    ("--local-index", "DOCTROVE_LOCAL_INDEX", "localIndex", ["   ", "a\0b"]),
    ("--ranking", "DOCTROVE_RANKING", "ranking", ["best", "TIERED", "0"]),
]
CASES = [(flag, variable, key, value) for flag, variable, key, values in WRONG for value in values]


@pytest.mark.parametrize(("flag", "variable", "key", "value"), CASES)
def test_a_wrong_text_names_its_setting_and_where_it_came_from(
    flag: str, variable: str, key: str, value: str
) -> None:
    layers: dict[str, Callable[[], Settings]] = {
        flag: lambda: read(f"{flag}={value}"),
        variable: lambda: read(env={variable: value}),
        key: lambda: read(file={key: value}),
    }
    for place, layer in layers.items():
        with pytest.raises(ConfigError) as error:
            layer()
        assert place in str(error.value)
        assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cacheTtl", "600"),
        ("cacheTtl", True),
        ("cacheTtl", 1.5),
        ("cacheTtl", [1]),
        ("timeoutMs", 0),
        ("timeoutMs", {}),
        ("indexUrl", 0),
        ("localIndex", 0),
        ("localIndex", ["a"]),
        ("debug", "false"),
        ("debug", 1),
        ("ranking", 1),
    ],
)
def test_a_value_of_the_wrong_type_in_the_file_is_an_error(key: str, value: object) -> None:
    with pytest.raises(ConfigError, match=f'"{key}" in c\\.json'):
        read(file={key: value})


def test_all_wrong_values_are_named_at_once() -> None:
    with pytest.raises(ConfigError) as error:
        read("--cache-ttl", "x", env={"DOCTROVE_DEBUG": "maybe"}, file={"timeoutMs": 0})
    for place in ("--cache-ttl", "DOCTROVE_DEBUG", '"timeoutMs" in c.json'):
        assert place in str(error.value)


def test_credentials_of_a_wrong_address_are_not_repeated() -> None:
    with pytest.raises(ConfigError) as error:
        read("--index-url", "https://me:s3cret@h/#x")
    assert "s3cret" not in str(error.value)


def test_unknown_keys_of_the_file_are_warned_of_with_the_nearest() -> None:
    file = {"cachettl": 1, "x-note": 1, "$schema": "s", "debug": True, "zzz": 0}
    assert unknown_keys(file, path="c.json") == (
        'c.json: "cachettl" is not a setting and is ignored; did you mean "cacheTtl"?',
        'c.json: "zzz" is not a setting and is ignored',
    )


def test_a_file_is_a_json_object(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(b'\xef\xbb\xbf{"debug": true}')
    assert read_file(str(path)) == {"debug": True}
    for data in (b"", b"[]", b"{", b"\xff", b"[" * 100_000):
        path.write_bytes(data)
        with pytest.raises(ConfigError, match=r"c\.json: is not a JSON object"):
            read_file(str(path))
    for missing in (tmp_path / "none.json", tmp_path):
        with pytest.raises(ConfigError, match="cannot be read"):
            read_file(str(missing))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{\n  "debug": true,\n  "cacheTtl" 3\n}', "line 3, column 14: Expecting ':' delimiter"),
        (b'\xef\xbb\xbf{\r\n"debug": yes}', "line 2, column 10: Expecting value"),
        ('{"\u00e9\u00e9": 1,\n "\u00e9": tru}'.encode(), "line 2, column 7: Expecting value"),
        (b'{\n"a": "\xff"}', "line 2, column 7: this is not UTF-8"),
        (b'{\n  "a": NaN}', "line 2, column 8: JSON is malformed: invalid character"),
        (b'{"a": 1', "line 1, column 8: Expecting ',' delimiter"),
        (b"", "line 1, column 1: Expecting value"),
        (b"[]", "Expected `object`, got `array`"),
    ],
)
def test_where_a_file_is_no_json_is_said(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as error:
        read_file(str(path))
    assert f"c.json: is not a JSON object: {said}" in str(error.value)


def test_a_key_that_stands_twice_in_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('{"mcp": {"type": "compressed", "type": "compressed"}}')
    with pytest.raises(ConfigError, match=r'c\.json: "type" stands twice in one object'):
        read_file(str(path))


MEMORY = [
    ("true", IN_MEMORY),
    ("On", IN_MEMORY),
    ("1", IN_MEMORY),
    (":memory:", IN_MEMORY),
    ("false", ""),
    ("OFF", ""),
    ("0", ""),
    ("memory.sqlite", "memory.sqlite"),
    ("./true", "./true"),
]


@pytest.mark.parametrize(("text", "expected"), MEMORY)
@pytest.mark.parametrize("block", [None, {}, {"type": "compressed"}])
def test_where_the_memory_is_reads_alike_in_every_layer(
    text: str, expected: str, block: object
) -> None:
    for one in (
        read("--context-memory", text, file={"mcp": block}),
        read(env={"DOCTROVE_CONTEXT_MEMORY": text}, file={"mcp": block}),
        read(file={"contextMemory": text, "mcp": block}),
    ):
        assert one.context_memory == expected
        assert one.remembers == bool(expected)


def test_the_memory_is_switched_by_a_boolean_of_the_file_and_by_the_bare_option() -> None:
    assert read(file={"contextMemory": True}).context_memory == IN_MEMORY
    assert read("--context-memory", file={"contextMemory": False}).context_memory == IN_MEMORY
    assert not read(file={"contextMemory": False}).remembers
    assert not read().remembers
    wrong: list[object] = [1, 0, [], {}, " ", "a\0b"]
    for value in wrong:
        with pytest.raises(ConfigError, match='"contextMemory" in c\\.json'):
            read(file={"contextMemory": value})
    with pytest.raises(ConfigError, match="3 is not true, false or a path"):
        read(file={"contextMemory": 3})


def test_a_block_switches_the_memory_on_even_an_empty_one() -> None:
    assert read(file={"mcp": {}}).remembers
    assert not read(file={"mcp": None}).remembers
    for unset in (None, ""):
        assert read(file={"mcp": {}, "contextMemory": unset}).remembers


def test_a_memory_that_is_switched_off_stays_off_beside_a_block_and_that_is_said() -> None:
    block = {"mcp": {"type": "compressed"}}
    for off in (
        read(file={**block, "contextMemory": False}),
        read(file=block, env={"DOCTROVE_CONTEXT_MEMORY": "false"}),
        read("--context-memory", "false", file={**block, "contextMemory": True}),
    ):
        assert not off.remembers
        (warning,) = without_effect(off, path="c.json")
        assert warning.startswith('c.json: "mcp" has no effect: the context memory is switched off')
    assert without_effect(read(file=block), path="c.json") == ()
    assert without_effect(read("--context-memory", file=block), path="c.json") == ()
    assert without_effect(read(file={"contextMemory": False}), path="") == ()


def test_every_fault_of_the_block_is_a_line_that_names_its_key_and_the_file() -> None:
    with pytest.raises(ConfigError) as error:
        read(file={"cacheTtl": -1, "mcp": {"keyValue": {"maxFact": 2}, "tokenBudget": 3}})
    assert str(error.value).split("\n") == [
        '"cacheTtl" in c.json: -1 is not a whole number from 0 to 86400',
        '"mcp.keyValue.maxFact" in c.json: there is no such key; did you mean "maxFacts"?'
        " the keys there are enabled, maxFacts",
        '"mcp.tokenBudget" in c.json: 3 is not an object; its keys are maxCompressedTokens,'
        " allocation",
    ]


@pytest.mark.parametrize(
    "argv",
    [
        ["--bogus"],
        ["stray"],
        ["--index-url"],
        ["--index-url", ""],
        ["--local-index="],
        ["--cache-ttl", "--debug"],
        ["--debug=1"],
        ["--no-cache=1"],
        ["--cache", "5"],
        ["-h5"],
        ["--", "x"],
        ["--token-env", "NAME"],
        ["--insecure"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_a_configuration_error(argv: list[str]) -> None:
    with pytest.raises(ConfigError, match="--help"):
        read_options(argv)


def test_the_last_of_a_repeated_option_counts() -> None:
    assert read("--cache-ttl", "1", "--cache-ttl=2").cache_ttl == 2


def test_no_cache_wins_over_every_layer_but_not_over_a_wrong_option() -> None:
    options = read_options(["--no-cache"])
    assert options.no_cache
    assert read("--no-cache", env={"DOCTROVE_CACHE_TTL": "x"}).cache_ttl == 0
    with pytest.raises(ConfigError, match="--cache-ttl"):
        read("--no-cache", "--cache-ttl", "x")


def test_options_of_http_are_read() -> None:
    argv = "--http 0.0.0.0:80 --allowed-host a --allowed-host b --allowed-origin c --token-env T"
    assert read_options([*argv.split(), "--insecure"]) == Options(
        flags={},
        http="0.0.0.0:80",
        allowed_hosts=("a", "b"),
        allowed_origins=("c",),
        token_env="T",
        insecure=True,
    )
    assert read_options(["--http"]).http == "127.0.0.1:8731"


def command(*argv: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("DOCTROVE_")}
    program = Path(sys.executable).with_name("doctrove-server")
    return subprocess.run(
        [program, *argv],
        env={**clean, **env},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_the_command_reports_configuration_errors_on_stderr_and_ends_with_2(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps({"timeoutMs": 0}))
    for done in (
        command("--config", str(file)),
        command(DOCTROVE_CONFIG=str(file)),
        command("--config", str(tmp_path / "none.json")),
        command("--cache-ttl", "soon"),
        command("--http", "0.0.0.0:0"),
        command("--http", "127.0.0.1:70000"),
        command("--http", "--token-env", "NOT_SET"),
    ):
        assert done.returncode == 2
        assert done.stdout == ""
        assert "[doctrove] configuration error: " in done.stderr
        assert "Traceback" not in done.stderr
    file.write_text(json.dumps({"mcp": {"type": "x", "keyValue": {"maxFacts": -1}}}))
    lines = command("--config", str(file)).stderr.splitlines()
    assert [line.startswith('[doctrove] configuration error: "mcp.') for line in lines] == [
        True
    ] * 2


def test_help_and_version_are_printed_whatever_the_environment_says() -> None:
    version = command("--version", DOCTROVE_TIMEOUT_MS="wrong", DOCTROVE_CONFIG="/none")
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.startswith("doctrove ")
    shown = command("--help", DOCTROVE_TIMEOUT_MS="wrong").stdout
    for row in ROWS:
        assert row[1] in shown
        assert row[2] in shown
    assert "examples:" in shown
