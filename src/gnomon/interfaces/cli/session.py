"""The simulator's commands: each reads its words, moves the walk, and returns what to print."""

import os
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from gnomon.checking.load import Loaded, read_formula
from gnomon.interfaces.cli.files import keep_apart, write_whole
from gnomon.interfaces.cli.questions import Filter, value_here
from gnomon.model.budget import Budget, LimitReached
from gnomon.model.step import holds, initial_states, view
from gnomon.results.data import of_run
from gnomon.results.render import lanes
from gnomon.results.render import walk as drawing
from gnomon.results.styled import Span, Text, visible
from gnomon.results.walk import Visit, Walk, WalkError, explore
from gnomon.text.diagnostic import InputError
from gnomon.version import __version__

#: How many moves, states or initial states are listed at once.
PAGE = 20
#: No model has as many of anything as larger numbers say.
_MOST_DIGITS = 18
#: The part of the time for random steps; the rest is for showing where they lead.
_STEPPING = 0.6
#: How far `know` looks.
REACH = 2_000

HELP = """\
  N                  take move N
  undo, redo         go back one step, and forth again
  goto K             go to state K, visited before; a step from there forks
  init [K]           go to the K-th initial state; without K, list them
  random [N]         take N steps at random (1)
  where [A=x ...]    list only moves with these actions or new values, such as
                     Sender=send or Sender.ack=true; without words, all again
  moves, more        list the moves here; the next page of them
  state              show the state again
  eval FORMULA       is it true here?
  know AGENT         which states look the same to the agent?
  trace              the run from the initial state to here
  history            all states visited, as a tree
  save FILE          write a script that comes here again (FILE.json: the run as JSON);
                     save! FILE does so even where there is such a file
  help, quit         this; the end (so does Ctrl-D)
"""


class Limits(NamedTuple):
    """The seconds for each command, and the megabytes for all of them; None for no limit."""

    seconds: float | None = None
    megabytes: float | None = None

    def budget(self, part: float = 1.0) -> Budget:
        """Return what one command, or a part of it, may use."""
        budget = Budget(self.seconds, self.megabytes)
        # The rest counts as spent, so that messages name the limit that was set.
        budget.started -= (1 - part) * (self.seconds or 0.0)
        return budget


