"""Steps that no fair run of finitely many agents takes for ever, deleted until none is left.

Nodes and agents are given numbers. Where no step leads to a higher number, steps to a lower one are taken
finitely often; where no agent ever gets to a higher number, the steps in which one gets to a lower one are;
and so are those that lower a sum of weights, of the node and of every agent, that no step raises. A run that
goes on for ever then stays where the numbers are the same, and so does each of its agents. Where something is
`missing` there that would have to recur, it does not stay.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gnomon.certificate.deductive.tableau import Tableau
from gnomon.certificate.parameterised.counted_steps import CountedPopulations, CountedState
from gnomon.certificate.parameterised.watched_paths import CountedNode, WatchedStep
from gnomon.certificate.rejection import Rejected, require, shown
from gnomon.certificate.shape import integer, integers, items, member, row, string
from gnomon.model.parameterised.query import FairCondition

#: Some of the others in a place of a node, both by their numbers.
OthersAt: TypeAlias = tuple[int, int]


class RemainingSteps:
    """The steps that may still recur."""

    def __init__(
        self,
        populations: CountedPopulations,
        tableau: Tableau,
        nodes: Sequence[CountedNode],
        steps: Iterable[WatchedStep],
    ) -> None:
        """Begin with all of them."""
        self.steps = list(steps)
        self._populations = populations
        self._tableau = tableau
        self._nodes = nodes
        self._promise = populations.system.promise

    def delete(self, data: object) -> None:
        """Delete what one entry of a certificate gives the reasons for."""
        match member(data, "kind"):
            case "components":
                self._by_component(data)
            case "strands":
                self._by_strand(data)
            case "weights":
                self._by_weight(data)
            case kind:
                raise Rejected(f"an unknown kind of deletion: {shown(kind)}")
        self._drop_ends()

    def _drop_ends(self) -> None:
        """Delete what leads to where no step is left: who goes on for ever does not go there."""
        entering: dict[int, list[WatchedStep]] = {}
        leaving = Counter(step.source for step in self.steps)
        for step in self.steps:
            entering.setdefault(step.target, []).append(step)
        ends = {node for node in entering if not leaving[node]}
        waiting = list(ends)
        while waiting:
            for step in entering.get(waiting.pop(), ()):
                leaving[step.source] -= 1
                if not leaving[step.source]:
                    ends.add(step.source)
                    waiting.append(step.source)
        if ends:
            self.steps = [step for step in self.steps if step.target not in ends]

    def _without(self, nodes: set[int]) -> None:
        self.steps = [s for s in self.steps if s.source not in nodes and s.target not in nodes]

    def _state(self, node: int) -> CountedState:
        return self._nodes[node].state

    # Components

    def _by_component(self, data: object) -> None:
        numbers = _numbers(member(data, "numbers"), 1)
        kept: list[WatchedStep] = []
        groups: dict[int, list[WatchedStep]] = {}
        for step in self.steps:
            before, after = _of(numbers, (step.source,)), _of(numbers, (step.target,))
            require(after <= before, "a step leads to a higher number")
            if after == before:
                kept.append(step)
                groups.setdefault(before, []).append(step)
        self.steps = kept
        gone: set[int] = set()
        for each in items(member(data, "missing")):
            number, what, which = row(each, 3)
            group = groups.get(integer(number), [])
            gone |= self._where_missing(group, string(what), integer(which))
        self._without(gone)

    def _where_missing(self, group: list[WatchedStep], what: str, which: int) -> set[int]:
        """Return the nodes where no run stays that takes the steps of a group only."""
        nodes = {step.source for step in group}
        match what:
            case "promise":
                require(0 <= which < len(self._tableau.promises), "there is no such promise")
                promise = self._tableau.promises[which]
                late = (promise in self._tableau.nodes[self._nodes[n].watching].late for n in nodes)
                require(all(late), "a promise is kept")
                return nodes
            case "fair":
                require(not any(self._recurs(self._fair(which), n) for n in nodes), _FAIR)
                return nodes
            case "environment":
                acts = any(step.step.environment_acts for step in group)
                able = {n for n in nodes if self._populations.able(self._state(n)).environment}
            case "self":
                acts = any(step.step.own_acts for step in group)
                able = {n for n in nodes if self._self_is_able(self._state(n))}
            case _:
                raise Rejected(f"nothing that can be missing: {shown(what)}")
        require(not acts, "who is said to be treated unfairly acts")
        return self._broken(able, nodes)

    def _self_is_able(self, state: CountedState) -> bool:
        return state.own is not None and state.own in self._populations.able(state).places

    def _broken(self, able: set[int], nodes: set[int]) -> set[int]:
        """Return where a promise is broken to somebody who does not act, and is `able` in some nodes."""
        match self._promise:
            case "strong":
                return able
            case "weak":
                require(able == nodes, "who is said to be treated unfairly is not able everywhere")
                return nodes
            case "none":
                raise Rejected("nothing was promised to anybody")

    def _fair(self, which: int) -> FairCondition:
        fairness = self._populations.system.fairness
        require(0 <= which < len(fairness), "there is no such condition")
        return fairness[which]

    def _recurs(self, fair: FairCondition, node: int) -> bool:
        """Return whether a condition holds in a node, of the whole or of `self`."""
        state = self._state(node)
        if fair.template:
            require(
                fair.template == self._populations.template,
                "the condition is not about the distinguished agent",
            )
        own = state.own if fair.template else None
        return self._populations.holds(fair.condition, state, own)

    # Strands

    def _by_strand(self, data: object) -> None:
        numbers = _numbers(member(data, "numbers"), 2)
        kept: list[WatchedStep] = []
        moving: set[int] = set()
        for step in self.steps:
            ways = [
                (
                    _of(numbers, (step.source, strand.source)),
                    _of(numbers, (step.target, strand.target)),
                    strand.moved,
                )
                for strand in step.step.strands
            ]
            require(all(b >= a for b, a, _ in ways), "an agent gets to a higher number")
            if all(before == after for before, after, _ in ways):
                kept.append(step)
                moving |= {before for before, _, moved in ways if moved}
        self.steps = kept
        groups: dict[int, list[OthersAt]] = {}
        for node in {step.source for step in kept}:
            for place, _ in self._state(node).others:
                groups.setdefault(_of(numbers, (node, place)), []).append((node, place))
        gone: set[int] = set()
        for each in items(member(data, "missing")):
            number, what, which = row(each, 3)
            group = groups.get(integer(number), [])
            match string(what):
                case "agent":
                    require(integer(number) not in moving, "who is treated unfairly acts")
                    gone |= self._where_unfair(group)
                case "fair":
                    gone |= self._where_unmet(group, self._fair(integer(which)))
                case _:
                    raise Rejected(f"nothing that an agent misses: {shown(what)}")
        self._without(gone)

    def _where_unfair(self, group: list[OthersAt]) -> set[int]:
        """Return the nodes where no agent of a group stays that never acts."""
        able = [
            (node, place)
            for node, place in group
            if place in self._populations.able(self._state(node)).places
        ]
        require(
            self._promise != "weak" or len(able) == len(group),
            "who is said to be treated unfairly is not able everywhere",
        )
        return self._broken({node for node, _ in able}, {node for node, _ in able})

    def _where_unmet(self, group: list[OthersAt], fair: FairCondition) -> set[int]:
        """Return the nodes where no agent of a group stays, as a condition is never met there."""
        require(fair.template, "the condition is not about agents")
        places = self._populations.places
        own = [(node, place) for node, place in group if places[place][0] == fair.template]
        met = (self._populations.holds(fair.condition, self._state(n), place) for n, place in own)
        require(not any(met), _FAIR)
        return {node for node, _ in own}

    # Weights

    def _by_weight(self, data: object) -> None:
        # What has no weight weighs nothing.
        nodes = defaultdict(int, _numbers(member(data, "nodes"), 1))
        places = defaultdict(int, _numbers(member(data, "places"), 2))
        kept: list[WatchedStep] = []
        for step in self.steps:
            change = nodes[step.target,] - nodes[step.source,]
            for strand in step.step.strands:
                more = places[step.target, strand.target] - places[step.source, strand.source]
                require(strand.exact or more <= 0, "any number of agents may raise the sum")
                change += strand.number * more
            require(change <= 0, "a step raises the sum")
            if change == 0:
                kept.append(step)
        self.steps = kept


_FAIR = "a condition that is said to be missing holds"


def _numbers(data: object, length: int) -> dict[tuple[int, ...], int]:
    """Return the number of each node, or of each place of each node."""
    found: dict[tuple[int, ...], int] = {}
    for each in items(data):
        *key, number = integers(row(each, length + 1))
        require(tuple(key) not in found, "something has two numbers")
        found[tuple(key)] = number
    return found


def _of(numbers: dict[tuple[int, ...], int], key: tuple[int, ...]) -> int:
    found = numbers.get(key)
    if found is None:
        raise Rejected("a node, or a place in one, has no number")
    return found
