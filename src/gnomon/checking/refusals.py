"""What cannot be asked of a model in the way that was chosen, found before any work begins."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.checking.options import Options, unfitting
from gnomon.model.any import AnyModel, AnySpecification
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.initial import assignments_satisfying
from gnomon.model.parameterised.system import OpenSystem
from gnomon.model.system import System
from gnomon.text.diagnostic import Diagnostic, InputError
from gnomon.text.source import Source

#: Contradictions between axioms that take more than so many conflicts to find are left to checking.
_CONFLICTS: Final = 10_000


#: An initial state is mostly found at once.
_SECONDS: Final = 2.0
_NO_STATE: Final = "no state satisfies `InitStates`: every formula would be true"
#: Why a formula is true of nothing.
NO_START: Final = "no state is initial"
NO_FAIR_START: Final = "no initial state has a fair path"


def refusals(
    model: AnyModel, formulae: Sequence[AnySpecification], options: Options, source: Source
) -> Iterator[Diagnostic]:
    """Yield all that is wrong with asking these formulae of a model with these options."""
    if not isinstance(model, System):
        yield from _of_any_number(options, source)
        if model.parameters:
            from gnomon.checking.threshold_fragment import outside_fragment

            yield from outside_fragment(model, source, Budget(_SECONDS))
        return
    yield from unfitting(options, model)
    if options.engine == "parameterised":
        message = "the model has no template: its number of agents is known"
        help_ = "leave --engine out, or use bdd or explicit"
        yield Diagnostic("G0815", message, source, help=help_)
    if model.interleaved and any(agent.observer for agent in model.agents):
        yield from _of_waiting(formulae, options, source)


def refuse(
    model: AnyModel, formulae: Sequence[AnySpecification], options: Options, source: Source
) -> None:
    """Raise `InputError` where there are refusals."""
    said = tuple(dict.fromkeys(refusals(model, formulae, options, source)))
    if said:
        raise InputError(said)


def _of_waiting(
    formulae: Sequence[AnySpecification], options: Options, source: Source
) -> Iterator[Diagnostic]:
    """Yield questions about choices that may leave everybody waiting, where fairness is about actions."""
    for formula in formulae:
        if formula.has_coalition or options.strategies == "uniform-model":
            yield Diagnostic(
                "G0821",
                f"`{formula.text}` cannot be decided: fairness is about actions, and all may be left waiting",
                source,
                source.line_span(formula.line) if formula.line else None,
                help="store the action in a variable (`last = Action`), and let `Fairness` look at that",
            )


def _of_any_number(options: Options, source: Source) -> Iterator[Diagnostic]:
    """Yield what has no meaning for any number of agents."""
    if options.engine not in ("auto", "parameterised"):
        yield Diagnostic(
            "G0814",
            f"the number of agents is open, and --engine {options.engine} needs to know it",
            source,
            help="use --engine parameterised, or fix the number: gnomon export --agents 3",
        )
    if options.strategies != "perfect" or options.refine is not None or options.predicates:
        yield Diagnostic(
            "G0814",
            "strategies of any number of agents see everything, and nothing is refined",
            source,
            help="leave --strategies, --refine and --predicate out",
        )
    if options.starts:
        yield Diagnostic(
            "G0814",
            "initial states of any number of agents cannot be told apart by single variables",
            source,
            help="leave starts out",
        )
    if options.checks:
        yield Diagnostic(
            "G0814",
            "where nobody can act, a run stays as it is: there is no deadlock, and overflows are not"
            " looked for",
            source,
            help="fix the number of agents: gnomon export --agents 3",
        )


def contradictory_axioms(model: AnyModel, source: Source) -> Iterator[Diagnostic]:
    """Yield a word on axioms that contradict each other, where that is quickly found."""
    if isinstance(model, System):
        return
    from gnomon.engines.parameterised.ground_facts import contradiction

    if contradiction(model, _CONFLICTS):
        yield Diagnostic(
            "G0710",
            "nothing satisfies these axioms: every system would be safe",
            source,
            model.axioms_at,
            label="they contradict each other",
            help="leave one of them out, or weaken it",
        )


def nothing_starts(model: AnyModel, source: Source) -> Iterator[Diagnostic]:
    """Yield that no state is initial, where a short search by the reference semantics can tell for sure."""
    if not isinstance(model, System):
        return
    try:
        first = next(assignments_satisfying(model, model.initial, Budget(_SECONDS)), None)
    except LimitReached:
        return
    if first is None:
        yield no_initial_state(model, source)


def no_initial_state(model: AnyModel, source: Source, message: str = _NO_STATE) -> Diagnostic:
    """Return that nothing can start."""
    return Diagnostic("G0803", message, source, model.initial_at, help=meant("G0803"))


def never_fair(model: OpenSystem, source: Source) -> Diagnostic:
    """Return that no run of any number of agents satisfies the conditions of `Fairness`."""
    return Diagnostic(
        "G0804",
        "no run is fair, whatever the number of agents: every formula of all runs would be true",
        source,
        model.fairness[0].span,
        notes=("no run satisfies all conditions of `Fairness` again and again",),
        help=meant("G0804"),
    )


def meant(code: str) -> str:
    """Return what to do about an error that may be what the author wants."""
    return f"if that is meant, `--allow {code}` has it checked all the same"
