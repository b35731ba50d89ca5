"""Text inside the languages of others: what has a meaning there is escaped, what nobody sees made visible."""

from gnomon.results.styled import visible


def in_xml(text: str) -> str:
    """Return text that XML can hold."""
    kept = visible(text)
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        kept = kept.replace(sign, name)
    return kept


def in_dot(text: str) -> str:
    """Return text that Graphviz shows as it is."""
    return visible(text, "").replace("\\", "\\\\").replace('"', '\\"')


def in_mermaid(text: str) -> str:
    """Return text that Mermaid shows as it is; it knows characters by their number."""
    shown = visible(text, "")
    return "".join(f"#{ord(sign)};" if sign in '"#<>&`|' else sign for sign in shown)


#: What has a meaning in TeX, by its number in every fixed-width font and apart from its neighbours, with
#: which it might become another sign; and signs that these fonts lack.
_TEX = {
    **{sign: f"{{\\char{ord(sign)}}}" for sign in "\\{}^~`'\""},
    **{sign: f"\\{sign}" for sign in "$&#%_"},
    "⊨": "$\\models$",
    "≈": "$\\approx$",
    "✓": "$\\surd$",
    "✗": "$\\times$",
    "→": "$\\to$",
    "·": "$\\cdot$",
    "…": "\\ldots{}",
}


def in_tex(text: str) -> str:
    """Return text that TeX shows as it is in a fixed-width font, blanks included."""
    shown = "".join(_TEX.get(sign, sign) for sign in visible(text, ""))
    return shown.replace("  ", "~~")
