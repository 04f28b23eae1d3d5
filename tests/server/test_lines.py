"""Lines that are no messages: what is answered, and to which request."""

from __future__ import annotations

import pytest

from doctrove_server.protocol.lines import Refusal, parsed


@pytest.mark.parametrize(
    ("line", "request_id", "code"),
    [
        (rb'{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"\ud800"}}', 7, -32600),
        (rb'{"jsonrpc":"2.0","id":"x","method":"\udfff"}', "x", -32600),
        (rb'{"jsonrpc":"2.0","id":"\ud800","method":"m"}', None, -32600),
        (rb'{"id":7', None, -32700),
    ],
)
def test_a_line_that_cannot_be_read_is_answered_with_its_id_where_that_is_known(
    line: bytes, request_id: object, code: int
) -> None:
    refusal = parsed(line)
    assert isinstance(refusal, Refusal)
    assert (refusal.answer.id, refusal.answer.error.code) == (request_id, code)
