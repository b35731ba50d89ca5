"""What pictures in SVG look like.

A picture of its own has plain colours, so that every converter to PDF understands it. Inside a page of HTML
the colours are variables, which follow the reader's choice of light or dark. A notebook does not tell whether
it is dark: colours are mixed with that of the text around then.
"""

from typing import Final, Literal, TypeAlias

#: Where a picture stands: alone, in a page of ours, or in a notebook.
PictureLook: TypeAlias = Literal["paper", "page", "notebook"]

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

#: What notebooks call the colour of their ground; where nobody knows it, what is behind shines through.
_GROUNDS: Final = (
    "--jp-layout-color0",
    "--vscode-editor-background",
    "--color-background-primary",
    "--colab-primary-surface-color",
)


def _ground() -> str:
    found = "transparent"
    for name in reversed(_GROUNDS):
        found = f"var({name},{found})"
    return found


def _mixed(colour: str, percent: int, other: str = "currentColor") -> str:
    return f"color-mix(in srgb, {colour} {percent}%, {other})"


#: The same by what is around.
_IN_NOTEBOOKS: Final = {
    "ink": "currentColor",
    "line": _mixed("currentColor", 62, "var(--g-paper)"),
    "paper": "var(--g-paper)",
    "box": _mixed("currentColor", 5, "var(--g-paper)"),
    "yes": _mixed("#00a53c", 62),
    "no": _mixed("#f01020", 62),
    "same": _mixed("#e8301c", 68),
    "norm": _mixed("#a040d0", 62),
    "back": _mixed("#0a70e0", 62),
    "goal": _mixed("#00a53c", 14, "var(--g-paper)"),
    "lost": _mixed("#f01020", 12, "var(--g-paper)"),
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


def style_sheet(look: PictureLook) -> str:
    """Return the rules for a picture of its own, or for one inside a page or a notebook."""
    lines = []
    if look == "notebook":
        lines.append(f".gnomon {{ --g-paper: {_ground()}; }}")
        lines.append(".output_subarea .gnomon { --g-paper: #ffffff; }")
    if look == "page":
        light, dark = (
            " ".join(f"--{name}: {both[place]};" for name, both in _COLOURS.items())
            for place in (0, 1)
        )
        lines.append(f".gnomon-picture {{ {light} }}")
        lines.append(f"@media (prefers-color-scheme: dark) {{ .gnomon-picture {{ {dark} }} }}")
    colours = {
        name: _IN_NOTEBOOKS[name]
        if look == "notebook"
        else f"var(--{name})"
        if look == "page"
        else both[0]
        for name, both in _COLOURS.items()
    }
    # Pictures of other kinds may be on the same page, and have rules for it, too.
    kept = ".gnomon .gnomon-picture" if look == "notebook" else ".gnomon-picture"
    for selector, *rules in _RULES:
        where = ", ".join(f"{kept} {part}" for part in selector.split(", "))
        said = "; ".join(rule.format_map(colours) for rule in rules)
        lines.append(f"{where} {{ {said}; }}")
    return "\n".join(lines)
