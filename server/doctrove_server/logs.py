"""What the libraries in use log, said on stderr like everything else: one line, with our prefix."""

from __future__ import annotations

import logging

from doctrove_server.streams import say


class _Saying(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = record.getMessage()
        except Exception:
            # The boundary to the code of others, whose arguments may not fit their message.
            text = str(record.msg)
        error = record.exc_info[1] if record.exc_info else None
        cause = f": {type(error).__name__}: {error}" if error else ""
        say(f"{record.levelname.lower()}: {text}{cause}")


def log_as_we_say() -> None:
    """From here on say every log record of level warning or above."""
    logging.basicConfig(handlers=[_Saying()], level=logging.WARNING, force=True)
