import contextvars
import gc
import os
import sys
import threading

import pytest

from gnomon.language.cursor import Cursor
from gnomon.language.expand import expand
from gnomon.language.format import format_text
from gnomon.language.lexer import tokenize
from gnomon.language.parse import parse
from gnomon.model.elaborate import elaborate
from gnomon.model.lint import lint
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.limits import check_limits, paused_collection, room_to_recurse, watch
from gnomon.text.source import Source


def test_room_to_recurse_is_given_back() -> None:
    before = sys.getrecursionlimit()
    with room_to_recurse():
        assert sys.getrecursionlimit() > before
    assert before == sys.getrecursionlimit()


def test_room_to_recurse_is_given_back_after_a_mistake() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(ValueError, match="mine"), room_to_recurse():
        raise ValueError("mine")
    assert before == sys.getrecursionlimit()


def test_room_to_recurse_lasts_until_the_last_thread_is_done() -> None:
    before = sys.getrecursionlimit()
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with room_to_recurse():
            inside.set()
            leave.wait(60)

    thread = threading.Thread(target=other)
    with room_to_recurse():
        thread.start()
        assert inside.wait(60)
        wide = sys.getrecursionlimit()
    assert wide == sys.getrecursionlimit() > before
    leave.set()
    thread.join()
    assert before == sys.getrecursionlimit()


def test_room_to_recurse_that_begins_in_another_thread_is_given_back_in_this_one() -> None:
    before = sys.getrecursionlimit()
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with room_to_recurse():
            inside.set()
            leave.wait(60)

    thread = threading.Thread(target=other)
    thread.start()
    assert inside.wait(60)
    with room_to_recurse():
        leave.set()
        thread.join()
        assert sys.getrecursionlimit() > before
    assert before == sys.getrecursionlimit()


def test_many_threads_leave_the_recursion_limit_as_it_was() -> None:
    before = sys.getrecursionlimit()
    lowest: list[int] = []

    def often() -> None:
        for _ in range(300):
            with room_to_recurse(), room_to_recurse():
                lowest.append(sys.getrecursionlimit())

    threads = [threading.Thread(target=often) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(lowest) > before
    assert before == sys.getrecursionlimit()


def test_a_limit_that_somebody_else_sets_meanwhile_stays() -> None:
    before = sys.getrecursionlimit()
    try:
        with room_to_recurse():
            sys.setrecursionlimit(30_000)
        assert 30_000 == sys.getrecursionlimit()
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_forgets_the_threads_that_it_leaves_behind() -> None:
    before = sys.getrecursionlimit()
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with room_to_recurse():
            inside.set()
            leave.wait(60)

    thread = threading.Thread(target=other)
    thread.start()
    assert inside.wait(60)
    child = os.fork()
    if child == 0:
        with room_to_recurse():
            wide = sys.getrecursionlimit()
        os._exit(0 if wide > before == sys.getrecursionlimit() else 1)
    _, status = os.waitpid(child, 0)
    leave.set()
    thread.join()
    assert 0 == os.waitstatus_to_exitcode(status)


def test_garbage_is_collected_again_afterwards() -> None:
    assert gc.isenabled()
    with paused_collection():
        assert not gc.isenabled()
        with paused_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


# The watch


class Stop(Exception):
    """Enough."""


def stop() -> None:
    raise Stop


def watched(work: object) -> object:
    """Return what some work gives under a watch that stops it at once."""
    assert callable(work)

    def inside() -> object:
        watch.set(stop)
        return work()

    return contextvars.copy_context().run(inside)


def test_nothing_is_watched_unless_somebody_asks() -> None:
    assert watch.get() is None
    check_limits()


def test_a_watch_stops_what_it_watches_and_nothing_else() -> None:
    with pytest.raises(Stop):
        watched(check_limits)
    check_limits()


LONG = """
Constants n = 3000; end Constants
Agent P
  Vars: x[i : 1..n] : 0..3; end Vars
  Actions = { a };
  Protocol: forall i : 1..n (x[i] = 0) : { a }; Other : { a }; end Protocol
  Evolution: for i : 1..n: x[i] = 1 if x[i] = 2 or !(x[i] < 1); end for end Evolution
end Agent
Evaluation p[i : 1..n] if P.x[i] = 3; end Evaluation
InitStates forall i : 1..n (P.x[i] = 0); end InitStates
Formulae for i : 1..n: EF p[i]; end for end Formulae
"""
PLAIN = f"Evaluation {' '.join(f'p{number} if P.x = 1;' for number in range(5000))} end Evaluation"


def take_all(cursor: Cursor) -> None:
    while cursor.kind != "end of file":
        cursor.take()


def test_every_stage_of_loading_is_watched() -> None:
    source, plain = Source("x", LONG), Source("x", PLAIN)
    diagnostics = Diagnostics(source)
    tokens = tokenize(plain, diagnostics)
    parsed = parse(source)
    expanded = expand(parsed.program, {}, diagnostics)
    system = elaborate(expanded, diagnostics)

    assert isinstance(system, System)
    assert len(tokens.kinds) > 4096
    with pytest.raises(Stop):
        watched(lambda: tokenize(plain, Diagnostics(plain)))
    with pytest.raises(Stop):
        watched(lambda: take_all(Cursor(tokens, Diagnostics(plain))))
    with pytest.raises(Stop):
        watched(lambda: parse(plain))
    with pytest.raises(Stop):
        watched(lambda: format_text(plain))
    with pytest.raises(Stop):
        watched(lambda: expand(parsed.program, {}, Diagnostics(source)))
    with pytest.raises(Stop):
        watched(lambda: elaborate(expanded, Diagnostics(source)))
    with pytest.raises(Stop):
        watched(lambda: lint(system, Diagnostics(source)))
