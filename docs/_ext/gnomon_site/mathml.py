"""Formulae in LaTeX's notation as MathML, which browsers draw without a script."""

import re
from html import escape
from typing import Any, Final

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

#: Signs that are operators, with the room that these have on both sides, and are given as names.
_SIGNS: Final = (
    ("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>"),
    ("<mi>&#x029F5;</mi>", "<mo>&#x02216;</mo>"),
    ("<mi>&#x02032;</mi>", "<mo>&#x02032;</mo>"),
)
#: A name of several letters, which is one name and not their product.
_LETTERS: Final = re.compile(r'<mrow>(?P<letters>(?:<mi mathvariant="normal">\w</mi>){2,})</mrow>')
_LETTER: Final = re.compile(r'<mi mathvariant="normal">(\w)</mi>')
_INSIDE: Final = r"\1"


def mathml(latex: str, *, block: bool = False) -> str:
    """Return a formula as an element `math`, with its source as what can be read aloud or copied."""
    drawn = convert(latex.strip(), display="block" if block else "inline")
    for wrong, right in _SIGNS:
        drawn = drawn.replace(wrong, right)
    drawn = _LETTERS.sub(lambda word: f"<mi>{_LETTER.sub(_INSIDE, word['letters'])}</mi>", drawn)
    return drawn.replace("<math ", f'<math alttext="{escape(latex.strip())}" ', 1)


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{mathml(node.astext(), block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Offer it as the renderer of formulae."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
