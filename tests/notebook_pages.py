"""What every output for a notebook has to be: whole, harmless, and in need of nothing else."""

import re
from html.parser import HTMLParser

#: Elements that have no end.
_VOID = {"br", "img", "hr"}
#: Elements that may stand in an output. JupyterLab keeps the others away, or they act.
_KNOWN = {
    *"div style p strong em small span code pre table thead tbody tr th td ul li details summary".split(),
    *"br progress svg g rect path text title defs marker".split(),
}
#: What a page obeys, halves of characters, and marks that turn the order of letters round.
_ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.texts: list[str] = []
        self.styles: list[str] = []
        self.tags: list[str] = []
        self.roots = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _KNOWN, tag
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in {"href", "src", "action", "formaction", "srcdoc"}, name
            assert "javascript:" not in (value or "")
            assert not re.search(r"url\((?!#)", value or ""), value
        if not self.open:
            self.roots += 1
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        (self.styles if "style" in self.open else self.texts).append(data)


def read_page(page: str) -> str:
    """Return the words of an output; fail where it is not whole, not harmless, or needs anything else."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    styles = "".join(reader.styles)

    assert page.startswith('<div class="gnomon">\n<style>\n')
    assert 1 == reader.roots
    assert [] == reader.open
    assert "@import" not in styles and "url(" not in styles and "</" not in styles
    assert "http" not in page
    assert all(".gnomon" in rule for rule in styles.split("}")[:-1])
    assert not _ACTS.search(page)
    return " ".join(" ".join(reader.texts).split())


def tags_of(page: str) -> list[str]:
    """Return the elements of an output, in their order."""
    reader = _Reader()
    reader.feed(page)
    return reader.tags
