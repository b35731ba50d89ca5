"""Messages that make no sense, are too long or too many: each is answered or refused; nobody else minds."""

import json
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from gnomon.interfaces.studio import serving
from gnomon.interfaces.studio.bucket import BURST, RATE, MessageBucket
from gnomon.interfaces.studio.connection import MOST_UNDER_WAY
from gnomon.interfaces.studio.folder import MOST_BYTES
from gnomon.interfaces.studio.frames import BadFrame, read_json
from gnomon.interfaces.studio.sockets import MOST_BYTES as LONGEST_MESSAGE
from tests.studio.running import PATIENCE, Failed, Page, Running, until, workers

WAYS = ["/rpc", "/lsp"]


def closing(running: Running, path: str, *messages: str | bytes) -> int:
    """Return the code with which a connection ends that has sent these."""
    with running.socket(path) as socket:
        try:
            for message in messages:
                socket.send(message)
            while True:
                socket.recv(PATIENCE)
        except ConnectionClosed as closed:
            return 1006 if closed.rcvd is None else int(closed.rcvd.code)


def error_for(page: Page, text: str) -> dict[str, Any]:
    """Return what is said about a message, after which the page can still ask."""
    page.socket.send(text)
    while "error" not in (said := page.hear()):
        pass
    assert "gnomon" in page.ask("hello")
    error: dict[str, Any] = said["error"]
    return error


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "{",
        '{"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"x": NaN}}',
        '{"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"x": -Infinity}}',
        '{"id": 1, "method": "hello", "params": {"x": ' + "9" * 5000 + "}}",
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 100_000 + "]" * 100_000,
        "\0",
    ],
)
def test_what_is_no_json_is_answered(page: Page, text: str) -> None:
    error = error_for(page, text)

    assert (-32700, "bad-request") == (error["code"], error["data"]["kind"])
    assert len(error["message"]) < 400


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "1",
        '"hello"',
        "null",
        '[{"jsonrpc": "2.0", "id": 1, "method": "hello"}]',
        '{"id": 7000}',
        '{"id": 7000, "method": 2}',
        '{"id": [1], "method": "hello"}',
        '{"id": 1.5, "method": "hello"}',
        '{"id": true, "method": "hello"}',
    ],
)
def test_what_is_no_request_is_answered(page: Page, text: str) -> None:
    assert -32600 == error_for(page, text)["code"]


@pytest.mark.parametrize(
    "method", ["", "nonsense", "model/Open", "__class__", "cancel", "x" * 100_000, "\ud800"]
)
def test_there_are_no_other_methods(page: Page, method: str) -> None:
    error = error_for(page, json.dumps({"id": 7, "method": method, "params": {}}))

    assert (-32601, "bad-request") == (error["code"], error["data"]["kind"])


@pytest.mark.parametrize("params", [[], 1, "x", None, True])
@pytest.mark.parametrize(
    "method", ["hello", "files/read", "model/open", "model/check", "run/moves"]
)
def test_parameters_are_an_object(page: Page, method: str, params: Any) -> None:
    with pytest.raises(Failed) as failed:
        page.answer(page.send(method, params))

    assert "bad-request" == failed.value.kind


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("model/check", {"model": 7}),
        ("model/check", {}),
        ("files/read", {"path": ["x"]}),
        ("files/write", {"path": "x.ispl", "text": 3, "version": None}),
        ("gallery/read", {"name": "../pyproject.toml"}),
        ("gallery/read", {"name": "missing.ispl"}),
        ("model/open", {"text": 1, "name": "x", "constants": {}}),
        ("model/sweep", {"text": "", "name": "x", "constants": {"n": 3}}),
    ],
)
def test_parameters_are_what_the_protocol_says(page: Page, method: str, params: Any) -> None:
    with pytest.raises(Failed) as failed:
        page.answer(page.send(method, params))

    assert "bad-request" == failed.value.kind


def test_texts_that_no_file_can_have_are_only_texts(page: Page) -> None:
    opened = page.open("Agent \ud800\0\x1b[2J end Agent", name="\ud800<script>.ispl")

    assert opened["has_errors"]
    assert "\ud800<script>.ispl" == opened["name"]


def test_notifications_are_never_answered(page: Page) -> None:
    for method in ("hello", "nonsense", "cancel"):
        page.socket.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": {"id": [1]}}))

    assert "gnomon" in page.ask("hello")
    assert {} == page.answers


def test_ids_may_be_texts(page: Page) -> None:
    page.socket.send(json.dumps({"id": "seven", "method": "hello", "params": {}}))

    assert "seven" == page.hear()["id"]


def test_a_number_is_not_used_twice_at_once(page: Page) -> None:
    for _ in range(2):
        page.socket.send(json.dumps({"id": 900, "method": "model/open", "params": {"text": "x"}}))
    said = [page.hear(), page.hear()]

    assert any("is under way" in each["error"]["message"] for each in said)


