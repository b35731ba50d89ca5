"""A verdict and its story as JSON: what `gnomon check --json` prints, with sentences."""

from gnomon.checking.verdict import Result
from gnomon.results import story
from gnomon.results.data import Object, of_result, of_verdict
from gnomon.results.projection import Agents
from gnomon.results.render.json import dumps


def render(result: Result, agents: Agents = None) -> str:
    """Return a result whose verdicts have their stories, their evidence about some agents."""
    formulae: list[Object] = [
        {
            **of_verdict(verdict, result.system, agents),
            "story": [sentence.text for sentence in story.story(result.system, verdict, agents)],
        }
        for verdict in result.verdicts
    ]
    return dumps({**of_result(result), "formulae": formulae})
