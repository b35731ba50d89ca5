"""Links from diagnostic codes in prose, code and messages to their pages, in HTML that is ready."""

import re
from collections.abc import Collection
from typing import Final

#: Tags, comments and the text between them.
_PIECE: Final = re.compile(r"(<!--.*?-->|<[^>]*>)", re.DOTALL)
_TAG: Final = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_CODE: Final = re.compile(r"\bG\d{4}\b")
#: Nothing in these becomes a link: they are links, or titles that others link to, or no text at all.
_CLOSED: Final = frozenset(
    {"a", "h1", "h2", "h3", "h4", "h5", "h6", "script", "style", "svg", "title", "button"}
)


def link_codes(html: str, known: Collection[str], prefix: str, own: str = "") -> str:
    """Return the page with a link at every known code but its own; `prefix` leads to the folder of pages.

    >>> link_codes("<p>see <code>G0206</code></p>", {"G0206"}, "../")
    '<p>see <code><a class="code-link" href="../G0206.html">G0206</a></code></p>'
    """

    def linked(match: re.Match[str]) -> str:
        code = match[0]
        if code not in known or code == own:
            return code
        return f'<a class="code-link" href="{prefix}{code}.html">{code}</a>'

    pieces = []
    depth = 0
    for piece in _PIECE.split(html):
        if piece.startswith("<"):
            tag = _TAG.match(piece)
            if tag and tag[1].lower() in _CLOSED:
                depth += -1 if piece.startswith("</") else not piece.endswith("/>")
            pieces.append(piece)
        else:
            pieces.append(piece if depth else _CODE.sub(linked, piece))
    return "".join(pieces)