# Data of the wrong sort, and too much of it


@pytest.mark.parametrize("path", WAYS)
def test_bytes_end_a_connection(running: Running, path: str) -> None:
    assert 1003 == closing(running, path, b"\0\1\2")


@pytest.mark.parametrize("path", WAYS)
def test_a_huge_message_ends_a_connection(running: Running, path: str) -> None:
    # Whoever still sends does not always hear why.
    assert closing(running, path, "x" * (LONGEST_MESSAGE + 1)) in {1009, 1006}
    assert admitted(running)


@pytest.mark.parametrize("text", ["nonsense", "[1]", "[" * 200_000, '{"x": NaN}'])
def test_what_is_no_json_ends_a_language_server(running: Running, text: str) -> None:
    assert 1007 == closing(running, "/lsp", text)


def test_a_text_is_not_longer_than_a_file(page: Page) -> None:
    with pytest.raises(Failed) as failed:
        page.open(" " * (MOST_BYTES + 1))

    assert "limit" == failed.value.kind
    assert "gnomon" in page.ask("hello")


def test_a_flood_of_requests_is_refused_and_then_ended(running: Running) -> None:
    with running.page() as page:
        kinds = set()
        code = 0
        try:
            for _ in range(5000):
                page.send("files/list", {})
            while True:
                said = page.hear()
                if "error" in said:
                    kinds.add(said["error"]["data"]["kind"])
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 0

    assert (1008, {"limit"}) == (code, kinds)


def test_a_flood_of_notifications_ends_a_connection(running: Running) -> None:
    text = json.dumps({"jsonrpc": "2.0", "method": "cancel", "params": {"id": 1}})

    assert 1008 == closing(running, "/rpc", *[text] * 5000)


def test_a_flood_ends_a_language_server(running: Running) -> None:
    text = json.dumps({"jsonrpc": "2.0", "method": "nonsense", "params": {}})

    assert 1008 == closing(running, "/lsp", *[text] * 5000)


def test_so_many_requests_may_be_under_way(page: Page) -> None:
    opened = page.open(page.ask("gallery/read", name="games/bridge.ispl")["text"], n=5)
    numbers = [
        page.send("model/check", {"model": opened["model"], "formulae": [f"AG !(false) & {n}={n}"]})
        for n in range(MOST_UNDER_WAY + 1)
    ]
    with pytest.raises(Failed) as failed:
        page.answer(numbers[-1])

    assert "limit" == failed.value.kind
    assert "under way" in str(failed.value)


def test_more_pages_than_anybody_opens_are_sent_away(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MOST_PAGES", 1)
    with running.page() as first:
        assert until(lambda: "gnomon" in first.ask("hello"))
        assert 1013 == closing(running, "/rpc")
    # As soon as there is room, others may come.
    assert until(lambda: admitted(running))


def admitted(running: Running) -> bool:
    with running.page() as page:
        try:
            return "gnomon" in page.ask("hello")
        except ConnectionClosed:
            return False


# The bucket


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_fast_typing_is_never_refused() -> None:
    clock = Clock()
    bucket = MessageBucket(clock)
    passed = []
    for _ in range(2000):
        clock.now += 0.05  # twenty keys a second, each with a few messages about a large text
        passed += [bucket.take(100_000), bucket.take(500), bucket.take(500)]

    assert all(passed)


def test_a_flood_is_refused_and_its_end_is_forgiven() -> None:
    clock = Clock()
    bucket = MessageBucket(clock)
    passed = [bucket.take(100) for _ in range(1000)]
    flooded = bucket.is_flooded
    clock.now += 2 * BURST / RATE

    assert BURST - 2 <= sum(passed) <= BURST
    assert flooded
    assert bucket.take(100)


# Depth


def test_signs_in_texts_do_not_count_as_depth() -> None:
    data = {"text": "[" * 5000 + '"\\{', "list": [[], {}] * 1000}

    assert data == read_json(json.dumps(data))


def test_a_text_without_end_is_refused_at_once() -> None:
    began = time.process_time()
    with pytest.raises(BadFrame):
        read_json("[" * 1000 + '"' + '\\"' * 1_000_000)

    assert time.process_time() - began < 20


def test_a_deep_message_is_refused_whatever_python_allows() -> None:
    from gnomon.text.limits import room_to_recurse

    with room_to_recurse(), pytest.raises(BadFrame, match="deep"):
        read_json("[" * 19_000 + "]" * 19_000)


def test_a_worker_survives_all_of_it(page: Page) -> None:
    page.open("")
    before = workers()
    for text in ("{", "[" * 10_000, '{"id": 3, "method": "model/open", "params": 7}'):
        page.socket.send(text)
    page.open("x")

    assert before <= workers()
