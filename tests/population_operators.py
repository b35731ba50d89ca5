"""Random programs with templates in which all operators of the language occur, each also said in plain words.

Nothing but `and`, `or`, `!`, comparisons, sums and plain names is plain. Both programs have the same
variables in the same order, so that their configurations can be compared.
"""

import random
from collections import Counter
from itertools import combinations

from gnomon.text.record import Record

#: What occurs in the programs, and is counted.
OPERATORS = (
    "an index that is computed is read",
    "an index that is computed is assigned",
    "an index reads another agent",
    "an index chooses a definition",
    "if between numbers",
    "if between names",
    "if between conditions",
    "min and max",
    "abs",
    "number",
    "in",
    "<->",
    "xor",
    "a count over a range",
    "a count of agents",
    "a count of few agents",
    "a count of values",
    "an action is stored",
    "an initial value",
    "a definition",
    "terminal states",
)


class Said(Record):
    """The same in two ways."""

    fancy: str
    plain: str


def both(text: str) -> Said:
    """Return what is said in plain words alone."""
    return Said(text, text)


def joined(word: str, parts: list[Said]) -> Said:
    """Return conditions, or lines, with a word between them."""
    return Said(word.join(p.fancy for p in parts), word.join(p.plain for p in parts))


class Operators:
    """Makes one program.

    Agents have two members `y`, a number `j` that may choose one of them, and may remember an action in `z`.
    """

    def __init__(self, seed: int, kinds: tuple[str, ...]) -> None:
        self.rng = random.Random(seed)
        self.kinds = kinds
        self.census: Counter[str] = Counter()
        self.stores = self.rng.random() < 0.4
        self.relation = self.rng.random() < 0.3

    def note(self, operator: str, fancy: str, plain: str) -> Said:
        """Return the same in two ways, and take note of the operator."""
        assert operator in OPERATORS
        self.census[operator] += 1
        return Said(fancy, plain)

    def bit(self) -> str:
        return self.rng.choice("01")

    # Members of families

    def index(self, agent: str) -> Said:
        """Return a number from 0 to 1."""
        number = self.rng.choice([f"{agent}j", f"{agent}j", "Environment.k"])
        return self.rng.choice([both(number), both(f"1 - {number}")])

    def member(self, agent: str, against: str, index: Said | None = None) -> Said:
        """Return a comparison of the member that an index chooses."""
        family = self.rng.choice([f"{agent}y", "Environment.x"])
        at = index or self.index(agent)
        plain = " or ".join(f"{at.plain} = {n} and {family}{n} = {against}" for n in range(2))
        operator = "an index that is computed is read"
        return self.note(operator, f"{family}[{at.fancy}] = {against}", f"({plain})")

    # Conditions

    def atom(self, agent: str) -> Said:
        """Return a condition on an agent and the environment, without operators."""
        name = self.rng.choice([f"{agent}j", "Environment.k"])
        if self.rng.random() < 0.5:
            return self.member(agent, self.bit())
        return both(f"{name} = {self.bit()}")

    def condition(self, agent: str, *, alone: bool = False) -> Said:
        """Return a condition on an agent and the environment; unless it is `alone`, on others as well."""
        chosen = self.rng.choice(range(9 if alone else 15))
        if chosen >= 9:
            return self.of_others(agent, chosen)
        one, other, third = (self.atom(agent) for _ in range(3))
        a, b, value = f"{agent}j", "Environment.k", self.bit()
        match chosen:
            case 0:
                return self.choice(one, other, third)
            case 1:
                fancy = f"(if {one.fancy} then {a} + 1 else {b}) = {value}"
                plain = f"({one.plain} and {a} + 1 = {value} or !({one.plain}) and {b} = {value})"
                return self.note("if between numbers", fancy, plain)
            case 2:
                word = self.rng.choice(["min", "max"])
                first = f"{a} {'<=' if word == 'min' else '>='} {b}"
                plain = f"({first} and {a} = {value} or !({first}) and {b} = {value})"
                return self.note("min and max", f"{word}({a}, {b}) = {value}", plain)
            case 3:
                plain = f"({a} - {b} = {value} or {b} - {a} = {value})"
                return self.note("abs", f"abs({a} - {b}) = {value}", plain)
            case 4:
                return self.note("number", f"number({one.fancy}) = 1", f"({one.plain})")
            case 5:
                members = self.rng.choice(["0", "1", "0, 1", f"{b}, 1", "0..1"])
                values = ["0", "1"] if members == "0..1" else members.split(", ")
                plain = " or ".join(f"{a} = {each}" for each in values)
                return self.note("in", f"{a} in {{{members}}}", f"({plain})")
            case 6 | 7:
                word, left, right = "<->", one.plain, other.plain
                plain = f"({left} and {right} or !({left}) and !({right}))"
                if chosen == 7:
                    word, plain = "xor", f"({left} and !({right}) or !({left}) and {right})"
                return self.note(word, f"(({one.fancy}) {word} ({other.fancy}))", plain)
            case _:
                least = self.rng.choice([1, 2])
                tests = [f"{agent}y{n} = {value}" for n in range(2)]
                plain = f"({(' and ' if least == 2 else ' or ').join(tests)})"
                fancy = f"count q : 0..1 ({agent}y[q] = {value}) >= {least}"
                return self.note("a count over a range", fancy, plain)

    def choice(self, one: Said, other: Said, third: Said) -> Said:
        fancy = f"(if {one.fancy} then {other.fancy} else {third.fancy})"
        plain = f"(({one.plain}) and ({other.plain}) or !({one.plain}) and ({third.plain}))"
        return self.note("if between conditions", fancy, plain)

    def of_others(self, agent: str, chosen: int) -> Said:
        value = self.bit()
        match chosen:
            case 9:
                index = self.rng.choice(["o.j", "Environment.k", f"{agent}j", "1 - o.j"])
                plain = f"({index} = 0 and o.y0 = {value} or {index} = 1 and o.y1 = {value})"
                fancy = f"exists o : T (o.y[{index}] = {value})"
                return self.note("an index reads another agent", fancy, f"exists o : T {plain}")
            case 10:
                return self.count(self.rng.choice([2, 2, 3]))
            case 11:
                inner = self.condition("o.", alone=True)
                return Said(f"exists o : T ({inner.fancy})", f"exists o : T ({inner.plain})")
            case 12 if self.relation:
                word, least = self.rng.choice([("or", 1), ("and", 2)])
                fancy = f"count v : D (R(v)) >= {least}"
                return self.note("a count of values", fancy, f"(R(a) {word} R(b))")
            case 13:
                plain = "(Environment.k = 0 and Environment.x0 = 1 or "
                plain += "Environment.k = 1 and exists d : T (d.y1 = 1))"
                return self.note("an index chooses a definition", "chosen[Environment.k]", plain)
            case _:
                plain = "(Environment.x0 + Environment.x1 = 1)"
                return self.note("a definition", "half", plain)

    def count(self, number: int) -> Said:
        inner = self.condition("q.", alone=True)
        plain = [inner.plain.replace("q.", f"q{n}.") for n in range(number)]
        apart = [f"q{a} != q{b}" for a, b in combinations(range(number), 2)]
        names = ", ".join(f"q{n}" for n in range(number))
        test = self.rng.choice([f">= {number}", f"> {number - 1}"])
        written = f"exists {names} : T ({' and '.join((*apart, *(f'({each})' for each in plain)))})"
        return self.note("a count of agents", f"count q : T ({inner.fancy}) {test}", written)

    def few(self) -> Said:
        """Return that no agent is somewhere."""
        inner = self.condition("q.", alone=True)
        fancy = f"count q : T ({inner.fancy}) < 1"
        return self.note("a count of few agents", fancy, f"forall q : T (!({inner.plain}))")

    def of_environment(self) -> Said:
        """Return when the environment takes part."""
        match self.rng.choice(range(4)):
            case 0:
                value = self.bit()
                plain = f"(k = 0 and x0 = {value} or k = 1 and x1 = {value})"
                return self.note("an index that is computed is read", f"x[k] = {value}", plain)
            case 1:
                return self.of_others("o.", self.rng.choice([9, 12, 13, 14]))
            case _:
                return both("true")

    # Lines

    def change(self, action: str, variable: str, family: str) -> Said:
        """Return what an action does to the number of a part, or to a member that it chooses."""
        value, end = self.bit(), f"if Action = {action}"
        match self.rng.choice(range(6)):
            case 0:
                return both(f"{variable} = {value} {end};")
            case 1:
                plain = f"{variable} = {variable} + 1 {end} and {variable} < 1;"
                plain += f" {variable} = 1 {end} and {variable} = 1;"
                return self.note(
                    "min and max", f"{variable} = min({variable} + 1, 1) {end};", plain
                )
            case 2:
                fancy = f"{variable} = {family}[{variable}] {end};"
                lines = [f"{variable} = {family}{n} {end} and {variable} = {n};" for n in range(2)]
                return self.note("an index that is computed is read", fancy, " ".join(lines))
            case 3:
                fancy = f"{variable} = if {family}[0] = 1 then {value} else 1 - {variable} {end};"
                plain = f"{variable} = {value} {end} and {family}0 = 1;"
                plain += f" {variable} = 1 - {variable} {end} and {family}0 <> 1;"
                return self.note("if between numbers", fancy, plain)
            case _:
                given = self.rng.choice([value, variable, f"1 - {variable}"])
                fancy = f"{family}[{variable}] = {given} {end};"
                lines = [f"{family}{n} = {given} {end} and {variable} = {n};" for n in range(2)]
                return self.note("an index that is computed is assigned", fancy, " ".join(lines))

    def stored(self, actions: tuple[str, ...]) -> Said:
        """Return that an agent remembers what it did, or only whether it was the first of its actions."""
        if self.rng.random() < 0.5:
            plain = " ".join(f"z = {each} if Action = {each};" for each in actions)
            return self.note("an action is stored", "z = Action if true;", plain)
        first, *_, last = actions
        fancy = f"z = if j = 0 then {first} else {last} if Action = {first};"
        plain = (
            f"z = {first} if Action = {first} and j = 0; z = {last} if Action = {first} and j <> 0;"
        )
        return self.note("if between names", fancy, plain)

    # The program

    def program(self) -> Said:
        """Return the program in two ways."""
        kind = self.rng.choice(self.kinds)
        guard, mine = self.condition("self."), self.condition("self.", alone=True)
        if kind != "all":
            mine = self.condition("self.")
        if kind == "one" and self.rng.random() < 0.3:
            mine = joined(" and ", [mine, self.few()])
        bad = joined(" and ", [self.condition("i."), self.condition("i.")])
        protocol = Said(
            f"{guard.fancy} : {{go}}; {mine.fancy} : {{sync}};",
            f"{guard.plain} : {{go}}; {mine.plain} : {{sync}};",
        )
        lines = [self.change("go", "j", "y"), self.change("sync", "j", "y")]
        if self.stores:
            lines.append(self.stored(("go", "sync")))
        own = self.of_environment()
        environment = self.change("sync", "k", "x")
        sections = [
            self.definitions(),
            self.relations(),
            self.environment(kind, own, environment),
            self.template(protocol, joined(" ", lines)),
            Said(
                f"Evaluation bad if exists i : T ({bad.fancy}); end Evaluation",
                f"Evaluation bad if exists i : T ({bad.plain}); end Evaluation",
            ),
            self.terminal(),
            self.initial(),
            both("Formulae AG !bad; end Formulae"),
        ]
        return joined("\n", sections)

    def definitions(self) -> Said:
        fancy = (
            "half := Environment.x[0] + Environment.x[1] = 1; chosen[0] := Environment.x[0] = 1;"
        )
        fancy += " chosen[1] := exists d : T (d.y[1] = 1);"
        return Said(f"Definitions {fancy} end Definitions", "")

    def relations(self) -> Said:
        text = "Types D : {a, b}; end Types Relations R : D; end Relations"
        return both(text if self.relation else "")

    def environment(self, kind: str, guard: Said, changes: Said) -> Said:
        def written(variables: str, guard: str, changes: str) -> str:
            return f"""Environment
  Vars: {variables} k : 0..1; end Vars
  Sync = {{sync : {kind}}};
  Protocol: {guard} : {{sync}}; end Protocol
  Evolution: {changes} end Evolution
end Environment"""

        plain = written("x0 : 0..1; x1 : 0..1;", guard.plain, changes.plain)
        return Said(written("x[q : 0..1] : 0..1;", guard.fancy, changes.fancy), plain)

    def template(self, protocol: Said, changes: Said) -> Said:
        def written(variables: str, protocol: str, changes: str) -> str:
            return f"""Template T
  Vars: {variables} end Vars
  Actions = {{go}}; Sync = {{sync}};
  Protocol: {protocol} end Protocol
  Evolution: {changes} end Evolution
end Template"""

        stored = " z : {go, sync};" if self.stores else ""
        self.census["an initial value"] += 1
        fancy = f"y[q : 0..1] : 0..1; j : 0..1 = 0;{stored}"
        plain = f"y0 : 0..1; y1 : 0..1; j : 0..1;{stored}"
        return Said(
            written(fancy, protocol.fancy, changes.fancy),
            written(plain, protocol.plain, changes.plain),
        )

    def terminal(self) -> Said:
        ends = self.few()
        fancy = f"TerminalStates {ends.fancy}; end TerminalStates"
        return self.note(
            "terminal states", fancy, f"TerminalStates {ends.plain}; end TerminalStates"
        )

    def initial(self) -> Said:
        stored = " and T.z = go" if self.stores else ""
        at = self.bit()
        fancy = f"Environment.x[0] = 0 and Environment.x[Environment.k] = {at} and T.y[T.j] = 0"
        chosen = [f"Environment.k = {n} and Environment.x{n} = {at}" for n in range(2)]
        plain = f"Environment.x0 = 0 and ({' or '.join(chosen)})"
        plain += " and (T.j = 0 and T.y0 = 0 or T.j = 1 and T.y1 = 0) and T.j = 0"
        end = f"{stored}; end InitStates"
        return Said(f"InitStates {fancy}{end}", f"InitStates {plain}{end}")


def operator_program(seed: int, kinds: tuple[str, ...] = ("some",)) -> tuple[Said, Counter[str]]:
    """Return a random program in two ways, and what occurs in it."""
    made = Operators(seed, kinds)
    return made.program(), made.census
