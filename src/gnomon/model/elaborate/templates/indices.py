"""What a name means in a section of a program with templates, where agents are named by indices."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gnomon.language import syntax
from gnomon.language.inline import placed
from gnomon.model import expression as plain
from gnomon.model.agent import ENVIRONMENT, Variable
from gnomon.model.domain import Domain
from gnomon.model.elaborate.expressions import ExpressionReader
from gnomon.model.elaborate.names import AgentNames, Names
from gnomon.model.elaborate.scope import Scope, Typed
from gnomon.model.parameterised.condition import SELF, Condition
from gnomon.model.parameterised.pointer import NOBODY, Pointer
from gnomon.model.parameterised.system import Relation
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.errors import Reported
from gnomon.text.record import walk as parts_of
from gnomon.text.source import Span


@dataclass(slots=True)
class PopulationNames(Names):
    """All the names of a program with templates. Variables are read of `self`, or of `Environment`."""

    relations: dict[str, Relation] = field(default_factory=dict)
    #: What each proposition means.
    meanings: dict[str, Condition] = field(default_factory=dict)
    #: What definitions stand for, for computed indices to choose from; other uses are written out.
    bodies: dict[str, syntax.Expression] = field(default_factory=dict)
    #: Where each parameter is declared.
    parameters: dict[str, Span] = field(default_factory=dict)
    #: The variables of the environment that are agents.
    pointers: dict[str, Pointer] = field(default_factory=dict)

    def body(self, definition: str, span: Span) -> syntax.Expression:
        """Return what a definition stands for, as if it were written where it is used."""
        return placed(self.bodies[definition], span)

    def declare_definitions(self, section: syntax.DefinitionSection) -> None:
        """Add definitions that are written out."""
        for line in section.lines:
            assert isinstance(line, syntax.Definition)
            self.bodies[line.name.text] = line.body
            self.defined_at[line.name.text] = line.span

    @property
    def templates(self) -> dict[str, AgentNames]:
        """Return the names of the templates."""
        return {name: agent for name, agent in self.agents.items() if name != ENVIRONMENT}


class IndexScope(Scope):
    """The indices, variables and values that can be named in one section of a program with templates.

    With `alone`, no other agents can be looked for and no relations asked. With `every`, `Robot.room` stands
    for a variable of every robot, as it does where they start; `template` is then the only template whose
    name may stand so, where there is only one.
    """

    #: An index stands for one agent here and for another one there, and so does what it chooses.
    shares_members = False

    def __init__(
        self,
        names: PopulationNames,
        owner: AgentNames | None,
        diagnostics: Diagnostics,
        *,
        actions: bool = False,
        alone: bool = False,
        every: bool = False,
        template: str | None = None,
    ) -> None:
        """Read the names of a section of a part, or of nobody's."""
        super().__init__(names, owner, diagnostics, actions=actions)
        self.names: PopulationNames = names
        self.alone = alone
        self.every = every
        self.template = template
        #: Whether an index around all that is read may follow an agent over time.
        self.follows = False
        #: The template of each index, and the value of each variable that runs through a type.
        self.indices: dict[str, str] = {}
        self.values: dict[str, Typed] = {}
        if owner is not None and owner.name != ENVIRONMENT:
            self.indices[SELF] = owner.name

    def misplaced(self, expression: syntax.Application | syntax.Quantified) -> Reported:
        """Report what only conditions may have, in the words of templates."""
        match expression:
            case syntax.Application(_, _, span) if self.alone:
                return self.fail("G0713", "relations cannot be asked here", span)
            case syntax.Application(name, _, span):
                return self.fail(
                    "G0704",
                    f"what `{name.text}` gives can only be compared with `=` and `<>`",
                    span,
                )
            case syntax.Quantified("exists" | "forall" as quantifier, _, _, span):
                return self.fail(
                    "G0713",
                    f"`{quantifier}` cannot stand here",
                    span,
                    help="how an agent changes depends on itself and the environment, and where it starts on "
                    "itself alone: write `Robot.room = …` in `InitStates`, and look for others in `Protocol`",
                )
            case syntax.Quantified("count", binders, _, span):
                return self.fail(
                    "G0504",
                    "how many agents there are is open: a count of them is only compared with numbers",
                    span,
                    help=f"write `count {binders[0].variable} : … ( … ) <= 1`, with one index",
                )
            case syntax.Quantified("sum", _, _, span):
                return self.fail(
                    "G0504",
                    "`sum` runs through a range: how much any number of agents have together is open",
                    span,
                )
            case _:
                return super().misplaced(expression)

    def is_function(self, applied: syntax.Application) -> bool:
        """Return whether a function is applied here: a relation of the same name comes first."""
        return super().is_function(applied) and applied.relation.text not in self.names.relations

    def is_index(self, expression: syntax.Expression) -> bool:
        """Return whether this names an agent."""
        match expression:
            case syntax.Reference(None, name):
                return name.text in self.indices or name.text == SELF
            case _:
                return False

    def pointer(self, expression: syntax.Expression) -> str | None:
        """Return the pointer that an expression names."""
        match expression:
            case syntax.Reference(None, syntax.Name(name, ())) if self._is_environment:
                return name if name in self.names.pointers else None
            case syntax.Reference(syntax.Name(agent, ()), syntax.Name(name, ())):
                known = agent == ENVIRONMENT and name in self.names.pointers
                return name if known else None
            case _:
                return None

    @property
    def _is_environment(self) -> bool:
        return self.owner is not None and self.owner.name == ENVIRONMENT

    def followed(self, expression: syntax.Expression) -> str | None:
        """Return a pointer of whose agent a variable is read, `owner.room`, in the environment's sections."""
        if not self.names.pointers or not self._is_environment:
            return None
        for part in parts_of(expression):
            match part:
                case syntax.Reference(syntax.Name(name, ())) if name in self.names.pointers:
                    return None if name in self.indices else name
                case _:
                    pass
        return None

    def compared(self, binary: syntax.Binary, /) -> plain.Expression | None:
        """Return whether a pointer points to an agent, or to none, where that is asked."""
        for one, other in ((binary.left, binary.right), (binary.right, binary.left)):
            name = self.pointer(one)
            if name is not None:
                return self._points(binary, name, other)
        return None

    def _points(
        self, binary: syntax.Binary, name: str, other: syntax.Expression
    ) -> plain.Expression:
        if binary.operator not in ("=", "<>"):
            raise self._no_value(name, binary.span)
        bare = other.name.text if isinstance(other, syntax.Reference) and not other.owner else ""
        starting = self.every and self.alone
        if bare == NOBODY and (binary.operator == "=" or not starting):
            left: plain.Expression = plain.Read(ENVIRONMENT, name)
            return plain.Compare(binary.operator, left, plain.Literal(NOBODY))
        if starting:
            raise self.fail(
                "G0735",
                f"`{name}` points to nobody at the start",
                binary.span,
                help=f"an action lets it point to who does it: `{name} = "
                f"{self.names.pointers[name].template} if Action = …;`",
            )
        if bare not in self.indices:
            raise self._no_value(name, other.span)
        pointer = self.names.pointers[name]
        if self.indices[bare] != pointer.template:
            raise self.fail(
                "G0705",
                f"`{bare}` is an agent of `{self.indices[bare]}`, and `{name}` points to one of "
                f"`{pointer.template}`",
                binary.span,
            )
        return plain.Compare(binary.operator, plain.Read(bare, pointer.flag), plain.Literal(True))

    def _no_value(self, name: str, span: Span) -> Reported:
        """Report a pointer, or what it is compared with, where that is no agent."""
        return self.fail(
            "G0735",
            f"`{name}` points to an agent, and is compared with agents and `none` only",
            span,
            notes=self.diagnostics.listing("the agents here", self.indices, none="none has a name"),
            help=f"for example: `exists i : {self.names.pointers[name].template} "
            f"( Environment.{name} = i and … )`",
        )

    def variable(self, reference: syntax.Expression) -> Variable | None:
        """Return the variable that an expression names."""
        match reference:
            case syntax.Reference(syntax.Name(owner), name) if owner in self.indices:
                return self.names.agents[self.indices[owner]].variables.get(name.text)
            case _:
                return super().variable(reference)

    def variables_of(self, owner: str) -> Mapping[str, Variable]:
        """Return the variables of the agents that an index, or a template's name, stands for."""
        return super().variables_of(self.indices.get(owner, owner))

    def domain_of(self, read: plain.Read) -> Domain:
        """Return the values of a variable that was read here, or of one that runs through a type."""
        if not read.agent:
            return self.values[read.variable][1]
        alone = self.template if read.agent == SELF else None
        owner = self.indices.get(read.agent) or alone or read.agent
        return self.names.agents[owner].variables[read.variable].domain

    def bare(self, name: str, span: Span, expected: Domain | None) -> Typed:
        """Return the value that a variable of a quantifier has, or what the name means elsewhere."""
        if name in self.values:
            return self.values[name]
        if name in self.names.parameters:
            raise self.fail(
                "G0724",
                f"`{name}` is a parameter: the value of no variable, and nothing that is assigned",
                span,
                help="parameters are compared with counts, and say how many agents a template has",
            )
        if self._is_environment and name in self.names.pointers:
            raise self._no_value(name, span)
        if name in self.indices:
            raise self.fail(
                "G0705",
                f"`{name}` is an agent, and a value is needed here",
                span,
                help=f"write `{name}.` and one of its variables",
            )
        return super().bare(name, span, expected)

    def defined(self, name: str, span: Span) -> Typed:
        """Return what a definition stands for, read where it is used."""
        return ExpressionReader(self).read(self.names.body(name, span))

    def qualified(self, agent: str, name: str, span: Span) -> Typed:
        """Return a variable of the agent that an index stands for, if it may be read here."""
        if agent == ENVIRONMENT:
            return self._of_environment(name, span)
        template = self.indices.get(agent)
        named = agent in self.names.templates and self.template in (None, agent)
        if template is None and self.every and named:
            template = agent
        if template is None:
            raise self._not_an_index(agent, name, span)
        index = agent if agent in self.indices else SELF
        if self.alone and agent != SELF and not self.every:
            raise self.fail("G0713", "the variables of other agents cannot be looked at here", span)
        variable = self.names.agents[template].variables.get(name)
        if variable is None:
            raise self._no_variable(agent, template, name, span)
        return plain.Read(index, name), variable.domain

    def _of_environment(self, name: str, span: Span) -> Typed:
        variable = self.names.environment.variables.get(name)
        if variable is None:
            raise self._no_variable(ENVIRONMENT, ENVIRONMENT, name, span)
        if name in self.names.pointers:
            raise self._no_value(name, span)
        return plain.Read(ENVIRONMENT, name), variable.domain

    def _not_an_index(self, agent: str, name: str, span: Span) -> Reported:
        if agent in self.names.templates:
            hint = f"write `exists j : {agent} ( j.{name} … )`, or `forall`"
            if self.follows:
                hint += f"; or follow each agent with `forall j : {agent} ( … )` around the formula"
            if self.owner is not None and self.owner.name == agent:
                hint = f"write `{name}`"
            return self.fail(
                "G0705",
                f"`{agent}` has any number of agents: `{agent}.{name}` does not say whose",
                span,
                label="whose variable?",
                help=hint,
            )
        known = [*self.indices, ENVIRONMENT, *(self.names.templates if self.every else ())]
        hint = self.diagnostics.did_you_mean(agent, known)
        if not hint and agent != SELF and not self.every:
            template = next(iter(self.names.templates), "T")
            hint = f"an agent is looked for with `exists {agent} : {template} ( … )`"
        return self.fail(
            "G0705",
            "there is no `self` here: this is nobody's section"
            if agent == SELF
            else f"there is no agent or index `{agent}` here",
            span,
            label="unknown index",
            notes=self.diagnostics.listing("what there is", known),
            help=hint,
        )

    def _no_variable(self, agent: str, template: str, name: str, span: Span) -> Reported:
        known = self.names.agents[template].variables
        others = [owner for owner in self.names.owners_of(name) if owner != template]
        notes = self.diagnostics.listing("its variables", known)
        if others:
            owners = " and ".join(f"`{owner}`" for owner in others)
            notes = (*notes, f"`{name}` is a variable of {owners}")
        what = (
            "the environment"
            if template == ENVIRONMENT
            else f"`{agent}`, an agent of `{template}`,"
        )
        return self.fail(
            "G0705" if others and template != ENVIRONMENT else "G0202",
            f"{what} has no variable `{name}`",
            span,
            label="another template's variable" if others else "unknown variable",
            notes=notes,
            help=self.diagnostics.did_you_mean(name, known),
        )
