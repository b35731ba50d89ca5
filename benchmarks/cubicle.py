"""Programs with templates as inputs of Cubicle, where that can say the same: for comparison only.

Cubicle has one sort of processes, so that templates are told apart by an array; relations become Booleans
that nothing changes. A local action, and a synchronised one of kind `one` or `all`, is one rule; one of kind
`some` is opened by one agent, joined by others and then carried out for all of them at once. Its indices are
always different, so guards are written once for each way in which indices may be the same agent. Local
actions are done one at a time: that loses nothing where all is `some`, or guards look at no other agents.
"""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from gnomon.engines.parameterised.cube_compiler import CubeCompiler
from gnomon.engines.parameterised.disjuncts import Disjunct, patterns
from gnomon.engines.parameterised.ground_facts import GroundFacts
from gnomon.model.agent import ENVIRONMENT
from gnomon.model.domain import Boolean, Datum, values_of
from gnomon.model.expression import And as PlainAnd
from gnomon.model.expression import Compare, Expression, Literal, Read
from gnomon.model.expression import Not as PlainNot
from gnomon.model.parameterised.condition import Condition, Holds, Not, Related, Same, positive
from gnomon.model.parameterised.system import OpenSystem, Part, Safety


class Inexpressible(Exception):
    """Cubicle has no way to say it, or this translation has none."""


