"""The token estimate: near the true count for every kind of text, and the same everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_schema.tokens import ESTIMATOR, PIECE, TABLE, classes, estimate_tokens, kind

PROSE = (
    "A route parameter is a named part of the path. The framework fills it with what stands at "
    "that place in the address and hands it to the handler as text, so a number has to be "
    "converted before it is used. When two routes could match, the one that was registered first "
    "answers the request."
)
PYTHON = '''def select(requested: str | None, versions: Sequence[str]) -> Selection:
    """Select the version that a request means."""
    wanted = (requested or "").strip()
    if not wanted:
        return Selection(version=versions[0], kind="latest")
    for version in versions:
        if version == wanted:
            return Selection(version=version, kind="exact")
    raise VersionUnavailable(requested, versions)
'''
JAVASCRIPT = """app.get('/users/:id', async (req, res) => {
  const user = await db.users.findById(req.params.id);
  if (!user) {
    return res.status(404).json({ error: 'not found' });
  }
  res.json({ id: user.id, name: user.name, createdAt: user.createdAt });
});
"""
MARKDOWN_TABLE = """| option | type | default | meaning |
|---|---|---|---|
| `--index-url` | URL | none | where the published index is read from |
| `--cache-ttl` | seconds | 600 | how long a fetched index is kept |
| `--timeout-ms` | milliseconds | 15000 | how long one request may take |
"""
CHINESE = (
    "路由参数是路径中有名字的部分。框架会把地址中相应位置的文字取出来，交给处理函数。"  # noqa: RUF001 - Chinese text
    "如果需要数字，就必须先进行转换。当两个路由都能匹配时，先注册的那一个会回答请求。"  # noqa: RUF001 - Chinese text
)
JAPANESE = (
    "ルートパラメータは、パスの中で名前を付けた部分です。フレームワークはアドレスのその位置に"
    "ある文字列を取り出し、ハンドラーに渡します。数値として使う場合は、先に変換する必要があります。"
)
KOREAN = (
    "경로 매개변수는 경로에서 이름이 붙은 부분입니다. 프레임워크는 주소의 해당 위치에 있는 "
    "문자열을 꺼내어 처리 함수에 전달합니다. 숫자로 사용하려면 먼저 변환해야 합니다."
)
RUSSIAN = (
    "Параметр маршрута — это именованная часть пути. Фреймворк берёт текст, который стоит на этом "
    "месте адреса, и передаёт его обработчику. Если нужно число, текст сначала следует "  # noqa: RUF001 - Russian text
    "преобразовать. Когда подходят два маршрута, отвечает тот, который был зарегистрирован первым."
)
GERMAN = (
    "Ein Routenparameter ist ein benannter Teil des Pfades. Das Framework füllt ihn mit dem Text, "
    "der an dieser Stelle der Adresse steht, und übergibt ihn der Funktion. Wird eine Zahl "
    "gebraucht, muss der Text zuerst umgewandelt werden."
)
EMOJI = """🚀 Faster builds
🐛 Fixed a crash when the cache is empty
✨ New option for the theme
📝 Better docs 🎉🎉
⚠️ The old name is deprecated
✅ All tests pass ❤️ thanks to everyone 👍
"""
LINKS = (
    "See https://expressjs.com/en/5x/api.html#app.METHOD, https://zod.dev/?id=basic-usage and "
    "https://github.com/iamkun/dayjs/blob/dev/docs/en/API-reference.md#parsing for the details; "
    "the sources are at https://github.com/expressjs/express/tree/v5.1.0/lib.\n"
)


@pytest.mark.parametrize(
    ("text", "true", "percent"),
    [
        pytest.param(PROSE, 61, 5, id="prose"),
        pytest.param(PYTHON, 86, 15, id="Python"),
        pytest.param(JAVASCRIPT, 75, 10, id="JavaScript"),
        pytest.param(MARKDOWN_TABLE, 78, 10, id="a table"),
        pytest.param(CHINESE, 56, 5, id="Chinese"),
        pytest.param(JAPANESE, 65, 5, id="Japanese"),
        pytest.param(KOREAN, 51, 5, id="Korean"),
        pytest.param(RUSSIAN, 65, 20, id="Russian"),
        pytest.param(GERMAN, 53, 10, id="German"),
        pytest.param(EMOJI, 51, 10, id="emoji"),
        pytest.param(LINKS, 74, 5, id="links"),
    ],
)
def test_the_estimate_is_near_the_count_of_o200k_base(text: str, true: int, percent: int) -> None:
    assert abs(estimate_tokens(text) - true) <= true * percent / 100


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("\n", 1, id="a line end"),
        pytest.param("word", 1, id="a word"),
        pytest.param("1234567", 3, id="digits by three"),
        pytest.param("one two\r\n\tthree", 4, id="blanks of all kinds"),
        pytest.param("\ud800", 1, id="half a character"),
        pytest.param("\x00\x7f", 1, id="controls"),
    ],
)
def test_small_texts(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_the_numbers_belong_to_the_name_of_the_estimator() -> None:
    """Whoever changes a number changes what stands in published indexes, and so the name."""
    texts = (PROSE, PYTHON, JAVASCRIPT, MARKDOWN_TABLE, CHINESE, JAPANESE, KOREAN, RUSSIAN, GERMAN)
    numbers = [estimate_tokens(text) for text in (*texts, EMOJI, LINKS)]
    assert ESTIMATOR == "doctrove-estimate@1"
    assert numbers == [62, 97, 79, 73, 55, 64, 52, 76, 49, 54, 74]


@given(st.text(max_size=400))
def test_every_character_is_in_one_piece_that_has_a_cost(text: str) -> None:
    found: list[bytes] = PIECE.findall(classes(text))
    assert b"".join(found) == classes(text)
    assert len(classes(text)) == len(text)
    assert all(kind(piece)[0] in TABLE and kind(piece)[1] >= 1 for piece in found)


@given(st.text(max_size=400))
def test_a_text_costs_at_least_its_pieces_and_at_most_its_bytes(text: str) -> None:
    tokens = estimate_tokens(text)
    assert len(PIECE.findall(classes(text))) <= tokens
    assert tokens <= len(text.encode("utf-8", "replace"))


@given(st.text(max_size=200), st.text(max_size=200))
def test_paragraphs_add_up(one: str, other: str) -> None:
    apart = estimate_tokens(one) + estimate_tokens(other)
    together = estimate_tokens(f"{one}\n\n{other}")
    assert abs(together - apart) <= 8


def test_the_cost_of_a_piece_never_depends_on_what_was_estimated_before() -> None:
    before = estimate_tokens(PYTHON)
    for number in range(3000):
        estimate_tokens("".join(chr(33 + number * step % 94) for step in range(1, 12)))
    assert estimate_tokens(PYTHON) == before


@pytest.mark.parametrize(
    "sign", ["a", "A", "0", " ", "\n", "-", "字", "\U0001f600", "aB", " \n", "a\n "]
)
def test_long_runs_are_estimated_in_bounded_steps(sign: str) -> None:
    short, long = (estimate_tokens(sign * repeats) for repeats in (20_000, 200_000))
    assert 9 * short <= long <= 11 * short
