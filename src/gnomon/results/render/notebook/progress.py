"""How far a check is, in a notebook."""

from gnomon.results.render.notebook.frame import framed, paragraph, shown


def render(words: str, done: int, of: int) -> str:
    """Return a bar and a line; where nobody knows how much there is, the bar moves without a number."""
    value = f' value="{done}"' if of else ""
    bar = f'<progress max="{max(1, of)}"{value}></progress>'
    hint = "interrupting the cell keeps what was decided"
    return framed(paragraph(f"{bar} {shown(words)}"), paragraph(f"<small>{hint}</small>", "g-soft"))
