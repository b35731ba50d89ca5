"""What comes with a request, looked at as carefully as what is typed at a prompt."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeVar

from gnomon.model.agent import IDLE
from gnomon.model.domain import Datum, Domain, contains
from gnomon.model.evidence import Run, Step
from gnomon.model.step import State
from gnomon.model.system import System
from gnomon.results.data import Object, of_run, of_state, of_step
from gnomon.text.numbers import read_integer, show_integer
from gnomon.workbench.failure import bad_request

T = TypeVar("T")

#: Larger numbers are no numbers in a browser: they go there and come back as texts of digits.
_EXACT: Final = 2**53 - 1
_MOST_DIGITS: Final = 300_001


class Parameters:
    """Named values, each read as what it has to be; `RequestFailed` says which is not."""

    def __init__(self, data: object) -> None:
        """Take what was sent."""
        if not isinstance(data, Mapping):
            raise bad_request("parameters are an object")
        self._data: Mapping[str, Any] = data

    @property
    def given(self) -> Mapping[str, Any]:
        """Return all that was sent, as it came."""
        return self._data

    def has(self, name: str) -> bool:
        """Return whether there is such a value that is not null."""
        return self._data.get(name) is not None

    def raw(self, name: str) -> Any:
        """Return a value as it came; None where there is none."""
        return self._data.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text."""
        return self._typed(name, str, "a text", default)

    def number(self, name: str, default: int | None = None, most: int = 2**31) -> int:
        """Return a whole number that is not negative."""
        found = self._typed(name, int, "a whole number", default)
        if isinstance(found, bool) or not 0 <= found <= most:
            raise bad_request(f"`{name}` is a whole number from 0 to {most:,}")
        return found

    def flag(self, name: str, default: bool = False) -> bool:  # noqa: FBT001, FBT002 - like the others
        """Return true or false."""
        return self._typed(name, bool, "true or false", default)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; none where it is not there."""
        found: list[Any] = self._typed(name, list, "a list of texts", [])
        if not all(isinstance(each, str) for each in found):
            raise bad_request(f"`{name}` is a list of texts")
        return tuple(found)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers; none where it is not there."""
        found: list[Any] = self._typed(name, list, "a list of whole numbers", [])
        if not all(type(each) is int for each in found):
            raise bad_request(f"`{name}` is a list of whole numbers")
        return tuple(found)

    def counts(self, name: str) -> dict[str, int]:
        """Return whole numbers by name; none where it is not there."""
        found: dict[str, Any] = self._typed(name, dict, "an object of whole numbers", {})
        if not all(type(each) is int for each in found.values()):
            raise bad_request(f"`{name}` is an object of whole numbers")
        return dict(found)

    def words(self, name: str) -> dict[str, str]:
        """Return texts by name; none where it is not there."""
        found: dict[str, Any] = self._typed(name, dict, "an object of texts", {})
        if not all(isinstance(each, str) for each in found.values()):
            raise bad_request(f"`{name}` is an object of texts")
        return dict(found)

    def state(self, name: str, system: System) -> State:
        """Return a state of a system: a value of its domain for every variable."""
        return read_state(self._data.get(name), system)

    def run(self, name: str, system: System) -> Run:
        """Return a run as it was sent: nobody has looked yet whether it is one of the system's."""
        return read_run(self._data.get(name), system)

    def _typed(self, name: str, sort: type[T], words: str, default: T | None) -> T:
        found = self._data.get(name)
        if found is None:
            if default is None:
                raise bad_request(f"`{name}` is missing: {words}")
            return default
        if not isinstance(found, sort):
            raise bad_request(f"`{name}` is {words}")
        return found


def read_state(data: object, system: System) -> State:
    """Return the state that data stands for."""
    if not isinstance(data, Mapping):
        raise bad_request("a state is an object: values by agent and variable")
    return tuple(
        _read_value(data.get(variable.agent), variable.agent, variable.name, variable.domain)
        for variable in system.variables
    )


def _read_value(data: object, agent: str, name: str, domain: Domain) -> Datum:
    found = data.get(name) if isinstance(data, Mapping) else None
    read = _as_datum(found, domain)
    if read is None:
        raise bad_request(f"this is no state of the model: {agent}.{name} has no value of its own")
    return read


def _as_datum(found: object, domain: Domain) -> Datum | None:
    """Return a value of a domain, None where it is none; large numbers come as texts of digits."""
    if isinstance(found, str) and _is_digits(found) and not contains(domain, found):
        found = read_integer(found)
    if not isinstance(found, bool | int | str) or not contains(domain, found):
        return None
    return found


