"""Random programs as text: every section, families, comments everywhere and odd spacing.

What some part of the code treats in a way of its own has to occur: families of nobody and of one, variables
of one value and of very many, agents without variables, actions or choice, groups of nobody, coalitions with
binders, one name in several roles, values outside ranges, deep arithmetic. `test_program_laws.py` counts.
"""

import re
from dataclasses import dataclass, field
from random import Random

_TOKEN = re.compile(
    r"--[^\n]*|CTL\*|[A-Za-z][A-Za-z0-9_]*|[0-9]+|<->|<=|>=|<>|!=|->|:=|\.\.|[^\s]", re.ASCII
)
_COMMENTS = ["--", "-- a word", "--- x = 1;", "-- end Agent", "-- é “quoted” ∀", "--\ttab", "-->-"]
#: Comments that begin like those for us, and are none.
_COMMENTS += [
    "--!",
    "--!!",
    "--!x",
    "--!x deny what",
    "--! what is this",
    "--! AG",
    '--! "',
    "--! x expect unknown",
]
#: Values that are called like an agent, a group, a proposition, an action, a variable of somebody else.
_TAKEN = ["P", "g", "p", "a", "tick", "elsewhere", "then", "else", "min", "in", "xor", "count"]
_BLANKS = ["", " ", "  ", "\t", "\n", "\n\n\n", " \r\n ", "\f", "\v"]


def tokens_of(text: str) -> list[str]:
    """Return the tokens and comments of a text."""
    return _TOKEN.findall(text)


def comments_of(text: str) -> list[str]:
    """Return the comments of a text, without the blanks that end them."""
    return [token.rstrip() for token in tokens_of(text) if token.startswith("--")]


def scatter(text: str, random: Random) -> str:
    """Return the same tokens with other blanks, and other comments between them; those for us stay."""
    result = ""
    before = ""
    for token in tokens_of(text):
        if token.startswith("--! "):
            indented = random.choice(["", " ", "\t", "\f"])
            result += f"\n{indented}{token}{random.choice(['', ' ', chr(9), chr(13)])}\n"
            before = ""
        if token.startswith("--"):
            continue
        gap = random.choice(_BLANKS)
        if random.random() < 0.06:
            apart = " " if before == "-" and not gap else ""
            gap += apart + random.choice(_COMMENTS) + "\n" + random.choice(_BLANKS)
        if before and tokens_of(before + gap + token)[:2] != [before, token] and "--" not in gap:
            gap += " "
        result += gap + token
        before = token
    return result + random.choice(["", "\n", " -- the end", "\n\n"])


@dataclass
class Variable:
    """A variable: "boolean", "number" or "name", with its values as they are written."""

    name: str
    kind: str
    values: list[str]
    #: Its value at the start, where the declaration has one.
    start: str = ""

    def declaration(self) -> str:
        """Return its line in `Vars`."""
        start = f" = {self.start}" if self.start else ""
        if self.kind == "boolean":
            return f"{self.name} : boolean{start};"
        if self.kind == "number":
            return f"{self.name} : {self.values[0]}..{self.values[-1]}{start};"
        return f"{self.name} : {{ {', '.join(self.values)} }}{start};"


@dataclass
class Scope:
    """What an expression may read: variables as they are written there, and actions."""

    variables: list[Variable]
    actions: list[tuple[str, list[str]]] = field(default_factory=list)
    #: Definitions that look at actions.
    deeds: list[str] = field(default_factory=list)

    def of(self, kind: str) -> list[Variable]:
        """Return the variables of one kind."""
        return [variable for variable in self.variables if variable.kind == kind]


