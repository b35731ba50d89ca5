"""Things for a process to do, in a module of their own that is quick to load."""

import os
import signal
import time

from gnomon.checking.process.child import Tell


def count(number: int, tell: Tell) -> int:
    for each in range(number):
        tell(each)
    return number


def busy(tell: Tell) -> None:
    """Be inside one native call for minutes, and look at no limit."""
    tell(os.getpid())
    enormous = 3 ** (10**7)
    tell(str(enormous * enormous)[:1])


def greedy(tell: Tell) -> None:
    tell(os.getpid())
    held = []
    while True:
        held.append(bytearray(1 << 22))


def failing(error: BaseException, tell: Tell) -> None:
    raise error


def dying(number: int, tell: Tell) -> None:
    os.kill(os.getpid(), number)
    time.sleep(60)


def stopping(who: str, tell: Tell) -> None:
    """Stop this process, or the one that it was forked from, as somebody might from outside."""
    os.kill(os.getpid() if who == "itself" else os.getppid(), signal.SIGSTOP)
    time.sleep(60)
