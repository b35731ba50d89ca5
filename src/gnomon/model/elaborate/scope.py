"""What a name means in one section of a program."""

from collections.abc import Mapping
from typing import TypeAlias

from gnomon.language import syntax
from gnomon.model import expression as typed
from gnomon.model.agent import ENVIRONMENT, Variable
from gnomon.model.domain import Boolean, Domain, Enumeration
from gnomon.model.elaborate.domains import describe
from gnomon.model.elaborate.names import AgentNames, Names, UnseenRead
from gnomon.model.elaborate.problems import (
    meant_word,
    remember_action,
    unknown_action,
    unknown_agent,
    unknown_variable,
)
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.source import Span

#: An expression, and the domain that its values are from.
Typed: TypeAlias = tuple[typed.Expression, Domain]


class Scope:
    """The variables, values and actions that can be named in one section.

    `owner` is the agent whose section it is; None in `Evaluation`, `InitStates` and formulae, where every
    variable is written with its agent. `actions` says whether the actions of a step may be looked at.
    """

    #: Whether what an index chooses is one node with a name, which says the same wherever it stands.
    shares_members = True

    def __init__(
        self,
        names: Names,
        owner: AgentNames | None,
        diagnostics: Diagnostics,
        *,
        actions: bool = False,
    ) -> None:
        """Read the names of a section of `owner`."""
        self.names = names
        self.owner = owner
        self.diagnostics = diagnostics
        self.fail = diagnostics.fail
        self.actions = actions
        #: Whether an action was looked at, for whoever wants to know.
        self.looked_at_actions = False

    def misplaced(self, expression: syntax.Application | syntax.Quantified) -> Reported:
        """Report what is no value and no condition on numbers, Booleans and names."""
        match expression:
            case syntax.Application(relation, _, span):
                return self.fail(
                    "G0701",
                    f"relation `{relation.text}` can only be used with templates",
                    span,
                    help="an open number of agents is declared with `Template`",
                )
            case syntax.Quantified(quantifier, binders, _, span):
                return self.fail(
                    "G0504",
                    f"`{quantifier}` runs through a range here, as in `{quantifier} "
                    f"{binders[0].variable} : 1..n`",
                    span,
                )

    def is_value(self, expression: syntax.Expression) -> bool:
        """Return whether this is a bare name that is no variable: a value whose type is elsewhere."""
        match expression:
            case syntax.Reference(None, name) if not name.indices:
                own = self.owner is not None and name.text in self.owner.variables
                return not own and name.text not in self.names.defined_at
            case syntax.IfThenElse(_, then, otherwise):
                return self.is_value(then) and self.is_value(otherwise)
            case _:
                return False

    def compared(self, _binary: syntax.Binary, /) -> typed.Expression | None:
        """Return a comparison that is not one of values, None where it is one."""
        return None

    def is_function(self, applied: syntax.Application) -> bool:
        """Return whether a function is applied here, and no relation."""
        return applied.relation.text in syntax.FUNCTIONS

    def variable(self, reference: syntax.Expression) -> Variable | None:
        """Return the variable that an expression names, if it is just that and may be read here."""
        match reference:
            case syntax.Reference(_, syntax.Name(_, indices)) if indices:
                return None  # which one is only known in a state
            case syntax.Reference(None, name) if self.owner is not None:
                return self.owner.variables.get(name.text)
            case syntax.Reference(syntax.Name(agent, ()), name) if agent in self.names.agents:
                return self.names.agents[agent].variables.get(name.text)
            case _:
                return None

    def variables_of(self, owner: str) -> Mapping[str, Variable]:
        """Return the variables of whoever a name stands for, none where it stands for nobody."""
        agent = self.names.agents.get(owner)
        return {} if agent is None else agent.variables

    def domain_of(self, read: typed.Read) -> Domain:
        """Return the values of a variable that was read here."""
        return self.names.agents[read.agent].variables[read.variable].domain

    # A name alone

    def bare(self, name: str, span: Span, expected: Domain | None) -> Typed:
        """Return the owner's variable of that name, a definition, or the value of the `expected` domain."""
        if self.owner is not None and name in self.owner.variables:
            variable = self.owner.variables[name]
            return typed.Read(variable.agent, name), variable.domain
        if name in self.names.defined_at:
            return self.defined(name, span)
        if isinstance(expected, Enumeration):
            if name in expected.names:
                return typed.Literal(name), expected
            raise self._no_such_value(name, span, expected)
        raise self._unknown(name, span, expected)

    def _no_such_value(self, name: str, span: Span, expected: Enumeration) -> Reported:
        hint = self.diagnostics.did_you_mean(name, expected.names)
        return self.fail(
            "G0302",
            f"`{name}` is not one of the values {expected}",
            span,
            label="not a value of this type",
            help=hint or self._spelled_out(name),
        )

    def _spelled_out(self, name: str) -> str:
        owners = [] if self.diagnostics.full else self.names.owners_of(name)
        return f"if you mean the variable, write `{owners[0]}.{name}`" if owners else ""

    def _unknown(self, name: str, span: Span, expected: Domain | None) -> Reported:
        if self.owner is None and (hint := self._spelled_out(name)):
            return self.fail(
                "G0208",
                f"`{name}` needs the name of its agent in front",
                span,
                label="whose variable?",
                help=hint,
            )
        if not self.diagnostics.full and self.names.has_value(name):
            wanted = describe(expected) if expected is not None else "a variable"
            return self.fail(
                "G0301", f"`{name}` is a value of an enumeration, and {wanted} is needed here", span
            )
        known = self.owner.variables if self.owner else {}
        hint = meant_word(name) or self.diagnostics.did_you_mean(name, known)
        if self.owner is not None and name in self.owner.observed:
            hint = f"a variable of the environment is written `Environment.{name}`"
        if self.owner is None and name in self.names.propositions:
            hint = f"`{name}` is a proposition, which formulae use: write its condition here"
            hint += ", or give that a name in `Definitions`, which both can use"
        where = f"of agent `{self.owner.name}`" if self.owner else "of any agent"
        return self.fail(
            "G0201",
            f"`{name}` is not a variable {where}, and not a value that fits here",
            span,
            label="unknown name",
            notes=self.diagnostics.listing("its variables", known),
            help=hint,
        )

    # A name with an agent in front

    def qualified(self, agent: str, name: str, span: Span) -> Typed:
        """Return a variable of an agent, if it may be read here."""
        owner = self.names.agents.get(agent)
        if owner is None:
            raise unknown_agent(self.diagnostics, agent, span, self.names.agents)
        if self.owner is not None and agent not in (self.owner.name, ENVIRONMENT):
            if (
                self.actions
                and name not in owner.variables
                and (hint := self._meant_action(owner, name))
            ):
                whose = f"agent `{agent}`"
                raise unknown_variable(self.diagnostics, whose, name, span, owner.variables, hint)
            raise self._unseen(self.owner, agent, name, span)
        variable = owner.variables.get(name)
        if variable is None:
            whose = f"agent `{agent}`"
            hint = self._meant_action(owner, name)
            raise unknown_variable(self.diagnostics, whose, name, span, owner.variables, hint)
        reader = self.owner
        if reader and reader.name not in (agent, ENVIRONMENT) and name not in reader.observed:
            raise self._unseen(reader, ENVIRONMENT, name, span)
        return typed.Read(agent, name), variable.domain

    def defined(self, name: str, span: Span) -> Typed:
        """Return what a definition stands for, if all that it looks at may be looked at here."""
        found = self.names.definitions.get(name)
        if found is None:
            raise Reported  # where it is defined
        if self.owner is not None or (found.acts and not self.actions):
            from gnomon.model.elaborate.sight import check_sight  # few programs have definitions

            where = (self.names, self.owner, self.diagnostics)
            check_sight(name, span, *where, actions=self.actions)
        self.looked_at_actions |= found.acts
        return found.expression, found.domain

    def _meant_action(self, owner: AgentNames, name: str) -> str:
        """Return how to ask for an action, where the variable that is missing is the name of one."""
        if name.lower() != "action" and name not in owner.actions:
            return ""
        if not self.actions:
            return remember_action(owner, name)
        action = name if name in owner.actions else "…"
        return f"what an agent does is written `{owner.name}.Action = {action}`"

    def _unseen(self, owner: AgentNames, agent: str, name: str, span: Span) -> Reported:
        """Note what is read and not seen; it is reported together with the rest of it."""
        owner.unseen.append(UnseenRead(agent, name, span, self.actions))
        return Reported()

    def action(self, test: syntax.ActionIs) -> Typed | None:
        """Return the condition that an agent does an action, None where that is a variable's name instead."""
        owner = self._actor(test)
        if test.action.text not in owner.actions:
            if self.owner is not None and test.action.text in self.owner.variables:
                return None
            raise unknown_action(self.diagnostics, owner, test.action)
        does = typed.Does(owner.name, test.action.text)
        return (does if test.equal else typed.Not(does)), Boolean()

    def possible_actions(
        self, action: syntax.ActionOf, *, compared: bool = False
    ) -> tuple[tuple[typed.Does, ...], Enumeration]:
        """Return the conditions that an agent does each of its actions, and these as values."""
        owner = self._actor(action)
        if not owner.actions:
            raise self.fail("G0204", f"agent `{owner.name}` has no actions", action.span)
        if not compared and self.names.interleaved and owner is not self.owner:
            raise self.fail(
                "G0222",
                f"`{owner.name}` may do nothing in an event, so what it does has no value to store",
                action.span,
                label="only the agent's own `Action` always has one",
                help="where both take part they do the same: write `Action`",
            )
        does = tuple(typed.Does(owner.name, name) for name in owner.actions)
        return does, Enumeration(tuple(owner.actions))

    def _actor(self, looked: syntax.ActionIs | syntax.ActionOf) -> AgentNames:
        """Return whose action is looked at, if that is possible here."""
        if not self.actions:
            agent, name = looked.owner, ""
            asked = self.owner if agent is None else self.names.agents.get(agent.text)
            if isinstance(looked, syntax.ActionIs):
                name = looked.action.text
            raise self.fail(
                "G0205",
                "actions can only be looked at in `Evolution` and in `Fairness`",
                looked.span,
                label="no action is being taken here",
                help=remember_action(asked, name) if asked and name else "",
            )
        self.looked_at_actions = True
        owner = self.owner
        if looked.owner is not None:
            name, span = looked.owner.text, looked.span
            owner = self.names.agents.get(name)
            if owner is None:
                raise unknown_agent(self.diagnostics, name, span, self.names.agents)
        if owner is None:
            raise self.fail(
                "G0208",
                "`Action` needs the name of its agent in front",
                looked.span,
                label="whose action?",
                help="write `Agent.Action`",
            )
        return owner