class Writer:
    """Writes random expressions, formulae and programs that are well typed."""

    def __init__(self, random: Random, *, families: bool = True, small: bool = False) -> None:
        """Draw every choice from `random`; a small program has few variables, and so few states."""
        self.random = random
        self.families = families
        self.small = small
        self._indices = 0
        #: Whether the environment has `arr[-1..1]`, numbers, and `bit[0..0]`, a truth value.
        self.arrays = False
        #: The names of formulae so far.
        self.labels: list[str] = []

    def chance(self, probability: float) -> bool:
        """Return True that often."""
        return self.random.random() < probability

    def index(self) -> str:
        """Return an index that is used nowhere else: none may be bound twice."""
        self._indices += 1
        return f"k{self._indices}"

    # Expressions

    def number(self, scope: Scope, depth: int = 2, *, whole: bool = False) -> str:
        """Return an expression whose value is a number, or surely a whole one."""
        pick = self.random.choice
        numbers = scope.of("number")
        if depth <= 0 or self.chance(0.3):
            if numbers and self.chance(0.7):
                return pick(numbers).name
            return str(self.random.randint(-2, 12))
        left, right = (self.number(scope, depth - 1, whole=True) for _ in range(2))
        if self.chance(0.03):
            # As deep as it gets, on one side; lines are broken before sums and nowhere else.
            for _ in range(3):
                for operator in (pick(["*", "div", "mod"]), pick("+-")):
                    left = f"({left} {operator} {self.number(scope, 0, whole=True)})"
        shapes = [f"{left} {operator} {right}" for operator in ("+", "-", "*", "div", "mod")]
        shapes += [f"{left} {operator} {right}" for operator in ("&", "|", "^")]
        shapes += [f"({left})", f"({left}) {pick('+-*')} ({right})", f"- {left}", f"-({left})"]
        shapes += [
            f"~{left}",
            f"~({left} & {right})",
            f"{left} + ~{right}",
            f"({left}) - (- {right})",
        ]
        asked = self.asked(scope)
        shapes += [f"(if {asked} then {left} else {right})", f"number({asked}) + {left}"]
        shapes += [f"min({left}, {right})", f"max({right}, {left}, 1)", f"abs({left})"]
        if not whole:
            # Only on the outside: bits and remainders are of whole numbers.
            shapes += [f"(({left}) / ({right}))", f"(({left}) / ({right}) - 1)"]
        if self.families:
            k = self.index()
            shapes += [
                f"(sum {k} : 1..n ({left} + {k}))",
                f"sum {k} : 0..n where {k} <> 1 ({right})",
                f"count {k} : 1..max(n, 1) ({asked} or {k} = 2)",
                f"(if {k} = n then {left} else {right})".replace(k, "n"),
            ]
        if self.arrays:
            shapes += [f"Environment.arr[({left} + Environment.arr[0]) mod 3 - 1]"] * 3
        return pick(shapes)

    def asked(self, scope: Scope) -> str:
        """Return a condition that a choice depends on: what a variable is, or what somebody does."""
        pick = self.random.choice
        if scope.actions and self.chance(0.4):
            owner, actions = pick(scope.actions)
            return f"{owner}Action = {pick(actions)}"
        if not scope.variables:
            return "1 + 0 = 1"
        variable = pick(scope.variables)
        return f"{variable.name} = {pick(variable.values)}"

    def comparison(self, scope: Scope, depth: int = 2) -> str:
        """Return a comparison of two values of one type."""
        pick = self.random.choice
        kind = pick(["number", "number", "boolean", "name"])
        variables = scope.of(kind)
        if kind == "number" or not variables:
            operator = pick(["=", "<>", "!=", "<", "<=", ">", ">="])
            # A sum is no plain variable, so that no bound is looked at.
            left, right = self.number(scope, depth), self.number(scope, depth)
            if self.chance(0.1):
                return f"{left} + 0 in {{ {right} + 0, -1..{self.number(scope, 0)} + 0 }}"
            return f"{left} + 0 {operator} {right} + 0"
        variable = pick(variables)
        value = pick(variable.values)
        operator = pick(["=", "<>", "!="])
        shapes = [f"{variable.name} {operator} {value}", f"{value} {operator} {variable.name}"]
        chosen = f"(if {self.asked(scope)} then {value} else {variable.name})"
        shapes += [f"{variable.name} in {{ {value}, {pick(variable.values)} }}"]
        shapes += [f"{variable.name} {operator} {chosen}"]
        if kind == "boolean":
            other = pick(variables).name
            shapes += [variable.name, f"({variable.name} ^ {other}) = {value}", f"~{variable.name}"]
            shapes += [f"({variable.name} & {other} | true) {operator} {value}"]
        return pick(shapes)

    def condition(self, scope: Scope, depth: int = 3) -> str:
        """Return a condition."""
        pick = self.random.choice
        if depth <= 0 or self.chance(0.3):
            if scope.actions and self.chance(0.4):
                owner, actions = pick(scope.actions)
                alike = [other for other, known in scope.actions if set(known) & set(actions)]
                if self.chance(0.2):
                    return f"{owner}Action {pick(['=', '<>'])} {pick(alike)}Action"
                return f"{owner}Action {pick(['=', '=', '<>', '!='])} {pick(actions)}"
            if scope.deeds and self.chance(0.3):
                return pick(scope.deeds)
            if self.arrays and self.chance(0.1):
                index = self.number(scope, 1, whole=True)
                return f"Environment.bit[({index} + Environment.arr[1]) mod 1]"
            return self.comparison(scope)
        left, right = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
        shapes = [f"{left} and {right}", f"{left} or {right}", f"({left}) -> ({right})"]
        shapes += [f"{left} and ({right} or {left})", f"!{left}", f"!({left})", f"({left})"]
        shapes += [f"({left} <-> {right})", f"({left}) xor ({right})", f"!({left} xor {right})"]
        shapes += [f"(if {left} then {right} else {self.asked(scope)})"]
        if self.families:
            k, i = self.index(), self.index()
            shapes += [
                f"forall {k} : 1..n ({left})",
                f"exists {k}, {i} : 1..n where {k} < {i} ({left})",
            ]
        return pick(shapes)

    # Formulae

    def formula(self, names: "FormulaNames", logic: str = "CTL", depth: int = 3) -> str:
        """Return a formula without the logic in front."""
        pick = self.random.choice
        if depth <= 0 or self.chance(0.2):
            return self._atom(names)
        one, two = (self.formula(names, logic, depth - 1) for _ in range(2))
        shapes = [f"{one} and {two}", f"{one} or ({two})", f"({one}) -> {two}", f"!({one})"]
        shapes += [f"! {one}", f"({one} -> {two}) -> {one}", f"({one}) and ({two}) and ({one})"]
        shapes += [f"({one}) <-> ({two})", f"({one}) xor ({two})"]
        if logic != "LTL":
            state = self.formula(names, "CTL", depth - 1)
            knows = f"K({pick(names.agents)}, {state})"
            shapes += [knows, f"{pick(['GK', 'GCK', 'DK'])}({pick(names.groups)}, {state})"]
        if logic == "CTL":
            shapes += [f"{pick(['AG', 'EF', 'AX', 'EX', 'AF', 'EG'])} ({one})", f"AG EF {one}"]
            shapes += [f"{pick('AE')} ({one} U {two})", f"{pick('AE')} {pick('XFG')} ({one})"]
            shapes += [f"<{self._coalition(names)}> {pick('XFG')} ({one})"]
            shapes += [
                f"<{self._coalition(names)}> ({one} U {two})",
                f"O({pick(names.agents)}, {one})",
            ]
            who, sides = self._coalition(names), f"({one} {self._until()} {two})"
            shapes += [f"{pick('AE')} {sides}", f"<{who}> {sides}", f"[[{who}]] {sides}"]
            shapes += [f"[[{who}]]{self._prefix()} ({one})", f"A{self._prefix()} ({two})"]
            shapes += [f"GK({{ {', '.join(names.agents)} }}, {one})"]
            # Constants leave less of a formula, sometimes a single step.
            left, right = pick(["true", one]), pick(["true", "false", two])
            quantifier = pick(["A", "E", f"<{who}>"])
            shapes += [f"{quantifier} ({left} {self._until()} {right})"]
            shapes += [f"{quantifier} {self._prefix()} {right}"]
        if logic == "LTL":
            shapes += [f"{pick('XFG')} ({one})", f"({one}) U ({two})", f"{one} U {two} U {one}"]
            shapes += [f"K({pick(names.agents)}, {one})", f"! {one} U {two}", f"G F {one}"]
            shapes += [f"{self._prefix()} ({one})", f"({one}) {self._until()} ({two})"]
        if logic == "CTL*":
            path = self.path(names, depth - 1)
            shapes += [f"{pick('AE')} ({path})", f"{pick(['AG', 'EF'])} ({path})", f"A G ({path})"]
        if self.families and logic != "CTL*":
            k = self.index()
            shapes += [f"forall {k} : 1..n ({one})", f"exists {k} : 1..n where {k} <> 2 ({two})"]
        return pick(shapes)

    def path(self, names: "FormulaNames", depth: int) -> str:
        """Return a path formula of CTL*."""
        pick = self.random.choice
        if depth <= 0:
            return self._atom(names)
        one, two = self.path(names, depth - 1), self.path(names, depth - 1)
        shapes = [
            f"{pick('XFG')} ({one})",
            f"({one}) U ({two})",
            f"({one}) -> ({two})",
            f"({one}) {pick(['<->', 'xor'])} ({two})",
            f"!({one})",
            f"{self._prefix()} ({one})",
            f"({one}) {self._until()} ({two})",
        ]
        shapes += [
            f"{one} and {two}",
            f"G F ({two})",
            f"({self.formula(names, 'CTL*', depth - 1)})",
        ]
        return pick(shapes)

    def _bounds(self) -> str:
        shapes = ["", "<=0", "<=3", " <= 12", "[0,0]", "[2,7]", "[ 1, 1 ]", "[1,2]"]
        if self.families:
            shapes += ["<=n", "<=(n + 1)", "[n - n, 2 * n]"]
        return self.random.choice(shapes)

    def _prefix(self) -> str:
        return self.random.choice("FG") + self._bounds()

    def _until(self) -> str:
        return self.random.choice("UWR") + self._bounds()

    def _coalition(self, names: "FormulaNames") -> str:
        shapes = [*names.groups, *names.agents, ", ".join(names.agents), ""]
        shapes += ["all", f"all \\ {{ {names.agents[0]} }}", "all \\ g, Environment"]
        if names.family:
            shapes += [self.members(names)] * 5
        return self.random.choice(shapes)

    def members(self, names: "FormulaNames") -> str:
        """Return a coalition with a binder: all of a family, some of it, or beside somebody else."""
        k = self.index()
        all_of_them = f"{names.family}[{k} : 1..n]"
        shapes = [all_of_them, f"{names.agents[0]}, {all_of_them}"]
        condition = self.random.choice([f"{k} < n", f"{k} <> 1", f"{k} >= n", f"{k} = 1"])
        shapes += [f"{names.family}[{k} : 1..n where {condition}]"] * 2
        return self.random.choice(shapes)

    def _atom(self, names: "FormulaNames") -> str:
        pick = self.random.choice
        shapes = [pick(names.propositions), pick(names.propositions), "true", "false"]
        shapes += [f"{pick(names.agents)}.{pick(['GreenStates', 'RedStates'])}"]
        numbers = names.scope.of("number")
        if numbers:
            operator = pick(["=", "<>", "<", ">="])
            shapes += [f"{pick(numbers).name} + 1 {operator} {self.number(names.scope, 1)}"]
            shapes += [f"max({pick(numbers).name}, 1) {operator} {self.number(names.scope, 0)} + 0"]
        for variable in names.scope.of("name")[:1]:
            shapes += [f"{variable.name} = {pick(variable.values)}"]
        return pick(shapes)


