"""What was said about a model, where nobody sees another screen: in files, in Python and on pages of HTML."""

from collections.abc import Iterable
from html import escape

from gnomon.results.render.diagnostic import in_one_line, render
from gnomon.results.styled import Page, StyledText, visible
from gnomon.text.diagnostic import Diagnostic


def as_text(diagnostics: Iterable[Diagnostic], page: Page = Page()) -> StyledText:
    """Return diagnostics drawn on the lines they are about; in one line each where little is wanted."""
    if not page.quiet:
        return render(list(diagnostics), page.width)
    text = StyledText()
    for item in diagnostics:
        text.extend(in_one_line(item))
    return text


def as_html(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the same for a page, or nothing where there is nothing to say."""
    shown = render(list(diagnostics)).plain().rstrip()
    return f'<pre class="notices">{escape(visible(shown))}</pre>' if shown else ""
