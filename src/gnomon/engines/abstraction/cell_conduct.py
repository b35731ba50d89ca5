"""What a player does in cells, as a list: conditions one after the other, each with a move for all its cells.

Without this, proofs would have to say what is done cell by cell.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gnomon.engines.abstraction.attractors import EVERY_PATH, GameSide
from gnomon.engines.abstraction.cell_moves import Resolved, Unit
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.agent import EvolutionLine
from gnomon.model.scheduled import who_acts
from gnomon.text.errors import Bug


class ConductEntry(NamedTuple):
    """Where something is done, over cells and what the members do; the actions; and the lines taken.

    Lines are by unit, its agent and its variable, or "" where lines are picked for the whole agent.
    """

    where: Diagram
    actions: Mapping[str, str]
    lines: tuple[tuple[str, str, tuple[int, ...]], ...]


class CellConduct(NamedTuple):
    """The entries, and the moves that they allow, over cells, actions and choices."""

    entries: tuple[ConductEntry, ...]
    moves: Diagram


def nothing_done(space: CellSpace) -> CellConduct:
    """Return what nobody does: all moves are allowed."""
    return CellConduct((), space.diagrams.true)


def conduct_of(
    space: CellSpace, player: GameSide, parts: Iterable[tuple[Diagram, Diagram]]
) -> CellConduct:
    """Return a list of what a player does in several sets of cells.

    With each come the moves that are good there, over cells, actions, choices and next cells.
    """
    d = space.diagrams
    mode, members = player
    if player == EVERY_PATH:
        return nothing_done(space)
    options, domain = d.false, d.false
    for cells, good in parts:
        forbidden = d.minus(space.reachable_after, good)
        found = space.forcing if mode == "surely" else space.answering
        options = d.either(options, d.both(cells, found(members, forbidden)))
        domain = d.either(domain, cells)
    if mode == "never":
        acting = space.moves_against(members).acting
        for name in space.moves.enabled:
            if name in members:
                domain = d.both(domain, acting[name].diagram)
        if members:  # a choice that cannot be completed takes no answer
            others = [name for name in space.moves.enabled if name not in members]
            domain = d.minus(domain, space.moves.unable(others))
    return _list(space, player, options, domain)


def _list(space: CellSpace, player: GameSide, options: Diagram, domain: Diagram) -> CellConduct:
    d = space.diagrams
    mode, members = player
    acting = [
        agent.name
        for agent in space.system.agents
        if agent.actions and (agent.name in members) == (mode == "surely")
    ]
    # Where one event happens at a time, what others would do makes no difference.
    told = who_acts(space.system, members)
    own = space.action_levels(acting)
    if mode == "never":
        own = [*own, *space.choice_levels]
    cube = d.cube(own)
    entries: list[ConductEntry] = []
    moves, left = d.false, domain
    while left != d.false:
        space.budget.check("writing down what is done", len(entries))
        now = d.both(options, left)
        if now == d.false:
            msg = "a player that wins has no move"
            raise Bug(msg)
        resolved = space.moves.decoded(d.pick(now), {})
        fixed = _fixed(space, acting, resolved, with_lines=mode == "never")
        where = d.both_exists(options, fixed, cube)
        actions = {name: resolved.actions[name] for name in acting if name in told}
        lines = tuple(lines_taken(space, resolved)) if mode == "never" else ()
        entries.append(ConductEntry(d.both(where, domain), actions, lines))
        moves = d.either(moves, d.both(d.both(where, domain), fixed))
        left = d.minus(left, where)
    return CellConduct(tuple(entries), moves)


def _fixed(
    space: CellSpace, acting: Iterable[str], resolved: Resolved, *, with_lines: bool
) -> Diagram:
    """Return that some agents do what is given and, if wanted, that the lines given are taken."""
    parts = [space.cells.does(name, resolved.actions[name]) for name in acting]
    if with_lines:
        for unit, choice in zip(space.moves.units, resolved.choices, strict=True):
            if choice is not None:
                place = unit.choices.index(choice)
                parts.append(space.cells.encoder.is_code(unit.levels, place))
    return space.cells.conjunction(parts)


def lines_taken(space: CellSpace, resolved: Resolved) -> Iterable[tuple[str, str, tuple[int, ...]]]:
    """Yield the lines that a move takes, by unit; those that do the same go together."""
    for unit, choice in zip(space.moves.units, resolved.choices, strict=True):
        if choice is not None:
            lines = [line for line in unit.agent.evolution if _is_of(space, unit, line)]
            places = tuple(
                place
                for place, line in enumerate(lines)
                if choice.assignments and line.assignments == choice.assignments
            )
            variable = "" if space.system.semantics != "SingleAssignment" else min(unit.variables)
            yield unit.agent.name, variable, places


def _is_of(space: CellSpace, unit: Unit, line: EvolutionLine) -> bool:
    """Return whether a line is one of those that a unit picks from."""
    if space.system.semantics != "SingleAssignment":
        return True
    return line.assignments[0].variable in unit.variables
