"""What is tried out before anybody asks: it leaves nothing behind that a fork would not survive."""

import subprocess
import sys

from gnomon.checking.options import Options
from gnomon.checking.question import Question, read
from gnomon.checking.rehearsal import TEXT, rehearse
from gnomon.checking.supervise import has_processes, work_here


def test_it_is_about_something_that_can_be_asked() -> None:
    with work_here():
        result = read(Question(TEXT, "rehearsal", options=Options(engine="explicit"))).check()

    assert {"true", "false"} == {str(verdict.value) for verdict in result}
    assert not result.diagnostics


def test_it_calls_no_native_library_and_starts_no_thread() -> None:
    code = (
        "import sys, threading\n"
        "from gnomon.checking.rehearsal import rehearse\n"
        "assert list(rehearse())\n"
        "native = [name for name in ('oxidd', 'pysat', 'z3') if name in sys.modules]\n"
        "print(native, threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[] 1" == done.stdout.strip()


def test_work_is_done_where_it_was_done_before() -> None:
    import gc

    before = has_processes()
    for _ in rehearse():
        pass
    gc.unfreeze()

    assert before == has_processes()
