"""What a model is made of, from Python: agents, templates and formulae, which show themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gnomon.checking.load import Loaded
from gnomon.checking.verdict import Value
from gnomon.model.agent import Agent
from gnomon.model.any import AnySpecification
from gnomon.model.expression import show
from gnomon.model.system import Kind, System
from gnomon.text.brief import brief

if TYPE_CHECKING:
    from gnomon.model.parameterised.system import Part


@dataclass(frozen=True, slots=True, repr=False)
class ModelAgent:
    """An agent, or a template that any number of agents are made by.

    `variables` has the values of each as text, `sees` the variables of the environment that it sees.

    >>> import gnomon
    >>> clerk = gnomon.load("examples/tickets.ispl").agents[2]
    >>> clerk
    <agent Clerk: does serve, rest; sees waiting>
    >>> clerk.name, clerk.variables, clerk.actions, clerk.sees
    ('Clerk', {}, ('serve', 'rest'), ('waiting',))
    """

    name: str
    variables: dict[str, str]
    actions: tuple[str, ...]
    sees: tuple[str, ...]
    #: Whether it is a template.
    template: bool = False

    def __repr__(self) -> str:
        """Show its name and what it has, does and sees."""
        has = ", ".join(f"{name} : {values}" for name, values in self.variables.items())
        lists = {"has": has, "does": ", ".join(self.actions), "sees": ", ".join(self.sees)}
        told = "; ".join(f"{word} {names}" for word, names in lists.items() if names)
        word = "template" if self.template else "agent"
        return f"<{brief(f'{word} {self.name}: {told}')}>"


@dataclass(frozen=True, slots=True, repr=False)
class ModelFormula:
    """A formula of a model: its number from 1 and its name, either of which `only` takes, and its text.

    `expected` is the value that it should have, `line` where it stands, 0 where there is no file.

    >>> import gnomon
    >>> formula = gnomon.load("examples/tickets.ispl").formulae[3]
    >>> formula
    <clerk_empties: AG (!empty -> <Clerk>F empty) expect false>
    >>> formula.number, formula.name, formula.text
    (4, 'clerk_empties', 'AG (!empty -> <Clerk>F empty)')
    >>> formula.expected, formula.line
    (<Value.FALSE: 'false'>, 51)
    """

    number: int
    name: str
    text: str
    expected: Value
    line: int

    def __repr__(self) -> str:
        """Show its name or number and its text, with what is expected if that is not true."""
        expected = "" if self.expected is Value.TRUE else f" expect {self.expected}"
        return f"<{brief(f'{self.name or self.number}: {self.text}{expected}')}>"


def model_agent(agent: "Agent | Part", *, template: bool = False) -> ModelAgent:
    """Return what there is to know of an agent or a template."""
    variables = {each.name: str(each.domain) for each in agent.variables}
    sees = tuple(name for name in agent.sees if name not in variables)
    return ModelAgent(agent.name, variables, agent.actions, sees, template)


def model_formula(number: int, formula: AnySpecification) -> ModelFormula:
    """Return what there is to know of a formula of a model."""
    expected = Value(formula.expected or "true")
    return ModelFormula(number, formula.name, formula.text, expected, formula.line)


class ModelParts:
    """What a model is and what it is made of."""

    system: System
    _loaded: Loaded

    @property
    def name(self) -> str:
        """Return where it came from."""
        return self.system.name

    @property
    def kind(self) -> Kind:
        """Return "finite" or "unbounded"."""
        return self.system.kind

    @property
    def specifications(self) -> Sequence[AnySpecification]:
        """Return the model's own formulae."""
        return () if self._loaded.model is None else self._loaded.model.specifications

    @property
    def agents(self) -> tuple[ModelAgent, ...]:
        """Return the agents, each with its name, variables, actions and what it sees.

        The environment is one of them, where there is one.

        >>> import gnomon
        >>> for agent in gnomon.load("examples/tickets.ispl").agents:
        ...     print(agent)
        <agent Environment: has waiting : int; does idle>
        <agent Customer: does join, walk_on; sees waiting>
        <agent Clerk: does serve, rest; sees waiting>
        """
        return tuple(
            model_agent(agent)
            for agent in self.system.agents
            if (agent.variables or agent.actions) and not agent.observer
        )

    @property
    def formulae(self) -> tuple[ModelFormula, ...]:
        """Return the model's own formulae, each with its number, name, text, line and expected value.

        >>> import gnomon
        >>> formulae = gnomon.load("examples/tickets.ispl").formulae
        >>> [formula.name for formula in formulae][:3], formulae[2]
        (['not_negative', 'at_most_three', 'may_fill_up'], <may_fill_up: AG EF full>)
        """
        return tuple(model_formula(*each) for each in enumerate(self.specifications, 1))

    @property
    def propositions(self) -> dict[str, str]:
        """Return the conditions that have names, which formulae may use.

        >>> import gnomon
        >>> gnomon.load("examples/tickets.ispl").propositions
        {'empty': 'Environment.waiting = 0', 'full': 'Environment.waiting >= 3'}
        """
        return {name: show(what) for name, what in self.system.propositions.items()}

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Return the groups that have names, each with its members.

        >>> import gnomon
        >>> gnomon.load("examples/muddy_children.ispl", n=2).groups
        {'children': ('Child[1]', 'Child[2]')}
        """
        return {name: tuple(group.members) for name, group in self.system.groups.items()}
