"""What a release says of itself is the same everywhere."""

import json
import re
import tomllib

import pytest

import gnomon
from tests.support import ROOT

#: What has a version of its own and is released together with the package.
PACKAGES = (
    "web/package.json",
    "editors/vscode/package.json",
    "editors/tree-sitter-ispl/package.json",
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_of_the_editors_and_the_page_have_the_same_version(name: str) -> None:
    assert gnomon.__version__ == json.loads(read(name))["version"]


def test_the_citation_has_the_version() -> None:
    assert [gnomon.__version__] == re.findall(
        r"^version: (.*)$", read("CITATION.cff"), re.MULTILINE
    )


def test_the_changelog_tells_of_the_version() -> None:
    assert f"## [{gnomon.__version__}]" in read("CHANGELOG.md")


def test_the_policy_looks_after_the_version() -> None:
    minor = ".".join(gnomon.__version__.split(".")[:2])

    assert f"| {minor} | yes |" in read("SECURITY.md")


def test_the_container_takes_what_is_there() -> None:
    taken = re.findall(r"^COPY ([^-\s]\S*) ", read("Containerfile"), re.MULTILINE)

    assert {"editors/grammar", "web", "."} == set(taken)
    assert all((ROOT / name).exists() for name in taken)


def test_the_sdist_has_what_a_container_is_built_of() -> None:
    settings = tomllib.loads(read("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["sdist"]
    packed = set(settings["include"])

    assert {"/Containerfile", "/.containerignore", "/web", "/editors", "/src"} <= packed
    assert all((ROOT / name.strip("/")).exists() for name in packed if "*" not in name)
