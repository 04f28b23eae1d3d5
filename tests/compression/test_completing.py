from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from tests.compression.conftest import (
    Endpoint,
    always,
    hangs,
    says,
    send,
)
from tests.compression.misbehaving import MISBEHAVING

from doctrove_server.compression.abstractive import (
    Question,
    abstractive,
    question,
)
from doctrove_server.compression.chat import CompletionFailed
from doctrove_server.compression.completing import (
    HttpCompleter,
    Limits,
    completer_from,
)
from doctrove_server.compression.summaries import Standing, SummaryFolder, answered
from doctrove_server.errors import ConfigError

if TYPE_CHECKING:
    import http.server
    from pathlib import Path

    from doctrove_server.compression.shelf import Shelf

QUICK = Limits(seconds=2.0, retries=2, backoff=0.01)
GOOD = (
    '`port` is a number and defaults to `8730`, `host` to `"127.0.0.1"`. `Server.run` raises'
    " `PortInUse` when the port is taken; it does not retry by itself. `retries` is `3`, `backoff`"
    " is `0.5`. `Server.serve` replaces it since version 2.1. `SERVER_PORT` overrides `port`."
)


def fails_once(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
    if number == 1:
        send(handler, 503, b"later")
    else:
        says(GOOD)(handler, number)


def waits_a_second(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
    if number > 1:
        return says("ok")(handler, number)
    handler.send_response(429)
    handler.send_header("Retry-After", "1")
    handler.send_header("Content-Length", "0")
    handler.end_headers()
    return None


def completer(endpoint: Endpoint, limits: Limits = QUICK) -> HttpCompleter:
    return HttpCompleter(url=endpoint.url, model="small", api_key="secret-key", limits=limits)


@pytest.mark.parametrize("endpoint", [says("An answer.")], indirect=True)
def test_an_endpoint_is_asked_as_openai_would_be(endpoint: Endpoint) -> None:
    assert completer(endpoint).complete("Say it", max_tokens=7) == "An answer."
    (asked,) = endpoint.asked
    assert asked["model"] == "small"
    assert asked["max_tokens"] == 7
    assert asked["messages"] == [{"role": "user", "content": "Say it"}]
    assert endpoint.keys == ["Bearer secret-key"]


@pytest.mark.parametrize("endpoint", [fails_once], indirect=True)
def test_a_failure_that_may_pass_is_tried_again(endpoint: Endpoint) -> None:
    assert completer(endpoint).complete("x", max_tokens=5) == GOOD
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize(
    ("endpoint", "asked"),
    [pytest.param(*one, id=name) for name, one in MISBEHAVING.items()],
    indirect=["endpoint"],
)
def test_what_fails_fails_in_time_and_tells_no_key(endpoint: Endpoint, asked: int | None) -> None:
    begun = time.monotonic()
    with pytest.raises(CompletionFailed) as failure:
        completer(endpoint).complete("x", max_tokens=5)
    assert time.monotonic() - begun < 10
    assert "secret-key" not in str(failure.value)
    assert asked is None or len(endpoint.asked) == asked


@pytest.mark.parametrize("endpoint", [says("ok")], indirect=True)
def test_the_limits_of_calls_and_tokens_hold(endpoint: Endpoint) -> None:
    few = completer(endpoint, Limits(most_calls=2, seconds=5))
    assert [few.complete("x", max_tokens=1) for _ in range(2)] == ["ok", "ok"]
    with pytest.raises(CompletionFailed, match="calls"):
        few.complete("x", max_tokens=1)
    with pytest.raises(CompletionFailed, match="tokens"):
        completer(endpoint, Limits(most_tokens=10)).complete("x" * 400, max_tokens=1)
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("endpoint", [waits_a_second], indirect=True)
def test_an_endpoint_that_asks_to_wait_is_waited_for(endpoint: Endpoint) -> None:
    waits: list[float] = []
    asked = HttpCompleter(url=endpoint.url, model="m", limits=QUICK, wait=waits.append)
    assert asked.complete("x", max_tokens=1) == "ok"
    assert waits == [1.0]


@pytest.mark.parametrize("endpoint", [always(401, b"who")], indirect=True)
def test_an_endpoint_that_fails_in_a_row_is_left_alone_for_a_while(endpoint: Endpoint) -> None:
    now = [0.0]
    limits = Limits(failures=2, rest=60)
    asked = HttpCompleter(url=endpoint.url, model="m", limits=limits, clock=lambda: now[0])
    for _ in range(5):
        with pytest.raises(CompletionFailed):
            asked.complete("x", max_tokens=1)
    assert len(endpoint.asked) == asked.calls == 2
    now[0] = 61.0
    with pytest.raises(CompletionFailed, match="status 401"):
        asked.complete("x", max_tokens=1)
    assert len(endpoint.asked) == 3


@pytest.mark.parametrize(
    ("endpoint", "reason"),
    [
        (always(401, b"who"), "the endpoint answered status 401"),
        (always(500, b"broken"), "the model gave no answer: status 500"),
        (always(200, b"<html>"), "the endpoint's answer is not JSON"),
        (always(200, b'{"error": "no such model"}'), "the endpoint's answer is no chat completion"),
        (hangs, "the model gave no answer: the answer came too slowly"),
    ],
    ids=["401", "500", "a page", "an error", "hangs"],
    indirect=["endpoint"],
)
def test_why_an_endpoint_is_left_alone_is_said_once_for_each_rest(
    endpoint: Endpoint, reason: str
) -> None:
    said: list[str] = []
    now = [0.0]
    host = endpoint.url.removeprefix("http://").partition("/")[0]
    asked = HttpCompleter(
        url=f"{endpoint.url.replace('//', '//someone:secret-key@')}?key=secret-key",
        model="m",
        api_key="secret-key",
        limits=Limits(seconds=0.2, retries=0, failures=2, rest=60),
        log=said.append,
        clock=lambda: now[0],
    )
    for rests in (1, 2):
        for _ in range(5):
            with pytest.raises(CompletionFailed):
                asked.complete("x", max_tokens=1)
        assert asked.failed == rests * 2
        assert len(said) == rests
        now[0] += 61
    assert said[0] == (
        f"the model at {host} failed 2 times in a row, at last: {reason}; it is left alone for 60 s"
    )


@pytest.mark.parametrize("endpoint", [says("ok")], indirect=True)
def test_text_that_no_request_can_carry_is_asked_about_all_the_same(endpoint: Endpoint) -> None:
    assert completer(endpoint).complete("a\ud800b", max_tokens=1) == "ok"
    assert endpoint.asked[0]["messages"][0]["content"] == "a?b"


@pytest.mark.parametrize(
    ("env", "named"),
    [
        ({"DOCTROVE_LLM_URL": "ftp://h/v1"}, "DOCTROVE_LLM_URL"),
        (
            {"DOCTROVE_LLM_URL": "http://h", "DOCTROVE_LLM_API_KEY": "s\u00e9cret"},
            "DOCTROVE_LLM_API_KEY",
        ),
        ({"DOCTROVE_LLM_URL": "http://h", "DOCTROVE_LLM_API_KEY": "a\nb"}, "DOCTROVE_LLM_API_KEY"),
        *(
            ({"DOCTROVE_LLM_URL": "http://h", "DOCTROVE_LLM_TIMEOUT_MS": wrong}, "LLM_TIMEOUT_MS")
            for wrong in ("secret", "0", "-5", "600001", "9" * 5_000)
        ),
    ],
)
def test_a_wrong_variable_is_named_and_its_value_is_not(env: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigError, match=named) as failure:
        completer_from(env)
    assert "cret" not in str(failure.value)


def test_nobody_listening_is_a_failure() -> None:
    with pytest.raises(CompletionFailed):
        HttpCompleter(url="http://127.0.0.1:9", model="m", limits=QUICK).complete("x", max_tokens=1)


def test_the_environment_names_the_endpoint() -> None:
    assert completer_from({}) is None
    found = completer_from({"DOCTROVE_LLM_URL": "http://h/v1", "DOCTROVE_LLM_MODEL": "m"})
    assert found is not None
    assert found.model == "m"


@pytest.mark.parametrize("endpoint", [says(GOOD)], indirect=True)
def test_a_good_summary_of_a_model_is_used_and_kept(
    endpoint: Endpoint, section: str, shelf: Shelf, tmp_path: Path
) -> None:
    kept = SummaryFolder(tmp_path / "kept")
    asked = completer(endpoint)
    for _ in range(2):
        written = abstractive(section, 150, completer=asked, shelf=shelf, ref="s", kept=kept)
        assert written.rejected == ()
        assert (written.summary.level, written.summary.text) == ("abstractive", GOOD)
        assert written.summary.tokens <= 150
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        pytest.param(says("`port` defaults to `9999`."), id="lies"),
        pytest.param(says("Birds sing in old trees."), id="about something else"),
        pytest.param(says("word " * 4000), id="too long"),
        pytest.param(always(500, b""), id="500"),
        pytest.param(hangs, id="hangs"),
    ],
    indirect=True,
)
def test_the_extractive_text_serves_where_the_model_does_not(
    endpoint: Endpoint, section: str, shelf: Shelf, tmp_path: Path
) -> None:
    kept = SummaryFolder(tmp_path)
    quick = Limits(seconds=0.5, retries=1, backoff=0.01)
    written = abstractive(
        section, 120, completer=completer(endpoint, quick), shelf=shelf, kept=kept
    )
    assert written.rejected
    assert written.summary.level == "extractive"
    assert 0 < written.summary.tokens <= 120


