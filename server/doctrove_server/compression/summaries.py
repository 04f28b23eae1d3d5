"""What models answered when a site was built, kept in a folder by content, prompt and model.

A build without a model uses what an earlier one kept.
"""

from __future__ import annotations

import contextlib
import os
import queue
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.abstractive import Question, most_tokens
from doctrove_server.compression.chat import CompletionFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from doctrove_server.compression.completing import Completer

LONGEST_KEPT = 200_000
"""Bytes of an answer."""

_MODEL = "model.txt"


class SummaryFolder:
    """Answers as files of a folder (this is an edge); a broken one counts as absent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def model(self) -> str:
        """The model that was asked last; empty when none was."""
        return (self._read(self._folder / _MODEL) or "").strip()[:200]

    def asked(self, model: str) -> None:
        """Keep the name of the model that is asked; raises `OSError`."""
        if self.model != model:
            self._write(self._folder / _MODEL, f"{model}\n")

    def get(self, key: str, /) -> str | None:
        """Return what is kept."""
        return self._read(self._file(key))

    def put(self, key: str, text: str, /) -> None:
        """Keep a text; a reader sees all of it or nothing. Raises `OSError`."""
        self._write(self._file(key), text)

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.md"

    def _read(self, file: Path) -> str | None:
        try:
            with file.open("rb") as opened:
                return opened.read(LONGEST_KEPT).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def _write(self, file: Path, text: str) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=file.parent, prefix=".summary-")
        try:
            with os.fdopen(number, "wb") as written:
                written.write(text.encode("utf-8", "replace"))
            Path(name).chmod(0o644)
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of some questions."""

    texts: Mapping[str, str]
    """Answers by the questions' keys."""

    asked: int = 0
    """Questions that a model was asked now."""

    failures: tuple[str, ...] = ()
    """Why some have no answer, each reason once."""


def answered(
    questions: Sequence[Question],
    *,
    completer: Completer | None,
    kept: SummaryFolder,
    workers: int = 1,
    told: Callable[[int], None],
) -> Answers:
    """Return the answers that are kept, and those that a model gives now to the other questions.

    `told` is called with 1 for each question that is done with. Nothing raises for a model that
    fails or a folder that cannot be written: that is a failure of those questions.
    """
    by_key = {one.key: one for one in questions}
    texts: dict[str, str] = {}
    for key in by_key:
        known = kept.get(key)
        if known is not None:
            texts[key] = known
    open_questions = [one for key, one in by_key.items() if key not in texts]
    told(len(questions) - len(open_questions))
    if completer is None or not open_questions:
        return Answers(texts=texts)
    failures: dict[str, None] = {}
    with _failing(failures):
        kept.asked(completer.model)
    asking = _Asking(completer)
    for one, answer in asking.all(open_questions, workers=workers):
        told(1)
        if isinstance(answer, CompletionFailed):
            failures[str(answer)] = None
            continue
        texts[one.key] = answer
        with _failing(failures):
            kept.put(one.key, answer)
    return Answers(texts=texts, asked=len(open_questions), failures=tuple(failures))


@contextlib.contextmanager
def _failing(failures: dict[str, None]) -> Generator[None]:
    """Note why an answer could not be kept."""
    try:
        yield
    except OSError as error:
        failures[f"an answer cannot be kept: {error.strerror}"] = None


class _Asking:
    """A model asked by several threads, which end with the process whatever the model does."""

    def __init__(self, completer: Completer) -> None:
        self._completer = completer
        self._todo: queue.SimpleQueue[Question] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Question, str | BaseException]] = queue.SimpleQueue()

    def all(
        self, questions: Sequence[Question], *, workers: int
    ) -> Iterator[tuple[Question, str | CompletionFailed]]:
        """Yield each question with its answer, as they come."""
        for one in questions:
            self._todo.put(one)
        for _ in range(min(workers, len(questions))):
            threading.Thread(target=self._work, daemon=True).start()
        for _ in questions:
            one, answer = self._done.get()
            if not isinstance(answer, str | CompletionFailed):
                raise answer
            yield one, answer

    def _work(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                one = self._todo.get_nowait()
                self._done.put((one, self._answer(one)))

    def _answer(self, one: Question) -> str | BaseException:
        try:
            return self._completer.complete(one.prompt, max_tokens=most_tokens(one.budget))
        except BaseException as error:
            return error
