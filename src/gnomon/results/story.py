"""The story of a verdict in sentences: who did what, who could not tell what apart, what breaks."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from gnomon.checking.verdict import Value, Verdict
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence, Run, Step
from gnomon.model.expression import actors
from gnomon.model.formula import All, Enforces, Exists, Knows, show_formula
from gnomon.model.step import State, enabled_actions, holds
from gnomon.model.system import System
from gnomon.results.phrases import reading
from gnomon.results.projection import Agents, changes, is_shown, taken
from gnomon.results.styled import Span, Text, squeeze, wrap
from gnomon.results.telling import Place, Strand, Telling, Told, bare, tell

#: A run with more steps than this is told from both ends: the lanes show all of it.
_MOST_STEPS = 16
#: More values than this are not read to the end.
_MOST_VALUES = 8

_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split()


class Sentence(NamedTuple):
    """One paragraph of the story, and how far to the right it stands."""

    depth: int
    text: str


def render(system: System | None, verdict: Verdict, width: int = 80, agents: Agents = None) -> Text:
    """Return the story as paragraphs within `width` columns, under the formula and its value."""
    text = Text()
    value = verdict.value.value
    first, *rest = wrap(squeeze(verdict.formula), max(20, width - 4 - len(value)), "  ")
    for index, part in enumerate([first, *rest]):
        ending = (" is ", Span(value, value)) if index == len(rest) else ()
        text.add(Span(part, "strong"), *ending)
    if verdict.strategies:
        for part in wrap(reading(verdict.strategies), max(20, width), "  "):
            text.add(Span(part, "dim"))
    for sentence in story(system, verdict, agents):
        indent = "  " * sentence.depth
        if sentence.depth == 0:
            text.add()
        hanging = "  " if sentence.depth else ""
        for part in wrap(sentence.text, max(30, width - len(indent)), hanging):
            text.add(indent, part)
    return text


def story(system: System | None, verdict: Verdict, agents: Agents = None) -> list[Sentence]:
    """Return all sentences about a verdict; where it has no evidence, why that is so."""
    evidence = verdict.evidence
    if evidence is None or system is None:
        return [Sentence(0, text) for text in nothing_to_tell(verdict)]
    return of_evidence(system, evidence, agents)


def of_evidence(system: System, evidence: Evidence, agents: Agents = None) -> list[Sentence]:
    """Return what a piece of evidence tells."""
    teller = _Teller(system, evidence, agents)
    if teller.told.telling is not None:
        teller.begin(teller.told.telling)
    for strategy in evidence.strategies:
        who = _and(strategy.members) or "Nobody"
        does = "follows" if len(strategy.members) == 1 else "follow"
        sees = "what that agent sees" if len(strategy.members) == 1 else "what each of them sees"
        how = "the whole state" if strategy.reading == "perfect" else sees
        goal = f"{who} {does} the strategy below, which goes by {how}"
        teller.say(f"For {bare(strategy.formula)}, {goal}.")
    return teller.sentences


def nothing_to_tell(verdict: Verdict) -> list[str]:
    """Return why a verdict has no evidence, and which verdicts have some."""
    kinds = (
        "There is evidence for a false formula about all runs or about knowledge (what breaks it), "
        "for a true formula about some run (the run), and for a true formula about a coalition "
        "(its strategy)."
    )
    match verdict.value:
        case Value.TRUE:
            why = (
                "There is no evidence to tell a story about: it is true of every run or state it "
                "speaks of, and no single one of them shows that."
            )
            return [why, kinds]
        case Value.FALSE:
            why = (
                "There is no evidence to tell a story about: it is false because something does not "
                "exist, or because what shows it is too large to be replayed."
            )
            return [why, kinds]
        case Value.UNDEFINED | Value.UNKNOWN:
            reason = f": {verdict.reason}" if verdict.reason else ""
            return [f"There is no evidence: it was not decided{reason}.", kinds]


class _Teller:
    """Goes through a piece of evidence and collects sentences."""

    def __init__(self, system: System, evidence: Evidence, agents: Agents) -> None:
        self.system = system
        self.evidence = evidence
        self.agents = agents
        self.told: Told = tell(evidence)
        self.sentences: list[Sentence] = []

    def say(self, text: str, depth: int = 0) -> None:
        """Add a sentence."""
        self.sentences.append(Sentence(depth, text))

    def begin(self, telling: Telling) -> None:
        """Tell the outermost explanation; a state that no run shows is described first."""
        first = self.told.strands[0] if self.told.strands else None
        alone = first is not None and len(first.run.steps) == 1 and first.run.loop is None
        if first is not None and alone:
            values = self._values(changes(self.system, None, first.run.steps[0].state, self.agents))
            self.say(f"In state 0, an initial state, {values}.")
        self._tell(telling)

    def _tell(self, telling: Telling) -> None:
        match telling.explanation.relation:
            case "knowledge":
                self._confusion(telling)
            case "norm":
                self._norm(telling)
            case _ if telling.strand is not None and _moves(telling.strand.run):
                self._run_of_time(telling, telling.strand)
            case _ if telling.parts:
                self._reasons(telling)
            case _:
                self._leaf(telling)

    def _parts(self, telling: Telling, *, said: bool) -> None:
        """Tell the parts; where their values were `said`, only those that need more words."""
        for part in telling.parts:
            if not (said and _is_obvious(part)):
                self._tell(part)

    # Runs

    def _run_of_time(self, telling: Telling, strand: Strand) -> None:
        name = self._run_name(strand)
        text = telling.explanation.text.strip()
        if text.startswith("this run"):
            text = name + text.removeprefix("this run")
        elif strand.number > 1:
            text = f"{name} shows it: {text}"
        elif text:
            text = text[0].upper() + text[1:]
        if strand.start is not None:
            text += f", starting in {self._place(strand.start)}"
        self.say(f"{text[:1].upper()}{text[1:]}.")
        self._steps(strand)
        self._parts(telling, said=False)

    def _steps(self, strand: Strand) -> None:
        """Tell what happens on a run, one sentence a step."""
        run = strand.run
        first = self.told.strands[0]
        if strand is not first and run.steps[0].state == first.run.steps[0].state:
            if strand.start is None:
                self.say("It starts as the first run does.", 1)
        elif strand.start is None:
            self.say(f"It starts with {self._start(run)}.", 1)
        pairs = list(enumerate(pairwise(run.steps), 1))
        for position, (before, after) in _ends(pairs, _MOST_STEPS):
            self.say(f"{position}. {self._step(before.state, after)}.", 1)
            if len(pairs) > _MOST_STEPS and position == _MOST_STEPS // 2:
                self.say(f"… {len(pairs) - _MOST_STEPS} more steps, shown below …", 1)
        if run.loop is not None:
            self.say(self._loop(strand), 1)

    def _loop(self, strand: Strand) -> str:
        run = strand.run
        assert run.loop is not None
        target = run.steps[run.loop].state
        again = f"it is in state {run.loop} again, and goes round for ever"
        if run.back is None:
            return f"Then {again}."
        back = Step(target, run.back.actions, run.back.lines)
        return f"{len(run.steps)}. {self._step(run.steps[-1].state, back)}. Then {again}."

    def _start(self, run: Run) -> str:
        """Return the first state of a run; of a large one, what will change."""
        first = run.steps[0].state
        values = changes(self.system, None, first, self.agents)
        if len(values) > _MOST_VALUES:
            moving = {
                (agent, name)
                for step in run.steps[1:]
                for agent, name, _ in changes(self.system, first, step.state, self.agents)
            }
            values = [item for item in values if item[:2] in moving] or values
        return self._values(values)

    def _step(self, before: State, step: Step) -> str:
        """Return who did what that mattered, and what it changed."""
        new = changes(self.system, before, step.state, self.agents)
        effects = [f"{agent}.{name} becomes {value}" for agent, name, value in new]
        effect = _and(_few(effects)) or "nothing changes"
        if self.agents is not None and not effects:
            effect = f"nothing of {_and(self.agents)} changes"
        deeds = self._deeds(before, step)
        return f"{deeds}: {effect}" if deeds else effect[0].upper() + effect[1:]

    def _deeds(self, before: State, step: Step) -> str:
        """Return the actions that the rules of this step ask for, agents with the same one together."""
        acted = taken(self.system, step, self.agents)
        asked = _asked(self.system, before, step)
        matter = [(agent, action) for agent, action in acted if agent in asked]
        if not matter:
            matter = [
                (agent, action)
                for agent, action in acted
                if len(enabled_actions(self.system, self.system.agent(agent), before)) > 1
            ]
        if not any(agent.protocol for agent in self.system.agents):
            matter = acted  # agents that were made to show a run: all that they do in it matters
        doers: dict[str, list[str]] = {}
        for agent, action in matter:
            doers.setdefault(action, []).append(agent)
        return _and(
            f"{_and(who)} {'does' if len(who) == 1 else 'do'} {action}"
            for action, who in doers.items()
        )

    # Knowledge and norms

    def _confusion(self, telling: Telling) -> None:
        """Tell which state some agents cannot tell from this one, and what is different there."""
        why, strand = telling.explanation, telling.strand
        part = telling.parts[0].explanation if telling.parts else None
        who, body = _and(why.agents) or "nobody", bare(part.formula if part else why.formula)
        if telling.here is None:
            self.say(f"{why.text.strip()}.")
        elif strand is None:
            know = f"{who} {_not_know(why.agents)} {body}"
            self.say(f"In {self._place(telling.here)} {know}: it is false right there.")
        else:
            self._two_states(telling, strand, who, body)
        if why.about is not None and not isinstance(why.about, Knows):
            self.say(f"So {bare(why.formula)} is false in {self._place(telling.here)}.")
        if strand is not None and _moves(strand.run):
            self.say(f"{_first_upper(self._run_name(strand))} gets there like this:")
            self._steps(strand)
        self._parts(telling, said=True)

    def _two_states(self, telling: Telling, strand: Strand, who: str, body: str) -> None:
        assert telling.here is not None
        agents = telling.explanation.agents
        there = self._place(strand.last)
        one = len(agents) == 1
        self.say(
            f"In {self._place(telling.here)} {who} {_not_know(agents)} {body}: "
            f"{'it' if one else 'together they'} cannot tell this state from {there}, "
            f"where {body} is false."
        )
        left, right = self.told.state(telling.here), self.told.state(strand.last)
        seen = self._seen(agents, left)
        pronoun = "it sees" if one else "they see"
        if seen:
            self.say(f"In both {pronoun} the same: {self._values(seen)}.", 1)
        different = [
            f"{agent}.{name} ({show_value(left[self.system.position[agent, name]])} here, "
            f"{value} there)"
            for agent, name, value in changes(self.system, left, right, self.agents)
        ]
        if different:
            not_seen = "it does not see" if one else "they do not see"
            self.say(f"What {not_seen} is different: {_and(_few(different))}.", 1)

    def _seen(self, agents: Iterable[str], state: State) -> list[tuple[str, str, str]]:
        """Return what agents see of a state: their own variables, and those of the environment."""
        names: dict[tuple[str, str], None] = {}
        for name in agents:
            agent = self.system.agent(name)
            names.update({(name, variable.name): None for variable in agent.variables})
            environment = self.system.environment.name
            names.update({(environment, variable): None for variable in agent.sees})
        return [
            (*pair, show_value(state[self.system.position[pair]]))
            for pair in names
            if is_shown(pair[0], self.agents)
        ]

    def _norm(self, telling: Telling) -> None:
        strand = telling.strand
        text = telling.explanation.text.strip()
        if strand is None:
            self.say(f"{text.replace('the last state of this run', self._place(telling.here))}.")
            return
        self.say(f"{text.replace('this run', self._run_name(strand))}.")
        if _moves(strand.run):
            self.say(f"{_first_upper(self._run_name(strand))} gets there like this:")
            self._steps(strand)
        self._parts(telling, said=True)

    # What needs no other state

    def _reasons(self, telling: Telling) -> None:
        """Tell why a compound formula has its value, then what is to be said of its parts."""
        why = telling.explanation
        facts = [
            f"{bare(part.explanation.formula)} is {_word(part.explanation.value)}"
            for part in telling.parts
        ]
        self.say(
            f"In {self._place(telling.here)} {bare(why.formula)} is {_word(why.value)}, "
            f"because {_and(facts)}."
        )
        self._parts(telling, said=True)

    def _leaf(self, telling: Telling) -> None:
        why = telling.explanation
        here = self._place(telling.here)
        all_runs = "That is said of all runs, so no single one shows it."
        match why.about:
            case Exists(path) if not why.value:
                self.say(f"No run from {here} satisfies {bare(show_formula(path))}. {all_runs}")
            case All(path) if why.value:
                self.say(f"Every run from {here} satisfies {bare(show_formula(path))}. {all_runs}")
            case Enforces() if not why.value:
                self.say(f"In {here} {why.text.strip()}. {self._refusal(why.formula)}")
            case _:
                text = why.text.strip() or f"{bare(why.formula)} is {_word(why.value)}"
                self.say(f"In {here} {text}.")

    def _refusal(self, formula: str) -> str:
        """Return where to read on about a coalition that cannot."""
        if any(defence.formula == formula for defence in self.evidence.defences):
            return "The answers are below."
        if any(clashes.formula == formula for clashes in self.evidence.clashes):
            return "The states that look the same are below."
        return "That is said of all strategies, so no single run shows it."

    # Words

    def _run_name(self, strand: Strand) -> str:
        if len(self.told.strands) == 1:
            return "this run"
        if strand.number < len(_ORDINALS):
            return f"the {_ORDINALS[strand.number]} run"
        return f"run {strand.number}"

    def _place(self, place: Place | None) -> str:
        if place is None:
            return "this state"
        if place.run == 1:
            return f"state {place.position}"
        return f"state {place.position} of {self._run_name(self.told.strands[place.run - 1])}"

    def _values(self, values: list[tuple[str, str, str]]) -> str:
        items = [f"{agent}.{name} = {value}" for agent, name, value in values]
        return _and(_few(items)) or "nothing to show"


def _asked(system: System, before: State, step: Step) -> set[str]:
    """Return the agents whose actions the rules of a step ask for."""
    return {
        name
        for agent, numbers in zip(system.agents, step.lines, strict=False)
        for line in agent.evolution
        if line.line in numbers and holds(line.guard, system, before, step.actions)
        for name in actors(line.guard)
    }


def _moves(run: Run) -> bool:
    return len(run.steps) > 1 or run.loop is not None


def _is_obvious(part: Telling) -> bool:
    """Return whether a part says no more than the value of a formula that was just named."""
    why = part.explanation
    plain = f"{bare(why.formula)} is {_word(why.value)}"
    return not part.parts and part.strand is None and why.text.strip() in {"", plain}


def _not_know(agents: Sequence[str]) -> str:
    return "does not know" if len(agents) == 1 else "do not know"


def _word(value: bool) -> str:  # noqa: FBT001 - it is a value of the language
    return "true" if value else "false"


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _few(items: Sequence[str], most: int = _MOST_VALUES) -> list[str]:
    """Return the first items, and how many more there are."""
    if len(items) <= most:
        return list(items)
    return [*items[:most], f"{len(items) - most} more"]


def _ends(
    pairs: list[tuple[int, tuple[Step, Step]]], most: int
) -> list[tuple[int, tuple[Step, Step]]]:
    """Return all pairs, or of many the first and the last."""
    return pairs if len(pairs) <= most else [*pairs[: most // 2], *pairs[-(most // 2) :]]


def _and(items: Iterable[str]) -> str:
    """Return a list as people say it.

    >>> _and(["a", "b", "c"])
    'a, b and c'
    """
    *head, last = list(items) or [""]
    return f"{', '.join(head)} and {last}" if head else last
