"""Messages over a web socket: JSON-RPC 2.0, one a text frame, looked at before anything else touches them."""

import json
import re
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from gnomon.text.errors import Unable
from gnomon.workbench.failure import RequestFailed

#: No message of ours is deeper. Python reads JSON by recursion, and the limit of that is raised while models
#: are read, so that a hostile message could go beyond the stack.
_DEEPEST: Final = 800
#: A text without an end goes on to the end, so that nothing is looked at twice.
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
#: Codes of JSON-RPC, and the one of our own failures, which say more in their data.
UNREADABLE: Final = -32700
NO_REQUEST: Final = -32600
NO_METHOD: Final = -32601
FAILED: Final = -32000

CallId: TypeAlias = int | str


class BadFrame(Unable):
    """A message cannot be read; the message says why."""

    def __init__(self, message: str, code: int = UNREADABLE, call: CallId | None = None) -> None:
        """Say why, by a code of the protocol, and to whom."""
        super().__init__(message)
        self.code = code
        self.call = call


class CallFrame(NamedTuple):
    """A request, or a notification where it has no number."""

    call: CallId | None
    method: str
    params: Any


def read_call(text: str) -> CallFrame:
    """Return what a message asks; raise `BadFrame` where it is no request."""
    data = read_json(text)
    if not isinstance(data, dict):
        raise BadFrame("a message is one object", NO_REQUEST)
    call = data.get("id")
    if call is not None and type(call) not in (int, str):
        raise BadFrame("the id of a request is a number or a text", NO_REQUEST)
    method = data.get("method")
    if not isinstance(method, str):
        raise BadFrame("a request names its method", NO_REQUEST, call)
    return CallFrame(call, method, data.get("params", {}))


def read_json(text: str) -> Any:
    """Return what a text stands for; raise `BadFrame` where that is nothing, or deeper than anybody asks."""
    if text.count("[") + text.count("{") > _DEEPEST and _depth(text) > _DEEPEST:
        raise BadFrame("this message is nested too deeply")
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadFrame(f"this message is no JSON: {str(error)[:200]}") from None


def _depth(text: str) -> int:
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        sign = text[match.start()]
        if sign in "[{":
            depth += 1
            deepest = max(depth, deepest)
        elif sign in "]}":
            depth -= 1
    return deepest


def _no_number(word: str) -> NoReturn:
    msg = f"{word} is no number"
    raise ValueError(msg)


def result_frame(call: CallId, result: Any) -> str:
    """Return the answer to a request."""
    return _written({"jsonrpc": "2.0", "id": call, "result": result})


def failure_frame(call: CallId | None, failed: RequestFailed) -> str:
    """Return the answer to a request that has none."""
    return _written({"jsonrpc": "2.0", "id": call, "error": {"code": FAILED, **failed.to_data()}})


def error_frame(call: CallId | None, code: int, message: str) -> str:
    """Return the answer to what is no request."""
    data = {"kind": "bad-request"}
    error = {"code": code, "message": message, "data": data}
    return _written({"jsonrpc": "2.0", "id": call, "error": error})


def notification_frame(method: str, params: Any) -> str:
    """Return what is said without being asked."""
    return _written({"jsonrpc": "2.0", "method": method, "params": params})


def _written(data: Any) -> str:
    # Plain ASCII: halves of characters that a model may have survive.
    return json.dumps(data, separators=(",", ":"), allow_nan=False)
