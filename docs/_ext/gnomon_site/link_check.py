"""Every link and every picture of a built site leads somewhere, and nothing is loaded from elsewhere.

`python -m gnomon_site.link_check FOLDER` tells what does not; `--online` asks for pages elsewhere.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit
from urllib.request import Request, urlopen

#: What a page loads without being asked.
_LOADED: Final = frozenset(
    {"img", "script", "link", "iframe", "source", "video", "audio", "object"}
)
_ADDRESSES: Final = ("href", "src", "data", "poster")
#: Links that say something about a page and load nothing.
_SILENT: Final = frozenset({"canonical", "alternate", "prev", "next", "index", "search", "author"})
#: Pages without content, made by the theme.
_SKIPPED: Final = frozenset({"search.html", "genindex.html"})
_PATIENCE: Final = 20


class SiteLink(NamedTuple):
    """An address on a page, and whether the page loads it by itself."""

    page: str
    address: str
    loaded: bool


class _Reader(HTMLParser):
    """Collects the addresses and the anchors of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name.removeprefix("xlink:"): value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        loaded = tag in _LOADED and given.get("rel", "") not in _SILENT
        self.links += [(given[name], loaded) for name in _ADDRESSES if given.get(name)]


def read_site(folder: Path) -> tuple[list[SiteLink], dict[str, set[str]]]:
    """Return all links of a site, and the anchors of its pages."""
    links: list[SiteLink] = []
    anchors: dict[str, set[str]] = {}
    for path in sorted(folder.rglob("*.html")):
        page = path.relative_to(folder).as_posix()
        if page.startswith("_"):
            continue
        reader = _Reader()
        reader.feed(path.read_text(encoding="utf-8"))
        anchors[page] = reader.anchors
        links += [SiteLink(page, address, loaded) for address, loaded in reader.links]
    return links, anchors


def problems(
    folder: Path, links: Iterable[SiteLink], anchors: Mapping[str, set[str]]
) -> Iterator[str]:
    """Yield what is wrong: links that lead nowhere, and things that are loaded from other places."""
    for link in links:
        parts = urlsplit(link.address)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            if link.loaded:
                yield f"{link.page}: loads {link.address} from elsewhere"
            elif parts.scheme not in {"http", "https", "mailto"} or not (
                parts.netloc or parts.path
            ):
                yield f"{link.page}: {link.address} is no address"
            continue
        path = (
            (folder / link.page).parent / unquote(parts.path) if parts.path else folder / link.page
        )
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            yield f"{link.page}: {link.address} leads nowhere"
            continue
        resolved = path.resolve()
        if not resolved.is_relative_to(folder.resolve()):
            yield f"{link.page}: {link.address} leads out of the site"
            continue
        page = resolved.relative_to(folder.resolve()).as_posix()
        anchor = unquote(parts.fragment)
        if anchor and page in anchors and page not in _SKIPPED and anchor not in anchors[page]:
            yield f"{link.page}: {link.address} has no such place"


def elsewhere(links: Iterable[SiteLink]) -> dict[str, str]:
    """Return the addresses outside the site, each with a page that names it."""
    return {link.address: link.page for link in links if re.match(r"https?://", link.address)}


def unanswered(addresses: Mapping[str, str]) -> Iterator[str]:
    """Ask for every address, and yield those that do not answer."""
    for address, page in sorted(addresses.items()):
        asked = Request(address, headers={"User-Agent": "Mozilla/5.0 (link check)"}, method="GET")  # noqa: S310 - http only
        try:
            with urlopen(asked, timeout=_PATIENCE):  # noqa: S310 - http only
                pass
        except (HTTPError, URLError, OSError) as error:
            # Some refuse programs; that tells nothing about the address.
            if not (isinstance(error, HTTPError) and error.code in {403, 405, 418, 429}):
                yield f"{page}: {address}: {error}"


def main(arguments: list[str]) -> int:
    """Check a folder, print what is wrong, and return 1 where something is."""
    online = "--online" in arguments
    [folder] = [Path(word) for word in arguments if word != "--online"]
    links, anchors = read_site(folder)
    wrong = list(problems(folder, links, anchors))
    others = elsewhere(links)
    if online:
        wrong += unanswered(others)
    for problem in dict.fromkeys(wrong):
        print(problem, file=sys.stderr)
    outside = "asked" if online else "not asked: make links does"
    print(
        f"{len(anchors):,} pages, {len(links):,} links within the site; {len(others):,} to others, {outside}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
