"""A walk through a model, and all that can be done on it; what there is to say is returned."""

import os
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from gnomon.checking.load import Loaded, read_formula
from gnomon.interfaces.cli.files import keep_apart, write_whole
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.evidence import Run
from gnomon.model.small_starts import some_initial_states
from gnomon.results.data import of_run
from gnomon.results.model_walk import ModelWalk, Visit, WalkError
from gnomon.results.projection import propositions_in
from gnomon.results.render import lanes
from gnomon.results.render import walk_page as drawing
from gnomon.results.styled import Styled, StyledText, visible
from gnomon.text.diagnostic import InputError
from gnomon.version import __version__
from gnomon.workbench.state_queries import Filter, look_alikes, value_here

#: How many moves, states or initial states are listed at once.
PAGE = 20
#: The part of the time for random steps; the rest is for showing where they lead.
_STEPPING = 0.6


class CommandLimits(NamedTuple):
    """The seconds for each command, and the megabytes for all of them; None for no limit."""

    seconds: float | None = None
    megabytes: float | None = None

    def budget(self, part: float = 1.0) -> Budget:
        """Return what one command, or a part of it, may use."""
        budget = Budget(self.seconds, self.megabytes)
        # The rest counts as spent, so that messages name the limit that was set.
        budget.started -= (1 - part) * (self.seconds or 0.0)
        return budget


