"""What can be asked of any number of agents."""

from typing import Final, Literal, TypeAlias

from gnomon.model.formula import (
    All,
    Constant,
    Exists,
    Finally,
    Formula,
    Globally,
    Not,
    Proposition,
    Until,
)
from gnomon.model.parameterised.condition import TRUE, Condition
from gnomon.model.parameterised.condition import Not as NotSo
from gnomon.model.parameterised.knowing import EpistemicFormula
from gnomon.text.record import Record
from gnomon.text.source import NOWHERE, Span

#: What is promised of agents that are able to act: nothing; that who is always able from some point on acts
#: again; that who is able time and again acts time and again.
Promise: TypeAlias = Literal["none", "weak", "strong"]


class Safety(Record):
    """`AG !bad`, or with `reach` the question whether it can be reached: `EF bad`."""

    bad: Condition
    reach: bool = False


class KnownBy(Record):
    """That every agent of a template knows, or that it is common knowledge among them."""

    template: str
    common: bool = False


class Knowledge(Record):
    """`AG (when -> K(i, known))` for every agent i of a template, which is `self` in both conditions.

    `doubt` is the opposite of what is known, so that both are about some agents. It may be `common`
    knowledge, and what is known may be what `further` agents know; then `doubt` is about nobody's own.
    """

    template: str
    when: Condition
    doubt: Condition
    common: bool = False
    further: tuple[KnownBy, ...] = ()

    @property
    def is_chain(self) -> bool:
        """Return whether it is about what others know."""
        return self.common or bool(self.further)

    @property
    def levels(self) -> tuple[KnownBy, ...]:
        """Return who knows, from outside to inside."""
        return (KnownBy(self.template, self.common), *self.further)


class Epistemic(Record):
    """`AG formula`, or with `reach` the question whether it can be reached: `EF formula`."""

    formula: EpistemicFormula
    reach: bool = False


class OverTime(Record):
    """What all runs of all populations satisfy, or some run of some population.

    `formula` is `All` or `Exists`; its propositions are the places of `conditions`, in digits. With a
    `template` it is about each agent of it (or about some agent), which is `self` in the conditions.
    """

    formula: Formula
    conditions: tuple[Condition, ...]
    template: str = ""


class Ability(Record):
    """What a coalition can enforce: `<g>(stay U goal)`, or, if `forever`, `<g>(stay W goal)`.

    The `environment` may be in it, and `own`, which is `self` in the conditions and an agent of `template`:
    then it is asked of every population and each such agent, all others being opponents. Or `everybody` is
    but the environment, and it is asked of some population.
    """

    stay: Condition
    goal: Condition
    forever: bool
    environment: bool = False
    own: bool = False
    everybody: bool = False
    template: str = ""


class FairCondition(Record):
    """What holds time and again: of the whole, or of each agent of a template, which is `self`."""

    condition: Condition
    template: str = ""
    span: Span = NOWHERE


#: Whether any run counts.
SOME_RUN: Final = OverTime(Exists(Globally(Proposition("0"))), (TRUE,))

Query: TypeAlias = Safety | Knowledge | Epistemic | OverTime | Ability


def asks_for_some(query: Query) -> bool:
    """Return whether a question is whether some population can do something, and not whether none can."""
    match query:
        case Safety(_, reach) | Epistemic(_, reach):
            return reach
        case OverTime(formula):
            return isinstance(formula, Exists)
        case Ability():
            return query.everybody
        case Knowledge():
            return False


def reaching(query: OverTime) -> Condition | None:
    """Return what is to be reached, or never reached, where a question is about no more than that."""
    match query.formula:
        case (
            Exists(Finally(Proposition(name)))
            | All(Globally(Not(Proposition(name))))
            | Exists(Until(Constant(True), Proposition(name)))
        ) if not query.template:
            return query.conditions[int(name)]
        case All(Globally(Proposition(name))) if not query.template:
            return NotSo(query.conditions[int(name)])
        case _:
            return None


def reached_only(query: OverTime) -> Safety:
    """Return a question that is only about what is to be reached, or never reached, as one about that."""
    goal = reaching(query)
    assert goal is not None
    return Safety(goal, reach=asks_for_some(query))


def over_time(query: Safety) -> OverTime:
    """Return the same question as one about runs."""
    bad = Proposition("0")
    formula = Exists(Finally(bad)) if query.reach else All(Globally(Not(bad)))
    return OverTime(formula, (query.bad,))
