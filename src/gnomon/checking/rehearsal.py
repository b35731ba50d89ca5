"""Small checks that nobody asked for, so that the next ones find everything loaded and run in.

What a process has done once, those that are forked from it need not do again: modules that are imported
where they are needed, tables that are filled when they are first read, code that Python has adapted to what
it is used for. No native library is called, so that the process may be forked afterwards.
"""

import gc
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from gnomon.checking.options import Options
from gnomon.checking.question import Question, read
from gnomon.checking.supervise import work_here

#: Two agents that pass a token: something to see, to know, to reach and to enforce.
TEXT: Final = """
Agent Environment
  Obsvars: turn : {left, right}; end Obsvars
  Vars: passed : 0 .. 3; end Vars
  Actions = {wait};
  Protocol: Other : {wait}; end Protocol
  Evolution:
    turn = right if turn = left and Left.Action = pass;
    turn = left and passed = passed + 1 if turn = right and Right.Action = pass and passed < 3;
  end Evolution
end Agent
Agent Left
  Vars: tired : boolean; end Vars
  Actions = {pass, rest};
  Protocol: Environment.turn = left and tired = false : {pass, rest}; Other : {rest}; end Protocol
  Evolution: tired = true if Action = pass; tired = false if Action = rest; end Evolution
end Agent
Agent Right
  Vars: tired : boolean; end Vars
  Actions = {pass, rest};
  Protocol: Environment.turn = right : {pass, rest}; Other : {rest}; end Protocol
  Evolution: tired = true if Action = pass; tired = false if Action = rest; end Evolution
end Agent
Evaluation
  done if Environment.passed = 3;
  mine if Environment.turn = left;
  tired if Left.tired = true;
end Evaluation
InitStates
  Environment.turn = left and Environment.passed = 0 and Left.tired = false and Right.tired = false;
end InitStates
Groups both = {Left, Right}; end Groups
Formulae
  AG (mine -> K(Left, mine));
  AG (tired -> !K(Right, tired));
  EF done;
  AF done;
  E (!done U tired);
  A (!done U tired);
  EG !done;
  AX !done;
  GCK(both, mine) or DK(both, !done);
  <both> F done;
  <Left> G !done;
  <Left> X tired;
end Formulae
"""
#: Decision diagrams in Python run the same code around them as native ones do.
_WAYS: Final = (
    Options(engine="explicit"),
    Options(engine="bdd", diagrams="python"),
    Options(engine="explicit", evidence=False),
)


def rehearse() -> Iterator[str]:
    """Do one small check after the other, one each time that is asked; then leave all there is as it is."""
    for options in _WAYS:
        if options.diagrams == "python" and find_spec("dd") is None:
            continue  # it is an extra
        with work_here():
            read(Question(TEXT, "rehearsal", options=options)).check()
        yield options.engine
    # What is here now will be here as long as the process: looking at it again would only copy its pages
    # in those that are forked from it.
    gc.collect()
    gc.freeze()
