"""Outputs on pages like those of notebooks, light and dark, in a real browser: aligned, readable, quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gnomon.results.graph import reachable_graph
from gnomon.results.render.notebook import answer, model, result, walk
from tests.browsing import browser, chromium
from tests.unit.results import samples

if TYPE_CHECKING:  # it need not be installed
    from playwright.sync_api import Browser, Page

__all__ = ["browser", "chromium"]

#: What notebooks say of outputs, as far as it is in the way: JupyterLab, VS Code and the classic one.
THEIRS = """
body { background: %s; color: %s; font: 14px/1.4 sans-serif; width: 760px; }
.out pre, .out code { font-family: serif; background: #eee; color: #111; }
.out table { table-layout: fixed; width: 100%%; margin: auto; text-align: right; }
.out td, .out th { text-align: right; padding: 20px; border: none !important; white-space: nowrap; }
.out tbody tr:nth-child(odd) { background: #f5f5f5; color: #111; }
.out thead { background: #ddd; }
.out summary { display: block; }
"""
GROUNDS = {
    "light": ("rgb(255, 255, 255)", "rgb(20, 20, 20)"),
    "dark": ("rgb(17, 17, 17)", "rgb(230, 230, 230)"),
}


def outputs() -> list[str]:
    """Return outputs of several kinds."""
    return [
        result.render(samples.result()),
        *(answer.render(samples.system(), verdict) for verdict in samples.result()),
        model.render("bits.ispl", samples.system(), reachable_graph(samples.system(), 9)),
        walk.render_text("a   b\nccc d"),
    ]


def opened(browser: Browser, scheme: str, messages: list[str]) -> Page:
    """Return a page with all outputs."""
    page = browser.new_page(viewport={"width": 900, "height": 900})
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: messages.append(request.url))
    inner = "".join(f'<div class="out">{each}</div>' for each in outputs())
    page.set_content(f"<style>{THEIRS % GROUNDS[scheme]}</style>{inner}")
    return page


@pytest.mark.slow
@pytest.mark.parametrize("scheme", GROUNDS)
def test_outputs_keep_their_looks(browser: Browser, scheme: str) -> None:
    messages: list[str] = []
    page = opened(browser, scheme, messages)

    def styles(selector: str, name: str) -> set[str]:
        found: list[str] = page.eval_on_selector_all(
            selector, f"all => all.map(each => getComputedStyle(each)['{name}'])"
        )
        return set(found)

    assert {"left"} == styles(".gnomon td:not(.g-number), .gnomon th:not(.g-number)", "textAlign")
    assert {"right"} == styles(".gnomon td.g-number", "textAlign")
    assert all("mono" in each for each in styles(".gnomon pre, .gnomon code", "fontFamily"))
    assert {"list-item"} == styles(".gnomon summary", "display")
    assert {"none"} == styles(".gnomon .g-instead", "display")
    assert {"block"} == styles(".gnomon .g-picture", "display")
    assert {"rgba(0, 0, 0, 0)", "transparent"} >= styles(".gnomon .page", "fill")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert [] == messages
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", GROUNDS)
def test_all_words_can_be_read_on_their_ground(browser: Browser, scheme: str) -> None:
    """The contrast of text is 4.5 to 1 at least, as accessibility asks; what is soft has 4."""
    page = opened(browser, scheme, [])
    ground = GROUNDS[scheme][0]
    low = page.evaluate(_CONTRAST, ground)

    assert [] == low
    page.close()


#: Every colour is drawn on a canvas, which knows what a mixed one comes to.
_CONTRAST = """ground => {
  const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const drawn = (...colours) => {
    for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = rgb => rgb.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const found = [];
  for (const each of document.querySelectorAll('.gnomon *')) {
    if (each.closest('style, title, .g-instead, details:not([open])')) continue;
    const words = [...each.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join('');
    if (!words) continue;
    const style = getComputedStyle(each), svg = each.closest('svg');
    if (each.classList.contains('chip')) continue;
    let seen = 1;
    for (let up = each; up; up = up.parentElement) seen *= getComputedStyle(up).opacity;
    const rgb = drawn(ground, svg ? style.fill : style.color);
    const below = drawn(ground);
    const mixed = rgb.map((v, i) => v * seen + below[i] * (1 - seen));
    const [a, b] = [light(mixed), light(below)].sort((x, y) => y - x);
    const contrast = (a + .05) / (b + .05);
    if (contrast < (seen < 1 || each.classList.contains('note') ? 4 : 4.5))
      found.push(`${words}: ${contrast.toFixed(2)}`);
  }
  return found;
}"""
