"""What agents do, as a value: built in Python it means, and is refused for, what it is in a program."""

from collections.abc import Callable

import pytest

from gnomon.checking.load import load_text
from gnomon.model.agent import Semantics
from gnomon.model.builder import AgentBuilder, SystemDraft
from gnomon.model.operand import Operand
from gnomon.model.operand_choices import If
from gnomon.model.step import State, initial_states, successors
from gnomon.model.system import System
from gnomon.text.diagnostic import InputError

#: How the guard of P's line looks at what is done, in Python and in a program.
GUARDS: dict[str, Callable[[AgentBuilder, AgentBuilder, Operand], Operand]] = {
    "Q.Action = b": lambda _, q, __: q.action == "b",
    "Q.Action <> b": lambda _, q, __: q.action != "b",
    "Q.Action = Action": lambda p, q, _: q.action == p.action,
    "Action <> Q.Action": lambda p, q, _: p.action != q.action,
    "Q.Action = last": lambda _, q, last: q.action == last,
    "last <> Q.Action": lambda _, q, last: last != q.action,
    "(if last = c then Action else last) = b": lambda p, _, last: (
        If(last == "c", p.action, last) == "b"
    ),
}
PROGRAM = """
Semantics = {semantics};
Agent P
  Vars: x : boolean = false; last : {{ b, c }} = b; end Vars
  Actions = {{ c, b }}; Protocol: Other : {{ c, b }}; end Protocol
  Evolution: {assigned} if {guard}; end Evolution
end Agent
Agent Q
  Vars: y : boolean = true; end Vars
  Actions = {{ {actions} }}; Protocol: Other : {{ {actions} }}; end Protocol
end Agent
Evaluation done if P.x; end Evaluation
Formulae EF done; end Formulae
"""
SEMANTICS: tuple[Semantics, ...] = ("MultiAssignment", "SingleAssignment", "Interleaved")
every_semantics = pytest.mark.parametrize("semantics", SEMANTICS)
any_actions = pytest.mark.parametrize("actions", [("b",), ("a", "b"), ("a", "b", "c")])


def built(semantics: Semantics, actions: tuple[str, ...]) -> tuple[SystemDraft, list[AgentBuilder]]:
    b = SystemDraft(semantics=semantics)
    p, q = b.agent("P", ["c", "b"]), b.agent("Q", actions)
    p.otherwise("c", "b")
    q.otherwise(*actions)
    q.boolean("y", initial=True)
    return b, [p, q]


def program(semantics: Semantics, actions: tuple[str, ...], guard: str, assigned: str) -> str:
    words = ", ".join(actions)
    return PROGRAM.format(semantics=semantics, actions=words, guard=guard, assigned=assigned)


def steps(system: System) -> dict[State, set[State]]:
    """Return all reachable states and where they lead."""
    found: dict[State, set[State]] = {}
    waiting = list(initial_states(system))
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = set(successors(system, state))
            waiting.extend(found[state])
    return found


@every_semantics
@any_actions
@pytest.mark.parametrize("guard", GUARDS)
def test_to_compare_what_is_done_means_what_it_does_in_a_program(
    semantics: Semantics, actions: tuple[str, ...], guard: str
) -> None:
    b, (p, q) = built(semantics, actions)
    x, last = p.boolean("x", initial=False), p.enumeration("last", ["b", "c"], initial="b")
    p.evolve({x: True}, when=GUARDS[guard](p, q, last))
    loaded = load_text(program(semantics, actions, guard, "x = true"))

    assert loaded.system is not None, [item.message for item in loaded.diagnostics]
    assert steps(loaded.system) == steps(b.finished())


@every_semantics
@any_actions
def test_what_another_agent_does_is_stored_where_a_program_may(
    semantics: Semantics, actions: tuple[str, ...]
) -> None:
    b, (p, q) = built(semantics, actions)
    p.boolean("x", initial=False)
    last = p.enumeration("last", ["b", "c", "a"], initial="b")
    p.evolve({last: q.action})
    text = program(semantics, actions, "x = x", "last = Q.Action").replace(
        "{ b, c } =", "{ b, c, a } ="
    )
    loaded = load_text(text)
    if loaded.system is None:
        with pytest.raises(InputError) as caught:
            b.finished()
        codes = [item.code for item in loaded.diagnostics if item.is_error]
        assert codes == [item.code for item in caught.value.diagnostics] == ["G0222"]
    else:
        assert semantics != "Interleaved"
        assert steps(loaded.system) == steps(b.finished())


def test_actions_that_have_nothing_in_common_are_not_compared() -> None:
    b = SystemDraft()
    p, q = b.agent("P", ["a"]), b.agent("Q", ["b"])
    for other in (q.action, q.boolean("y"), "b"):
        with pytest.raises((TypeError, ValueError)):
            p.action == other  # noqa: B015
