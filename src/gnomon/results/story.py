"""The story of a verdict in sentences: who did what, who could not tell what apart, what breaks."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from gnomon.checking.verdict import Thresholds, Value, Verdict
from gnomon.model.domain import show_value
from gnomon.model.evidence import Evidence
from gnomon.model.formula import All, Enforces, Exists, Knows, show_formula
from gnomon.model.step import State, holds
from gnomon.model.system import System
from gnomon.results import way_round
from gnomon.results.abridging import word_about_dots
from gnomon.results.evidence_tree import NumberedRun, PlacedExplanation, RunPosition, evidence_tree
from gnomon.results.explanation_sentences import (
    ExplanationSentence,
    begun,
    brief,
    is_obvious,
    moves,
)
from gnomon.results.extent import FULL, Extent
from gnomon.results.phrases import (
    STYLE_OF,
    capitalised,
    counts_steps,
    enumerated,
    few,
    judged_value,
    numbers,
    reading,
    titled,
)
from gnomon.results.projection import NewValue, ShownAgents, changes, is_shown
from gnomon.results.story_runs import RunTeller, StorySentence
from gnomon.results.styled import Styled, StyledText, width_of, wrap

#: A formula that is longer than this is said once in a sentence, and not twice.
_SAID_TWICE: Final = 40


def render(
    system: System | None,
    verdict: Verdict,
    width: int = 80,
    agents: ShownAgents = None,
    facts: Sequence[str] = (),
    extent: Extent = FULL,
) -> StyledText:
    """Return the story as paragraphs within `width` columns, under the formula and its value.

    `facts` are words about the model for the line below.
    """
    text = StyledText()
    _add_title(text, verdict, width)
    for part in wrap(" · ".join(facts), max(20, width), "  ") if facts else ():
        text.add(Styled(part, "dim"))
    if verdict.vacuous:
        for part in wrap(f"vacuous: {verdict.vacuous}", max(20, width), "  "):
            text.add(Styled(part, "warning"))
    if verdict.strategies:
        for part in wrap(reading(verdict.strategies), max(20, width), "  "):
            text.add(Styled(part, "dim"))
    told = story(system, verdict, agents, extent)
    for sentence in told:
        indent = "  " * sentence.depth
        if sentence.depth == 0:
            text.add()
        hanging = "  " if sentence.depth else ""
        for part in wrap(sentence.text, max(20, width - len(indent)), hanging):
            text.add(indent, part)
    if dots := word_about_dots((sentence.text for sentence in told), extent.letters):
        text.add()
        text.add(Styled(dots, "dim"))
    return text


def _add_title(text: StyledText, verdict: Verdict, width: int) -> None:
    """Add the formula and its value, which stands on the last line, or alone where it does not fit."""
    value = Styled(judged_value(verdict), STYLE_OF[verdict.standing])
    lines = wrap(titled(verdict), max(20, width), "  ")
    fits = width_of(lines[-1]) + 4 + width_of(value.text) <= width
    *first, last = lines if fits else [*lines, ""]
    for part in first:
        text.add(Styled(part, "strong"))
    text.add(Styled(last, "strong"), " is " if last else "  is ", value)


def story(
    system: System | None, verdict: Verdict, agents: ShownAgents = None, extent: Extent = FULL
) -> list[StorySentence]:
    """Return all sentences about a verdict; where it has no evidence, why that is so."""
    evidence = verdict.evidence
    if evidence is None or system is None:
        return [StorySentence(0, text) for text in nothing_to_tell(verdict)]
    return of_evidence(system, evidence, agents, extent)


def of_evidence(
    system: System, evidence: Evidence, agents: ShownAgents = None, extent: Extent = FULL
) -> list[StorySentence]:
    """Return what a piece of evidence tells."""
    teller = _Teller(system, evidence, agents, extent)
    if teller.tree.root is not None and extent.brief:
        return [StorySentence(0, each.text) for each in _brief(evidence, extent)]
    if teller.tree.root is not None:
        teller.begin(teller.tree.root)
    if teller.left_out is not None:
        teller.say(str(teller.left_out))
    for strategy in evidence.strategies:
        who = enumerated(strategy.members) or "Nobody"
        does = "follows" if len(strategy.members) == 1 else "follow"
        sees = "what that agent sees" if len(strategy.members) == 1 else "what each of them sees"
        whole = "the step and the whole state" if counts_steps(strategy) else "the whole state"
        how = whole if strategy.reading == "perfect" else sees
        goal = f"{who} {does} the strategy below, which goes by {how}"
        teller.say(f"For {teller.formula(strategy.formula)}, {goal}.")
    return teller.sentences


def _brief(evidence: Evidence, extent: Extent) -> list[ExplanationSentence]:
    """Return the one sentence that says most; the runs and tables below are told apart."""
    told = brief(evidence_tree(evidence), extent.letters, tables=False)
    return [each._replace(text=f"{begun(each.text)}.") for each in told]


def proved_by_invariant(found: Thresholds) -> list[str]:
    """Return why something cannot be, however many agents there are."""
    opening = (
        "It is so for any number of agents, and no run shows that: what follows holds at first and "
        "after every step from where it holds, so it holds always; and what was asked follows from it."
    )
    return [opening, *(f"{capitalised(each)}." for each in found.invariant)]


def proved_for_all(found: Thresholds) -> list[str]:
    """Return what there is instead of evidence where something is so, or is not, of all populations."""
    where = (
        "`gnomon check --certificate FILE` writes a proof, if there is one that "
        "`gnomon verify-certificate` can check"
    )
    return [f"It is so {next(numbers(found))}, and no run shows that. {where}."]


def nothing_to_tell(verdict: Verdict) -> list[str]:
    """Return why a verdict has no evidence, and which verdicts have some."""
    kinds = (
        "There is evidence for a false formula about all runs or about knowledge (what breaks it), "
        "for a true formula about some run (the run), and for a true formula about a coalition "
        "(its strategy)."
    )
    match verdict.value:
        case Value.TRUE | Value.FALSE if verdict.numbers is not None and verdict.numbers.invariant:
            return proved_by_invariant(verdict.numbers)
        case Value.TRUE | Value.FALSE if (found := verdict.numbers) and not found.reached:
            return proved_for_all(found)
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
            opening = f"There is no evidence: it was not decided{reason}."
            if verdict.cycle is not None:
                return [opening, *(text for _, text in way_round.sentences(verdict.cycle))]
            return [opening, kinds]


class _Teller(RunTeller):
    """Goes through a piece of evidence and collects sentences."""

    def begin(self, placed: PlacedExplanation) -> None:
        """Tell the outermost explanation; a state that no run shows is described first."""
        first = self.tree.runs[0] if self.tree.runs else None
        alone = first is not None and len(first.run.steps) == 1 and first.run.loop is None
        if first is not None and alone:
            state = first.run.steps[0].state
            values = self.values(changes(self.system, None, state, self.agents))
            begins = ", an initial state" if holds(self.system.initial, self.system, state) else ""
            self.say(f"In state 0{begins}, {values}.")
        self._tell(placed)

    def _tell(self, placed: PlacedExplanation) -> None:
        match placed.explanation.relation:
            case "knowledge":
                self._confusion(placed)
            case "norm":
                self._norm(placed)
            case _ if placed.numbered is not None and moves(placed.numbered.run):
                self._run_of_time(placed, placed.numbered)
            case _ if placed.again is not None:
                name = capitalised(self.run_name(placed.again))
                words = self.words(placed.explanation).removeprefix("this run")
                self.say(
                    f"{name}{words}."
                    if words.startswith((" ", ","))
                    else f"{name} shows it: {words}."
                )
                self._parts(placed, said=False)
            case _ if placed.explanation.branches:
                self._reasons(placed)
            case _:
                self._leaf(placed)

    def _parts(self, placed: PlacedExplanation, *, said: bool) -> None:
        """Tell the parts; where their values were `said`, only those that need more words."""
        waiting = [part for part in placed.parts if not (said and is_obvious(part))]
        for why, same in groupby(waiting, _false_there):
            parts = list(same)
            if why is not None and len(parts) > 1:
                self._confusion(parts[0], [part.here for part in parts if part.here is not None])
                continue
            for part in parts:
                self._tell(part)

    # Runs

    def _run_of_time(self, placed: PlacedExplanation, numbered: NumberedRun) -> None:
        name = self.run_name(numbered)
        text = self.words(placed.explanation)
        if text.startswith("this run"):
            text = name + text.removeprefix("this run")
        elif numbered.number > 1:
            text = f"{name} shows it: {text}"
        elif text:
            text = text[0].upper() + text[1:]
        if numbered.start is not None:
            text += f", starting in {self.place(numbered.start)}"
        self.say(f"{text[:1].upper()}{text[1:]}.")
        self.steps(numbered)
        self._parts(placed, said=False)

    # Knowledge and norms

    def _confusion(self, placed: PlacedExplanation, places: Sequence[RunPosition] = ()) -> None:
        """Tell which state some agents cannot tell from this one, and what is different there.

        Where several `places` are given, the same is so in all of them.
        """
        why, numbered = placed.explanation, placed.numbered
        part = why.branches[0].because if why.branches else None
        who, body = enumerated(why.agents) or "nobody", self.formula((part or why).formula)
        so = ""
        if why.about is not None and not isinstance(why.about, Knows):
            so = f" So {self.formula(why.formula)} is false in {self.place(placed.here, *places)}."
        if placed.here is None:
            self.say(f"{self.words(why)}.{so}")
        elif placed.there is None:
            know = f"{who} {_not_know(why.agents)} {body}"
            here = self.place(placed.here, *places)
            self.say(f"In {here} {know}: it is false right there.{so}")
        else:
            self._two_states(
                placed, placed.there, f"{who} {_not_know(why.agents)} {body}", body, so
            )
        if numbered is not None and moves(numbered.run):
            self.say(f"{capitalised(self.run_name(numbered))} gets there like this:")
            self.steps(numbered)
        self._parts(placed, said=True)

    def _two_states(
        self, placed: PlacedExplanation, there: RunPosition, ignorance: str, body: str, so: str
    ) -> None:
        assert placed.here is not None
        agents = placed.explanation.agents
        one = len(agents) == 1
        # A long formula was just said: it is not said again.
        false = f"{body} is false" if len(body) <= _SAID_TWICE else "that is false"
        whom = placed.explanation.as_whom
        self.say(
            f"In {self.place(placed.here)} {ignorance}: "
            f"{'it' if one else 'together they'} cannot tell this state from {self.place(there)}, "
            f"where {f'it is {whom} and where ' if whom else ''}{false}.{so}"
        )
        left, right = self.tree.state(placed.here), self.tree.state(there)
        seen = self._seen(agents, left)
        if whom:
            as_other = self._seen([whom], right)
            if seen:
                text = f"It sees {self.values(seen)} here, and {self.values(as_other)} there."
                self.say(text, 1)
            return
        pronoun = "it sees" if one else "they see"
        if seen:
            self.say(f"In both {pronoun} the same: {self.values(seen)}.", 1)
        different = [
            f"{agent}.{name} ({show_value(left[self.system.position[agent, name]])} here, "
            f"{value} there)"
            for agent, name, value in changes(self.system, left, right, self.agents)
        ]
        if different:
            not_seen = "it does not see" if one else "they do not see"
            self.say(f"What {not_seen} is different: {enumerated(few(different))}.", 1)

    def _seen(self, agents: Iterable[str], state: State) -> list[NewValue]:
        """Return what agents see of a state: their own variables, and those of the environment."""
        names: dict[tuple[str, str], None] = {}
        for name in agents:
            agent = self.system.agent(name)
            names.update({(name, variable.name): None for variable in agent.variables})
            environment = self.system.environment.name
            names.update({(environment, variable): None for variable in agent.sees})
        return [
            NewValue(*pair, show_value(state[self.system.position[pair]]))
            for pair in names
            if is_shown(pair[0], self.agents)
        ]

    def _norm(self, placed: PlacedExplanation) -> None:
        numbered = placed.numbered
        text = self.words(placed.explanation)
        if numbered is None:
            there = placed.there or placed.here
            self.say(f"{text.replace('the last state of this run', self.place(there))}.")
            return
        self.say(f"{text.replace('this run', self.run_name(numbered))}.")
        if moves(numbered.run):
            self.say(f"{capitalised(self.run_name(numbered))} gets there like this:")
            self.steps(numbered)
        self._parts(placed, said=True)

    # What needs no other state

    def _reasons(self, placed: PlacedExplanation) -> None:
        """Tell why a compound formula has its value, then what is to be said of its parts."""
        why = placed.explanation
        facts = [
            f"{self.formula(branch.because.formula)} is {_word(branch.because.value)}"
            for branch in why.branches
        ]
        self.say(
            f"In {self.place(placed.here)} {self.formula(why.formula)} is {_word(why.value)}, "
            f"because {enumerated(facts)}."
        )
        self._parts(placed, said=True)

    def _leaf(self, placed: PlacedExplanation) -> None:
        why = placed.explanation
        here = self.place(placed.here)
        fair = "fair " if self.system.fairness else ""
        all_runs = f"That is said of all {fair}runs, so no single one shows it."
        # What comes after the claim says why it is so.
        _, _, reason = self.words(why).partition("; ")
        all_runs += f" {capitalised(reason)}." if reason else ""
        match why.about:
            case Exists(path) if not why.value:
                goal = self.formula(show_formula(path))
                self.say(f"No {fair}run from {here} satisfies {goal}. {all_runs}")
            case All(path) if why.value:
                goal = self.formula(show_formula(path))
                self.say(f"Every {fair}run from {here} satisfies {goal}. {all_runs}")
            case Enforces() if not why.value:
                self.say(f"In {here} {self.words(why)}. {self._refusal(why.formula)}")
            case _:
                text = self.words(why) or f"{self.formula(why.formula)} is {_word(why.value)}"
                self.say(f"In {here} {text}.")

    def _refusal(self, formula: str) -> str:
        """Return where to read on about a coalition that cannot."""
        if any(defence.formula == formula for defence in self.evidence.defences):
            return "The answers are below."
        if any(clashes.formula == formula for clashes in self.evidence.clashes):
            return "The states that look the same are below."
        return "That is said of all strategies, so no single run shows it."


def _false_there(part: PlacedExplanation) -> object:
    """Return what is not known in a state because it is false there, None where there is more to say."""
    why = part.explanation
    if why.relation != "knowledge" or part.there is not None or part.here is None:
        return None
    plain = part.here.run == 1 and all(map(is_obvious, part.parts))
    return (why.formula, why.agents) if plain else None


def _not_know(agents: Sequence[str]) -> str:
    return "does not know" if len(agents) == 1 else "do not know"


def _word(value: bool) -> str:  # noqa: FBT001 - it is a value of the language
    return "true" if value else "false"
