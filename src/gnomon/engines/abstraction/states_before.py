"""Which state was before another one, as terms over that one: what moves back between cells stand for."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gnomon.engines.abstraction.backward_moves import BackwardMoves
from gnomon.engines.abstraction.cell_moves import Resolved
from gnomon.engines.abstraction.cell_space import CellSpace
from gnomon.engines.abstraction.inverses import divided
from gnomon.engines.abstraction.linear import Affine, affine, form_of
from gnomon.engines.diagrams.bit_layout import VariableBits
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model import expression as typed
from gnomon.model.agent import Variable
from gnomon.model.domain import IntegerRange, value_at
from gnomon.model.expression import Expression, Read


class ExactBefore(NamedTuple):
    """What something that is kept exactly was, and that over cells and cells before."""

    #: None where it stayed as it is.
    value: Expression | None
    relation: Diagram


class StatesBefore:
    """The states before results of one move, where it is known what was chosen."""

    def __init__(
        self, space: CellSpace, moves: BackwardMoves, move: Resolved, found: Mapping[int, bool]
    ) -> None:
        """Look at a move; `found` are bits of what is chosen, and of what was kept exactly."""
        self._space = space
        self._d = space.diagrams
        self._moves = moves
        self._found = found
        #: Which choice gives a value to a variable.
        self._places = {
            (unit.agent.name, name): place
            for place, unit in enumerate(space.moves.units)
            for name in unit.variables
        }
        self._move = move
        self._known: dict[Read, Expression] = {}

    def exactly(self, variable: Variable) -> ExactBefore:
        """Return what something that is kept exactly was: as it is now, by that, or one value."""
        read, value = Read(variable.agent, variable.name), self._becomes(variable)
        encoder, bits = self._moves.encoder, self._bits(variable)
        if value is None:
            return ExactBefore(None, encoder.equal_bits(bits.now, bits.next))
        term = affine(value) if isinstance(variable.domain, IntegerRange) else None
        if term is not None and term.terms in ({read: 1}, {read: -1}):
            sign = term.terms[read]
            before = _expression(Affine({read: sign}, -sign * term.constant))
            relation = self._moves.turned(encoder.becomes(variable, value, self._moves.cells.does))
            return ExactBefore(before, relation)
        code = code_of(self._found, bits.next)
        before = typed.Literal(value_at(variable.domain, code))
        return ExactBefore(before, encoder.is_code(bits.next, code))

    def numbers(
        self, exact: Mapping[Read, Expression], scope: Diagram, lost: int
    ) -> Mapping[Read, Expression] | None:
        """Return what all variables were that changed; None where there are no words for it.

        `exact` is what was kept exactly; `scope` are the cells before; of what was lost, the piece with the
        number `lost` is taken.
        """
        self._known = dict(exact)
        for variable in self._moves.changing:
            if self._moves.is_rough(variable) and self._number(variable, scope, lost) is None:
                return None
        return {read: value for read, value in self._known.items() if value != read}

    def _bits(self, variable: Variable) -> VariableBits:
        return self._moves.encoder.layout.variables[variable.agent, variable.name]

    def _becomes(self, variable: Variable) -> Expression | None:
        choice = self._move.choices[self._places[variable.agent, variable.name]]
        assert choice is not None
        return choice.value(variable.name)

    def _number(self, variable: Variable, scope: Diagram, lost: int) -> Expression | None:
        read = Read(variable.agent, variable.name)
        if read not in self._known:
            value = self._becomes(variable)
            before = read if value is None else self._inverse(read, value, scope, lost)
            if before is None:
                return None
            self._known[read] = before
        return self._known[read]

    def _inverse(
        self, read: Read, value: Expression, scope: Diagram, lost: int
    ) -> Expression | None:
        parts = [
            part
            for part, where in self._space.cells.split(value)
            if self._d.both(self._moves.turned(where), scope) != self._d.false
        ]
        if len(parts) != 1:
            return None
        divisor = divided(read, parts[0])
        if divisor is not None:
            return typed.Arithmetic("*", typed.Literal(divisor), read)
        term = affine(parts[0])
        if term is None:
            return None
        factor = term.terms.get(read, 0)
        if not factor:  # anything will do
            pieces = self._space.partition.pieces[form_of(read)]
            return typed.Literal(pieces[min(lost, len(pieces) - 1)].any_member())
        return self._solved(read, term, scope, lost)

    def _solved(self, read: Read, term: Affine, scope: Diagram, lost: int) -> Expression | None:
        """Return what a number was if a term, in which it occurs, is what it is now."""
        rest: list[Expression] = [read, typed.Literal(-term.constant)]
        for other, weight in term.terms.items():
            if other != read:
                before = self._before(other, scope, lost)
                if before is None:
                    return None
                rest.append(typed.Arithmetic("*", typed.Literal(-weight), before))
        factor = term.terms[read]
        whole: Expression = typed.Sum(tuple(rest))
        if factor < 0:
            whole = typed.Negative(whole)
        return (
            whole
            if abs(factor) == 1
            else typed.Arithmetic("div", whole, typed.Literal(abs(factor)))
        )

    def _before(self, read: Read, scope: Diagram, lost: int) -> Expression | None:
        if (read.agent, read.variable) not in self._places:
            return read
        if read in self._known:
            return self._known[read]
        variable = self._space.system.variables[
            self._space.system.position[read.agent, read.variable]
        ]
        return self._number(variable, scope, lost) if self._moves.is_rough(variable) else read


def code_of(found: Mapping[int, bool], levels: Iterable[int]) -> int:
    """Return the number that some bits stand for."""
    number = 0
    for level in levels:
        number = 2 * number + found.get(level, False)
    return number


def _expression(term: Affine) -> Expression:
    [(read, sign)] = term.terms.items()
    own: Expression = read if sign > 0 else typed.Negative(read)
    return typed.Sum((own, typed.Literal(term.constant))) if term.constant else own
