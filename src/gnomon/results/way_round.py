"""Why a question about paths is open, in sentences: a way round that a run might go for ever."""

from gnomon.model.open_cycle import OpenCycle, OpenQuantity, OpenStep
from gnomon.results.phrases import enumerated

#: So many facts about a place, or changes of an example, are told.
_MOST_TOLD = 8


def sentences(cycle: OpenCycle) -> list[tuple[int, str]]:
    """Return sentences, each with how deep it stands."""
    going = (
        "take this step again and again" if len(cycle.steps) == 1 else "go round like this for ever"
    )
    who = f"a run can {going}"
    if cycle.trying:
        who += f" while {cycle.trying}"
    opening = f"It would be decided if it were known whether {who}."
    opening += " Nothing was found that rules it out, and nothing that makes sure of it:"
    found = [(0, opening)]
    before: tuple[tuple[str, str], ...] = ()
    for number, step in enumerate(cycle.steps, 1):
        found.append((1, f"{number}. {_step(step, before)}"))
        before = step.where
    found += [(0, _quantity(each)) for each in cycle.quantities]
    if cycle.meets:
        met = enumerated(f"`{each}`" for each in cycle.meets)
        found.append((0, f"On the way, as fairness asks, {met} may hold again and again."))
    if cycle.predicate:
        found.append((0, f"To tell more cases apart may help: --predicate '{cycle.predicate}'."))
    return found


def _step(step: OpenStep, before: tuple[tuple[str, str], ...]) -> str:
    """Return a step; of where it starts only what is not so where the step before starts."""
    new = [each for each in step.where if each not in before]
    where = ", ".join(f"{name} {_condition(value)}" for name, value in new[:_MOST_TOLD])
    text = (
        f"{'then ' if before else ''}where {where}" if where else "then" if before else "anywhere"
    )
    text += " …" if len(new) > _MOST_TOLD else ""
    if step.actions:
        text += f": {enumerated(f'{name} does {action}' for name, action in step.actions)}"
    if step.lines:
        many = "lines" if len(step.lines) > 1 else "line"
        text += f", {many} {enumerated(map(str, step.lines))}"
    if step.changes:
        text += f" ({', '.join(f'{name} := {value}' for name, value in step.changes)})"
    return text + _example(step)


def _example(step: OpenStep) -> str:
    if step.example is None:
        return "; no example was found"
    if not step.example:
        return "; nothing changes"
    changed = [f"{name} from {old} to {new}" for name, old, new in step.example[:_MOST_TOLD]]
    return f"; for example {enumerated(changed)}"


def _quantity(quantity: OpenQuantity) -> str:
    other = "grow" if quantity.way == "falls" else "fall"
    back = "the same step" if quantity.back == quantity.steps else _steps(quantity.back)
    if not quantity.back:
        return f"{quantity.quantity} {quantity.way} in {_steps(quantity.steps)}."
    text = (
        f"{quantity.quantity} {quantity.way} in {_steps(quantity.steps)} but may {other} in {back}"
    )
    return f"{text}, so that it need not run out."


def _steps(numbers: tuple[int, ...]) -> str:
    many = "steps" if len(numbers) > 1 else "step"
    return f"{many} {enumerated(map(str, numbers))}"


def _condition(value: str) -> str:
    return value if value.startswith(("<", ">")) else f"= {value}"
