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
from typing import TYPE_CHECKING, Self

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
        self.folder = folder
        self.added = 0
        """Answers that were put here now."""

    @property
    def model(self) -> str:
        """The model that was asked last; empty when none was."""
        return (self._read(self.folder / _MODEL) or "").strip()[:200]

    def asked(self, model: str) -> None:
        """Keep the name of the model that is asked; raises `OSError`."""
        if self.model != model:
            self._write(self.folder / _MODEL, f"{model}\n")

    def get(self, key: str, /) -> str | None:
        """Return what is kept."""
        return self._read(self._file(key))

    def put(self, key: str, text: str, /) -> None:
        """Keep a text; a reader sees all of it or nothing. Raises `OSError`."""
        self._write(self._file(key), text)
        self.added += 1

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.md"

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

    kept: int = 0
    """Questions whose answers were there before."""

    asked: int = 0
    """Questions that a model was really asked now, each once however often it was tried."""

    tokens: int = 0
    """Of those questions and their answers."""

    failures: tuple[str, ...] = ()
    """Why some have no answer, each reason once."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """How far the asking is."""

    total: int
    done: int
    """Questions that have an answer, or failed."""

    kept: int
    failed: int
    tokens: int
    begun: Question | None = None
    """The question that a model is asked now, the last one that was begun."""


def answered(
    questions: Sequence[Question],
    *,
    completer: Completer | None,
    kept: SummaryFolder,
    workers: int = 1,
    told: Callable[[Standing], None],
) -> Answers:
    """Return the answers that are kept, and those that a model gives now to the other questions.

    `told` is called whenever a question is begun or done. Nothing raises for a model that fails or
    a folder that cannot be written: that is a failure of those questions. What came until an
    interruption is kept.
    """
    by_key = {one.key: one for one in questions}
    texts: dict[str, str] = {}
    for key in by_key:
        known = kept.get(key)
        if known is not None:
            texts[key] = known
    open_questions = [one for key, one in by_key.items() if key not in texts]
    before = len(questions) - len(open_questions)
    standing = Standing(total=len(questions), done=before, kept=before, failed=0, tokens=0)
    told(standing)
    if completer is None or not open_questions:
        return Answers(texts=texts, kept=before)
    failures: dict[str, None] = {}
    with _failing(failures):
        kept.asked(completer.model)
    asked = 0
    with _Asking(completer, kept) as asking:
        for news in asking.all(open_questions, workers=workers):
            failures |= dict.fromkeys(news.failures)
            asked += not news.begins and news.was_asked
            if news.answer:
                texts[news.of.key] = news.answer
            standing = msgspec.structs.replace(
                standing,
                done=standing.done + (not news.begins),
                failed=standing.failed + (not news.begins and not news.answer),
                tokens=_spent(completer),
                begun=news.of if news.begins else standing.begun,
            )
            told(standing)
    return Answers(
        texts=texts,
        kept=before,
        asked=asked,
        tokens=standing.tokens,
        failures=tuple(failures),
    )


def _spent(completer: Completer) -> int:
    return getattr(completer, "tokens", 0)  # not every completer counts


@contextlib.contextmanager
def _failing(failures: dict[str, None]) -> Generator[None]:
    """Note why an answer could not be kept."""
    try:
        yield
    except OSError as error:
        failures[f"an answer cannot be kept: {error.strerror}"] = None


class _News(msgspec.Struct, frozen=True, kw_only=True):
    """A question that begins, or is done with."""

    of: Question
    begins: bool = False
    answer: str = ""
    failures: tuple[str, ...] = ()
    was_asked: bool = True
    """False of a question that the model was spared."""

    fault: BaseException | None = None
    """What is wrong here, and not with the model."""


class _Asking:
    """A model asked by several threads, which end with the process whatever the model does.

    They keep each answer themselves, as soon as it is there; none of them writes any more when this
    is left.
    """

    def __init__(self, completer: Completer, kept: SummaryFolder) -> None:
        self._completer = completer
        self._kept = kept
        self._todo: queue.SimpleQueue[Question] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[_News] = queue.SimpleQueue()
        self._keeping = threading.Lock()
        self._left = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._keeping:
            self._left = True

    def all(self, questions: Sequence[Question], *, workers: int) -> Iterator[_News]:
        """Yield each question when it begins, and when it is done with."""
        for one in questions:
            self._todo.put(one)
        for _ in range(min(workers, len(questions))):
            threading.Thread(target=self._work, daemon=True).start()
        done = 0
        while done < len(questions):
            news = self._news.get()
            if news.fault is not None:
                raise news.fault
            done += not news.begins
            yield news

    def _work(self) -> None:
        with contextlib.suppress(queue.Empty):
            while not self._left:
                one = self._todo.get_nowait()
                self._news.put(_News(of=one, begins=True))
                self._news.put(self._answer(one))

    def _answer(self, one: Question) -> _News:
        try:
            answer = self._completer.complete(one.prompt, max_tokens=most_tokens(one.budget))
            failures: dict[str, None] = {}
            with _failing(failures), self._keeping:
                if not self._left:
                    self._kept.put(one.key, answer)
        except CompletionFailed as error:
            return _News(of=one, failures=(str(error),), was_asked=error.asked)
        except BaseException as error:
            return _News(of=one, fault=error)
        return _News(of=one, answer=answer, failures=tuple(failures))
