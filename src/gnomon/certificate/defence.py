"""A defence is checked by looking for a choice that it has no answer to."""

from itertools import product

from gnomon.certificate.listed_states import ways_to
from gnomon.certificate.plain import FormulaValue, standing
from gnomon.model.evidence import Clash, Defence, DefenceAnswer
from gnomon.model.formula import Constant, Globally, Next, Release, WeakUntil
from gnomon.model.step import State, enabled_actions, joint_action_count, may_follow, view
from gnomon.model.system import System
from gnomon.model.views import view_values


def replay_defence(system: System, defence: Defence, truth: FormulaValue) -> bool:
    """Return whether the answers keep the coalition from what it wants, whatever it does."""
    assert defence.about is not None
    assert defence.state is not None
    members = set(defence.about.group.members)
    if not members or len(defence.members) != len(members) or set(defence.members) != members:
        return False  # the empty coalition has no choice that could be answered
    answers: dict[State, list[DefenceAnswer]] = {}
    for answer in defence.answers:
        if not _is_step(system, answer):
            return False
        answers.setdefault(answer.state, []).append(answer)
    path, start = defence.about.path, defence.state

    def stands(state: State) -> str:
        """Return how the formula stands; where a state does not count, nothing is broken."""
        found = standing(path, truth, state)
        return found if found != "broken" or truth(Constant(True), state) else "open"

    if isinstance(path, Next):
        return _is_complete(system, defence, start, answers.get(start, [])) and all(
            stands(answer.result) == "broken" for answer in answers.get(start, [])
        )
    visited: set[State] = set()
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in visited or (now := stands(state)) == "broken":
            continue
        visited.add(state)
        here = answers.get(state, [])
        if now == "won" or not _is_complete(system, defence, state, here):
            return False
        waiting.extend(answer.result for answer in here)
    weak = isinstance(path, Globally | WeakUntil | Release)
    return not weak or _all_end(visited, answers)


def looks_alike(system: System, clash: Clash) -> bool:
    """Return whether all states of a clash look as it says, and what fails is all that can be done there.

    That it is lost where a failure leads is not looked at: it takes part in no proof.
    """
    agent = system.agent(clash.agent)
    for state in clash.states:
        if view_values(system, clash.agent, view(system, agent, state)) != clash.where:
            return False
    if not clash.failures:
        return True
    failing = {dict(answer.choice).get(clash.agent) for answer in clash.failures}
    return failing == set(enabled_actions(system, agent, clash.states[0])) and all(
        answer.state in clash.states and _is_step(system, answer) for answer in clash.failures
    )


def _is_step(system: System, answer: DefenceAnswer) -> bool:
    """Return whether the joint action may be taken where that was chosen, and may lead to the result."""
    return may_follow(system, answer.state, answer.actions, dict(answer.choice)) and all(
        ways_to(system, agent, answer.state, answer.actions, answer.result)
        for agent in system.agents
    )


def _is_complete(system: System, defence: Defence, state: State, here: list[DefenceAnswer]) -> bool:
    """Return whether every choice of the members that can be completed has its answer."""
    if not joint_action_count(system, state):
        return True
    members = [system.agent(name) for name in defence.members]
    chosen = [dict(answer.choice) for answer in here]
    answered = {tuple(each.get(name) for name in defence.members) for each in chosen}
    choices = product(*[enabled_actions(system, agent, state) for agent in members])
    return all(choice in answered for choice in choices)


def _all_end(visited: set[State], answers: dict[State, list[DefenceAnswer]]) -> bool:
    """Return whether no sequence of answers goes on for ever within some states."""
    before: dict[State, list[State]] = {}
    left = {}
    for state in visited:
        following = {answer.result for answer in answers.get(state, [])} & visited
        left[state] = len(following)
        for target in following:
            before.setdefault(target, []).append(state)
    ends = [state for state, count in left.items() if not count]
    for state in ends:
        for source in before.get(state, []):
            left[source] -= 1
            if not left[source]:
                ends.append(source)
    return len(ends) == len(visited)
