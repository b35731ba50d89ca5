"""Which cells count in a proof: those where fair paths start, or endless ones, with the reasons."""

from functools import cached_property

from gnomon.certificate.core import FAIR
from gnomon.checking.cell_evidence import CellDenotation
from gnomon.checking.label_data import LabelBook, NoRule
from gnomon.engines.abstraction.attractors import SOME_PATH
from gnomon.engines.abstraction.cell_labels import fairly_arrives_label, lasting_label
from gnomon.engines.abstraction.three_valued import ThreeValued
from gnomon.engines.diagrams.interface import Diagram
from gnomon.model.system import Logic


class CountingCells:
    """The cells that count, and those that do not; what is asked for is written down."""

    def __init__(self, truth: CellDenotation, book: LabelBook, logic: Logic) -> None:
        """Write into a book of labels; `logic` is that of the question.

        Where everything goes on for ever, cells may have answered it by another one. The proof has to say so.
        """
        self._truth = truth
        self._logic = logic
        self._algebra = truth.algebra
        self._space = truth.algebra.space
        self._d = self._space.diagrams
        self._book = book

    @cached_property
    def unfair(self) -> Diagram:
        """Where no path starts that counts, which is written down with the reason."""
        nowhere, space = self._d.false, self._space
        if not self.only_some:
            return nowhere
        found = fairly_arrives_label(self._algebra, space.reachable, nowhere, self.justice)
        if found is None:
            raise NoRule("where no path starts that counts")
        self._book.add(FAIR, self._book.data.fixpoint(found), holds=False)
        return found.cells

    @cached_property
    def fair(self) -> Diagram:
        """Where a path surely starts that counts, which is written down with the reason."""
        if not self.only_some:
            return self._space.reachable
        algebra, met = self._algebra, self.met
        held = algebra.fairly_lasting(algebra.reachable, self._truth.constraints).true
        found = lasting_label(algebra, SOME_PATH, held, self._d.false, met)
        if found is None:
            raise NoRule("where a path starts that counts")
        self._book.add(FAIR, self._book.data.lasting(found), holds=True)
        return found.cells

    @property
    def only_some(self) -> bool:
        """Whether only some states and paths count."""
        return bool(self._truth.constraints) or self._logic != "CTL"

    @cached_property
    def justice(self) -> list[Diagram]:
        """Where each constraint may hold."""
        return [self.may(each) for each in self._truth.frame().constraints]

    @cached_property
    def met(self) -> list[Diagram]:
        """Where each constraint surely holds."""
        return [each.true for each in self._truth.constraints]

    def may(self, states: ThreeValued) -> Diagram:
        """Return where something may hold."""
        return self._d.minus(self._space.reachable, states.false)
