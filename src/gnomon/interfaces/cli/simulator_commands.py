"""The commands of the simulator: each line that is typed, or stands in a script, is one."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from gnomon.interfaces.cli.simulator import Simulator
from gnomon.model.budget import LimitReached
from gnomon.results.model_walk import ModelWalk, WalkError
from gnomon.results.styled import StyledText
from gnomon.text.diagnostic import closest

#: No model has as many of anything as larger numbers say.
_MOST_DIGITS = 18

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


class SimulatorSession(Simulator):
    """A simulator that is told what to do in words."""

    over = False

    def do(self, line: str) -> StyledText:
        """Do one command and return what it says; raise `WalkError` where it cannot be done.

        Each has limits of its own; what ends at one of them leaves the walk where it is.
        """
        self.walk.budget = self.limits.budget()
        try:
            return self._do(line)
        except LimitReached as limit:
            raise WalkError(f"given up: {limit}") from limit

    def _do(self, line: str) -> StyledText:
        name, _, rest = line.partition("#")[0].strip().partition(" ")
        if not name:
            return StyledText()
        if name.isdecimal():
            number = _number(name, "N")
            return self.go(lambda walk: walk.take(number), str(number))
        command = COMMANDS.get(name.lower())
        if command is None:
            raise WalkError(_unknown(name))
        return command(self, rest.strip())


SimulatorCommand = Callable[[SimulatorSession, str], StyledText]


def _unknown(name: str) -> str:
    near = closest(name, [word for word in COMMANDS if len(word) > 1])
    hint = f": did you mean `{near}`?" if near else " (`help` lists them)"
    return f"there is no command `{name}`{hint}"


def _alone(action: Callable[[SimulatorSession], StyledText]) -> SimulatorCommand:
    """Return a command after which nothing is expected."""

    def command(session: SimulatorSession, rest: str) -> StyledText:
        if rest:
            raise WalkError(f"nothing is expected after the command, but there is `{rest}`")
        return action(session)

    return command


def _init(session: SimulatorSession, rest: str) -> StyledText:
    if not rest:
        return session.starts()
    number = _number(rest, "init K")
    return session.go(lambda walk: walk.start(number), f"init {number}")


def _goto(session: SimulatorSession, rest: str) -> StyledText:
    number = _number(rest, "goto K")
    return session.go(lambda walk: walk.goto(number))


def _random(session: SimulatorSession, rest: str) -> StyledText:
    return session.random_steps(_number(rest, "random N") if rest else 1)


def _eval(session: SimulatorSession, rest: str) -> StyledText:
    if not rest:
        raise WalkError("eval what? Such as: eval received and !acknowledged")
    return session.evaluate(rest)


def _know(session: SimulatorSession, rest: str) -> StyledText:
    if rest not in session.system.agent_index:
        known = ", ".join(agent.name for agent in session.system.agents)
        raise WalkError(f"know whom? There are: {known}")
    return session.look_alikes(rest)


def _save(session: SimulatorSession, rest: str, *, forced: bool = False) -> StyledText:
    if not rest or "\0" in rest:
        raise WalkError("save where? Such as: save walk.txt")
    session.save(rest, forced=forced)
    return _said(f"saved {rest}")


def _quit(session: SimulatorSession) -> StyledText:
    session.over = True
    return StyledText()


COMMANDS: Final[Mapping[str, SimulatorCommand]] = {
    "undo": _alone(lambda session: session.go(ModelWalk.undo)),
    "u": _alone(lambda session: session.go(ModelWalk.undo)),
    "redo": _alone(lambda session: session.go(ModelWalk.redo)),
    "goto": _goto,
    "init": _init,
    "random": _random,
    "where": Simulator.narrow,
    "moves": _alone(lambda session: session.list_moves(0)),
    "more": _alone(lambda session: session.list_moves(session.page + 1)),
    "state": lambda session, _: session.where_we_are(),
    "eval": _eval,
    "know": _know,
    "trace": lambda session, _: session.trace(),
    "history": lambda session, _: session.history(),
    "save": _save,
    "save!": partial(_save, forced=True),
    "help": lambda _session, _rest: _said(HELP),
    "quit": _alone(_quit),
    "exit": _alone(_quit),
    "q": _alone(_quit),
}


def _said(words: str) -> StyledText:
    text = StyledText()
    for line in words.splitlines():
        text.add(line)
    return text


def _number(word: str, usage: str) -> int:
    if not word.isdecimal():
        raise WalkError(f"a number is missing: {usage}")
    if len(word) > _MOST_DIGITS:
        raise WalkError(f"{word[:_MOST_DIGITS]}… is too large a number")
    return int(word)
