"""Evidence as a picture of its own, in SVG, with no other program needed."""

from gnomon.model.evidence import Evidence
from gnomon.model.system import System
from gnomon.results.projection import ShownAgents
from gnomon.results.render.evidence.columns import BOW, PictureBox, Sheet, arrange, label_width
from gnomon.results.render.evidence.picture import PictureEdge, PictureLink, RunPicture, draw
from gnomon.results.render.evidence.view import VerdictView
from gnomon.results.render.markup import in_xml
from gnomon.results.render.svg_pieces import SMALL, SMALL_ROW, arrow_head, drawn_box, patched, words
from gnomon.results.styled import width_of

_MARGIN = 28.0

#: Every rule is kept inside the picture, so that a page around it stays as it is.
_STYLE = """
.evidence { --ink: #1f2933; --line: #52606d; --paper: #ffffff; --box: #f7f9fb; --yes: #0b6e4f;
  --no: #b42318; --same: #c0392b; --norm: #8e44ad; --back: #2563a8; }
@media (prefers-color-scheme: dark) {
.evidence { --ink: #e4e7eb; --line: #9aa5b1; --paper: #16191d; --box: #22272e; --yes: #57c99a;
  --no: #ff8f80; --same: #ff7b6b; --norm: #cf9bea; --back: #7db5f0; } }
.evidence text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  fill: #1f2933; fill: var(--ink); }
.evidence .page { fill: #ffffff; fill: var(--paper); }
.evidence .box { fill: #f7f9fb; fill: var(--box); stroke: #52606d; stroke: var(--line); }
.evidence .initial .box { stroke-width: 2.5; }
.evidence .number, .evidence .title { font-weight: bold; }
.evidence .yes { fill: #0b6e4f; fill: var(--yes); }
.evidence .no { fill: #b42318; fill: var(--no); }
.evidence .step { fill: none; stroke: #52606d; stroke: var(--line); stroke-width: 1.2; }
.evidence .back { fill: none; stroke: #2563a8; stroke: var(--back); stroke-width: 1.4; }
.evidence .head { fill: #52606d; fill: var(--line); }
.evidence .knowledge { fill: none; stroke: #c0392b; stroke: var(--same); stroke-width: 1.6;
  stroke-dasharray: 6 4; }
.evidence .norm { fill: none; stroke: #8e44ad; stroke: var(--norm); stroke-width: 1.6;
  stroke-dasharray: 2 4; }
.evidence .said { font-size: 10px; }
.evidence .patch { fill: #ffffff; fill: var(--paper); fill-opacity: 0.85; }
.evidence .saidknowledge { fill: #c0392b; fill: var(--same); }
.evidence .saidnorm { fill: #8e44ad; fill: var(--norm); }
.evidence .saidback { fill: #2563a8; fill: var(--back); }
"""


def explain(view: VerdictView) -> str:
    """Return the picture of the runs of a verdict."""
    return render(*view.with_runs(), name=view.verdict.name)


def render(
    system: System,
    evidence: Evidence,
    agents: ShownAgents = None,
    *,
    name: str = "",
    inline: bool = False,
) -> str:
    """Return a whole SVG document, or, `inline`, an element for a page of HTML."""
    picture = draw(system, evidence, agents, name)
    sheet = arrange(picture)
    drawn = [
        *(_link(link, sheet) for link in picture.links),
        *(_step(edge, sheet) for edge in picture.edges if not edge.back),
        *(_back(edge, sheet) for edge in picture.edges if edge.back),
        *(_box(box) for box in sheet.boxes.values()),
        *(words(*title, "title") for title in sheet.titles),
        *(_link_label(link, sheet) for link in picture.links),
    ]
    return _document(picture, sheet, "".join(drawn), inline=inline)


