"""How the page and the gallery get into the package."""

import shutil
import subprocess
import sys
import tomllib
from importlib import util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.support import ROOT


class Hook:
    """What a hook stands on; the real one is there only while something is built."""

    def __class_getitem__(cls, _: object) -> type["Hook"]:
        return cls


@pytest.fixture
def hatch_build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    name = "hatchling.builders.hooks.plugin.interface"
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        monkeypatch.setitem(sys.modules, ".".join(parts[:end]), ModuleType(".".join(parts[:end])))
    monkeypatch.setattr(sys.modules[name], "BuildHookInterface", Hook, raising=False)
    spec = util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built(module: ModuleType, root: Path, target: str, version: str) -> tuple[Any, list[str]]:
    """Run the hook; return what it says about files, and its warnings."""
    said: list[str] = []
    hook = module.CustomBuildHook()
    hook.root, hook.target_name = str(root), target
    hook.app = SimpleNamespace(display_warning=said.append)
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize(version, data)
    return data["force_include"], said


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return the sources of a page without the page."""
    web = tmp_path / "web"
    (web / "src").mkdir(parents=True)
    (tmp_path / "editors" / "grammar").mkdir(parents=True)
    (tmp_path / "examples" / "games").mkdir(parents=True)
    (tmp_path / "examples" / "games" / "nim.ispl").write_text("", encoding="utf-8")
    (tmp_path / "examples" / "games" / "notes.txt").write_text("", encoding="utf-8")
    for name in ("package-lock.json", "build.mjs", "index.html", "tsconfig.json", "src/main.tsx"):
        (web / name).write_text(name, encoding="utf-8")
    (tmp_path / "editors" / "grammar" / "ispl.tmLanguage.json").write_text("{}", encoding="utf-8")
    return tmp_path


def test_without_npm_the_package_is_built_without_the_page(
    hatch_build: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    _, said = built(hatch_build, checkout, "sdist", "standard")

    assert 1 == len(said)
    assert "without the page" in said[0]


def test_in_a_checkout_nothing_is_built(hatch_build: ModuleType, checkout: Path) -> None:
    assert ({}, []) == built(hatch_build, checkout, "wheel", "editable")


def test_a_page_is_fresh_as_long_as_its_sources_are_the_same(
    hatch_build: ModuleType, checkout: Path
) -> None:
    static = checkout / hatch_build.STATIC
    static.mkdir(parents=True)
    before = hatch_build.is_fresh(checkout)
    (static / "app.js").write_text("", encoding="utf-8")
    digest = hatch_build.digest(checkout / "web")
    (static / "sources.sha256").write_text(digest, encoding="utf-8")
    now = hatch_build.is_fresh(checkout)
    packed = built(hatch_build, checkout, "wheel", "standard")
    (checkout / "web" / "src" / "main.tsx").write_text("other", encoding="utf-8")

    assert (False, True, False) == (before, now, hatch_build.is_fresh(checkout))
    gallery = {
        str(checkout / "examples" / name): f"{hatch_build.GALLERY}/{name}"
        for name in ("gallery.toml", "games/nim.ispl")
    }
    assert (gallery, []) == packed


def test_a_build_that_fails_says_why(
    hatch_build: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm = checkout / "npm"
    npm.write_text("#!/bin/sh\necho 'no such module' >&2\nexit 1\n", encoding="utf-8")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{checkout}:/bin:/usr/bin")

    with pytest.raises(RuntimeError, match="no such module"):
        built(hatch_build, checkout, "wheel", "standard")


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_both_sides_make_the_same_digest(hatch_build: ModuleType, tmp_path: Path) -> None:
    text = (ROOT / "web" / "build.mjs").read_text(encoding="utf-8")
    function = text[text.index("async function digestOfSources") :].partition("\n}\n")[0] + "\n}\n"
    program = (
        'import { createHash } from "node:crypto"; import { readFile, readdir } from "node:fs/promises";'
        f'import {{ join, relative }} from "node:path"; const here = {str(ROOT / "web")!r};\n'
        f"{function}\nconsole.log(await digestOfSources());"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", program], capture_output=True, text=True, check=True
    )

    assert hatch_build.digest(ROOT / "web") == done.stdout.strip()


def test_what_is_packed_is_named() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build = settings["tool"]["hatch"]["build"]

    assert ["src/gnomon/interfaces/studio/static/**"] == build["artifacts"]
    assert {"/web", "/hatch_build.py", "/examples"} <= set(build["targets"]["sdist"]["include"])
    assert "node_modules" in build["targets"]["sdist"]["exclude"]
