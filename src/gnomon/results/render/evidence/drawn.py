"""The picture of a verdict, for the formats that draw one."""

from gnomon.results.render.evidence.picture import RunPicture, draw
from gnomon.results.render.evidence.view import VerdictView


def picture_of(view: VerdictView) -> RunPicture:
    """Return what can be drawn; raise `NothingToDraw` where that is nothing."""
    system, evidence = view.with_evidence()
    picture = draw(system, evidence, view.drawing, view.verdict.name)
    if picture.is_empty:
        raise view.nothing("evidence that has no picture")
    return picture