def _is_digits(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) < _MOST_DIGITS


def read_run(data: object, system: System) -> Run:
    """Return the run that data stands for."""
    if not isinstance(data, Mapping) or not isinstance(data.get("steps"), list):
        raise bad_request("a run is an object with its steps")
    steps = tuple(_read_step(each, system) for each in data["steps"])
    loop, back = data.get("loop"), data.get("back")
    if not steps:
        raise bad_request("a run has at least one state")
    if loop is not None and (type(loop) is not int or not 0 <= loop < len(steps)):
        raise bad_request("the loop of a run is one of its positions")
    return Run(steps, loop, None if loop is None else _read_step(back, system))


def _read_step(data: object, system: System) -> Step:
    if not isinstance(data, Mapping):
        raise bad_request("a step is an object with its state")
    state = read_state(data.get("state"), system)
    actions = data.get("actions")
    if actions is None:
        return Step(state)
    if not isinstance(actions, Mapping):
        raise bad_request("actions are an object: the action of each agent")
    given = tuple(actions.get(agent.name, IDLE) for agent in system.agents)
    if not all(isinstance(each, str) for each in given):
        raise bad_request("actions are an object: the action of each agent")
    return Step(state, given)


class GivenStep(NamedTuple):
    """What was said of a step: some values of its state by their places, and what was done, or None.

    `unfit` says why it cannot be a state of the system at all, else "".
    """

    values: Mapping[int, Datum]
    actions: Mapping[str, str] | None = None
    unfit: str = ""


class GivenRun(NamedTuple):
    """A run that was sent, as far as it is told; it may come from another text, or leave values open."""

    steps: tuple[GivenStep, ...]
    loop: int | None = None
    back: GivenStep | None = None


def read_given_run(data: object, system: System) -> GivenRun:
    """Return what was sent of a run; what does not fit the system is said where it stands."""
    if not isinstance(data, Mapping) or not isinstance(data.get("steps"), list):
        raise bad_request("a run is an object with its steps")
    steps = tuple(_read_given(each, system) for each in data["steps"])
    loop, back = data.get("loop"), data.get("back")
    if not steps:
        raise bad_request("a run has at least one state")
    if loop is not None and (type(loop) is not int or not 0 <= loop < len(steps)):
        raise bad_request("the loop of a run is one of its positions")
    if loop is None or back is None:
        return GivenRun(steps, loop, None if loop is None else GivenStep({}))
    return GivenRun(steps, loop, _read_given(back, system))


def _read_given(data: object, system: System) -> GivenStep:
    if not isinstance(data, Mapping) or not isinstance(data.get("state"), Mapping):
        raise bad_request("a step is an object with its state")
    actions = data.get("actions")
    if actions is not None and not (
        isinstance(actions, Mapping) and all(isinstance(each, str) for each in actions.values())
    ):
        raise bad_request("actions are an object: the action of each agent")
    values: dict[int, Datum] = {}
    unfit = ""
    for agent, own in data["state"].items():
        if not isinstance(own, Mapping):
            raise bad_request("a state is an object: values by agent and variable")
        for name, value in own.items():
            place = system.position.get((agent, name))
            if place is None:
                unfit = unfit or f"there is no {agent}.{name} in this model"
                continue
            read = _as_datum(value, system.variables[place].domain)
            if read is None:
                unfit = unfit or f"{agent}.{name} cannot have this value"
            else:
                values[place] = read
    strange = [name for name in actions or () if name not in system.agent_index]
    if strange:
        unfit = unfit or f"there is no agent {strange[0]} in this model"
    return GivenStep(values, actions, unfit)


def state_data(state: State, system: System) -> Object:
    """Return a state as it is sent."""
    return exact(of_state(state, system))  # type: ignore[no-any-return]


def step_data(step: Step, system: System) -> Object:
    """Return a step as it is sent."""
    return exact(of_step(step, system))  # type: ignore[no-any-return]


def run_data(run: Run, system: System) -> Object:
    """Return a run as it is sent."""
    return exact(of_run(run, system))  # type: ignore[no-any-return]


def exact(data: Any) -> Any:
    """Return the same with numbers that a browser cannot hold as texts of digits."""
    if isinstance(data, dict):
        return {name: exact(value) for name, value in data.items()}
    if isinstance(data, list | tuple):
        return [exact(value) for value in data]
    if type(data) is int and abs(data) > _EXACT:
        return show_integer(data)
    return data
