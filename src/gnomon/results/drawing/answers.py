"""Why a coalition cannot enforce a formula, as a diagram: its choices, and the others' answers to them."""

from collections.abc import Collection, Iterable
from typing import Final

from gnomon.model.evidence import Clash, Clashes, Defence, DefenceAnswer
from gnomon.model.step import JointAction, State, enabled_actions
from gnomon.model.system import System
from gnomon.results.drawing.bundles import ArrowWords, few_lines
from gnomon.results.drawing.diagram import BoxDiagram, BoxKind, DiagramEdge, DiagramNode, LabelLine
from gnomon.results.drawing.state_words import StateWords
from gnomon.results.phrases import clashes_title, defence_title
from gnomon.results.projection import PictureStyle

#: So many lines stand beside the arrow of several answers.
_MOST_LINES: Final = 7


def defence_diagram(
    system: System, defence: Defence, style: PictureStyle = PictureStyle()
) -> BoxDiagram:
    """Return the states with answers, in the order in which they are met, and where the answers lead."""
    order = answered_states(defence)
    states = [state for state, number in order.items() if number < style.limit]
    left = len(order) - len(states)
    words = StateWords(system, states, style, cut=left > 0)
    answered = {answer.state for answer in defence.answers}
    nodes = tuple(
        _node(number, words.lines(state), is_lost=state not in answered, initial=number == 0)
        for number, state in enumerate(states)
    )
    steps: dict[tuple[int, int], list[DefenceAnswer]] = {}
    for answer in defence.answers:
        ends = (order[answer.state], order[answer.result])
        if max(ends) < len(states):
            steps.setdefault(ends, []).append(answer)
    said = ArrowWords(system, style, named=True)
    edges = tuple(
        _edge(system, defence.members, ends, answers, said) for ends, answers in steps.items()
    )
    cut = (f"cut after {len(states)} states: {left} more",) if left else ()
    notes = (
        *cut,
        "blue: what the coalition tries; below, the answer of the others",
        *words.notes(),
    )
    return BoxDiagram(defence_title(defence), nodes, edges, notes)


def answered_states(defence: Defence) -> dict[State, int]:
    """Return the numbers of all states that a picture of the answers may show, the first one first."""
    states: Iterable[State] = (
        *([] if defence.state is None else [defence.state]),
        *(state for answer in defence.answers for state in (answer.state, answer.result)),
    )
    return {state: number for number, state in enumerate(dict.fromkeys(states))}


def _node(number: int, lines: tuple[str, ...], *, is_lost: bool, initial: bool) -> DiagramNode:
    said = ("✗ lost",) if is_lost else ()
    kind: BoxKind = "lost" if is_lost else "plain"
    return DiagramNode(number, str(number), (*lines, *said), (), initial, kind)


def _edge(
    system: System,
    names: Collection[str],
    ends: tuple[int, int],
    answers: list[DefenceAnswer],
    words: ArrowWords,
) -> DiagramEdge:
    """Return an arrow with what is tried and, below, what the others do; several where that depends."""
    members = [i for i, agent in enumerate(system.agents) if agent.name in names]
    others = [i for i in range(len(system.agents)) if i not in members]
    # Whoever can do only one thing has not answered.
    forced = {
        place: frozenset(enabled)
        for place in others
        if len(enabled := enabled_actions(system, system.agents[place], answers[0].state)) == 1
    }
    by_answer: dict[tuple[str, ...], list[JointAction]] = {}
    for answer in answers:
        key = answer.actions
        if not system.interleaved:
            key = tuple(answer.actions[place] for place in others)
        by_answer.setdefault(key, []).append(_with_choice(system, answer))
    label: list[LabelLine] = []
    full = []
    for key, joint in by_answer.items():
        tried = words.lines(joint, {}, members)
        done = words.events((key,)) if system.interleaved else words.lines(joint, forced, others)
        label += [LabelLine(text, chosen=True) for text in few_lines(tried, 2)]
        label += [LabelLine(text) for text in few_lines(done, 2)]
        full.append(f"{', '.join(tried)} → {', '.join(done) or 'that is enough'}")
    if len(label) > _MOST_LINES:
        left = len(label) - _MOST_LINES + 1
        label = [*label[: _MOST_LINES - 1], LabelLine(f"… {left} more lines")]
    return DiagramEdge(*ends, tuple(label), " / ".join(full))


def _with_choice(system: System, answer: DefenceAnswer) -> JointAction:
    """Return what is done, with what the members chose: where events are interleaved, not all may happen."""
    chosen = dict(answer.choice)
    pairs = zip(system.agent_index, answer.actions, strict=True)
    return tuple(chosen.get(name, action) for name, action in pairs)


def clash_diagrams(
    system: System, clashes: Clashes, style: PictureStyle = PictureStyle()
) -> list[BoxDiagram]:
    """Return the views in conflict: states that look so, and how each action fails in one of them."""
    return [_clash(system, clashes, clash, style) for clash in clashes.views]


def _clash(system: System, clashes: Clashes, clash: Clash, style: PictureStyle) -> BoxDiagram:
    ends = (state for each in clash.failures for state in (each.state, each.result))
    order = {state: number for number, state in enumerate(dict.fromkeys((*clash.states, *ends)))}
    words = StateWords(system, list(order), style)
    starts = {*clash.states, *(each.state for each in clash.failures)}
    nodes = tuple(
        _node(number, words.lines(state), is_lost=state not in starts, initial=state in starts)
        for state, number in order.items()
    )
    steps: dict[tuple[int, int], list[DefenceAnswer]] = {}
    for answer in clash.failures:
        steps.setdefault((order[answer.state], order[answer.result]), []).append(answer)
    said = ArrowWords(system, style, named=True)
    edges = tuple(
        _edge(system, tuple(name for name, _ in answers[0].choice), ends, answers, said)
        for ends, answers in steps.items()
    )
    alike = (
        f"to {clash.agent} the states in bold look the same, and no one action does for all of them"
    )
    notes = (alike, *words.notes())
    return BoxDiagram(f"{clashes_title(clashes)}: {clash.agent}", nodes, edges, notes)
