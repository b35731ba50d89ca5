"""What pictures in SVG look like.

A picture of its own has plain colours, so that every converter to PDF understands it. Inside a page of HTML
the colours are variables, which follow the reader's choice of light or dark.
"""

from typing import Final

#: Colours by what they are for, on light and on dark paper.
_COLOURS: Final = {
    "ink": ("#1f2933", "#e4e7eb"),
    "line": ("#52606d", "#9aa5b1"),
    "paper": ("#ffffff", "#16191d"),
    "box": ("#f7f9fb", "#22272e"),
    "yes": ("#0b6e4f", "#57c99a"),
    "no": ("#b42318", "#ff8f80"),
    "same": ("#c0392b", "#ff7b6b"),
    "norm": ("#8e44ad", "#cf9bea"),
    "back": ("#2563a8", "#7db5f0"),
    "goal": ("#e3f4ec", "#173a2d"),
    "lost": ("#fbe9e7", "#43201c"),
}

#: The rules; `{name}` is a colour. Every rule is kept inside the picture: a page around it stays as it is.
_RULES: Final = (
    (
        "text",
        'font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 11px',
        "fill: {ink}",
    ),
    (".page", "fill: {paper}"),
    (".box", "fill: {box}", "stroke: {line}"),
    (".initial .box", "stroke-width: 2.5"),
    (".goal .box", "fill: {goal}", "stroke: {yes}"),
    (".lost .box", "fill: {lost}", "stroke: {no}"),
    (".stuck .box", "stroke-dasharray: 4 3"),
    (".number, .title", "font-weight: bold"),
    (".yes", "fill: {yes}"),
    (".no", "fill: {no}"),
    (".step", "fill: none", "stroke: {line}", "stroke-width: 1.2"),
    (".back", "fill: none", "stroke: {back}", "stroke-width: 1.4"),
    (".head", "fill: {line}"),
    (".knowledge", "fill: none", "stroke: {same}", "stroke-width: 1.6", "stroke-dasharray: 6 4"),
    (".norm", "fill: none", "stroke: {norm}", "stroke-width: 1.6", "stroke-dasharray: 2 4"),
    (".said, .note, .chip", "font-size: 10px"),
    (".chip", "fill: #1f2933"),
    (".choice", "font-weight: bold", "fill: {back}"),
    (".note", "fill: {line}"),
    (".patch", "fill: {paper}", "fill-opacity: 0.85"),
    (".saidknowledge", "fill: {same}"),
    (".saidnorm", "fill: {norm}"),
    (".saidback", "fill: {back}"),
)

#: The grounds of classes of states that look the same, in turn; dark letters can be read on all of them.
CHIPS: Final = (
    "#f6c6c0",
    "#bcdcf5",
    "#c9e8b9",
    "#f6dfa4",
    "#dccaf0",
    "#b9e6e0",
    "#f3c6de",
    "#d9d2b8",
    "#c8d0ea",
    "#e6c9b0",
)


def style_sheet(*, inline: bool) -> str:
    """Return the rules for a picture of its own, or for one inside a page."""
    lines = []
    if inline:
        light, dark = (
            " ".join(f"--{name}: {both[place]};" for name, both in _COLOURS.items())
            for place in (0, 1)
        )
        lines.append(f".gnomon-picture {{ {light} }}")
        lines.append(f"@media (prefers-color-scheme: dark) {{ .gnomon-picture {{ {dark} }} }}")
    colours = {name: f"var(--{name})" if inline else both[0] for name, both in _COLOURS.items()}
    for selector, *rules in _RULES:
        where = ", ".join(f".gnomon-picture {part}" for part in selector.split(", "))
        said = "; ".join(rule.format_map(colours) for rule in rules)
        lines.append(f"{where} {{ {said}; }}")
    return "\n".join(lines)
