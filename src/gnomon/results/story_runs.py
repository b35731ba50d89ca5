"""The runs of a story: what happens on each, one sentence a step."""

from itertools import pairwise
from typing import NamedTuple

from gnomon.model.evidence import Evidence, Explanation, Step
from gnomon.model.expression import actors
from gnomon.model.step import State, enabled_actions, holds
from gnomon.model.system import System
from gnomon.results.abridging import abbreviated, cut, shortened, states_named
from gnomon.results.evidence_tree import NumberedRun, RunPosition, bare, evidence_tree
from gnomon.results.extent import FULL, Extent
from gnomon.results.phrases import enumerated, few
from gnomon.results.projection import NewValue, ShownAgents, changes, taken

#: A run with more steps than this is told from both ends: the lanes show all of it.
MOST_STEPS = 16
#: More values than this are not read to the end.
MOST_VALUES = 8

_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split()


class StorySentence(NamedTuple):
    """One paragraph of the story, and how far to the right it stands."""

    depth: int
    text: str


class RunTeller:
    """Collects sentences about the runs of a piece of evidence."""

    def __init__(
        self, system: System, evidence: Evidence, agents: ShownAgents, extent: Extent = FULL
    ) -> None:
        """Number the runs; nothing is told yet."""
        self.system = system
        self.evidence = evidence
        self.agents = agents
        self.extent = extent
        self.tree, self.left_out = cut(evidence_tree(evidence), extent.runs)
        self.sentences: list[StorySentence] = []

    def say(self, text: str, depth: int = 0) -> None:
        """Add a sentence."""
        self.sentences.append(StorySentence(depth, text))

    def steps(self, numbered: NumberedRun) -> None:
        """Tell what happens on a run, one sentence a step."""
        run = numbered.run
        first = self.tree.runs[0]
        if numbered is not first and run.steps[0].state == first.run.steps[0].state:
            if numbered.start is None:
                self.say("It starts as the first run does.", 1)
        elif numbered.start is None:
            self.say(f"It starts {self._start(numbered)}.", 1)
        pairs = list(enumerate(pairwise(run.steps), 1))
        for position, (before, after) in _ends(pairs, MOST_STEPS):
            self.say(f"{position}. {self._step(before.state, after)}.", 1)
            if len(pairs) > MOST_STEPS and position == MOST_STEPS // 2:
                self.say(f"… {len(pairs) - MOST_STEPS} more steps, shown below …", 1)
        if run.loop is not None:
            self.say(self._loop(numbered), 1)

    def _loop(self, numbered: NumberedRun) -> str:
        run = numbered.run
        assert run.loop is not None
        target = run.steps[run.loop].state
        again = f"it is in state {run.loop} again, and goes round for ever"
        if run.back is None:
            return f"Then {again}."
        back = Step(target, run.back.actions, run.back.lines)
        return f"{len(run.steps)}. {self._step(run.steps[-1].state, back)}. Then {again}."

    def _start(self, numbered: NumberedRun) -> str:
        """Return the first state of a run: what is not as in the first one; of a large one, what changes."""
        run = numbered.run
        first = run.steps[0].state
        values = changes(self.system, None, first, self.agents)
        if numbered.number > 1:
            other = self.tree.runs[0].run.steps[0].state
            new = changes(self.system, other, first, self.agents)
            if 2 * len(new) <= len(values):
                but = f", but with {self.values(new)}" if new else ""
                return f"as the first run does{but}"
        if len(values) > MOST_VALUES:
            moving = {
                (agent, name)
                for step in run.steps[1:]
                for agent, name, _ in changes(self.system, first, step.state, self.agents)
            }
            values = [item for item in values if item[:2] in moving] or values
        return f"with {self.values(values)}"

    def _step(self, before: State, step: Step) -> str:
        """Return who did what that mattered, and what it changed."""
        new = changes(self.system, before, step.state, self.agents)
        effects = [f"{agent}.{name} becomes {value}" for agent, name, value in new]
        effect = enumerated(few(effects)) or "nothing changes"
        if self.agents is not None and not effects:
            effect = f"nothing of {enumerated(self.agents)} changes"
        deeds = self._deeds(before, step)
        return f"{deeds}: {effect}" if deeds else effect[0].upper() + effect[1:]

    def _deeds(self, before: State, step: Step) -> str:
        """Return the actions that the rules of this step ask for, agents with the same one together."""
        acted = taken(self.system, step, self.agents)
        asked = _asked(self.system, before, step)
        matter = [(agent, action) for agent, action in acted if agent in asked]
        # Where those who matter are left out of the story, others are not to blame for what they did.
        if not any(agent in asked for agent, _ in taken(self.system, step, None)):
            matter = [
                (agent, action)
                for agent, action in acted
                if len(enabled_actions(self.system, self.system.agent(agent), before)) > 1
            ]
        if self.system.interleaved or not any(agent.protocol for agent in self.system.agents):
            matter = (
                acted  # one event, or agents that were made to show a run: all that they do matters
            )
        doers: dict[str, list[str]] = {}
        for agent, action in matter:
            doers.setdefault(action, []).append(agent)
        return enumerated(
            f"{enumerated(who)} {'does' if len(who) == 1 else 'do'} {action}"
            for action, who in doers.items()
        )

    # Words

    def formula(self, text: str) -> str:
        """Return a formula as part of a sentence: abbreviated where it is long."""
        return abbreviated(bare(text), self.extent.letters)

    def words(self, why: Explanation) -> str:
        """Return the text of an explanation, its formulae abbreviated."""
        return shortened(why.text.strip(), why, self.extent.letters)

    def run_name(self, numbered: NumberedRun) -> str:
        """Return how a run is called."""
        if len(self.tree.runs) == 1:
            return "this run"
        if numbered.number < len(_ORDINALS):
            return f"the {_ORDINALS[numbered.number]} run"
        return f"run {numbered.number}"

    def place(self, place: RunPosition | None, *others: RunPosition) -> str:
        """Return how a state is called, or, with others of the first run, how all of them are."""
        if place is None:
            return "this state"
        if others:
            return states_named(each.position for each in (place, *others))
        if place.run == 1:
            return f"state {place.position}"
        return f"state {place.position} of {self.run_name(self.tree.runs[place.run - 1])}"

    def values(self, values: list[NewValue]) -> str:
        """Return values of variables, of many the first ones."""
        return enumerated(few([*map(str, values)])) or "nothing to show"


def _asked(system: System, before: State, step: Step) -> set[str]:
    """Return the agents whose actions the rules of a step ask for."""
    return {
        name
        for agent, numbers in zip(system.agents, step.lines, strict=False)
        for line in agent.evolution
        if line.line in numbers and holds(line.guard, system, before, step.actions)
        for name in actors(line.guard)
    }


def _ends(
    pairs: list[tuple[int, tuple[Step, Step]]], most: int
) -> list[tuple[int, tuple[Step, Step]]]:
    """Return all pairs, or of many the first and the last."""
    return pairs if len(pairs) <= most else [*pairs[: most // 2], *pairs[-(most // 2) :]]
