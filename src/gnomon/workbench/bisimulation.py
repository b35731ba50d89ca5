"""The coarsest classes of nodes that have the same label and lead to the same classes."""

from collections.abc import Hashable, Sequence

from gnomon.model.budget import Budget


def bisimulation_classes(
    labels: Sequence[Hashable], following: Sequence[Sequence[int]], budget: Budget
) -> list[int]:
    """Return the number of the class of each node: strong bisimulation, whatever arrows are called.

    Classes are split as long as their nodes lead to different classes. The largest part of one that is split
    keeps its number, so that a node changes its class no more often than its class can be halved (Hopcroft
    1971); only what leads to nodes with a new class has to be looked at again.
    """
    first: dict[Hashable, int] = {}
    found = [first.setdefault(label, len(first)) for label in labels]
    members: list[set[int]] = [set() for _ in first]
    for node, number in enumerate(found):
        members[number].add(node)
    leading: list[list[int]] = [[] for _ in found]
    for node, targets in enumerate(following):
        for target in targets:
            leading[target].append(node)
    waiting = set(range(len(found)))
    while waiting:
        budget.check("folding", len(members))
        # All are compared before anything changes: what they lead to now is what tells them apart.
        groups: dict[int, dict[frozenset[int], list[int]]] = {}
        for node in sorted(waiting):
            leads_to = frozenset(found[each] for each in following[node])
            groups.setdefault(found[node], {}).setdefault(leads_to, []).append(node)
        waiting = set()
        for number, parts in groups.items():
            for part in _leaving(members[number], list(parts.values())):
                members[number].difference_update(part)
                members.append(set(part))
                for node in part:
                    found[node] = len(members) - 1
                    waiting.update(leading[node])
    return found


def _leaving(members: set[int], looked_at: list[list[int]]) -> list[list[int]]:
    """Return the parts that leave a class, of which some members were looked at: all but the largest.

    The others lead to what they led to before, which no longer is where any of these lead.
    """
    largest = max(looked_at, key=len)
    others = len(members) - sum(map(len, looked_at))
    if others >= len(largest):
        return looked_at
    leaving = [part for part in looked_at if part is not largest]
    if others:
        leaving.append(sorted(members.difference(*looked_at)))
    return leaving