def _document(picture: RunPicture, sheet: Sheet, drawn: str, *, inline: bool) -> str:
    width, height = sheet.width + 2 * _MARGIN, sheet.height + 2 * _MARGIN
    namespace = "" if inline else 'xmlns="http://www.w3.org/2000/svg" '
    return (
        f'<svg {namespace}class="evidence" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">\n'
        f"<title>{in_xml(picture.title or 'evidence')}</title>\n<style>{_STYLE}</style>\n"
        f"{arrow_head('evidence-head')}"
        '<rect class="page" width="100%" height="100%"/>\n'
        f'<g xml:space="preserve" transform="translate({_MARGIN:.0f} {_MARGIN:.0f})">\n{drawn}</g>\n</svg>\n'
    )


def _box(box: PictureBox) -> str:
    place = (box.x, box.y, box.width, box.height)
    return drawn_box(place, box.node.text, _style_of, initial=box.node.initial)


def _style_of(line: str) -> str:
    return {"✓": "yes", "✗": "no"}.get(line[:1], "value")


def _arrow(style: str, curve: str) -> str:
    return f'<path class="{style}" marker-end="url(#evidence-head)" d="{curve}"/>\n'


def _step(edge: PictureEdge, sheet: Sheet) -> str:
    """Return an arrow down to the next state, what was done beside it."""
    source, target = sheet.boxes[edge.source], sheet.boxes[edge.target]
    height = len(edge.lines) * SMALL_ROW
    top = target.y - height - 4
    if edge.source.run == edge.target.run:
        curve = f"M{source.middle:.1f} {source.y + source.height:.1f} V{target.y:.1f}"
    else:
        x, y = source.x + source.width, source.centre
        curve = f"M{x:.1f} {y:.1f} C{target.middle:.1f} {y:.1f} "
        curve += f"{target.middle:.1f} {y:.1f} {target.middle:.1f} {target.y:.1f}"
    said = [
        patched(line, target.middle + 8, top + SMALL_ROW * index, "said")
        for index, line in enumerate(edge.lines)
    ]
    return _arrow("step", curve) + "".join(said)


def _back(edge: PictureEdge, sheet: Sheet) -> str:
    """Return the bow at the left that closes a loop."""
    source, target = sheet.boxes[edge.source], sheet.boxes[edge.target]
    apart = 8.0 if edge.source == edge.target else 0.0
    y1, y2 = source.centre + apart, target.centre - apart
    # A longer bow goes further out, so that it passes all the boxes between.
    out = min(box.x for place, box in sheet.boxes.items() if place.run == edge.target.run) - BOW
    end = target.x if out < target.x else target.x + target.width
    curve = f"M{source.x:.1f} {y1:.1f} C{out:.1f} {y1:.1f} {out:.1f} {y2:.1f} {end:.1f} {y2:.1f}"
    top = (y1 + y2) / 2 - len(edge.lines) * SMALL_ROW / 2 + 9
    left = out - label_width(edge.lines)
    said = [
        patched(line, left, top + SMALL_ROW * index, "said saidback")
        for index, line in enumerate(edge.lines)
    ]
    return _arrow("back", curve) + "".join(said)


def _ends(link: PictureLink, sheet: Sheet) -> tuple[float, float, float, float]:
    """Return where a link leaves one box and reaches the other: at the sides that face each other."""
    left, right = sheet.boxes[link.left], sheet.boxes[link.right]
    if left.x > right.x:
        left, right = right, left
    return left.x + left.width, left.centre, right.x, right.centre


def _link(link: PictureLink, sheet: Sheet) -> str:
    x1, y1, x2, y2 = _ends(link, sheet)
    half = (x1 + x2) / 2
    curve = f"M{x1:.1f} {y1:.1f} C{half:.1f} {y1:.1f} {half:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return f'<path class="{link.kind}" d="{curve}"/>\n'


def _link_label(link: PictureLink, sheet: Sheet) -> str:
    """Return the names at the end of a link, in the gap between two runs."""
    _, y1, x, y2 = _ends(link, sheet)
    left = x - width_of(link.label) * SMALL - 14
    return patched(link.label, left, min(y1, y2) - 6, f"said said{link.kind}")