class Session:
    """A walk and the commands that move it."""

    def __init__(
        self,
        model: str,
        loaded: Loaded,
        seed: int | None,
        width: int = 80,
        limits: Limits = Limits(),
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
        self.walk = Walk(self.system)
        self.width = width
        self.filter = Filter(())
        self.page = 0
        self.over = False
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

    def do(self, line: str) -> Text:
        """Do one command and return what it says; raise `WalkError` where it cannot be done.

        Each has limits of its own; what ends at one of them leaves the walk where it is.
        """
        self.walk.budget = self.limits.budget()
        try:
            return self._do(line)
        except LimitReached as limit:
            raise WalkError(f"given up: {limit}") from limit

    def _do(self, line: str) -> Text:
        name, _, rest = line.partition("#")[0].strip().partition(" ")
        if not name:
            return Text()
        if name.isdecimal():
            return self._take(_number(name, "N"))
        action = self._commands().get(name.lower())
        if action is None:
            raise WalkError(self._unknown(name))
        return action(rest.strip())

    def _commands(self) -> dict[str, Callable[[str], Text]]:
        return {
            "undo": self._undo,
            "u": self._undo,
            "redo": self._redo,
            "goto": self._goto,
            "init": self._init,
            "random": self._random,
            "where": self._where,
            "moves": self._moves,
            "more": self._more,
            "state": lambda _: self.where_we_are(),
            "eval": self._eval,
            "know": self._know,
            "trace": lambda _: self.trace(),
            "history": lambda _: drawing.render_tree(self.walk, self.width),
            "save": self._save,
            "save!": lambda rest: self._save(rest, forced=True),
            "help": lambda _: _said(HELP),
            "quit": self._quit,
            "exit": self._quit,
            "q": self._quit,
        }

    def _unknown(self, name: str) -> str:
        from gnomon.text.diagnostic import closest

        near = closest(name, [word for word in self._commands() if len(word) > 1])
        hint = f": did you mean `{near}`?" if near else " (`help` lists them)"
        return f"there is no command `{name}`{hint}"

    def where_we_are(self) -> Text:
        """Return the state and the moves from it."""
        text = drawing.render_state(self.walk, self.width)
        text.add()
        text.extend(self._list())
        return text

    def _list(self) -> Text:
        options = self.walk.options()
        return drawing.render_options(
            self.walk, options, self.filter, self.page * PAGE, PAGE, self.width
        )

    def _arrive(self, command: str) -> Text:
        self._script.setdefault(self.walk.at, command)
        self.page = 0
        text = Text()
        text.add()
        text.extend(self.where_we_are())
        return text

    def _take(self, number: int) -> Text:
        self.walk.take(number)
        return self._arrive(str(number))

    def _undo(self, rest: str) -> Text:
        _nothing(rest)
        self.walk.undo()
        return self._arrive("")

    def _redo(self, rest: str) -> Text:
        _nothing(rest)
        self.walk.redo()
        return self._arrive("")

    def _goto(self, rest: str) -> Text:
        self.walk.goto(_number(rest, "goto K"))
        return self._arrive("")

    def _init(self, rest: str) -> Text:
        if not rest:
            return drawing.render_initial(
                self.system, initial_states(self.system, self.walk.budget), PAGE, self.width
            )
        number = _number(rest, "init K")
        self.walk.start(number)
        return self._arrive(f"init {number}")

    def wander(self, steps: int) -> str:
        """Take steps at random, and return why there are not as many as wanted, or nothing."""
        self._stroll(steps)
        return self.stopped

    def wandered(self) -> Text:
        """Return the run, the seed it came from, and why it is not longer."""
        text = Text()
        text.add(Span(f"seed {self.seed}", "dim"))
        text.add()
        text.extend(self.trace())
        if self.stopped:
            text.add()
            text.add(Span(self.stopped, "warning"))
        return text

    def _random(self, rest: str) -> Text:
        self._stroll(_number(rest, "random N") if rest else 1)
        text = Text()
        if self.stopped:
            text.add(Span(self.stopped, "warning"))
        text.extend(self._arrive(""))
        return text

    def _stroll(self, wanted: int) -> None:
        """Take steps at random; `stopped` says why there are fewer than wanted."""
        self.by_chance = self.by_chance or wanted > 0
        self.walk.budget = self.limits.budget(_STEPPING)
        self.stopped = self._step(wanted)
        self.walk.budget = self.limits.budget(1 - _STEPPING)

    def _step(self, wanted: int) -> str:
        """Take steps at random, and return why there are not more, or nothing."""
        for done in range(wanted):
            try:
                self.walk.budget.check("steps", done)
                self.walk.take_random(self.random)
            except WalkError as error:
                dead = self.walk.options().is_deadlock
                what = "a deadlock" if dead else "stopped"
                why = "" if dead else f": {error}"
                return f"{what} after {done:,} of {wanted:,} steps{why}"
            except LimitReached as limit:
                return f"stopped after {done:,} of {wanted:,} steps: {limit}"
            self._script.setdefault(self.walk.at, None)
        return ""

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

    def _where(self, rest: str) -> Text:
        self.filter = Filter.read(rest, self.system)
        self.page = 0
        return self._list()

    def _moves(self, rest: str) -> Text:
        _nothing(rest)
        self.page = 0
        return self._list()

    def _more(self, rest: str) -> Text:
        _nothing(rest)
        self.page += 1
        return self._list()

    def _eval(self, rest: str) -> Text:
        if not rest:
            raise WalkError("eval what? Such as: eval received and !acknowledged")
        try:
            specification = read_formula(self.loaded, rest)
        except InputError as error:
            from gnomon.results.render.diagnostic import render

            raise WalkError(render(error.diagnostics, self.width).plain().rstrip()) from error
        budget = self.walk.budget
        value, remark = value_here(self.system, specification, self.walk.here.state, budget)
        text = Text()
        text.add(Span(value, value), Span(f"  {remark}" if remark else "", "dim"))
        return text

    def _know(self, rest: str) -> Text:
        if rest not in self.system.agent_index:
            known = ", ".join(agent.name for agent in self.system.agents)
            raise WalkError(f"know whom? There are: {known}")
        agent = self.system.agent(rest)
        here = self.walk.here.state
        seen = view(self.system, agent, here)
        found = dict.fromkeys(visit.state for visit in self.walk.visits)
        looked = 0
        cut = False
        try:
            for state in explore(self.system, REACH, self.walk.budget):
                found[state] = None
                looked += 1
        except LimitReached:
            cut = True
        alike = [state for state in found if view(self.system, agent, state) == seen]
        others = [state for state in alike if state != here]
        return drawing.render_alike(self.walk, rest, others, self.width, cut=cut or looked >= REACH)

    def trace(self) -> Text:
        """Return the run from the initial state to here."""
        return lanes.render(self.system, self.walk.run(), self.width)

    def as_json(self) -> str:
        """Return the run from the initial state to here as JSON."""
        from gnomon.results.render.json import dumps

        true = [
            name
            for name, what in self.system.propositions.items()
            if holds(what, self.system, self.walk.here.state)
        ]
        return dumps(
            {
                "gnomon": __version__,
                "model": self.model,
                "seed": self.seed if self.by_chance else None,
                "run": of_run(self.walk.run(), self.system),
                "deadlock": self.walk.options().is_deadlock,
                "propositions": true,
            }
        )

    def _save(self, rest: str, *, forced: bool = False) -> Text:
        if not rest or "\0" in rest:
            raise WalkError("save where? Such as: save walk.txt")
        from click import ClickException

        try:
            keep_apart([self.model], {"save": rest})
            if not forced and _is_there(rest):
                raise WalkError(f"`{rest}` is there already: `save! {rest}` replaces it")
            write_whole(rest, self.as_json() if rest.endswith(".json") else self._as_script(rest))
        except ClickException as error:
            raise WalkError(error.message) from error
        return _said(f"saved {rest}")

    def _as_script(self, name: str) -> str:
        head = visible(f"# gnomon simulate {self.model} --script {name}", "")
        return "\n".join([head, *map(self._command, self.walk.path())]) + "\n"

    def _quit(self, rest: str) -> Text:
        _nothing(rest)
        self.over = True
        return Text()


def _said(words: str) -> Text:
    text = Text()
    for line in words.splitlines():
        text.add(line)
    return text


def _number(word: str, usage: str) -> int:
    if not word.isdecimal():
        raise WalkError(f"a number is missing: {usage}")
    if len(word) > _MOST_DIGITS:
        raise WalkError(f"{word[:_MOST_DIGITS]}… is too large a number")
    return int(word)


def _is_there(path: str) -> bool:
    """Return whether an ordinary file, or a link to nowhere, has this name."""
    return os.path.lexists(path) and (os.path.isfile(path) or not os.path.exists(path))


def _nothing(rest: str) -> None:
    if rest:
        raise WalkError(f"nothing is expected after the command, but there is `{rest}`")
