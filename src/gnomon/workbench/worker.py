"""The process that answers requests, one after the other: lines of JSON in, lines of JSON out.

A request has an `id`, a `method`, `params`, and the `seconds` and `megabytes` that it may take; an answer has
the `id`, and a `result` or an `error`. Whoever is tired of waiting ends the process: nothing is lost with it
but time, since every request says all that it is about.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from gnomon.model.budget import Budget, LimitReached
from gnomon.text.diagnostic import InputError
from gnomon.text.errors import Unable
from gnomon.text.limits import room_to_recurse
from gnomon.workbench.bench import Bench
from gnomon.workbench.failure import RequestFailed, bad_input, bad_request
from gnomon.workbench.methods import METHODS
from gnomon.workbench.parameters import Parameters


def answer(bench: Bench, request: Any) -> dict[str, Any]:
    """Return the answer to one request; whatever happens, there is one."""
    number = request.get("id") if isinstance(request, dict) else None
    try:
        return {"id": number, "result": _result(bench, request)}
    except RequestFailed as failed:
        return {"id": number, "error": failed.to_data()}
    except InputError as error:
        return {"id": number, "error": bad_input(error.diagnostics).to_data()}
    except (LimitReached, MemoryError, RecursionError) as limit:
        said = str(limit) if isinstance(limit, LimitReached) else "there is no more memory"
        return {"id": number, "error": RequestFailed("limit", said).to_data()}
    except Unable as reason:
        return {"id": number, "error": RequestFailed("unable", str(reason)).to_data()}
    except Exception as error:  # noqa: BLE001 - whoever asked is told that it is our fault
        import traceback

        traceback.print_exc(file=sys.stderr)
        said = f"this is a bug in gnomon ({type(error).__name__}: {error})"
        return {"id": number, "error": RequestFailed("bug", said).to_data()}


def _result(bench: Bench, request: Any) -> Any:
    if not isinstance(request, dict):
        raise bad_request("a request is an object")
    method = METHODS.get(str(request.get("method")))
    if method is None:
        raise bad_request(f"there is no method {request.get('method')!r}")
    bench.budget = Budget(request.get("seconds"), request.get("megabytes"))
    return method(bench, Parameters(request.get("params")))


def serve(requests: Iterable[str], answers: TextIO) -> None:
    """Answer requests until there are no more."""
    bench = Bench()
    with room_to_recurse():
        for line in requests:
            answers.write(json.dumps(answer(bench, json.loads(line)), separators=(",", ":")) + "\n")
            answers.flush()


def run(lifeline: int) -> None:
    """Be such a process: it lives as long as whoever holds the other end of the pipe `lifeline`."""
    from gnomon.checking.process.child import live_as_long_as

    live_as_long_as(lifeline)
    requests, answers = sys.stdin, sys.stdout
    sys.stdout = sys.stderr  # whatever prints something must not do so between answers
    serve(requests, answers)
