"""What a build of the package does besides packing files: the page of the studio, and its gallery."""

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = "src/gnomon/interfaces/studio/static"
GALLERY = "gnomon/interfaces/studio/gallery"
#: Besides all files below `src`, what a page is made of; `web/build.mjs` makes the same digest.
OTHER_SOURCES = (
    "../editors/grammar/ispl.tmLanguage.json",
    "package-lock.json",
    "build.mjs",
    "index.html",
    "tsconfig.json",
)
INSTALL = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
BUILD = ("npm", "run", "build")


class CustomBuildHook(BuildHookInterface[Any]):
    """Builds the page where its sources have changed, and packs it with the examples."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Do so before a wheel or an sdist is packed; whoever works in the checkout uses what is there."""
        if version == "editable":
            return
        root = Path(self.root)
        if self.target_name == "wheel":
            build_data["force_include"] |= gallery_files(root / "examples")
        if is_fresh(root):
            return
        if shutil.which("npm") is None:
            self.app.display_warning(
                "npm was not found: the package is built without the page of `gnomon studio`"
            )
            return
        for step in (BUILD,) if is_installed(root) else (INSTALL, BUILD):
            done = subprocess.run(  # noqa: S603 - our own words
                step, cwd=root / "web", capture_output=True, text=True, check=False
            )
            if done.returncode:
                said = f"{done.stdout}\n{done.stderr}".strip()[-4000:]
                msg = f"`{' '.join(step)}` in web/ failed:\n{said}"
                raise RuntimeError(msg)


def gallery_files(examples: Path) -> dict[str, str]:
    """Return the models and their register, each with its place in the package."""
    files = [examples / "gallery.toml", *sorted(examples.rglob("*.ispl"))]
    return {str(path): f"{GALLERY}/{path.relative_to(examples).as_posix()}" for path in files}


def is_fresh(root: Path) -> bool:
    """Return whether there is a page, and it was built of the sources that are there now."""
    built = root / STATIC / "sources.sha256"
    if not (built.is_file() and (root / STATIC / "app.js").is_file()):
        return False
    web = root / "web"
    return not web.is_dir() or built.read_text(encoding="utf-8").strip() == digest(web)


def is_installed(root: Path) -> bool:
    """Return whether what the lock file names is there."""
    lock = root / "web" / "package-lock.json"
    installed = root / "web" / "node_modules" / ".package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime


def digest(web: Path) -> str:
    """Return what tells the sources of a page from others."""
    inside = [
        path.relative_to(web).as_posix() for path in (web / "src").rglob("*") if path.is_file()
    ]
    found = hashlib.sha256()
    # Sorted as JavaScript does: by UTF-16; names are plain ASCII, so that is the same.
    for name in sorted([*OTHER_SOURCES, *inside]):
        found.update(name.encode() + b"\0" + (web / name).read_bytes() + b"\0")
    return found.hexdigest()
