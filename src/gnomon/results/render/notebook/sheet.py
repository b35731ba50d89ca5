"""What things look like in a notebook: one style sheet, whose rules reach nothing but our own outputs.

Notebooks have styles of their own for what cells give: tables are aligned right and striped, `pre` gets a
proportional font, and whether the page is dark is not told. So rules are strong where theirs are, and every
colour is mixed with that of the text around it; where a browser cannot mix, there is one that can be read on
light and on dark ground.
"""

from typing import Final

MONO: Final = 'ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace'

#: Colours by what they mean: as they are, and the one that is mixed with the colour of the text.
_COLOURS: Final = {
    "true": ("#1a8f4a", "#00a53c"),
    "false": ("#e0463a", "#f01020"),
    "unknown": ("#b07d12", "#d08a00"),
    "act": ("#2b84a8", "#0a84c0"),
}


def mixed(name: str, weight: str = "") -> str:
    """Return the rules for text in a colour, `weight` being a mark that they are strong."""
    plain, other = _COLOURS[name]
    return f"color:{plain}{weight};color:color-mix(in srgb,{other} 62%,currentColor){weight}"


_RULES: Final = (
    ("", "--g-line:rgba(128,128,128,.4)"),
    ("", "--g-shade:rgba(128,128,128,.12)"),
    ("", "color:inherit;background:transparent;line-height:1.45;max-width:100%"),
    ("", "overflow-wrap:break-word"),
    *((f" .g-{name}", mixed(name)) for name in _COLOURS),
    (" .g-soft", "opacity:.72"),
    (" p", "margin:.35em 0!important"),
    (" ul", "margin:.35em 0!important;padding-left:1.5em!important"),
    (" li", "margin:.1em 0!important"),
    (" .g-in", "margin-left:1.4em!important"),
    (" .g-mark", "font-weight:bold"),
    (" .g-head", "font-weight:600;margin:.9em 0 .25em!important"),
    (
        " code",
        f"font-family:{MONO}!important;background:var(--g-shade)!important;color:inherit!important",
    ),
    (
        " code",
        "border:0!important;padding:.05em .3em!important;border-radius:3px;font-size:.92em!important",
    ),
    (" code", "white-space:pre-wrap;overflow-wrap:anywhere"),
    (" td code", "background:transparent!important;padding:0!important;overflow-wrap:break-word"),
    (
        " pre",
        f"font-family:{MONO}!important;background:transparent!important;color:inherit!important",
    ),
    (
        " pre",
        "border:0!important;padding:0!important;margin:.4em 0!important;font-size:.88em!important",
    ),
    (" pre", "line-height:1.35!important;overflow-x:auto;white-space:pre!important"),
    (" .g-wide", "overflow:auto;max-width:100%;max-height:900px;margin:.3em 0"),
    (" .g-picture", "display:block!important;overflow:auto;max-width:100%;max-height:800px"),
    (" .g-whole", "max-height:none"),
    (" .g-instead", "display:none!important"),
    (" table", "border-collapse:collapse!important;border:0!important;margin:.3em 0!important"),
    (" table", "width:auto!important;max-width:none!important;table-layout:auto!important"),
    (" table", "display:table!important;font-size:.9em!important;color:inherit!important"),
    (" table", "background:transparent!important;box-shadow:none!important"),
    (" :is(thead,tbody,tr)", "background:transparent!important;border:0!important"),
    (" :is(thead,tbody,tr)", "color:inherit!important;font-weight:inherit"),
    (" :is(th,td)", "border:0!important;border-bottom:1px solid var(--g-line)!important"),
    (
        " :is(th,td)",
        "text-align:left!important;vertical-align:top!important;line-height:1.4!important",
    ),
    (" :is(th,td)", "padding:.22em .7em .22em .35em!important;background:transparent!important"),
    (" :is(th,td)", "color:inherit!important;white-space:normal;max-width:46em"),
    (" th", "font-weight:600!important;white-space:nowrap!important"),
    (
        " .g-number",
        "text-align:right!important;font-variant-numeric:tabular-nums;white-space:nowrap",
    ),
    (" .g-split", "border-left:1px solid var(--g-line)!important;padding-left:.7em!important"),
    (" tr.g-state td", "background:var(--g-shade)!important"),
    (" tr.g-act td", mixed("act", "!important")),
    *((f" td.g-{name}", mixed(name, "!important")) for name in _COLOURS),
    (" .g-beside", "display:flex;flex-wrap:wrap;gap:.4em 1.8em;align-items:flex-start"),
    (" .g-beside>*", "flex:1 1 20em;min-width:0;max-width:100%"),
    (" .g-beside>:first-child", "flex:2 1 20em"),
    (" details", "margin:.35em 0"),
    (" summary", "cursor:pointer;display:list-item!important"),
    (" progress", "vertical-align:middle;width:12em"),
)

STYLE: Final = "\n".join(f".gnomon{selector}{{{rules}}}" for selector, rules in _RULES)
