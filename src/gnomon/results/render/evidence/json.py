"""A verdict and its story as JSON: what `gnomon check --json` prints, with sentences."""

from gnomon.results import story
from gnomon.results.data import of_result, of_verdict
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.json import dumps


def explain(view: VerdictView) -> str:
    """Return a result whose verdict has its story, and evidence about some agents."""
    told = story.story(view.system, view.verdict, view.agents)
    formula = of_verdict(view.verdict, view.system, view.agents)
    formula["story"] = [sentence.text for sentence in told]
    return dumps({**of_result(view.result), "formulae": [formula]})
