"""A formula read aloud: one sentence in everyday words."""

from collections.abc import Callable
from typing import Final, TypeAlias

from gnomon.language import syntax
from gnomon.text.limits import room_to_recurse
from gnomon.text.source import Source

_Say: TypeAlias = Callable[[syntax.Formula], str]
_Quoted: TypeAlias = (
    syntax.Formula | syntax.Expression | syntax.Binder | syntax.Members | syntax.GroupList
)

#: Longer sentences are not read; the formula itself is clearer then.
_MOST: Final = 1_200


def read_aloud(line: syntax.FormulaLine, source: Source) -> str:
    """Return a sentence that says what a formula of a text asks; "" where that would be too long."""
    reader = _Aloud(source)
    with room_to_recurse():
        if line.logic == "LTL":
            words = f"on every run, {reader.path(line.formula)}"
        else:
            words = reader.state(line.formula)
    return "" if len(words) > _MOST else f"{words[0].upper()}{words[1:]}."


class _Aloud:
    """Says formulae in words; what is no formula is quoted as it stands."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def state(self, formula: syntax.Formula) -> str:
        """Return a formula about a state, as a clause."""
        match formula:
            case syntax.PathQuantifier(quantifier, body):
                return self._quantified(quantifier, body)
            case syntax.Coalition(members, body):
                return self._coalition(members, body)
            case syntax.CannotAvoid(members, body):
                who = self._who(members)
                if not members:
                    return f"it may happen that {self.path(body)}"
                return f"{who} cannot prevent that {self.path(body)}"
            case syntax.Modality(operator, who, body):
                return self._modality(operator, who, body)
            case _:
                return self._common(formula, self.state)

    def path(self, formula: syntax.Formula) -> str:
        """Return a formula about a run, as a clause."""
        match formula:
            case syntax.Temporal("X", body):
                return f"in the next state {self.path(body)}"
            case syntax.Temporal("F", body):
                return f"at some point {self.path(body)}"
            case syntax.Temporal(_, body):
                return f"always {self.path(body)}"
            case syntax.UntilFormula(left, right):
                return f"{self.path(left)} until {self.path(right)}, which does happen"
            case syntax.WeakFormula("W", left, right):
                return f"{self.path(left)} until {self.path(right)}, or for ever"
            case syntax.WeakFormula(_, left, right):
                return f"{self.path(right)} up to where {self.path(left)}, that state included, or for ever"
            case syntax.BoundedFormula(inner, bounds):
                return self._bounded(inner, bounds)
            case syntax.PathQuantifier() | syntax.Coalition() | syntax.CannotAvoid():
                return self.state(formula)
            case syntax.Modality():
                return self.state(formula)
            case _:
                return self._common(formula, self.path)

    def _common(self, formula: syntax.Formula, say: _Say) -> str:
        match formula:
            case syntax.Truth(value):
                return "nothing is asked" if value else "the impossible holds"
            case syntax.Negation(body):
                return self._negated(body, say)
            case syntax.Connective(operator, operands):
                return f" {operator} ".join(_apart(each, say(each)) for each in operands)
            case syntax.Implication(left, right):
                return f"if {say(left)}, then {say(right)}"
            case syntax.Equivalence(left, right):
                return f"{_apart(left, say(left))} exactly if {_apart(right, say(right))}"
            case syntax.IndexedFormula(quantifier, binders, body):
                each = " and ".join(f"`{self._text(binder)}`" for binder in binders)
                word = "for every" if quantifier == "forall" else "for some"
                return f"{word} {each}, {say(body)}"
            case syntax.Norm(agent, colour):
                does = "keeps to its norms" if colour == "GreenStates" else "breaks its norms"
                return f"`{agent.text}` {does}"
            case _:
                return f"`{self._text(formula)}`"

    def _negated(self, body: syntax.Formula, say: _Say) -> str:
        match body:
            case syntax.Modality("K", who, known):
                return f"{self._who((who,))} does not know that {self._inside(known)}"
            case syntax.Coalition(members, wanted) if members:
                return f"{self._who(members)} cannot make sure that {self.path(wanted)}"
            case syntax.Equivalence(left, right):
                return f"exactly one of {_apart(left, say(left))} and {_apart(right, say(right))}"
            case _ if _is_plain(body):
                return f"not {say(body)}"
            case _:
                return f"it is not so that {_apart(body, say(body))}"

    def _inside(self, body: syntax.Formula) -> str:
        """Return what somebody knows, in brackets where its end could not be told."""
        words = self.state(body)
        listed = syntax.Connective | syntax.Implication | syntax.Equivalence
        return f"({words})" if isinstance(body, listed) else words

    def _quantified(self, quantifier: str, body: syntax.Formula) -> str:
        every = quantifier == "A"
        match body:
            case syntax.Temporal("X", syntax.Truth(value=True)) if not every:
                return "there is a next state"
            case syntax.Temporal("G", inner) if every:
                return f"in every state that can be reached, {self.state(inner)}"
            case syntax.Temporal("F", inner) if not every:
                return f"a state can be reached in which {self.state(inner)}"
            case syntax.Temporal("F", inner):
                return f"on every run there comes a state in which {self.state(inner)}"
            case syntax.Temporal("G", inner):
                return f"there is a run in all of whose states {self.state(inner)}"
            case syntax.Temporal(_, inner):
                which = "every" if every else "some"
                return f"in {which} next state, {self.state(inner)}"
            case _:
                return f"{'on every run' if every else 'there is a run on which'} {self.path(body)}"

    def _coalition(self, members: tuple[syntax.Members, ...], body: syntax.Formula) -> str:
        if not members:
            return f"whatever anybody does, {self.path(body)}"
        return f"{self._who(members)} can make sure that {self.path(body)}"

    def _modality(
        self, operator: str, who: syntax.Members | syntax.GroupList, body: syntax.Formula
    ) -> str:
        known, names = self._inside(body), self._who((who,))
        match operator:
            case "K":
                return f"{names} knows that {known}"
            case "O":
                return f"{known} wherever {names} keeps to its norms"
            case "GK":
                return f"everybody in {names} knows that {known}"
            case "GCK":
                return f"it is common knowledge in {names} that {known}"
            case _:
                return f"{names} together, with all that they see, know that {known}"

    def _bounded(self, inner: syntax.Formula, bounds: syntax.Bounds) -> str:
        low, high = bounds.low, self._text(bounds.high)
        if isinstance(low, syntax.Number) and low.value == 0:
            within = f"within {high} steps"
        else:
            within = f"from step {self._text(low)} to step {high}"
        return f"{within}, {self.path(inner)}"

    def _who(self, members: tuple[syntax.Members | syntax.GroupList, ...]) -> str:
        return " and ".join(f"`{self._text(member)}`" for member in members) or "nobody"

    def _text(self, part: _Quoted) -> str:
        return self.source.on_one_line(part.span)


def _is_plain(formula: syntax.Formula) -> bool:
    return isinstance(formula, syntax.Atom | syntax.StateCondition | syntax.Truth)


def _apart(formula: syntax.Formula, words: str) -> str:
    """Return a part of a list, in brackets where its end could not be told."""
    plain = _is_plain(formula) or (isinstance(formula, syntax.Negation) and _is_plain(formula.body))
    return words if plain or isinstance(formula, syntax.Modality | syntax.Norm) else f"({words})"
