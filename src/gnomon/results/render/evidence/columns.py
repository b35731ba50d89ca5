"""Where the boxes of a picture of evidence go: a column a run, time running down.

A run that leads to a state that looks the same stands so low that the two states are neighbours; a run
that goes on from another starts one row below the state they share.
"""

from dataclasses import dataclass

from gnomon.results.drawing.measure import SMALL, SMALL_ROW, box_size
from gnomon.results.evidence_tree import RunPosition
from gnomon.results.render.evidence.picture import PictureEdge, PictureNode, RunPicture
from gnomon.results.styled import width_of

BOW = 26.0
_TITLE = 26.0


@dataclass(frozen=True, slots=True)
class PictureBox:
    """Where a state is drawn."""

    node: PictureNode
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Return the horizontal middle."""
        return self.x + self.width / 2

    @property
    def centre(self) -> float:
        """Return the vertical middle."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Sheet:
    """All boxes by their places, the titles of the runs with their coordinates, and the size.

    `bows` is how far out bows go at the right of a run, between two states of it that look the same.
    """

    boxes: dict[RunPosition, PictureBox]
    titles: tuple[tuple[str, float, float], ...]
    width: float
    height: float
    bows: dict[int, float]


def arrange(picture: RunPicture) -> Sheet:
    """Return coordinates for a picture."""
    rows = _rows(picture)
    tops = _tops(picture, rows)
    boxes: dict[RunPosition, PictureBox] = {}
    titles = []
    bows: dict[int, float] = {}
    right = 0.0
    for column in picture.columns:
        if not column.nodes:
            continue
        wide = max(box_size(node.text)[0] for node in column.nodes)
        before, after = _sides(picture, column.number, wide)
        gap = _gap(picture, column.number) if boxes else 0.0
        middle = right + gap + before
        for node in column.nodes:
            width, height = box_size(node.text)
            top = tops[rows[node.place]]
            boxes[node.place] = PictureBox(node, middle - width / 2, top, width, height)
        highest = min(boxes[node.place].y for node in column.nodes)
        titles.append((column.title, middle - wide / 2, highest - 10))
        right = middle + after
        alike = _alike(picture, column.number)
        if alike:
            bows[column.number] = right + BOW / 2
            right += BOW / 2 + alike + 14
    bottom = max((box.y + box.height for box in boxes.values()), default=0.0)
    return Sheet(boxes, tuple(titles), right, bottom, bows)


def label_width(lines: tuple[str, ...]) -> float:
    """Return the width of the words beside an arrow."""
    return max(map(width_of, lines), default=0) * SMALL


def _rows(picture: RunPicture) -> dict[RunPosition, int]:
    """Return the row of every state."""
    rows: dict[RunPosition, int] = {}
    forks = {
        edge.target.run: edge.source
        for edge in picture.edges
        if edge.source.run != edge.target.run and not edge.back
    }
    goals = {link.right: link.left for link in picture.links}
    for column in picture.columns:
        if not column.nodes:
            continue
        first, last = column.nodes[0].place, column.nodes[-1].place
        down = 0
        if column.number in forks:
            down = rows[forks[column.number]] + 1 - first.position
        elif last in goals and goals[last] in rows:
            down = max(0, rows[goals[last]] - last.position)
        for node in column.nodes:
            rows[node.place] = node.place.position + down
    return rows


def _tops(picture: RunPicture, rows: dict[RunPosition, int]) -> list[float]:
    """Return where each row starts: below the highest box and the longest label before it."""
    count = max(rows.values(), default=0) + 1
    heights = [0.0] * count
    for node in picture.nodes:
        row = rows[node.place]
        heights[row] = max(heights[row], box_size(node.text)[1])
    above = [_TITLE] * count
    for edge in picture.edges:
        row = rows[edge.target]
        if not edge.back:
            above[row] = max(above[row], len(edge.lines) * SMALL_ROW + 26)
    tops, at = [], 0.0
    for row in range(count):
        at += above[row]
        tops.append(at)
        at += heights[row]
    return tops


def _sides(picture: RunPicture, number: int, wide: float) -> tuple[float, float]:
    """Return how far a column reaches to the left and right of its middle."""
    arriving = [edge for edge in picture.edges if edge.target.run == number and not edge.back]
    loops = [edge for edge in picture.edges if edge.back and is_bow(edge, number)]
    after = max((label_width(edge.lines) + 14 for edge in arriving), default=0.0)
    before = max((label_width(edge.lines) + BOW + 10 for edge in loops), default=0.0)
    return wide / 2 + before, max(wide / 2, after)


def _alike(picture: RunPicture, number: int) -> float:
    """Return how wide the names are at links between two states of one run; 0 where there are none."""
    labels = (
        width_of(link.label) * SMALL
        for link in picture.links
        if link.left.run == link.right.run == number
    )
    return max(labels, default=0.0)


def is_bow(edge: PictureEdge, number: int) -> bool:
    """Return whether a loop is closed within one column."""
    return edge.source.run == edge.target.run == number


def _gap(picture: RunPicture, number: int) -> float:
    """Return the room before a column, for the names of those to whom it looks the same."""
    labels = [
        width_of(link.label) * SMALL
        for link in picture.links
        if link.right.run == number != link.left.run
    ]
    return max([*labels, 20.0]) + 40
