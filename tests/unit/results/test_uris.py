"""File names become URIs that lead back to the file."""

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.results.render.uris import ROOT, artifact

file_names = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1).filter(
    lambda name: name not in {".", ".."} and not (name.startswith("<") and name.endswith(">"))
)


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("m.ispl", "m.ispl"),
        ("./m.ispl", "m.ispl"),
        ("a//b/./m.ispl", "a/b/m.ispl"),
        ("two words #1.ispl", "two%20words%20%231.ispl"),
        ("100%?.ispl", "100%25%3F.ispl"),
        ("c:m.ispl", "c%3Am.ispl"),
        ("prüfung.ispl", "pr%C3%BCfung.ispl"),
        ("\udcff.ispl", "%FF.ispl"),
        ("a\\b.ispl", "a%5Cb.ispl"),
        ("C:\\m.ispl", "C%3A%5Cm.ispl"),
        ("a\n.ispl", "a%0A.ispl"),
        (".", "./"),
        ("", "./"),
    ],
)
def test_relative_names_stay_relative(name: str, uri: str) -> None:
    assert artifact(name, windows=False) == {"uri": uri, "uriBaseId": ROOT}


def test_absolute_names_are_absolute() -> None:
    assert artifact("/a b/m.ispl", windows=False) == {"uri": "file:///a%20b/m.ispl"}
    assert artifact("//a/../m.ispl", windows=False) == {"uri": "file:///m.ispl"}
    assert artifact("/../m.ispl", windows=False) == {"uri": "file:///m.ispl"}


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("C:\\my models\\m.ispl", "file:///C:/my%20models/m.ispl"),
        ("c:/a/..\\m.ispl", "file:///c:/m.ispl"),
        ("\\\\server\\share\\m.ispl", "file://server/share/m.ispl"),
    ],
)
def test_windows_has_drives_and_shares(name: str, uri: str) -> None:
    assert artifact(name, windows=True) == {"uri": uri}
    assert artifact("a\\b\\m.ispl", windows=True) == {"uri": "a/b/m.ispl", "uriBaseId": ROOT}


def test_what_leads_out_of_the_folder_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")

    assert artifact("../m.ispl") == {"uri": (tmp_path / "m.ispl").as_uri()}
    assert artifact("a/../m.ispl") == {"uri": (tmp_path / "in" / "m.ispl").as_uri()}


def test_a_folder_that_is_gone_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> str:
        raise FileNotFoundError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "getcwd", gone)

    assert artifact("../m.ispl", windows=False) == {"uri": "file:///m.ispl"}


def test_standard_input_lies_in_no_folder() -> None:
    found = artifact("<stdin>")

    assert (found["uri"], "uriBaseId" in found) == ("%3Cstdin%3E", False)


@given(st.lists(file_names, min_size=1, max_size=3), st.booleans())
def test_every_name_can_be_found_again(names: list[str], absolute: bool) -> None:
    path = ("/" if absolute else "") + "/".join(names)
    uri = str(artifact(path, windows=False)["uri"])
    split = urlsplit(uri)

    assert uri.isascii()
    assert (split.query, split.fragment, split.netloc) == ("", "", "")
    assert split.scheme == ("file" if absolute else "")
    assert unquote_to_bytes(split.path).decode() == path