class Simulator:
    """A walk, how it came about, and which of its moves are listed.

    What cannot be done raises `WalkError`, and leaves the walk where it is.
    """

    def __init__(
        self,
        model: str,
        loaded: Loaded,
        seed: int | None,
        width: int = 80,
        limits: CommandLimits = CommandLimits(),
    ) -> None:
        """Start with a loaded model that has a system."""
        assert loaded.system is not None
        self.model = model
        self.loaded = loaded
        self.system = loaded.system
        self.seed = Random().randrange(1_000_000) if seed is None else seed
        self.random = Random(self.seed)
        self.by_chance = False
        self.stopped = ""
        self.walk = ModelWalk(self.system)
        self.width = width
        self.filter = Filter(())
        self.page = 0
        self.limits = limits
        #: What led to each visit; None for a move that was taken by chance.
        self._script: dict[int, str | None] = {}

    def begin(self) -> None:
        """Go to the first initial state."""
        self.walk.budget = self.limits.budget()
        try:
            self.walk.start(1)
        except WalkError as error:
            why = f": {error.__cause__}" if isinstance(error.__cause__, LimitReached) else ""
            what = "no initial state was found" if why else "the model has no initial state"
            raise WalkError(what + why) from error
        self._script[self.walk.at] = "init 1"

    def follow(self, run: Run) -> None:
        """Go along a run to its end; from there one can go on, or back."""
        self.walk.budget = self.limits.budget()
        number = self.walk.follow(run)
        for visit in self.walk.path():
            self._script.setdefault(visit.number, None if visit.step else f"init {number}")

    def where_we_are(self) -> StyledText:
        """Return the state and the moves from it."""
        text = drawing.render_state(self.walk, self.width)
        text.add()
        text.extend(self.list_moves(self.page))
        return text

    def list_moves(self, page: int) -> StyledText:
        """Return a page of the moves from here, counted from 0."""
        self.page = page
        return drawing.render_options(
            self.walk, self.walk.options(), self.filter, page * PAGE, PAGE, self.width
        )

    def narrow(self, words: str) -> StyledText:
        """List only moves with these actions or new values from now on."""
        self.filter = Filter.read(words, self.system)
        return self.list_moves(0)

    def go(self, step: Callable[[ModelWalk], None], command: str = "") -> StyledText:
        """Change where we are, as `command` does in a script, and return what there is."""
        step(self.walk)
        self._script.setdefault(self.walk.at, command)
        self.page = 0
        text = StyledText()
        text.add()
        text.extend(self.where_we_are())
        return text

    def starts(self) -> StyledText:
        """Return the first initial states."""
        states = some_initial_states(self.system, self.walk.budget)
        return drawing.render_initial(self.system, states, PAGE, self.width)

    def wander(self, wanted: int) -> str:
        """Take steps at random, and return why there are not as many as wanted, or nothing."""
        self.by_chance = self.by_chance or wanted > 0
        self.walk.budget = self.limits.budget(_STEPPING)
        self.stopped = self.walk.wander(self.random, wanted)
        for visit in self.walk.path():
            self._script.setdefault(visit.number, None)
        self.walk.budget = self.limits.budget(1 - _STEPPING)
        return self.stopped

    def wandered(self) -> StyledText:
        """Return the run, the seed it came from, and why it is not longer."""
        text = StyledText()
        text.add(Styled(f"seed {self.seed}", "dim"))
        text.add()
        text.extend(self.trace())
        if self.stopped:
            text.add()
            text.add(Styled(self.stopped, "warning"))
        return text

    def random_steps(self, number: int) -> StyledText:
        """Take steps at random, and return where they lead."""
        text = StyledText()
        if self.wander(number):
            text.add(Styled(self.stopped, "warning"))
        text.extend(self.go(lambda _: None))
        return text

    def _command(self, visit: Visit) -> str:
        """Return the command that leads to a visit from the one before it, whatever the filter is."""
        known = self._script[visit.number]
        if known is not None:
            return known
        assert visit.parent is not None
        assert visit.step is not None
        now, self.walk.at = self.walk.at, visit.parent
        try:
            same = (
                option.number
                for option in self.walk.options().items
                if (option.step.actions, option.step.state) == (visit.step.actions, visit.state)
            )
            number = next(same, 0)
        finally:
            self.walk.at = now
        return str(number) if number else "# a move beyond those that are numbered"

    def evaluate(self, words: str) -> StyledText:
        """Return the value of a formula here."""
        try:
            specification = read_formula(self.loaded, words)
            here, budget = self.walk.here.state, self.walk.budget
            value, remark, _ = value_here(self.system, specification, here, budget)
        except InputError as error:
            from gnomon.results.render.diagnostic import render

            raise WalkError(render(error.diagnostics, self.width).plain().rstrip()) from error
        text = StyledText()
        text.add(Styled(value, value), Styled(f"  {remark}" if remark else "", "dim"))
        return text

    def look_alikes(self, agent: str) -> StyledText:
        """Return the states that look the same to an agent."""
        here, known = self.walk.here.state, [visit.state for visit in self.walk.visits]
        [found] = look_alikes(self.system, here, (agent,), PAGE + 1, self.walk.budget, known)
        others = [state for state in found.states if state != here]
        total = found.total - (here in found.states)
        shown, complete = others[:PAGE], found.complete
        return drawing.render_alike(self.walk, agent, shown, total, self.width, complete=complete)

    def trace(self) -> StyledText:
        """Return the run from the initial state to here."""
        return lanes.render(self.system, self.walk.run(), self.width)

    def as_json(self) -> str:
        """Return the run from the initial state to here as JSON."""
        from gnomon.results.render.json import dumps

        return dumps(
            {
                "gnomon": __version__,
                "model": self.model,
                "seed": self.seed if self.by_chance else None,
                "run": of_run(self.walk.run(), self.system),
                "deadlock": self.walk.options().is_deadlock,
                "propositions": propositions_in(self.system, self.walk.here.state),
            }
        )

    def history(self) -> StyledText:
        """Return all states visited, as a tree."""
        return drawing.render_tree(self.walk, self.width)

    def save(self, path: str, *, forced: bool) -> None:
        """Write a script that comes here again, or (FILE.json) the run; replace a file where `forced`."""
        from click import ClickException

        try:
            keep_apart([self.model], {"save": path})
            if not forced and _is_there(path):
                raise WalkError(f"`{path}` is there already: `save! {path}` replaces it")
            write_whole(path, self.as_json() if path.endswith(".json") else self._as_script(path))
        except ClickException as error:
            raise WalkError(error.message) from error

    def _as_script(self, name: str) -> str:
        head = visible(f"# gnomon simulate {self.model} --script {name}", "")
        return "\n".join([head, *map(self._command, self.walk.path())]) + "\n"


def _is_there(path: str) -> bool:
    """Return whether an ordinary file, or a link to nowhere, has this name."""
    return os.path.lexists(path) and (os.path.isfile(path) or not os.path.exists(path))