@dataclass
class FormulaNames:
    """What a formula may speak of."""

    propositions: list[str]
    agents: list[str]
    groups: list[str]
    scope: Scope
    #: The name of a family of agents 1..n, if there is one.
    family: str = ""


def _qualified(owner: str, item: Variable) -> Variable:
    """Return a variable as others write it."""
    return Variable(f"{owner}.{item.name}", item.kind, item.values, item.start)


def _doing(actions: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Return those who have actions."""
    return [(owner, known) for owner, known in actions if known]


class ProgramWriter(Writer):
    """Writes whole programs."""

    def program(self) -> str:
        """Return a program with all its sections."""
        single = self.chance(0.4)
        few = self.small
        observed = self._variables("o", 1 if few else 2)
        hidden = self._variables("h", 1 if few else 2)
        names = ["P", "Q", "Other1"][: self.random.randint(1, 2 if few else 3)]
        owned = {name: self._variables("v", 2 if few else 3) for name in names}
        if not any(owned[names[0]]):
            owned[names[0]] = [Variable("v1", "boolean", ["true", "false"])]
        known = ["a", "b", "none_"]
        actions = {name: known[: self.random.choice([0, 1, 2, 2, 3, 3])] for name in names}
        for name in names:
            if actions[name] and owned[name] and self.chance(0.3):
                # Values that are called like actions, so that actions can be stored.
                owned[name].append(Variable("last", "name", ["never", *actions[name]]))
        actions["Environment"] = ["tick", "tock"][: self.random.choice([0, 1, 1, 1, 2])]
        text = self._head(single=single)
        self.arrays = self.families and self.chance(0.4)
        text += self._definitions(observed, actions)
        text += self._environment(observed, hidden, actions, single=single)
        for name in names:
            text += self._agent(name, owned[name], observed, hidden, actions, single=single)
        family = "Member" if self.families and self.chance(0.5) else ""
        if family:
            text += self._family(single=single)
        every = [_qualified("Environment", item) for item in observed]
        for name in names:
            every += [_qualified(name, item) for item in owned[name]]
        return text + self._questions(names, Scope(every), family, _doing(list(actions.items())))

    def _definitions(self, observed: list[Variable], actions: dict[str, list[str]]) -> str:
        """Return the section of definitions, of what everybody sees and does; it may be empty, or missing."""
        self.defined: list[Variable] = []
        self.deeds: list[str] = []
        if self.chance(0.4):
            return self.random.choice(["", "", "Definitions\nend Definitions\n"])
        scope = Scope([_qualified("Environment", item) for item in observed])
        lines = []
        for number in range(self.random.randint(1, 4)):
            truth = self.chance(0.5)
            body = self.condition(scope, 1) if truth else self.number(scope, 1, whole=True)
            name, head = f"d{number}", f"d{number}"
            if self.families and self.chance(0.3):
                name, head = f"{name}[-1, 2]", f"{name}[{self.index()} : -1..0, n - n + 2]"
            lines.append(f" {head} := {body};")
            values = ["true", "false"] if truth else ["0", "1"]
            self.defined.append(Variable(name, "boolean" if truth else "number", values))
            # Later ones may use it, and do so twice.
            scope.variables += [self.defined[-1]] * 2
        for owner, known in _doing(list(actions.items())):
            if self.chance(0.5):
                deed = f"does{len(self.deeds)}"
                use = self.random.choice([*self.deeds, "false", self.condition(scope, 0)])
                lines.append(f" {deed} := {owner}.Action = {known[-1]} or {use};")
                self.deeds.append(deed)
        return "Definitions\n" + "\n".join(lines) + "\nend Definitions\n"

    def _head(self, *, single: bool) -> str:
        text = "--! allow G0407, G0412\n" if self.chance(0.1) else ""
        if single or self.chance(0.3):
            words = ("SingleAssignment", "SA") if single else ("MultiAssignment", "MA")
            text += f"Semantics = {self.random.choice(words)};\n"
        if self.families:
            number = self.random.choice([0, 1, 1, 2, 2, 2] if self.small else [0, 1, 2, 2, 2, 3])
            block = f"Constants\n n = {number}; m = 2 * n - 1;\nend Constants\n"
            text += self.random.choice(
                [block, block.replace("ts\n", "ts:\n", 1), f"Constants n = {number};\n"]
            )
        return text

    def _variables(self, letter: str, most: int) -> list[Variable]:
        found = []
        for index in range(self.random.randint(0, most)):
            name = f"{letter}{index}"
            kind = self.random.choice(["boolean", "number", "name"])
            values = {
                "boolean": ["true", "false"],
                "number": [str(number) for number in self._range()],
                "name": [f"{name}_e{number}" for number in range(self.random.choice([1, 2, 3, 3]))],
            }[kind]
            if kind == "name" and self.chance(0.4):
                values += self.random.sample(["A", *_TAKEN], 1)
            start = self.random.choice(values) if self.chance(0.2) else ""
            found.append(Variable(name, kind, values, start))
        return found

    def _range(self) -> range:
        """Return a range of few values, of one, or of many."""
        drawn = self.random.random()
        if drawn < 0.25:
            first = self.random.choice([0, 0, 1, -2, 5])
            return range(first, first + 1)
        if drawn < 0.4:
            return range(-3, self.random.choice([14, 30]))
        return range(-1, self.random.randint(1, 2 if self.small else 4))

    def _section(self, name: str, lines: list[str]) -> str:
        return f"{name}:\n" + "\n".join(lines) + f"\nend {name}\n"

    def _environment(
        self,
        observed: list[Variable],
        hidden: list[Variable],
        actions: dict[str, list[str]],
        *,
        single: bool,
    ) -> str:
        text = "Agent Environment\n"
        arrays = ["arr[k : -1..1] : 0..1 = k * k;", "bit[k : 0..0] : boolean = k = 1;"]
        lines = [item.declaration() for item in observed] + arrays * self.arrays
        text += self._section("Obsvars", lines)
        text += self._section("Vars", [item.declaration() for item in hidden])
        own = actions["Environment"]
        others = [(f"{name}.", known) for name, known in actions.items() if name != "Environment"]
        scope = Scope([*observed, *hidden, *self.defined], _doing([*others, ("", own)]), self.deeds)
        behaviour = self._behaviour(scope, [*observed, *hidden], own, single=single)
        if self.arrays:
            index = self.number(Scope(scope.variables), 1, whole=True)
            line = f"arr[({index} + arr[1]) mod 3 - 1] = {self.random.choice('01')}"
            line += f" if {self.condition(scope, 1)};\n"
            behaviour = behaviour.replace("end Evolution", f"{line}end Evolution")
        return text + behaviour

    def _agent(
        self,
        name: str,
        own: list[Variable],
        observed: list[Variable],
        hidden: list[Variable],
        actions: dict[str, list[str]],
        *,
        single: bool,
    ) -> str:
        seen = [item for item in hidden if self.chance(0.5)]
        text = f"Agent {name}\n"
        if seen or self.chance(0.3):
            text += f"Lobsvars = {{ {', '.join(item.name for item in seen)} }};\n"
        if own:
            text += self._section("Vars", [item.declaration() for item in own])
        foreign = [_qualified("Environment", item) for item in [*observed, *seen]]
        others = [(f"{other}.", known) for other, known in actions.items() if other != name]
        doing = _doing([*others, ("", actions[name])])
        local = Scope([*own, *foreign, *self.defined], doing, self.deeds)
        return text + self._behaviour(local, own, actions[name], single=single)

    def _behaviour(
        self, scope: Scope, own: list[Variable], actions: list[str], *, single: bool
    ) -> str:
        still = Scope(scope.variables)
        text = ""
        if self.chance(0.3):
            text += self._section("RedStates", [f"{self.condition(still, 1)};"] * self.chance(0.8))
        text += f"Actions = {{ {', '.join(actions)} }};\n"
        lines = [
            f"{self.condition(still, 2)} : {{ {self.random.choice(actions)} }};"
            for _ in range(self.random.randint(0, 2) if actions else 0)
        ]
        if actions:
            lines.append(f"Other : {{ {', '.join(actions)} }};")
        text += self._section("Protocol", lines)
        lines = [
            f"{self._assignments(own, scope, single=single)} if {self.condition(scope, 2)};"
            for _ in range(self.random.randint(0, 3) if own else 0)
        ]
        if lines and self.families and self.chance(0.3):
            k = self.index()
            lines = [f"for {k} : 1..n, l : {k}..n:", *lines, "end for"]
        return text + self._section("Evolution", lines) + "end Agent\n"

    def _assignments(self, own: list[Variable], scope: Scope, *, single: bool) -> str:
        count = 1 if single else self.random.randint(1, len(own))
        parts = []
        for variable in self.random.sample(own, count):
            value = self.random.choice(variable.values)
            if variable.kind == "number" and self.chance(0.5):
                value = f"{self.number(self._now_and_then(scope), 2)} + 0"
            elif variable.name == "last" and self.chance(0.6):
                value = "Action"
            elif variable.kind != "number" and self.chance(0.3):
                other = self.random.choice(variable.values)
                asked = self.asked(self._now_and_then(scope))
                value = f"if {asked} then {value} else {other}"
            parts.append(f"{variable.name} = {value}")
        bracket = self.chance(0.3)
        return f"({' and '.join(parts)})" if bracket else " and ".join(parts)

    def _now_and_then(self, scope: Scope) -> Scope:
        """Return the scope of an assigned value: few of them look at actions, since each is many lines."""
        return scope if self.chance(0.3) else Scope(scope.variables)

    def _family(self, *, single: bool) -> str:
        own = [Variable("c[i]", "number", ["0", "1", "2"])]
        text = "Agent Member[i : 1..n]\nVars: c[i] : 0..n - n + 2; d[k : 0..n - 1] : boolean; end Vars\n"
        scope = Scope(own, [("", ["go[1]"])])
        return text + self._behaviour(scope, own, ["go[1]"], single=single).replace(
            "Actions = { go[1] }", "Actions = { go[k : 1..n] }"
        )

    def _initial(self, scope: Scope) -> str:
        """Return where it starts: mostly, with definite values for most variables."""
        if self.chance(0.25):
            return self.condition(scope, 2)
        pinned = [
            f"{variable.name} = {self.random.choice(variable.values)}"
            for variable in scope.variables
            if self.chance(0.8) and not variable.start
        ]
        return " and ".join(pinned) or "true"

    def _questions(
        self,
        names: list[str],
        scope: Scope,
        family: str,
        actions: list[tuple[str, list[str]]],
    ) -> str:
        wide = Scope([*scope.variables, *self.defined])
        text = f"Evaluation\n p if {self.condition(wide, 2)};\n"
        # The last two are called like an agent and like a variable.
        more = ["q0", "q1", "P", "v0"]
        text += "".join(f" {name} if {self.condition(wide, 1)};\n" for name in more)
        text += self.random.choice(["", " r[k : 1..n] if 1 = k;\n"]) * self.families
        text += f"end Evaluation\nInitStates\n {self._initial(scope)};\nend InitStates\n"
        if self.chance(0.3):
            text += f"TerminalStates\n {self.condition(scope, 1)};\nend TerminalStates\n"
        members = [*names, *([f"{family}[{self.index()} : 1..n]"] if family else [])]
        text += f"Groups\n g = {{ {', '.join(members)} }};\n h = {{ Environment }};\n"
        # A group without members, and one that is called like an agent.
        text += f" nobody = {{ }};\n P = {{ {names[-1]} }};\n rest = all \\ {{ {names[0]} }};\n"
        text += "end Groups\n"
        truths = [item.name for item in self.defined if item.kind == "boolean"]
        known = FormulaNames(
            ["p", "q0", "q1", "P", "v0", *truths],
            [*names, "Environment"],
            ["g", "h", "nobody", "P", "rest", "all"],
            Scope([*scope.variables, *self.defined]),
            family,
        )
        text += self._fairness(known, actions) + "Formulae\n"
        if family and self.chance(0.4):
            asked = self.formula(known, "CTL", 1)
            text += f" <{self.members(known)}>{self.random.choice('XFG')} ({asked});\n"
        if self.families and self.chance(0.4):
            text += self._named_family(known)
        for logic in self.random.sample(["CTL", "CTL", "LTL", "CTL*"], self.random.randint(1, 3)):
            prefix = "" if logic == "CTL" else f"{logic} "
            text += self._said(f"{prefix}{self.formula(known, logic)}")
        return text + "end Formulae\n"

    def _fairness(self, names: "FormulaNames", actions: list[tuple[str, list[str]]]) -> str:
        """Return what holds or is done again and again, if anything has to be."""
        if self.chance(0.5):
            return ""
        lines = self.random.sample(["p", "EF q0", "K(P, q1)"], self.random.choice([0, 1, 1]))
        if actions and self.chance(0.5):
            lines.insert(self.random.randint(0, len(lines)), self._done(names, actions))
        return "Fairness\n" + "".join(f" {line};\n" for line in lines) + "end Fairness\n"

    def _done(self, names: "FormulaNames", actions: list[tuple[str, list[str]]]) -> str:
        """Return what is done in a step, in a state or another."""
        pick = self.random.choice
        (one, known), (two, others) = pick(actions), pick(actions)
        left = f"{one}.Action {pick(['=', '=', '<>', '!='])} {pick(known)}"
        right, here = f"{two}.Action = {pick(others)}", self._atom(names)
        shapes = [left, left, f"!({left})", f"{left} or {right}", f"({left}) xor {right}"]
        shapes += [f"{here} and {left}", f"{left} -> {here}", f"({left}) <-> ({right} or {here})"]
        shapes += [f"{one}.Action in {{ {', '.join(known)} }} and {left}"]
        shapes += [f"{deed} or {left}" for deed in self.deeds]
        if set(known) & set(others):
            shapes += [f"{one}.Action = {two}.Action"]
        if names.family:
            k = self.index()
            shapes += [f"exists {k} : 1..n ({names.family}[{k}].Action = go[1] or {left})"]
        return pick(shapes)

    def _said(self, formula: str) -> str:
        """Return a line of `Formulae`, with what may be said about it in either way, or in both."""
        name = self._label() if self.chance(0.5) else ""
        verdict = self.random.choice(["true", "false", "undefined"])
        expected = f"expect {verdict}" if self.chance(0.5) else ""
        return self._line(formula, name, expected)

    def _label(self) -> str:
        """Return a name that no other formula has; it may be one of something else."""
        free = [
            word
            for word in ("expect", "P", "p", "allow", "for", "forall")
            if word not in self.labels
        ]
        name = self.random.choice([f"f{len(self.labels)}", *free[:2]])
        self.labels.append(name)
        if self.families and self.chance(0.3):
            return name + self.random.choice(["[n]", "[n - 1, 2]", "[-1]", "[ 0 , n * 2 ]"])
        return name

    def _line(self, formula: str, name: str, expected: str) -> str:
        before = [name and self.chance(0.5), expected and self.chance(0.5)]
        within = [name and not (before[0] and self.chance(0.8))]
        within += [expected and not (before[1] and self.chance(0.8))]
        label = f"{name} : " if within[0] else ""
        line = f" {label}{formula} {expected if within[1] else ''};\n"
        noted = [part for part, wanted in zip((name, expected), before, strict=True) if wanted]
        if len(noted) == 2 and self.chance(0.5):
            return "".join(f" --! {part}\n" for part in noted) + line
        return (f" --! {self.random.choice([' ', ' : ']).join(noted)}\n" if noted else "") + line

    def _named_family(self, names: "FormulaNames") -> str:
        k = self.index()
        formula = self.formula(names, "CTL", 1)
        expected = self.random.choice(["", "expect true", "expect undefined"])
        self.labels.append("safe")
        if self.chance(0.5):
            return self._line(formula, f"safe[{k} : 1..n where {k} <> 2]", expected)
        return f" for {k} : 1..n:\n{self._line(formula, f'safe[{k}, n]', expected)} end for\n"
