"""How many agents a verdict takes, from Python."""

from dataclasses import fields

from gnomon.checking.verdict import Thresholds
from gnomon.results import phrases


class ThresholdsView(Thresholds):
    """How many agents it takes, which facts of the relations, and the invariant where there is no number.

    >>> import gnomon
    >>> model = gnomon.load("examples/parameterised/mutex_some.ispl")
    >>> model.check("AG !clash")[0].numbers
    it takes 2 Process: so many are enough, and no fewer
    """

    __slots__ = ()

    @staticmethod
    def of(found: Thresholds) -> "ThresholdsView":
        """Return the same, which shows itself."""
        return ThresholdsView(*(getattr(found, field.name) for field in fields(found)))

    def __str__(self) -> str:
        """Say it in sentences, a line each."""
        return "\n".join([*phrases.numbers(self), *(f"· {each}" for each in self.invariant)])

    def __repr__(self) -> str:
        """Say the same."""
        return str(self)

    def _repr_html_(self) -> str:
        from gnomon.results.render.notebook import answer  # only notebooks want it

        return answer.render_numbers(self)
