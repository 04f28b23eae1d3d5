"""Responses that were decided before, for as long as the file that they send is the same."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.host.description import FileFacts
    from doctrove_server.host.response import Response

MOST = 4096
"""Requests that are recalled; when there are more, all are forgotten."""

MOST_BYTES = 2048
"""Of a request that is recalled."""

Question = tuple[str, bytes, tuple[tuple[bytes, bytes], ...]]
"""All of a request that its response depends on: method, target, header fields."""


class Recall:
    """What equal requests were answered; to be used from the callbacks of an event loop alone.

    The file is checked at most once in a turn of the loop: all requests that come in one turn were
    there before any of them was looked at.
    """

    def __init__(self, is_current: Callable[[FileFacts], bool]) -> None:
        self._is_current = is_current
        self._answers: dict[Question, tuple[Response, FileFacts]] = {}
        self._checked: set[Question] = set()

    def get(self, question: Question) -> Response | None:
        """Return what the request was answered, if that is still so."""
        answer = self._answers.get(question)
        if answer is None:
            return None
        response, facts = answer
        if question not in self._checked:
            if not self._is_current(facts):
                del self._answers[question]
                return None
            self._check(question)
        return response

    def put(self, question: Question, response: Response, facts: FileFacts) -> None:
        """Keep a response that sends, or says something of, a file just described."""
        _, url, fields = question
        if len(url) + sum(len(name) + len(value) for name, value in fields) > MOST_BYTES:
            return
        if len(self._answers) >= MOST:
            self._answers.clear()
        self._answers[question] = response, facts
        self._check(question)

    def _check(self, question: Question) -> None:
        if not self._checked:
            asyncio.get_running_loop().call_soon(self._checked.clear)
        self._checked.add(question)