def asked_about(text: str, budget: int = 150) -> Question:
    found = question(text, budget, tokens=1_000, model="small")
    assert found is not None
    return found


@pytest.mark.parametrize("endpoint", [says(GOOD)], indirect=True)
def test_questions_are_answered_once_whoever_asks_and_kept(
    endpoint: Endpoint, section: str, story: str, tmp_path: Path
) -> None:
    kept = SummaryFolder(tmp_path)
    questions = [asked_about(text) for text in (section, story, section)]
    told: list[Standing] = []
    first = answered(
        questions, completer=completer(endpoint), kept=kept, workers=3, told=told.append
    )
    assert (first.asked, first.failures, first.kept) == (2, (), 1)
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert (told[0].done, told[-1].done, told[-1].total) == (1, 3, 3)
    assert {one.begun.text for one in told if one.begun} == {section, story}
    assert 0 < first.tokens == told[-1].tokens
    assert first.texts == {one.key: GOOD for one in questions}
    assert kept.model == "small"
    later = answered(questions, completer=None, kept=kept, told=told.append)
    assert (later.texts, later.asked, later.kept) == (first.texts, 0, 3)
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("endpoint", [always(500, b"")], indirect=True)
def test_a_model_that_fails_is_not_asked_about_everything(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    questions = [asked_about(f"{GOOD} {n}") for n in range(20)]
    limits = Limits(retries=0, failures=3)
    found = answered(
        questions,
        completer=completer(endpoint, limits),
        kept=SummaryFolder(tmp_path),
        told=lambda _standing: None,
    )
    assert found.texts == {}
    assert len(endpoint.asked) == found.asked == 3
    assert found.failures == (
        "the model gave no answer: status 500",
        "the model failed 3 times in a row",
    )


@pytest.mark.parametrize("endpoint", [always(500, b"")], indirect=True)
def test_a_question_counts_once_however_often_it_is_tried(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    limits = Limits(retries=2, failures=3, backoff=0.001)
    asked = completer(endpoint, limits)
    found = answered(
        [asked_about(f"{GOOD} {n}") for n in range(20)],
        completer=asked,
        kept=SummaryFolder(tmp_path),
        told=lambda _standing: None,
    )
    assert (found.asked, asked.failed, len(endpoint.asked)) == (3, 3, 9)


@pytest.mark.parametrize("endpoint", [says(GOOD)], indirect=True)
def test_an_answer_that_cannot_be_kept_is_used_all_the_same(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    found = answered(
        [asked_about(GOOD)],
        completer=completer(endpoint),
        kept=SummaryFolder(file),
        told=lambda _standing: None,
    )
    assert list(found.texts.values()) == [GOOD]
    assert all("cannot be kept" in reason for reason in found.failures)
    assert found.failures


def test_a_fault_of_a_completer_comes_out_and_hangs_nobody(tmp_path: Path) -> None:
    class Broken:
        model = "broken"

        def complete(self, _prompt: str, /, *, max_tokens: int) -> str:
            raise ZeroDivisionError(max_tokens)

    with pytest.raises(ZeroDivisionError):
        answered(
            [asked_about(GOOD)],
            completer=Broken(),
            kept=SummaryFolder(tmp_path),
            told=lambda _standing: None,
        )
