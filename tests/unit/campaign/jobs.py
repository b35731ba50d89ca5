"""Questions for campaigns: small ones, and one that takes for ever."""

from gnomon.campaign.job import CampaignJob
from gnomon.checking.options import Options
from gnomon.checking.question import Question
from tests import pigeons

LIGHT = """
Agent Environment
  Vars: on : boolean; end Vars
  Actions = {press};
  Protocol: Other : {press}; end Protocol
  Evolution: on = true if on = false; on = false if on = true; end Evolution
end Agent
Agent Hand
  Vars: idle : boolean; end Vars
  Actions = {rest};
  Protocol: Other : {rest}; end Protocol
  Evolution: idle = true if idle = true; end Evolution
end Agent
Evaluation lit if Environment.on = true; end Evaluation
InitStates Environment.on = false and Hand.idle = true; end InitStates
Formulae AF lit; AG !lit; end Formulae
"""


def small(number: int = 1, **options: object) -> CampaignJob:
    """Return a job that takes no time; each number has another question."""
    formulae = ("AF lit", f"EF ({' or '.join(['lit'] * number)})")
    return CampaignJob(
        Question(LIGHT, f"light {number}", formulae=formulae, options=Options(**options))  # type: ignore[arg-type]
    )


def endless(**options: object) -> CampaignJob:
    """Return a job that does not end by itself: it is inside one native call after a moment."""
    given = Options(strategies="uniform", **options)  # type: ignore[arg-type]
    text = pigeons.pigeons(formulae=(pigeons.HARD,))
    return CampaignJob(Question(text, "pigeons", options=given))
