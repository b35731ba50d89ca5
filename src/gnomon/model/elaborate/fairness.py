"""Which formulae may be fairness constraints."""

from gnomon.model.fragment import has_coalition, is_propositional
from gnomon.model.observers import looks_at_actions
from gnomon.model.system import Specification
from gnomon.text.diagnostic import Diagnostics
from gnomon.text.source import Span


def report_unfit(constraint: Specification, span: Span | None, diagnostics: Diagnostics) -> None:
    """Report a fairness constraint that is none: a formula of the wrong kind."""
    formula = constraint.formula
    if has_coalition(formula) or constraint.logic != "CTL":
        diagnostics.add(
            "G0605",
            "a fairness constraint cannot speak of coalitions, nor be in LTL or CTL*",
            span,
        )
    elif looks_at_actions(formula) and not is_propositional(formula):
        diagnostics.add(
            "G0611",
            "a fairness constraint cannot look at actions and also at other times, or at what agents know",
            span,
            help="a step has actions, and a state has a future: give each a constraint of its own",
        )
