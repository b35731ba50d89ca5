"""Which deciders answer a question about a model: the only place that goes by the kind of model."""

from collections.abc import Iterator
from functools import partial

from gnomon.checking.attempts import (
    Attempt,
    Engine,
    EngineName,
    OrderChoice,
    Wanted,
    at_once,
    attempts,
    listed,
)
from gnomon.checking.crowds import CrowdToCount, crowd_of, second_try
from gnomon.checking.decider import Decider, Task
from gnomon.checking.options import Options
from gnomon.checking.shared_work import SharedWork
from gnomon.checking.turns import TakingTurns
from gnomon.model.any import AnyModel
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.system import Specification, System

#: Who gives a second opinion.
_OTHER: dict[str, Engine] = {
    "bdd": "explicit",
    "explicit": "bdd",
    "abstraction": "explicit",
    "sat": "bdd",
    "counting": "bdd",
}


def first_engine(model: AnyModel, options: Options) -> EngineName:
    """Return the engine that is named before any has begun."""
    if not isinstance(model, System):
        return "parameterised"
    match options.engine:
        case "auto" | "parameterised":
            return "explicit"
        case engine:
            return engine


def deciders(task: Task, budget: Budget) -> Iterator[Decider]:
    """Yield the ways to decide a task: the next where one has come to its end before all is decided."""
    system = task.model
    if not isinstance(system, System):
        if system.parameters:
            from gnomon.checking.threshold_programs import ThresholdPrograms

            yield ThresholdPrograms(task, system, budget)
            return
        from gnomon.checking.populations import Populations

        yield Populations(task, system, budget)
        return
    options = task.options
    shared = SharedWork(task, system, budget)
    turns = None
    if options.engine == "auto":
        turns = TakingTurns(partial(listed, system, budget=budget))

    def exploring(attempt: Attempt) -> Decider:
        if not attempt.explored:
            from gnomon.checking.unexplored import DecidingUnexplored  # most are explored

            return DecidingUnexplored(shared, attempt, None)
        from gnomon.checking.exploring import Exploring  # cells may do without

        return Exploring(shared, attempt, turns)

    if options.engine == "sat":
        from gnomon.checking.solving import alone  # few ask for it

        if system.kind == "unbounded":
            msg = "satisfiability needs finite ranges: use --engine abstraction"
            raise LimitReached(msg)
        yield alone(shared)
        return
    if options.engine == "counting":
        yield _by_counting(task, system, shared)
        return
    crowd = None
    few = at_once(system) if _leaves_it_to_us(options) else None
    if few is not None:
        yield exploring(few)
    if system.kind == "finite" and _leaves_it_to_us(options):
        crowd = crowd_of(system, task)
        if crowd is not None:
            from gnomon.checking.counting import DecidingByCounts  # few models have a crowd

            yield DecidingByCounts(shared, crowd)
    if _goes_by_cells(system, options):
        from gnomon.checking.cells import Cells

        yield Cells(shared)
        if options.engine == "abstraction":
            return  # no other engine was asked for: why this one gave up is the reason
    explorers = _counting_again(map(exploring, _attempts(shared)), shared, crowd)
    if system.kind == "unbounded" or not _leaves_it_to_us(options):
        yield from explorers
        return
    from gnomon.checking.solving import in_between  # few models come to this

    yield from in_between(explorers, shared)


def _by_counting(task: Task, system: System, shared: SharedWork) -> Decider:
    """Return the decider for those who want no other engine."""
    from gnomon.checking.counting import DecidingByCounts

    crowd = crowd_of(system, task, alone=True) if system.kind == "finite" else None
    if crowd is None:
        msg = "there are no agents that may change places and can be counted: try --engine auto"
        raise LimitReached(msg)
    return DecidingByCounts(shared, crowd)


def _counting_again(
    explorers: Iterator[Decider], shared: SharedWork, crowd: CrowdToCount | None
) -> Iterator[Decider]:
    """Yield ways to explore, and after the first that has outgrown its room counting, with much more."""
    for number, decider in enumerate(explorers):
        yield decider
        if number == 0 and crowd is not None:
            from gnomon.checking.counting import DecidingByCounts

            yield DecidingByCounts(shared, second_try(crowd))


def _leaves_it_to_us(options: Options) -> bool:
    """Return whether nobody has asked for a way to decide, or for how diagrams are to be made."""
    return (options.engine, options.order, options.diagrams) == ("auto", "auto", "auto")


def _goes_by_cells(system: System, options: Options) -> bool:
    """Return whether cells of states are to be tried."""
    if options.engine != "auto":
        return options.engine == "abstraction"
    return system.kind == "unbounded"


def _attempts(shared: SharedWork) -> Iterator[Attempt]:
    from gnomon.checking.unexplored import may_stay_unexplored

    task, system, options = shared.task, shared.system, shared.task.options
    wanted = Wanted(
        options.engine,
        options.order,
        options.diagrams,
        options.max_states,
        pruning=_prunes(options),
        unexplored=may_stay_unexplored(shared),
    )
    # Also of what is not asked this time: whoever asks less of a file must not get a worse order for it.
    asked = [each.formula for each in (*system.fairness, *system.specifications)]
    known = set(map(id, asked))
    asked += [
        each.formula
        for _, each in task.asked
        if isinstance(each, Specification) and id(each.formula) not in known
    ]
    return attempts(system, asked, wanted)


def other_engines(model: AnyModel, options: Options) -> tuple[Engine, ...]:
    """Return the engines that can answer by themselves what is asked of all of them together."""
    if not isinstance(model, System) or options.engine != "auto" or _prunes(options):
        return ()
    if model.kind != "unbounded" or _goes_by_cells(model, options):
        return ("explicit",)
    return ()  # the states are listed in any case


def takes_diagrams(model: AnyModel, options: Options) -> bool:
    """Return whether decision diagrams can answer what is asked, by an order or a library of their own."""
    finite = isinstance(model, System) and model.kind != "unbounded"
    return finite and options.engine in {"auto", "bdd"} and not _prunes(options)


def takes_circuits(model: AnyModel, options: Options) -> bool:
    """Return whether circuits and a solver are another way to what is asked of all engines together."""
    finite = isinstance(model, System) and model.kind != "unbounded"
    return finite and _leaves_it_to_us(options) and not _prunes(options)


def orders_to_race(model: AnyModel, options: Options) -> tuple[OrderChoice, ...]:
    """Return the orders that are worth a process of their own; the leader tries each, but none for long."""
    if not isinstance(model, System) or not takes_diagrams(model, options):
        return ()
    from gnomon.engines.diagrams.circuit_order import CIRCUIT_ORDERS, is_circuit

    return CIRCUIT_ORDERS if is_circuit(model) else ("written", "near", "grown")


def _prunes(options: Options) -> bool:
    """Return whether models are pruned, which only one engine does."""
    return options.strategies == "uniform-model"


def counting_engine(system: System) -> Engine:
    """Return the engine that counts reachable states, and lists so many of them where there is no end."""
    return "explicit" if system.kind == "unbounded" else "auto"


def second_opinion(model: AnyModel, engine: str, options: Options) -> Engine | None:
    """Return the engine that can decide the same again, None where there is no other."""
    other = _OTHER.get(engine)
    if other == "bdd" and model.kind == "unbounded":
        return None
    return None if _prunes(options) else other
