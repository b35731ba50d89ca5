"""Why a coalition cannot enforce a formula: in each state, the answer of the others to each choice."""

from typing import NamedTuple

from gnomon.model.agent import IDLE
from gnomon.model.evidence import Defence, DefenceAnswer
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.extent import MOST_LINES
from gnomon.results.projection import ShownAgents, changes
from gnomon.results.render.strategy import add_rules
from gnomon.results.styled import Styled, StyledText, fill, wrap

#: Values stand beside the number of a position where there is so much room.
_BESIDE = 30


class Reply(NamedTuple):
    """One answer in words: what the members do, what the others do, and what comes of it."""

    choice: str
    answer: str
    result: str


class AnsweredState(NamedTuple):
    """A state with answers: its number, where it differs from the first, and the answers in it."""

    number: int
    values: tuple[str, ...]
    replies: tuple[Reply, ...]


def render(
    system: System,
    defence: Defence,
    width: int = 80,
    most: int | None = MOST_LINES,
    agents: ShownAgents = None,
) -> StyledText:
    """Return the answers: in rules where those are much shorter, else state by state, at most `most` of them.

    A word says what is left out.
    """
    text = StyledText()
    if most is not None and rules_suffice(defence):
        add_rules(text, defence.rules, width, most)
        count = len(defence.answers)
        for part in wrap(f"(--full or --json shows the {count} answers, state by state)", width):
            text.add(Styled(part, "dim"))
        return text
    for answered in answered_states(system, defence, most, agents):
        title = f"position {answered.number}: {'' if answered.number == 1 else 'as 1, but '}"
        beside = width - len(title) >= _BESIDE
        room = width - (len(title) if beside else 2)
        first, *rest = fill(answered.values, max(24, room), "", ", ")
        if not beside:
            text.add(Styled(title.rstrip(), "strong"))
        text.add(Styled(title, "strong") if beside else "  ", first)
        for part in rest:
            text.add(" " * (len(title) if beside else 2), part)
        for reply in answered.replies:
            _reply(text, reply, width)
    left = len(defence.answers) - len(defence.answers[:most])
    if left:
        for part in wrap(f"… and {left} more answers (--full or --json shows all)", width):
            text.add(Styled(part, "dim"))
    if not defence.answers:
        text.add(Styled("nothing has to be done", "dim"))
    return text


def rules_suffice(defence: Defence) -> bool:
    """Return whether the rules say the same in much fewer lines than the answers one by one."""
    return bool(defence.rules) and 2 * len(defence.rules) <= len(defence.answers)


def _reply(text: StyledText, reply: Reply, width: int) -> None:
    words = f"if {reply.choice}: {reply.answer}; {reply.result}"
    first, *rest = wrap(words, max(24, width - 2), "  ")
    text.add("  ", first)
    for part in rest:
        text.add("  ", part)


def answered_states(
    system: System, defence: Defence, most: int | None = None, agents: ShownAgents = None
) -> list[AnsweredState]:
    """Return the states with answers, in the order in which they are met, numbered from 1."""
    met = dict.fromkeys(answer.state for answer in defence.answers)
    numbers = {state: number for number, state in enumerate(met, 1)}
    shown: dict[State, list[DefenceAnswer]] = {}
    for answer in defence.answers[:most]:
        shown.setdefault(answer.state, []).append(answer)
    found = []
    first = defence.answers[0].state if defence.answers else None
    for state, answers in shown.items():
        # The first in full; the others by what is different there, which is all one looks for.
        origin = None if state == first else first
        values = map(str, changes(system, origin, state, agents))
        replies = tuple(_words(system, defence, answer, numbers, agents) for answer in answers)
        found.append(
            AnsweredState(numbers[state], tuple(values) or ("nothing shown here",), replies)
        )
    return found


def _words(
    system: System,
    defence: Defence,
    answer: DefenceAnswer,
    numbers: dict[State, int],
    agents: ShownAgents,
) -> Reply:
    if system.interleaved:
        happens = next((action for action in answer.actions if action != IDLE), "")
        others = [f"{happens} happens" if happens else "nothing can happen"]
    else:
        others = _others(system, defence, answer)
    return Reply(
        ", ".join(f"{who} does {what}" for who, what in answer.choice) or "nobody does anything",
        ", ".join(others) or "that is enough",
        _result(system, answer, numbers, agents),
    )


def _others(system: System, defence: Defence, answer: DefenceAnswer) -> list[str]:
    """Return what each of the others does."""
    return [
        f"{agent.name} does {action}"
        for agent, action in zip(system.agents, answer.actions, strict=True)
        if agent.name not in defence.members and action != IDLE
    ]


def _result(
    system: System, answer: DefenceAnswer, numbers: dict[State, int], agents: ShownAgents
) -> str:
    if answer.result == answer.state:
        return "nothing changes"
    if answer.result in numbers:
        return f"then position {numbers[answer.result]}"
    new = changes(system, answer.state, answer.result, agents)
    return f"then it is lost, with {', '.join(map(str, new))}" if new else "then it is lost"
