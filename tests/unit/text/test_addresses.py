"""Where the pages about codes are: only where somebody has said so, and only at addresses of pages."""

import pytest

from gnomon.text.addresses import code_address


def address(monkeypatch: pytest.MonkeyPatch, site: str) -> str | None:
    monkeypatch.setenv("GNOMON_DOCS", site)
    return code_address("G0206")


def test_without_a_site_there_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GNOMON_DOCS", raising=False)

    assert code_address("G0206") is None


@pytest.mark.parametrize(
    "site",
    [
        "https://gnomon.example/docs",
        "http://localhost:8000",
        "http://[::1]:8000/a",
        "file:///srv/site",
        "HTTPS://gnomon.example",
    ],
)
@pytest.mark.parametrize("end", ["", "/"])
def test_a_page_is_below_the_site(monkeypatch: pytest.MonkeyPatch, site: str, end: str) -> None:
    assert f"{site}/reference/codes/G0206.html" == address(monkeypatch, f"{site}{end}")


@pytest.mark.parametrize(
    "site",
    [
        "",
        "docs",
        "gnomon.example/docs",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://gnomon.example/",
        "https://",
        "https:///docs",
        "https://gnomon.example/a b",
        "https://gnomon.example/\x1b]8;;\x1b\\",
        "https://gnomon.example/\x07",
        "https://gnomon.example/\n",
        'https://gnomon.example/">',
        "https://gnomon.example/ü",
        "https://gnomon.example/" + "x" * 3000,
    ],
)
def test_what_is_no_address_of_pages_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch, site: str
) -> None:
    assert address(monkeypatch, site) is None
