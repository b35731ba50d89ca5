"""Random programs about types that are not listed, and the same programs with all values listed.

An open type has the values it names and any number of others; with some others listed, the program is
finite, and the oracle for those says what may be reached.
"""

import random
from collections import Counter
from collections.abc import Iterator
from math import prod

from gnomon.engines.parameterised.decision import PopulationDecision
from gnomon.engines.parameterised.run import reaches
from gnomon.engines.parameterised.solver_search import decide_with_solver
from gnomon.model.budget import Budget
from gnomon.model.parameterised.query import Safety
from gnomon.model.parameterised.system import OpenSystem
from tests.comparing import Wrong, bad_of, can_reach, populations
from tests.populations import read

#: Relations by name: what they are about, and what they give (none: they hold or not).
RELATIONS = {
    "Lit": (("Room",), "Flag"),
    "Owner": (("Room",), "Guild"),
    "Level": (("Room",), "Floor"),
    "Next": (("Room",), "Room"),
    "Best": (("Guild",), "Room"),
    "Door": (("Room", "Room"), None),
    "Good": (("Guild",), None),
}
MARK = "OTHERS"
#: With more interpretations than that, the oracle is not asked.
_MOST_INTERPRETATIONS = 600


class OpenProgram:
    """A random program; `text` leaves a type open, or lists some other values of it."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rng = self.rng
        self.named = ["lobby", "vault"][: rng.choice([0, 1, 2, 2])]
        self.guilds = ["red", "blue"][: rng.choice([1, 2])]
        self.highest = rng.choice([0, 1, 2])
        chosen = rng.sample(sorted(RELATIONS), rng.choice([0, 0, 1, 2, 2, 3]))
        self.relations = {name: RELATIONS[name] for name in chosen}
        self.own = self._variables(["Room", "Flag", "Guild", "Floor", "Room"])
        self.environment = self._variables(["Flag", "Floor", "Room"])[: rng.choice([0, 0, 1, 2])]
        #: Whether a number is looked up and calculated with, which happens rarely by itself.
        self.reckons = rng.random() < 0.2
        if self.reckons:
            self.highest = 2
            self.relations["Level"] = RELATIONS["Level"]
            self.own = list(dict.fromkeys([*self.own, ("v0", "Room"), ("v3", "Floor")]))
        self.mute = not self.reckons and rng.random() < 0.15
        self.census: Counter[str] = Counter()
        self._text = self._program()

    def _variables(self, types: list[str]) -> list[tuple[str, str]]:
        count = self.rng.choice([0, 1, 2, 2, 3, 4]) if len(types) > 3 else len(types)
        chosen = self.rng.sample(range(len(types)), count)
        return [(f"v{n}", types[n]) for n in sorted(chosen)]

    def text(self, others: int | None = None) -> str:
        """Return the program, with so many values that have no name in it, or any number of them."""
        listed = [".."] if others is None else [f"other{n}" for n in range(others)]
        return self._text.replace(MARK, ", ".join([*self.named, *listed]))

    @property
    def least(self) -> int:
        """How many values without a name there are at least: a type has some value."""
        return 0 if self.named else 1

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    # Values and conditions

    def literal(self, type_: str) -> str | None:
        match type_:
            case "Room":
                return self.rng.choice(self.named) if self.named else None
            case "Flag":
                return self.rng.choice(["true", "false"])
            case "Guild":
                return self.rng.choice(self.guilds)
            case _:
                return str(self.rng.randint(0, self.highest))

    def variables(
        self, indices: tuple[str, ...], type_: str | None = None
    ) -> list[tuple[str, str]]:
        """Return what may be read: of the agent itself (an empty index), of others, of the environment."""
        found = [(f"Environment.{name}", kind) for name, kind in self.environment]
        for index in indices:
            found += [(f"{index}.{name}" if index else name, kind) for name, kind in self.own]
        return [each for each in found if type_ in (None, each[1])]

    def value(self, type_: str, indices: tuple[str, ...], depth: int = 1) -> str | None:
        """Return something of a type, if there is anything."""
        choices = [name for name, _ in self.variables(indices, type_)] * 2
        literal = self.literal(type_)
        choices += [literal] if literal else []
        if depth and self.chance(0.4):
            choices += list(self.lookups(type_, indices))
        return self.rng.choice(choices) if choices else None

    def lookups(self, type_: str, indices: tuple[str, ...]) -> Iterator[str]:
        for name, (columns, result) in self.relations.items():
            arguments = [self.value(column, indices, 0) for column in columns]
            if result == type_ and None not in arguments:
                yield f"{name}({', '.join(map(str, arguments))})"

    def atom(self, indices: tuple[str, ...]) -> str:
        for _ in range(20):
            found = self._atom(indices)
            if found is not None:
                return found
        return "true"

    def _atom(self, indices: tuple[str, ...]) -> str | None:
        rng = self.rng
        pairs = [(i, j) for i in indices for j in indices if i < j]
        kind = rng.randrange(6)
        if kind == 0 and pairs:
            one, other = rng.choice(pairs)
            return f"{one or 'self'} {rng.choice(['=', '!='])} {other}"
        if kind == 1:
            flags = self.variables(indices, "Flag")
            if flags:
                self.census["bare"] += 1
                return rng.choice(["", "!"]) + rng.choice(flags)[0]
        if kind == 2:
            holding = [name for name, (_, result) in self.relations.items() if result is None]
            if holding:
                name = rng.choice(holding)
                arguments = [self.value(c, indices) for c in self.relations[name][0]]
                if None not in arguments:
                    return rng.choice(["", "!"]) + f"{name}({', '.join(map(str, arguments))})"
        if kind == 3:
            numbers = self.variables(indices, "Floor")
            if numbers:
                self.census["sum"] += 1
                one, other = (rng.choice(numbers)[0] for _ in range(2))
                return f"{one} + {rng.choice([other, '1'])} {rng.choice(['<', '=', '>='])} {other} + {other}"
        type_ = rng.choice(["Room", "Room", "Flag", "Guild", "Floor"])
        readable = [name for name, _ in self.variables(indices, type_)]
        readable += list(self.lookups(type_, indices))
        left, right = rng.choice(readable) if readable else None, self.value(type_, indices)
        if left is None or right is None:
            return None
        self.census["looked up"] += "(" in left or "(" in right
        return f"{left} {rng.choice(['=', '=', '<>'])} {right}"

    def condition(self, indices: tuple[str, ...], depth: int) -> str:
        if depth and self.chance(0.25) and len(indices) < 2:
            index = f"i{len(indices)}"
            return f"exists {index} : T ({self.condition((*indices, index), depth - 1)})"
        if depth and self.chance(0.6):
            word = self.rng.choice(["and", "and", "or"])
            return f"({self.condition(indices, depth - 1)} {word} {self.condition(indices, depth - 1)})"
        return self.atom(indices)

    # The program

    def changes(
        self, variables: list[tuple[str, str]], action: str, seen: list[tuple[str, str]]
    ) -> list[str]:
        """Return what an action does; `seen` is what is read of the environment."""
        lines = []
        for name, type_ in variables:
            if not self.chance(0.75):
                continue
            same = [other for other, kind in variables if kind == type_ and other != name]
            choices = [self.literal(type_), *same]
            choices += [other for other, kind in seen if kind == type_]
            for relation, (columns, result) in self.relations.items():
                arguments = [
                    next((other for other, kind in variables if kind == column), None)
                    or next((other for other, kind in seen if kind == column), None)
                    or self.literal(column)
                    for column in columns
                ]
                if result == type_ and None not in arguments:
                    choices += [f"{relation}({', '.join(map(str, arguments))})"] * 3
            if type_ == "Floor":
                choices += [f"{name} + 1", f"{name} - 1"]
            possible = [choice for choice in choices if choice is not None]
            if possible:
                chosen = self.rng.choice(possible)
                if "(" in chosen:
                    self.census[f"looks up {type_}"] += 1
                self.census["reads the environment"] += "Environment." in chosen
                where = ""
                if seen and self.chance(0.15):
                    other, kind = self.rng.choice(seen)
                    value = self.literal(kind)
                    where = "" if value is None else f" and {other} = {value}"
                lines.append(f"{name} = {chosen} if Action = {action}{where};")
        return lines

    def _program(self) -> str:
        rng = self.rng
        sync = {f"s{n}": rng.choice(["some", "one"]) for n in range(rng.choice([0, 1, 1]))}
        local = [] if self.mute else [f"l{n}" for n in range(rng.choice([1, 1, 2]))]
        protocol, evolution = [], []
        for action in (*local, *sync):
            protocol.append(f"{self.condition(('',), rng.choice([0, 1, 1, 2]))} : {{{action}}};")
            seen = [(f"Environment.{name}", type_) for name, type_ in self.environment]
            evolution += self.changes(self.own, action, seen)
        led, changed = [], []
        for action in sync:
            led.append(f"{self.condition((), rng.choice([0, 1]))} : {{{action}}};")
            changed += self.changes(self.environment, action, [])
        goal = self.condition(("i0",), 2)
        if self.reckons:
            sign = rng.choice(["=", "<", ">"])
            goal = f"i0.v3 + 1 {sign} {rng.choice(['2', '3', '2 * i0.v3', 'i0.v3 * i0.v3'])} and {goal}"
            self.census["reckons"] += any("v3 = Level(" in line for line in evolution)
        initial = ["true"]
        for prefix, variables in (("Environment", self.environment), ("T", self.own)):
            for name, type_ in variables:
                literal = self.literal(type_)
                if literal is not None and self.chance(0.8):
                    initial.append(f"{prefix}.{name} = {literal}")
        bounds = rng.choice(["", "", "", "[1..1]", "[0..1]", "[2..*]", "[0..0]"])
        self.census.update(
            {
                "no relation": not self.relations,
                "no variable": not self.own,
                "no action": not (local or sync),
                "one-value range": self.highest == 0,
                "one-value type": len(self.guilds) == 1,
                "no named value": not self.named,
                "nobody": bounds == "[0..0]",
                "axiom": bool(axioms := self._axioms()),
            }
        )
        return "\n".join(
            [
                f"Types Room : {{{MARK}}}; Flag : boolean; Guild : {{{', '.join(self.guilds)}}};",
                f"Floor : 0..{self.highest}; end Types",
                f"Relations {' '.join(map(self._declared, self.relations))} end Relations",
                f"Axioms {axioms} end Axioms",
                "Environment",
                self._section("Vars", " ".join(f"{v} : {t};" for v, t in self.environment)),
                f"Sync = {{{', '.join(f'{a} : {k}' for a, k in sync.items())}}};" if sync else "",
                self._section("Protocol", " ".join(led)),
                self._section("Evolution", " ".join(changed)),
                "end Environment",
                f"Template T {bounds}",
                self._section("Vars", " ".join(f"{v} : {t};" for v, t in self.own)),
                f"Actions = {{{', '.join(local)}}};" if local else "",
                f"Sync = {{{', '.join(sync)}}};" if sync else "",
                self._section("Protocol", " ".join(protocol)),
                self._section("Evolution", " ".join(evolution)),
                "end Template",
                f"Evaluation bad if exists i0 : T ({goal}); end Evaluation",
                f"InitStates {' and '.join(initial)}; end InitStates",
                "Formulae AG !bad; end Formulae",
            ]
        )

    def _section(self, name: str, body: str) -> str:
        return f"  {name}: {body} end {name}" if body else ""

    def _declared(self, name: str) -> str:
        columns, result = RELATIONS[name]
        return f"{name} : {' * '.join(columns)}{f' -> {result}' if result else ''};"

    def _axioms(self) -> str:
        options = []
        if "Door" in self.relations:
            options += [
                "forall x : Room (Door(x, x));",
                "forall x, y : Room (Door(x, y) -> Door(y, x));",
            ]
        if "Lit" in self.relations and self.named:
            options += [f"Lit({self.named[0]}) = false;", "forall x : Room (Lit(x) = true);"]
        if "Next" in self.relations and self.named:
            options += [f"forall x : Room (Next(x) <> {self.named[-1]});"]
        if "Owner" in self.relations:
            options += [f"forall x : Room (Owner(x) = {self.guilds[0]});"]
        return self.rng.choice(options) if options and self.chance(0.4) else ""


def interpretations_of(program: OpenProgram, others: int) -> int:
    """Return how many interpretations there are with so many values that have no name."""
    sizes = {
        "Room": len(program.named) + others,
        "Flag": 2,
        "Guild": len(program.guilds),
        "Floor": program.highest + 1,
    }
    return prod(
        (sizes[result] if result else 2) ** prod(sizes[column] for column in columns)
        for columns, result in program.relations.values()
    )


def compare_open(seed: int, seconds: float = 20) -> PopulationDecision:
    """Decide a program with the solver; raise `Wrong` where a run is none, or where the oracle finds one.

    Raises `LimitReached` where the time is over.
    """
    program = OpenProgram(seed)
    system = read(program.text())
    bad = bad_of(system)
    found = decide_with_solver(system, Safety(bad), Budget(seconds=seconds))
    if (found.reached is True) != (found.run is not None):
        raise Wrong(f"reached: {found.reached}, by {found.run}")
    if found.run is not None and not reaches(system, found.run, bad, None, dict(found.facts)):
        raise Wrong("a run that is none")
    if found.reached is False:
        for others in range(program.least, 3):
            if interpretations_of(program, others) <= _MOST_INTERPRETATIONS:
                _expect_unreachable(read(program.text(others)))
    return found


def _expect_unreachable(system: OpenSystem) -> None:
    for counts in populations(system):
        if sum(counts) <= 2 and can_reach(system, counts, bad_of(system)):
            raise Wrong(f"{counts} agents get there")
