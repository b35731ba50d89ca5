"""Cells where protocols end and values leave their ranges: what is said, proved and shown of them."""

import gnomon
from gnomon.checking.options import Strategies

#: Bob may get everybody stuck at once, which is never fair.
_LEAVES = """
Agent Environment
  Obsvars: xe : int; ye : int; end Obsvars
  Actions = { go, stay };
  Protocol: ye = xe : { go, stay }; xe < 3 : { go }; Other : { go }; end Protocol
  Evolution:
    xe = 0 if Ann.Action = go and ye <> 3;
    (xe = 2) and (ye = xe) if Action = go and ye = xe;
    (ye = ye - 1) and (xe = 0) if (xe > 2 or ye < xe);
  end Evolution
end Agent
Agent Ann
  Vars: xa : 0..2; end Vars
  Actions = { go, stay };
  Protocol: Other : { go, stay }; end Protocol
  Evolution:
    xa = 2 - xa if Environment.xe < (-1);
    xa = 0 if Environment.xe > 3;
    xa = xa - 1 if xa >= 0;
    xa = 0 if Bob.Action = leave;
  end Evolution
end Agent
Agent Bob
  Vars: xb : 0..2; end Vars
  Actions = { rest, leave };
  Protocol: Environment.xe = 1 : { rest, leave }; xb = 2 : { rest, leave }; end Protocol
  Evolution: xb = 1 if Action = leave; end Evolution
end Agent
Evaluation
  q if Environment.ye = 0;
  s if Environment.ye <> 0 or Environment.ye > Environment.xe;
end Evaluation
InitStates
  Environment.xe = 1 and (Environment.ye = 0 or Environment.ye = 1 or Environment.ye = 2) and Bob.xb = 0;
end InitStates
Groups g = { Bob }; end Groups
Fairness Bob.Action = leave or Ann.xa >= 2; end Fairness
Formulae <g>X q; <g>F q; <g>(s U q); end Formulae
"""

_HALTS = """
Agent Environment
  Obsvars: y : -2..0; end Obsvars
  Vars: x : -2..0; end Vars
  Actions = { go, stay };
  Evolution: y = y + 1 if Action = go; x = y if Action = stay; end Evolution
end Agent
Agent Ann
  Vars: found : boolean; w : int; end Vars
  Actions = { go, stay };
  Protocol: found = false : { stay }; w <= -3 : { stay, go }; end Protocol
  Evolution:
    w = w + 1 if Environment.Action = go and w < 0;
    found = true if Environment.Action = go;
  end Evolution
end Agent
Agent Bob
  Lobsvars = { x };
  Vars: z : -2..0; end Vars
  Actions = { go };
  Protocol: Other : { go }; end Protocol
  Evolution: z = Environment.y if Action = go; end Evolution
end Agent
Evaluation p if Ann.w < -1; end Evaluation
InitStates Environment.x = 0 and Environment.y = -2 and Bob.z = -1 and Ann.w = -1; end InitStates
Groups g = { Bob }; h = { Environment, Ann, Bob }; end Groups
Formulae <h>(<h>X p U <g>X (Environment.x > -2)); <g>X p; end Formulae
"""


def _compare(text: str, strategies: Strategies) -> None:
    model = gnomon.load_text(text)
    truth = model.check(engine="explicit", strategies=strategies, evidence=False)
    found = model.check(engine="abstraction", strategies=strategies, certificate=True)
    for one, other in zip(truth, found, strict=True):
        assert other.value in (one.value, gnomon.Value.UNDEFINED), other.formula


def test_nobody_loses_uniformly_where_nothing_fair_follows() -> None:
    _compare(_LEAVES, "uniform")


def test_a_choice_that_nobody_can_complete_needs_no_answer() -> None:
    _compare(_HALTS, "uniform")
    _compare(_HALTS, "perfect")
