"""Random programs whose environment points to agents, and what they mean with agents who are somebody.

The meaning is worked out from the same choices as the text, and knows nothing of flags or of those who let
go: a pointer is the number of an agent, or None.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

#: The largest value of a number.
TOP = 2


class Agent(NamedTuple):
    """What an agent is like."""

    template: str
    x: int
    w: bool


class Now(NamedTuple):
    """A number, whom each pointer points to, and the agents."""

    k: int
    pointers: tuple[int | None, ...]
    agents: tuple[Agent, ...]


class Line(NamedTuple):
    """What is assigned, by name, where a condition holds."""

    target: str
    value: Any
    guard: Any


class Action(NamedTuple):
    """An action: how many do it, who can where, what it does; and what all others do meanwhile."""

    name: str
    kind: str
    allowed: dict[str, Any]
    changes: dict[str, list[Line]]
    follower: "Action | None" = None


class PointerProgram:
    """A random program."""

    def __init__(self, seed: int) -> None:
        """Choose everything."""
        self.rng = rng = random.Random(seed)
        self.census: Counter[str] = Counter()
        self.templates = ["T", "V"] if rng.random() < 0.3 else ["T"]
        self.pointers = {
            name: rng.choice(self.templates) for name in ("p", "q")[: rng.choice([1, 1, 1, 2])]
        }
        self.census["two pointers"] += len(self.pointers) > 1
        self.bounds = {
            name: rng.choice(["", "", "", "[1..*]", "[0..2]", "[1..1]", "[0..0]"])
            for name in self.templates
        }
        self.actions = [
            self._action(f"a{n}", first=n == 0) for n in range(rng.choice([1, 2, 2, 3]))
        ]
        self.local = [self._local(f"l{n}") for n in range(rng.choice([0, 1, 1, 2]))]
        self.bad = self._bad()

    # Choices

    def _condition(self, who: str, depth: int = 2, *, looks: bool = True) -> Any:
        rng = self.rng
        if depth and rng.random() < 0.5:
            parts = [self._condition(who, depth - 1, looks=looks) for _ in range(2)]
            return (rng.choice(["and", "or"]), *parts)
        name = rng.choice(list(self.pointers))
        choices: list[Any] = [
            ("true",),
            ("k", rng.choice(["=", "<>"]), rng.randint(0, TOP)),
            ("none", name, rng.choice(["=", "=", "<>"])),
            ("none", name, rng.choice(["=", "=", "<>"])),
        ]
        if who != "E":
            choices += [("x", None, rng.randint(0, TOP)), ("w", None, rng.random() < 0.5)]
        if who == self.pointers[name]:
            choices += [("points", name, None, rng.choice(["=", "=", "<>"]))] * 3
        if looks and who == "E":
            choices += [("through", name, rng.choice(["x", "w"]), rng.randint(0, 1))] * 2
        if looks:
            template = rng.choice(self.templates)
            inner: Any = ("x", "j", rng.randint(0, TOP))
            if template == self.pointers[name] and rng.random() < 0.6:
                inner = ("and", inner, ("points", name, "j", rng.choice(["=", "<>"])))
            if template == who and rng.random() < 0.6:
                inner = ("and", inner, ("other", "j", None))
            choices += [("exists", "j", template, inner)]
        return rng.choice(choices)

    def _lines(self, who: str) -> list[Line]:
        rng = self.rng
        found = []
        for target in ("k",) if who == "E" else ("x", "w"):
            if rng.random() < 0.55:
                value: Any = rng.random() < 0.6 if target == "w" else rng.choice([0, 1, 2, "+1"])
                guard = ("true",) if rng.random() < 0.6 else self._condition(who, 1, looks=False)
                found.append(Line(target, value, guard))
        return found

    def _action(self, name: str, *, first: bool) -> Action:
        """Choose an action; the first one mostly takes a pointer."""
        rng = self.rng
        kind = rng.choice(["one", "one", "one", "some", "all"])
        template = rng.choice([*self.templates, *self.pointers.values()])
        if first:
            kind, template = "one", self.pointers["p"]
        several = not first and len(self.templates) > 1 and rng.random() < 0.3
        leaders = list(self.templates) if several else [template]
        allowed = {"E": ("true",) if rng.random() < 0.4 else self._condition("E")}
        changes = {"E": self._lines("E")}
        if first and rng.random() < 0.7:
            allowed = {"E": rng.choice([("true",), ("none", "p", "=")])}
        for pointer, to in self.pointers.items():
            if not first and rng.random() < 0.35:
                continue
            takes = kind == "one" and leaders == [to] and rng.random() < 0.85
            value = "doer" if takes else "none"
            guard = ("true",) if rng.random() < 0.6 else self._condition("E", 1, looks=False)
            changes["E"].append(Line(pointer, value, guard))
            self.census[value] += 1
            if rng.random() < 0.3 and guard != ("true",):
                changes["E"].append(Line(pointer, "none", ("not", guard)))
                self.census["two lines"] += 1
        for leader in leaders:
            simple = rng.random() < (0.7 if first else 0.35)
            allowed[leader] = ("true",) if simple else self._condition(leader, looks=kind != "all")
            changes[leader] = self._lines(leader)
        follower = None
        if rng.random() < 0.3:
            follower = Action(f"f{name}", "all", {}, {})
            for each in self.templates:
                if rng.random() < 0.7:
                    follower.allowed[each] = self._condition(each, looks=False)
                    follower.changes[each] = [
                        line for line in self._lines(each) if line.value != "+1"
                    ]
            follower = follower if follower.allowed else None
            self.census["a follower"] += follower is not None
        return Action(name, kind, allowed, changes, follower)

    def _local(self, name: str) -> Action:
        who = self.rng.choice([*self.templates, "E"])
        allowed = ("true",) if self.rng.random() < 0.3 else self._condition(who)
        return Action(name, "local", {who: allowed}, {who: self._lines(who)})

    def _bad(self) -> Any:
        rng = self.rng
        name = rng.choice(list(self.pointers))
        i: Any = ("and", ("points", name, "i", "="), ("x", "i", rng.randint(0, TOP)))
        held = ("exists", "i", self.pointers[name], i)
        template = rng.choice(self.templates)
        there = ("exists", "i", template, ("x", "i", rng.randint(1, TOP)))
        free = ("and", ("none", name, rng.choice(["=", "<>"])), there)
        number = ("and", ("k", "=", rng.randint(1, TOP)), ("none", name, "<>"))
        return rng.choice([held, held, free, number, ("and", held, there)])

    # What conditions mean

    def holds(self, condition: Any, now: Now, who: dict[str | None, int]) -> Any:
        """Return whether a condition holds; None stands for `self`."""
        match condition:
            case ("true",):
                return True
            case ("not", inner):
                return not self.holds(inner, now, who)
            case ("and", *parts):
                return all(self.holds(part, now, who) for part in parts)
            case ("or", *parts):
                return any(self.holds(part, now, who) for part in parts)
            case ("k", operator, value):
                return (now.k == value) == (operator == "=")
            case ("x", index, value):
                return now.agents[who[index]].x == value
            case ("w", index, value):
                return now.agents[who[index]].w == value
            case ("none", name, operator):
                return (self._pointer(name, now) is None) == (operator == "=")
            case ("points", name, index, operator):
                return (self._pointer(name, now) == who[index]) == (operator == "=")
            case ("through", name, variable, value):
                agent = self._pointer(name, now)
                return agent is not None and getattr(now.agents[agent], variable) == value
            case ("other", one, another):
                return who[one] != who[another]
            case ("exists", index, template, body):
                return any(
                    agent.template == template and self.holds(body, now, {**who, index: number})
                    for number, agent in enumerate(now.agents)
                )
        raise ValueError(condition)

    def _pointer(self, name: str, now: Now) -> int | None:
        return now.pointers[list(self.pointers).index(name)]

    # What steps do

    def after(self, action: Action, number: int, now: Now) -> Agent | None:
        """Return what becomes of an agent that does an action, None where it cannot."""
        agent = now.agents[number]
        guard = action.allowed.get(agent.template)
        if guard is None or not self.holds(guard, now, {None: number}):
            return None
        for line in action.changes[agent.template]:
            if self.holds(line.guard, now, {None: number}):
                before = now.agents[number]
                value = before.x + 1 if line.value == "+1" else line.value
                if line.target == "x" and value > TOP:
                    return None
                change: dict[str, Any] = {line.target: value}
                agent = agent._replace(**change)
        return agent

    def environment(self, action: Action, now: Now) -> int | None:
        """Return the number after an action, None where the environment cannot do it."""
        guard = action.allowed.get("E")
        if guard is None or not self.holds(guard, now, {}):
            return None
        k = now.k
        for line in action.changes["E"]:
            if line.target == "k" and self.holds(line.guard, now, {}):
                k = now.k + 1 if line.value == "+1" else line.value
        return k if k <= TOP else None

    def steps(self, now: Now) -> Iterator[Now]:
        """Yield where one step leads, in which somebody acts."""
        numbers = range(len(now.agents))
        options: list[list[Agent | None]] = []
        for number in numbers:
            moved = [self.after(each, number, now) for each in self.local]
            options.append([None, *(agent for agent in moved if agent is not None)])
        ks = [self.environment(each, now) for each in self.local]
        for k in (None, *(k for k in ks if k is not None)):
            for agents in product(*options):
                if k is not None or any(agents):
                    pairs = zip(agents, now.agents, strict=True)
                    new = tuple(before if agent is None else agent for agent, before in pairs)
                    yield Now(now.k if k is None else k, now.pointers, new)
        for action in self.actions:
            k = self.environment(action, now)
            if k is None:
                continue
            able = [self.after(action, number, now) for number in numbers]
            for who in product(*((False, True) if agent else (False,) for agent in able)):
                if self._is_complete(action.kind, who, able):
                    yield self._together(action, k, who, able, now)

    def _is_complete(self, kind: str, who: tuple[bool, ...], able: list[Agent | None]) -> bool:
        if kind == "all":
            return all(
                chosen == (agent is not None) for chosen, agent in zip(who, able, strict=True)
            )
        return sum(who) == 1 if kind == "one" else any(who)

    def _together(
        self, action: Action, k: int, who: tuple[bool, ...], able: list[Agent | None], now: Now
    ) -> Now:
        agents = []
        for number, chosen in enumerate(who):
            found = able[number] if chosen else None
            if not chosen and action.follower is not None:
                found = self.after(action.follower, number, now)
            agents.append(found or now.agents[number])
        pointers = list(now.pointers)
        for number, name in enumerate(self.pointers):
            for line in action.changes["E"]:
                if line.target == name and self.holds(line.guard, now, {}):
                    pointers[number] = who.index(True) if line.value == "doer" else None
        return Now(k, tuple(pointers), tuple(agents))

    def starts(self, members: tuple[str, ...]) -> list[Now]:
        """Return where a population may start: each agent with any `w`."""
        empty = (None,) * len(self.pointers)
        kinds = product(*((Agent(name, 0, False), Agent(name, 0, True)) for name in members))
        return [Now(0, empty, agents) for agents in kinds]

    def reachable(self, members: tuple[str, ...]) -> set[Now]:
        """Return all that a population reaches."""
        waiting = self.starts(members)
        seen = set(waiting)
        for now in waiting:
            for after in self.steps(now):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return seen

    def avoids(self, members: tuple[str, ...], condition: Any) -> bool:
        """Return whether some run of a population, as long as it can be, never satisfies a condition."""
        graph = {
            now: set(self.steps(now))
            for now in self.reachable(members)
            if not self.met(condition, now)
        }
        while True:  # what is left goes on for ever, or ends where nobody can act
            left = {now for now, after in graph.items() if not after or after & graph.keys()}
            if len(left) == len(graph):
                break
            graph = {now: graph[now] for now in left}
        return any(now in graph for now in self.starts(members))

    def met(self, condition: Any, now: Now) -> bool:
        """Return whether a condition on everybody holds."""
        return bool(self.holds(condition, now, {}))

    # As text

    def said(self, condition: Any, who: str) -> str:
        """Return a condition as it is written in a section."""
        outside = "" if who == "E" else "Environment."
        match condition:
            case ("true",):
                return "true"
            case ("not", inner):
                return f"!({self.said(inner, who)})"
            case ("and" | "or" as word, *parts):
                return f" {word} ".join(f"({self.said(part, who)})" for part in parts)
            case ("k", operator, value):
                return f"{outside}k {operator} {value}"
            case ("x" | "w" as variable, index, value):
                shown = str(value).lower()
                return f"{variable} = {shown}" if index is None else f"{index}.{variable} = {shown}"
            case ("none", name, operator):
                return f"{outside}{name} {operator} none"
            case ("points", name, index, operator):
                return f"{outside}{name} {operator} {index or 'self'}"
            case ("through", name, variable, value):
                shown = value if variable == "x" else str(bool(value)).lower()
                return f"{name}.{variable} = {shown}"
            case ("other", one, another):
                return f"{one or 'self'} != {another or 'self'}"
            case ("exists", index, template, body):
                return f"exists {index} : {template} ({self.said(body, who)})"
        raise ValueError(condition)

    def _line(self, line: Line, action: str, who: str) -> str:
        value = str(line.value).lower() if isinstance(line.value, bool) else line.value
        if value == "+1":
            value = f"{line.target} + 1"
        if value == "doer":
            value = self.pointers[line.target]
        guard = f"Action = {action} and ({self.said(line.guard, who)})"
        return f"{line.target} = {value} if {guard};"

    def _part(self, who: str) -> list[str]:
        mine = [each for each in self.actions if who in each.allowed]
        local = [each for each in self.local if who in each.allowed]
        sync = [f"{each.name} : {each.kind}" if who == "E" else each.name for each in mine]
        following = []
        if who != "E":
            following = [
                (each.follower, each.name)
                for each in self.actions
                if each.follower is not None and who in each.follower.allowed
            ]
        sync += [f"{follower.name} : all with {leader}" for follower, leader in following]
        every = [*mine, *local, *(follower for follower, _ in following)]
        if who == "E":
            variables = ["k : 0..2;", *(f"{name} : {to};" for name, to in self.pointers.items())]
        else:
            variables = ["x : 0..2;", "w : boolean;"]
        return [
            f"Vars: {' '.join(variables)} end Vars",
            f"Actions = {{ {', '.join(each.name for each in local)} }};",
            f"Sync = {{ {', '.join(sync)} }};",
            "Protocol:",
            *(f"{self.said(each.allowed[who], who)} : {{ {each.name} }};" for each in every),
            "end Protocol",
            "Evolution:",
            *(self._line(line, each.name, who) for each in every for line in each.changes[who]),
            "end Evolution",
        ]

    def text(self, formula: str = "AG !bad") -> str:
        """Return the program."""
        starts = ["Environment.k = 0", *(f"{name}.x = 0" for name in self.templates)]
        if self.rng.random() < 0.5:
            starts.append(f"Environment.{next(iter(self.pointers))} = none")
        lines = ["Environment", *self._part("E"), "end Environment"]
        for name in self.templates:
            lines += [f"Template {name} {self.bounds[name]}", *self._part(name), "end Template"]
        lines += [
            f"Evaluation bad if {self.said(self.bad, '')}; end Evaluation",
            f"InitStates {' and '.join(starts)}; end InitStates",
            f"Formulae {formula}; end Formulae",
        ]
        return "\n".join(lines) + "\n"
