"""Where not even those who see everything win, nobody searches for uniform strategies."""

import pytest

import gnomon
from gnomon.engines.explicit.engine import explore
from gnomon.logic import uniform_games
from gnomon.logic.denotation import Reading
from gnomon.logic.satisfaction import Satisfaction

GUESS = """
Agent Environment
  Vars: card : 1..3; end Vars
end Agent
Agent Player
  Vars: said : 0..2; end Vars
  Actions = { one, two };
  Protocol: Other : { one, two }; end Protocol
  Evolution: said = 1 if Action = one; said = 2 if Action = two; end Evolution
end Agent
Evaluation right if Player.said = Environment.card; end Evaluation
InitStates Player.said = 0; end InitStates
Groups player = { Player }; end Groups
Formulae <player>F right; end Formulae
"""


@pytest.mark.parametrize("reading", ["uniform", "uniform-subjective"])
def test_no_search_begins_where_an_initial_state_is_lost_to_all(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(*_: object, **__: object) -> None:
        pytest.fail("a search has begun")

    monkeypatch.setattr(uniform_games.UniformPlay, "wins", search)
    system = gnomon.load_text(GUESS).system
    [question] = system.specifications
    truth = Satisfaction(explore(system), strategies=reading)

    assert not truth.holds(question.formula)