class Translation:
    """One system as an input of Cubicle."""

    def __init__(self, system: OpenSystem) -> None:
        self.system = system
        self.compiler = CubeCompiler({}, GroundFacts(system))
        self.several = len(system.templates) > 1
        self.some = [name for name, kind in system.sync.items() if kind == "some"]
        self.rigid: set[str] = set()
        if system.axioms or any(r.result for r in system.relations.values()):
            raise Inexpressible("axioms, keys and `forall`")
        if system.followed_by:
            raise Inexpressible("agents that follow")
        looking = any(
            binders
            for part in system.templates
            for action in part.local
            for binders, _ in self._choices(part.guards.get(action))
        )
        if looking and any(kind != "some" for kind in system.sync.values()):
            raise Inexpressible("local actions at once that look at each other")

    def text(self) -> str:
        """Return the input."""
        rules = [*self._local_rules(), *self._shared_rules()]
        unsafe = [self._unsafe(goal) for goal in self._goals()]
        return "\n".join([*self._declarations(), self._init(), *unsafe, *rules]) + "\n"

    # Names

    def _value(self, value: Datum) -> str:
        if isinstance(value, bool):
            return "True" if value else "False"
        return f"V_{value}".replace("-", "m")

    def _term(self, read: Read, part: str) -> str:
        if ENVIRONMENT in {read.agent, part}:
            return f"E_{read.variable}"
        return f"A_{part}_{read.variable}[{read.agent}]"

    def _declarations(self) -> Iterator[str]:
        values = {
            value
            for part in self.system.part.values()
            for variable in part.variables
            if not isinstance(variable.domain, Boolean)
            for value in values_of(variable.domain)
        }
        if values:
            yield f"type value = {' | '.join(sorted(map(self._value, values)))}"
        if self.several:
            yield f"type kind = {' | '.join(f'K_{part.name}' for part in self.system.templates)}"
        if self.some:
            yield f"type act = {' | '.join(['Nop', *(f'Do_{name}' for name in self.some)])}"
        for variable in self.system.environment.variables:
            kind = "bool" if isinstance(variable.domain, Boolean) else "value"
            yield f"var E_{variable.name} : {kind}"
        yield from (f"var {name} : bool" for name in sorted(self.rigid))
        if self.some:
            yield "var Doing : act"
            yield "array Act[proc] : act"
        if self.several:
            yield "array Kind[proc] : kind"
        for part in self.system.templates:
            for variable in part.variables:
                kind = "bool" if isinstance(variable.domain, Boolean) else "value"
                yield f"array A_{part.name}_{variable.name}[proc] : {kind}"

    def _init(self) -> str:
        found = []
        for part in self.system.part.values():
            for literals in self._only(part.initial):
                found += [
                    self._literal(each, {"self": ("z", part.name)}, part.name) for each in literals
                ]
        if self.some:
            found += ["Doing = Nop", "Act[z] = Nop"]
        return f"init (z) {{ {' && '.join(found)} }}"

    def _only(self, condition: Condition) -> Iterator[tuple[Condition, ...]]:
        choices = list(self._choices(condition))
        if len(choices) != 1 or choices[0][0]:
            raise Inexpressible("initial states in several cases")
        yield choices[0][1]

    # Conditions

    def _choices(
        self, condition: Condition | None
    ) -> Iterator[tuple[tuple[tuple[str, str], ...], tuple[Condition, ...]]]:
        """Yield the alternatives of a condition: who is looked for, and what holds."""
        if condition is None:
            return
        for disjunct in self.compiler._disjuncts(positive(condition)):  # noqa: SLF001
            if disjunct.universal:
                raise Inexpressible("`forall`")
            yield disjunct.binders, disjunct.literals

    def _literal(self, literal: Condition, who: dict[str, tuple[str, str]], owner: str) -> str:
        match literal:
            case Holds(expression):
                return self._expression(expression, who, owner)
            case Related(name, arguments) | Not(Related(name, arguments)):
                if not all(isinstance(argument, Literal) for argument in arguments):
                    raise Inexpressible("relations of variables")
                shown = "_".join(str(argument.value) for argument in arguments)  # type: ignore[union-attr]
                self.rigid.add(f"R_{name}_{shown}")
                truth = "False" if isinstance(literal, Not) else "True"
                return f"R_{name}_{shown} = {truth}"
            case _:
                raise Inexpressible(str(literal))

    def _expression(
        self, expression: Expression, who: dict[str, tuple[str, str]], owner: str
    ) -> str:
        match expression:
            case Literal(True):
                return ""
            case Compare("=" | "<>" as operator, Read() as read, Literal(value)):
                index, part = who.get(read.agent, ("", ENVIRONMENT))
                term = self._term(Read(index or ENVIRONMENT, read.variable), part)
                return f"{term} {operator} {self._value(value)}"
            case PlainNot(Compare("=" | "<>" as operator, left, right)):
                return self._expression(
                    Compare("<>" if operator == "=" else "=", left, right), who, owner
                )
            case PlainAnd(operands):
                found = [self._expression(operand, who, owner) for operand in operands]
                return " && ".join(part for part in found if part)
            case _:
                raise Inexpressible(str(expression))

    def _guards(
        self, condition: Condition | None, owner: str
    ) -> Iterator[tuple[list[str], list[str]]]:
        """Yield parameters and requirements, once for each way in which indices are the same agent."""
        mine = owner if owner not in ("", ENVIRONMENT) else None
        for binders, literals in self._choices(condition):
            for blocks in patterns(Disjunct(binders, literals), mine):
                names: dict[str, str] = {"self": "i"} if mine else {}
                templates: dict[str, str] = {"i": mine} if mine else {}
                for name, template in binders:
                    block = blocks[name]
                    if block not in names:
                        names[block] = f"o{len(names)}"
                        templates[names[block]] = template
                    names[name] = names[block]
                who = {name: (index, templates[index]) for name, index in names.items()}
                kinds = [f"Kind[{i}] = K_{t}" for i, t in templates.items() if self.several]
                found = [self._literal(each, who, owner) for each in literals if not _is_same(each)]
                yield list(templates), [*kinds, *(part for part in found if part)]

    # Rules

    def _goals(self) -> Iterator[Condition]:
        for question in self.system.questions:
            if isinstance(question.query, Safety):
                yield question.query.bad
                return

    def _unsafe(self, goal: Condition) -> str:
        found = []
        for parameters, requirements in self._guards(goal, ""):
            found.append(f"unsafe ({' '.join(parameters)}) {{ {' && '.join(requirements)} }}")
        return "\n".join(found)

    def _rule(self, parameters: list[str], requirements: list[str], updates: list[str]) -> str:
        self.count = getattr(self, "count", 0) + 1
        needs = " && ".join(requirements) or "True = True"
        body = ";\n".join(f"  {update}" for update in updates)
        return f"transition t{self.count} ({' '.join(parameters)})\nrequires {{ {needs} }}\n{{\n{body}\n}}"

    def _updates(self, part: Part, action: str, condition: str) -> dict[str, list[tuple[str, str]]]:
        """Return by array what an agent for which a condition on `k` holds becomes."""
        found: dict[str, list[tuple[str, str]]] = {}
        for guard, change in self.system.effects.get((part.name, action), ()):
            extra = self._expression(guard, {"self": ("k", part.name)}, part.name)
            for item in change.line.assignments:
                if not isinstance(item.value, Literal) or change.looked:
                    raise Inexpressible("calculated values")
                when = " && ".join(each for each in (condition, extra) if each)
                array = f"A_{part.name}_{item.variable}"
                found.setdefault(array, []).append((when, self._value(item.value.value)))
        return found

    def _cases(self, updates: dict[str, list[tuple[str, str]]]) -> list[str]:
        return [
            f"{array}[k] := case {' '.join(f'| {when} : {value}' for when, value in cases)} | _ : {array}[k]"
            for array, cases in updates.items()
        ]

    def _own_updates(self, action: str) -> Iterator[tuple[list[str], list[str]]]:
        """Yield the cases of what the environment does: when, and the assignments."""
        effects = self.system.effects[ENVIRONMENT, action]
        for truth in product(
            (True, False), repeat=sum(guard != Literal(True) for guard, _ in effects)
        ):
            chosen, needs, updates = list(truth), [], []
            for guard, change in effects:
                holds = True if guard == Literal(True) else chosen.pop(0)
                if guard != Literal(True):
                    text = self._expression(guard if holds else PlainNot(guard), {}, ENVIRONMENT)
                    needs.append(text)
                if holds:
                    for item in change.line.assignments:
                        if not isinstance(item.value, Literal):
                            raise Inexpressible("calculated values")
                        updates.append(f"E_{item.variable} := {self._value(item.value.value)}")
            yield needs, updates

    def _idle(self) -> list[str]:
        return ["Doing = Nop"] if self.some else []

    def _local_rules(self) -> Iterator[str]:
        for part in self.system.templates:
            for action in part.local:
                for parameters, needs in self._guards(part.guards.get(action), part.name):
                    updates = self._cases(self._updates(part, action, "k = i"))
                    yield self._rule(parameters, [*self._idle(), *needs], updates)
        own = self.system.environment
        for action in own.local:
            for parameters, needs in self._guards(own.guards.get(action), ENVIRONMENT):
                for more, updates in self._own_updates(action):
                    yield self._rule(parameters, [*self._idle(), *needs, *more], updates)

    def _shared_rules(self) -> Iterator[str]:
        own = self.system.environment
        for action, kind in self.system.sync.items():
            for parameters, needs in self._guards(own.guards.get(action), ENVIRONMENT):
                if parameters:
                    raise Inexpressible("an environment that looks for agents")
                for more, updates in self._own_updates(action):
                    given = (action, [*needs, *more], updates)
                    if kind == "all":
                        yield self._broadcast(*given)
                    elif kind == "one":
                        yield from self._single(*given)
                    else:
                        yield from self._joined(*given)

    def _broadcast(self, action: str, needs: list[str], updates: list[str]) -> str:
        found: dict[str, list[tuple[str, str]]] = {}
        for part in self.system.templates:
            for parameters, own in self._guards(part.guards.get(action), part.name):
                if parameters != ["i"]:
                    raise Inexpressible("a broadcast that looks at others")
                mine = " && ".join(each.replace("[i]", "[k]") for each in own)
                for array, cases in self._updates(part, action, mine).items():
                    found.setdefault(array, []).extend(cases)
        return self._rule([], [*self._idle(), *needs], [*updates, *self._cases(found)])

    def _single(self, action: str, needs: list[str], updates: list[str]) -> Iterator[str]:
        for part in self.system.templates:
            for parameters, own in self._guards(part.guards.get(action), part.name):
                cases = self._cases(self._updates(part, action, "k = i"))
                yield self._rule(parameters, [*self._idle(), *needs, *own], [*updates, *cases])

    def _joined(self, action: str, needs: list[str], updates: list[str]) -> Iterator[str]:
        found: dict[str, list[tuple[str, str]]] = {}
        doing = f"Do_{action}"
        for part in self.system.templates:
            for parameters, own in self._guards(part.guards.get(action), part.name):
                mark = f"Act[i] := {doing}"
                yield self._rule(
                    parameters,
                    ["Doing = Nop", "Act[i] = Nop", *needs, *own],
                    [f"Doing := {doing}", mark],
                )
                yield self._rule(parameters, [f"Doing = {doing}", "Act[i] = Nop", *own], [mark])
            kind = [f"Kind[k] = K_{part.name}"] if self.several else []
            condition = " && ".join([*kind, f"Act[k] = {doing}"])
            for array, cases in self._updates(part, action, condition).items():
                found.setdefault(array, []).extend(cases)
        yield self._rule(
            [],
            [f"Doing = {doing}", *needs],
            ["Doing := Nop", "Act[k] := case | _ : Nop", *updates, *self._cases(found)],
        )


def _is_same(literal: Condition) -> bool:
    return isinstance(literal, Same) or (
        isinstance(literal, Not) and isinstance(literal.operand, Same)
    )


def run(binary: str, text: str, limit: float) -> tuple[str, float]:
    """Return Cubicle's verdict and the seconds of the processor it took."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.cub"
        path.write_text(text)
        before = getrusage(RUSAGE_CHILDREN)
        started = time.monotonic()
        try:
            done = subprocess.run(
                [binary, "-quiet", str(path)],
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "limit", time.monotonic() - started
        after = getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    output = done.stdout + done.stderr
    if "UNSAFE" in output.upper() or "unsafe" in output:
        return "false", spent
    return ("true", spent) if "SAFE" in output.upper() else (output.strip()[-60:] or "error", spent)
