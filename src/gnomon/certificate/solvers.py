"""A conversation with a solver in SMT-LIB 2, the same with every solver."""

import re
from collections.abc import Callable
from typing import Any, Final, Protocol

from gnomon.text.errors import Unconvinced
from gnomon.text.numbers import read_integer

#: In the order in which they are asked.
SOLVERS: Final = ("cvc5", "z3")
#: So many milliseconds may one question take; nearly all take less than one.
PATIENCE: Final = 20_000
_LOGIC: Final = "QF_UFLIA"
_TOKEN: Final = re.compile(r"[()]|[^\s()]+")


class Undecided(Unconvinced):
    """A solver has no answer."""


class Backend(Protocol):
    """A solver that remembers what it was told."""

    def ask(self, text: str) -> str:
        """Give it commands and return what it prints."""


class _Cvc5:
    def __init__(self, milliseconds: int) -> None:
        import cvc5

        manager = cvc5.TermManager()
        self._cvc5 = cvc5
        self._solver = cvc5.Solver(manager)
        for name, value in (
            ("incremental", "true"),
            ("produce-models", "true"),
            ("tlimit-per", str(milliseconds)),
        ):
            self._solver.setOption(name, value)
        self._symbols = cvc5.SymbolManager(manager)

    def ask(self, text: str) -> str:
        """Give it commands and return what it prints."""
        parser = self._cvc5.InputParser(self._solver, self._symbols)
        parser.setStringInput(self._cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
        printed: list[str] = []
        while not (command := parser.nextCommand()).isNull():
            printed.append(command.invoke(self._solver, self._symbols))
        return "".join(printed)


class _Z3:
    def __init__(self, milliseconds: int) -> None:
        import z3

        self._z3 = z3
        # A context of its own: others may be using z3 in another thread.
        self._context = z3.Context()
        self.ask(f"(set-option :timeout {milliseconds})")

    def ask(self, text: str) -> str:
        """Give it commands and return what it prints."""
        return str(self._z3.Z3_eval_smtlib2_string(self._context.ref(), text))


_BACKENDS: Final[dict[str, Callable[[int], Backend]]] = {"cvc5": _Cvc5, "z3": _Z3}


class Dialogue:
    """Questions to one solver. What it cannot answer, or does not understand, is `Undecided`."""

    def __init__(self, name: str, milliseconds: int = PATIENCE, logic: str = _LOGIC) -> None:
        """Begin with nothing said; raises `ImportError` where the solver is not installed.

        No question takes longer than so many milliseconds.
        """
        self._backend: Backend = _BACKENDS[name](milliseconds)
        self.tell(f"(set-logic {logic})")

    def tell(self, text: str) -> None:
        """Say something that has no answer."""
        if text:
            self._ask(text)

    def suppose(self, text: str) -> None:
        """Assume something until it is taken back."""
        self.tell(f"(push 1)\n(assert {text})")

    def take_back(self) -> None:
        """Forget what was supposed last, and all that was said since."""
        self.tell("(pop 1)")

    def is_possible(self) -> bool:
        """Return whether all that was said can be so."""
        answer = self._ask("(check-sat)").strip()
        if answer not in {"sat", "unsat"}:
            raise Undecided(answer)
        return answer == "sat"

    def answers(self, said: str, questions: list[str]) -> list[bool]:
        """Say something, ask several questions, and return for each whether it can be so."""
        found = self._ask("\n".join([said, *questions])).split()
        if len(found) != len(questions) or not {"sat", "unsat"}.issuperset(found):
            raise Undecided(" ".join(found))
        return [answer == "sat" for answer in found]

    def values(self, terms: list[str]) -> list[bool | int]:
        """Return the values of some terms, after it was found possible."""
        if not terms:
            return []
        pairs = _parsed(self._ask(f"(get-value ({' '.join(terms)}))"))
        if len(pairs) != len(terms):
            raise Undecided("values are missing")
        return [_value(pair[1]) for pair in pairs]

    def _ask(self, text: str) -> str:
        try:
            answer = self._backend.ask(text)
        except Exception as error:  # the bindings raise what they like
            raise Undecided(str(error)) from error
        if "(error" in answer:
            raise Undecided(answer)
        return answer


def _parsed(text: str) -> Any:
    """Return the one list in a text, with lists inside."""
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":  # noqa: S105 - a bracket
            stack.append([])
        elif token == ")":  # noqa: S105 - a bracket
            whole = stack.pop()
            stack[-1].append(whole)
        else:
            stack[-1].append(token)
    return stack[0][0]


def _value(found: Any) -> bool | int:
    if found in ("true", "false"):
        return bool(found == "true")
    return -read_integer(found[1]) if isinstance(found, list) else read_integer(found)
