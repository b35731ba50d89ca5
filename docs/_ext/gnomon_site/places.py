"""Where the sources of the site are, and generated pages among them, which git does not see."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
DOCS: Final = ROOT / "docs"


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Let a folder hold these pages and no others; what has not changed is not touched, nor built again."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {folder / name for name in pages}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path not in wanted:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for name, text in pages.items():
        write_page(folder / name, text)


def write_page(path: Path, text: str) -> None:
    """Write one page, unless it is there as it should be."""
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def ignored_pages(gitignore: str) -> tuple[Path, ...]:
    r"""Return the generated pages and folders below docs: those that git is told to ignore.

    >>> [path.name for path in ignored_pages("/docs/reference/codes/\n/build/\n")]
    ['codes']
    """
    lines = [line.strip() for line in gitignore.splitlines()]
    return tuple(ROOT / line.strip("/") for line in lines if line.startswith("/docs/"))
