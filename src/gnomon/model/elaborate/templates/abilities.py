"""What coalitions enforce, of any number of agents: the environment, one agent, or all agents together.

The number of those in the coalition is picked for it, and the number of all others against it. So whole
templates can be in it only all at once.
"""

from typing import Final

from gnomon.language import syntax
from gnomon.model.elaborate.problems import unknown_agent
from gnomon.model.elaborate.templates.knowledge import ReadsConditions, asks_knowledge
from gnomon.model.elaborate.templates.temporal import BoundIndex, speaks_of_time
from gnomon.model.parameterised.condition import FALSE, SELF, TRUE, And, Condition, renamed, show
from gnomon.model.parameterised.query import Ability
from gnomon.text.errors import Reported
from gnomon.text.record import Record

#: What names everybody but the environment.
_ALL: Final = "all"

_FORMS: Final = (
    "of any number of agents it can be asked what the environment enforces (`<Environment>G !bad`), what "
    "an agent does (`forall i : Robot (<i>F i.at = home)`, `<Environment, i>`), and what all agents do "
    "together, which says how many it takes (`<Robot>F open`)"
)
_DEFINITE: Final = (
    "for three agents: leave the formula out, `gnomon export --agents 3`, and ask it of that program, in "
    "which everybody may do nothing"
)


class Side(Record):
    """Who is in a coalition: the environment, the agent `own`, or the agents of all templates."""

    environment: bool
    own: bool
    everybody: bool

    @property
    def is_all_there_is(self) -> bool:
        """Return whether nobody is left."""
        return self.environment and self.everybody


class AbilityReader:
    """Reads one question about a coalition, with what reads all questions."""

    def __init__(
        self, reader: ReadsConditions, formula: syntax.Coalition | syntax.CannotAvoid
    ) -> None:
        """Read a formula."""
        self._reader = reader
        self._formula = formula

    def side(self, bound: tuple[BoundIndex, ...], *, existential: bool) -> Side:
        """Return who is in the coalition; `bound` are indices in front of the formula."""
        templates = self._reader.names.templates
        indices = {index.name: index.template for index in bound}
        environment = False
        own: set[str] = set()
        whole: set[str] = set()
        for member in self._formula.members:
            match member:
                case syntax.Name("Environment"):
                    environment = True
                case syntax.Name(name) if name in indices:
                    own.add(name)
                case syntax.Name(name) if name in templates:
                    whole.add(name)
                case syntax.Name(name) if name == _ALL:
                    whole.update(templates)
                case syntax.Name(name, _, span):
                    known = [*indices, *templates, "Environment", _ALL]
                    raise unknown_agent(self._reader.diagnostics, name, span, known, what="member")
                case _:
                    raise self._refuse(
                        "`\\` leaves some agents out, and nobody knows which there are"
                    )
        return self._checked(environment, own, whole, bound, existential=existential)

    def _checked(
        self,
        environment: bool,  # noqa: FBT001
        own: set[str],
        whole: set[str],
        bound: tuple[BoundIndex, ...],
        *,
        existential: bool,
    ) -> Side:
        left = [name for name in self._reader.names.templates if name not in whole]
        if whole and left:
            raise self._refuse(
                f"the agents of `{left[0]}` would be opponents: how many it takes depends on how "
                "many of these there are"
            )
        if whole and bound:
            raise self._refuse("what all enforce together is asked of no agent in particular")
        if len(bound) > 1:
            raise self._refuse("this is about several agents at once, and one is told apart")
        if existential:
            raise self._refuse("what an agent enforces is asked of every one: write `forall`")
        return Side(environment, own=bool(own), everybody=bool(whole))

    def question(self, side: Side, bound: tuple[BoundIndex, ...]) -> Ability:
        """Return what is asked of a coalition that has opponents."""
        if isinstance(self._formula, syntax.CannotAvoid):
            raise self._refuse(
                "what a coalition cannot avoid is asked the other way round: "
                "`[[g]]F f` is the opposite of `<g>G !f`"
            )
        stay, goal, forever = self._path(self._formula.body)
        template = bound[0].template if bound else ""
        named = {bound[0].name: SELF} if bound else {}

        def condition(formula: syntax.Formula) -> Condition:
            if speaks_of_time(formula) or asks_knowledge(formula):
                raise self._refuse("what is enforced here is no condition on single states")
            return renamed(self._reader.plain(formula, bound), named)

        until = condition(stay) if stay is not None else TRUE
        reached = condition(goal) if goal is not None else FALSE
        if (
            isinstance(self._formula.body, syntax.WeakFormula)
            and self._formula.body.operator == "R"
        ):
            # f R g is g W (f and g)
            until, reached = reached, And((until, reached))
        return Ability(
            until,
            reached,
            forever,
            environment=side.environment,
            own=side.own,
            everybody=side.everybody,
            template=template,
        )

    def _path(
        self, path: syntax.Formula
    ) -> tuple[syntax.Formula | None, syntax.Formula | None, bool]:
        """Return what is kept until something is reached, and whether it need not be reached."""
        match path:
            case syntax.Temporal("F", body):
                return None, body, False
            case syntax.Temporal("G", body):
                return body, None, True
            case syntax.UntilFormula(stay, goal):
                return stay, goal, False
            case syntax.WeakFormula(_, stay, goal):
                return stay, goal, True
            case _:
                raise self._refuse(
                    "coalitions are asked for `F`, `G`, `U`, `W` and `R`, without bounds"
                )

    def _refuse(self, why: str) -> Reported:
        message = "this cannot be decided for any number of agents"
        return self._reader.diagnostics.fail(
            "G0711", message, self._formula.span, notes=(why, _FORMS), help=_DEFINITE
        )


def show_ability(query: Ability) -> str:
    """Return a question about a coalition as it was read."""
    members = [
        name
        for name, there in (
            ("Environment", query.environment),
            (SELF, query.own),
            (_ALL, query.everybody),
        )
        if there
    ]
    stay, goal = show(query.stay), show(query.goal)
    if query.forever:
        path = f"G ({stay})" if query.goal == FALSE else f"(({stay}) W ({goal}))"
    else:
        path = f"F ({goal})" if query.stay == TRUE else f"(({stay}) U ({goal}))"
    text = f"<{', '.join(members)}>{path}"
    return f"forall self : {query.template} ({text})" if query.template else text
