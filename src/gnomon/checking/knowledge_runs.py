"""Evidence for what is known or not, in any shape: a run, and runs that look the same to somebody."""

from collections.abc import Iterator

from gnomon.checking.shown_runs import among, crowd
from gnomon.engines.parameterised.decision import Insight, PopulationDecision, runs_of
from gnomon.engines.parameterised.run import OpenRun
from gnomon.model.evidence import Branch, Evidence, Explanation
from gnomon.model.parameterised import knowing as k
from gnomon.model.parameterised.condition import Condition, positive, show
from gnomon.model.parameterised.instance import named
from gnomon.model.parameterised.query import Epistemic
from gnomon.model.parameterised.system import OpenSystem, PopulationQuestion


def knowing(
    system: OpenSystem,
    question: PopulationQuestion,
    query: Epistemic,
    decision: PopulationDecision,
) -> Evidence:
    """Return the run that shows what was decided, with those that look like it."""
    assert decision.run is not None
    words = _Words(system, everybody(system, decision))
    body = k.normal(query.formula, wanted=query.reach)
    for index, _ in decision.who:
        if isinstance(body, k.SomeAgent) and body.index == index:
            body = body.body
    names = named(decision.run.members)
    shown = among(system, decision.run, everybody(system, decision))
    there = words.said(body, {index: names[agent] for index, agent in decision.who})
    end = len(shown.steps) - 1
    whole = Explanation(
        question.parsed,
        query.reach,
        f"{crowd(system, decision.run)} can reach a state where {there}",
        "time",
        run=shown,
        branches=tuple(
            Branch(end, words.explained(each, decision.run)) for each in decision.insights
        ),
        quotes=(there,),
    )
    return Evidence("witness" if query.reach else "counterexample", whole)


def everybody(system: OpenSystem, decision: PopulationDecision) -> tuple[str, ...]:
    """Return as many agents of each template as the largest of all runs has, where there may be several."""
    assert decision.run is not None
    if not decision.insights:
        return decision.run.members
    runs = [decision.run, *runs_of(decision.insights)]
    return tuple(
        part.name
        for part in system.templates
        for _ in range(max(run.members.count(part.name) for run in runs))
    )


class _Words:
    """Says why somebody knows or does not."""

    def __init__(self, system: OpenSystem, members: tuple[str, ...]) -> None:
        self._system = system
        self._members = members

    def said(self, formula: k.EpistemicFormula, who: dict[str, str]) -> str:
        """Return a formula with names for agents, and for conditions that have one."""
        return k.show(k.renamed(formula, who), self._condition)

    def _condition(self, condition: Condition) -> str:
        for name, meaning in self._system.propositions.items():
            if condition in (meaning, positive(meaning)):
                return name
            if condition == positive(meaning, wanted=False):
                return f"!{name}"
        return show(condition)

    def explained(self, insight: Insight, before: OpenRun) -> Explanation:
        """Return why something is known or not at the end of a run."""
        names = named(before.members)
        agent = None if insight.agent is None else names[insight.agent]
        if insight.run is None:
            return self._known(insight, agent, {i: names[n] for i, n in insight.who})
        there = named(insight.run.members)
        who = {index: there[n] for index, n in insight.who}
        body = _body(insight.formula)
        ends = not isinstance(insight.formula, k.Common) or not _goes_on(insight)
        doubt = self.said(k.normal(body, wanted=False), who)
        shown = among(self._system, insight.run, self._members)
        end = len(shown.steps) - 1
        mine = {} if agent is None else dict.fromkeys(who, agent)
        return Explanation(
            self.said(insight.formula, mine),
            False,
            self._sentence(insight, before, agent, f"where {doubt}" if ends else ""),
            "knowledge",
            () if agent is None else (agent,),
            shown,
            tuple(Branch(end, each) for each in self._inside(insight, self.said(body, who))),
            quotes=(doubt,) if ends else (),
            as_whom=_as_whom(insight, agent),
        )

    def _inside(self, insight: Insight, known: str) -> Iterator[Explanation]:
        """Yield why it is otherwise at the end of the run: what others do not know, or that it is."""
        assert insight.run is not None
        for each in insight.parts:
            yield self.explained(each, insight.run)
        if not insight.parts:
            yield Explanation(known, False, f"{known} is false", quotes=(known,))

    def _sentence(self, insight: Insight, before: OpenRun, agent: str | None, there: str) -> str:
        """Return to whom it looks the same, after the run of how many, and what is so there."""
        assert insight.run is not None
        other = sorted(insight.run.members) != sorted(before.members)
        run = f"this run of {crowd(self._system, insight.run)}" if other else "this run"
        who = agent
        if who is None:
            assert isinstance(insight.formula, k.JointlyKnown)
            who = f"all agents of {insight.formula.template} together"
        parts = [there] if there else []
        if whom := _as_whom(insight, agent):
            parts.insert(0, f"where it is {whom}")
        return ", ".join(
            [f"to {who} it looks the same as after {run}", " and ".join(parts)][: 1 + bool(parts)]
        )

    def _known(self, insight: Insight, agent: str | None, who: dict[str, str]) -> Explanation:
        formula = insight.formula
        body = self.said(_body(formula), {} if agent is None else dict.fromkeys(who, agent))
        match formula:
            case k.Common(template):
                text = f"no chain of what looks the same to agents of {template} leads to where it is false"
            case k.JointlyKnown(template):
                text = f"it holds wherever it looks the same to all agents of {template} together"
            case _:
                text = f"it holds wherever it looks the same to {agent}"
        agents = () if agent is None else (agent,)
        return Explanation(
            self.said(formula, who), True, f"{body}: {text}", "here", agents, quotes=(body,)
        )


def _as_whom(insight: Insight, agent: str | None) -> str:
    """Return who the agent is at the end of the run, if it is another one there."""
    if insight.alike is None or insight.run is None:
        return ""
    there = named(insight.run.members)[insight.alike]
    return "" if there == agent else there


def _body(formula: k.EpistemicFormula) -> k.EpistemicFormula:
    assert isinstance(formula, k.AgentKnows | k.Common | k.JointlyKnown)
    return formula.body


def _goes_on(insight: Insight) -> bool:
    """Return whether a chain goes on from here."""
    return any(each.formula == insight.formula for each in insight.parts)
