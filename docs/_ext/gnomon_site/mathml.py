"""Formulae in LaTeX's notation as MathML, which browsers draw without a script."""

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx


def mathml(latex: str, *, block: bool = False) -> str:
    """Return a formula as an element `math`, with its source as what can be read aloud or copied."""
    from html import escape

    drawn = convert(latex.strip(), display="block" if block else "inline")
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
