"""Nobody else gets in: every way that another page, name or program could try."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from gnomon.interfaces.studio.guard import owner
from tests.studio.running import PATIENCE, Running, stand_in, studio

WAYS = ["/rpc", "/lsp"]
FOREIGN = [
    "http://evil.example",
    "null",
    "http://127.0.0.1:1",
    "http://127.0.0.1",
    "https://127.0.0.1:{port}",
    "http://localhost:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "file://",
    "",
]


def status_of(running: Running, path: str, key: str | None = "", **headers: str | None) -> int:
    """Return how a web socket is answered: 101 where it is let in."""
    try:
        with running.socket(path, key, **headers):
            return 101
    except InvalidStatus as refused:
        return int(refused.response.status_code)


# The token


def test_the_link_leads_to_the_page_by_a_cookie(running: Running) -> None:
    status, headers, _ = running.get(f"/?token={running.token}", Cookie=None)
    cookie = headers["set-cookie"]

    assert (303, f"/#key={running.key}") == (status, headers["location"])
    assert cookie.startswith(f"{running.cookie};")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert "no-store" == headers["cache-control"]
    assert "no-referrer" == headers["referrer-policy"]


def test_with_the_cookie_there_is_a_page(running: Running) -> None:
    assert 200 == running.get("/")[0]
    assert 200 == running.get("/static/app.js")[0]
    assert [101, 101] == [status_of(running, path) for path in WAYS]


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/static/missing.js", "/rpc"])
def test_without_a_token_there_is_nothing(running: Running, path: str) -> None:
    status, headers, body = running.get(path, Cookie=None)

    assert 403 == status
    assert "set-cookie" not in headers
    assert b"open the link" in body
    assert running.token.encode() not in body


@pytest.mark.parametrize(
    "token",
    ["", "x", "%C3%A9", "%ff%fe", "%00", "a" * 10_000, "{token}x", "{token}&token={token}", "%"],
)
def test_a_wrong_token_lets_nobody_in(running: Running, token: str) -> None:
    given = token.format(token=running.token)

    assert 403 == running.get(f"/?token={given}", Cookie=None)[0]


def test_what_a_browser_is_started_with_counts_once(static: Path) -> None:
    with studio(static, once="éonce") as running:
        tries = [running.get("/?token=%C3%A9once", Cookie=None) for _ in range(2)]
        cookie = tries[0][1]["set-cookie"].partition(";")[0]

        assert [303, 403] == [status for status, _, _ in tries]
        assert running.cookie == cookie
        assert 403 == running.get("/", Cookie=cookie.replace(running.secret, "%C3%A9once"))[0]
        assert 303 == running.get(f"/?token={running.token}", Cookie=None)[0]


@pytest.mark.parametrize(
    "value", ["", "x", "\xe9\xff", '"', "a=b", "{secret}x", "{token}", "{key}", '"{secret}"']
)
def test_a_wrong_cookie_lets_nobody_in(running: Running, value: str) -> None:
    given = value.format(secret=running.secret, token=running.token, key=running.key)

    assert 403 == running.get("/", Cookie=f"gnomon-studio-{running.port}={given}")[0]


def test_a_cookie_that_another_port_has_set_beside_ours_disturbs_nobody(running: Running) -> None:
    tossed = f"gnomon-studio-{running.port}=tossed"

    assert 200 == running.get("/", Cookie=f"{tossed}; {running.cookie}")[0]
    assert 200 == running.get("/", Cookie=f"{running.cookie}; {tossed}")[0]


def test_whoever_gets_the_cookie_gets_nothing_but_the_page(running: Running) -> None:
    # Browsers send it to all ports of a machine, and there somebody else may listen.
    bodies = [running.get(path) for path in ("/", "/static/app.js")]
    told = b"".join(f"{headers}".encode() + body for _, headers, body in bodies)

    assert running.key.encode() not in told
    assert running.token.encode() not in told
    assert [403, 403] == [status_of(running, path, key=None) for path in WAYS]
    for wrong in (running.secret, running.token, "x", f"{running.key}x"):
        assert [403, 403] == [status_of(running, path, key=wrong) for path in WAYS]


def test_the_key_is_never_said_back(running: Running) -> None:
    with running.socket() as found:
        assert found.response is not None
        assert "gnomon-studio" == found.subprotocol
        assert running.key not in str(found.response.headers)


def test_a_page_that_knows_of_no_key_needs_none(tmp_path: Path) -> None:
    page = stand_in(tmp_path)
    (page / "index.html").write_text("<!DOCTYPE html>", encoding="utf-8")
    with studio(page) as running:
        _, headers, _ = running.get(f"/?token={running.token}", Cookie=None)

        assert "/" == headers["location"]
        assert 101 == status_of(running, "/rpc", key=None)
        assert 403 == status_of(running, "/rpc", Cookie=None)


def another_user(program: str, *words: str) -> str:
    """Run a program that is somebody else's, and return what it prints."""
    given = [
        sys.executable,
        "-I",
        "-c",
        f"import os, socket, sys; os.setuid(12345)\n{program}",
        *words,
    ]
    return subprocess.run(
        given, check=True, stdout=subprocess.PIPE, text=True, timeout=PATIENCE
    ).stdout


OVER_THE_SHOULDER = r"""
family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
with socket.socket(family) as found:
    found.connect((sys.argv[1], int(sys.argv[2])))
    found.sendall(f"GET /?token={sys.argv[3]} HTTP/1.1\r\nHost: 127.0.0.1:{sys.argv[2]}\r\n\r\n".encode())
    print(found.recv(1000).decode().split()[1])
"""


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1"])
def test_what_a_browser_is_started_with_is_good_for_its_user_only(
    static: Path, address: str
) -> None:
    if os.getuid() != 0 or not Path("/proc/net/tcp").exists():
        pytest.skip("nobody can be somebody else here")
    with studio(static, once="once") as running:
        tried = another_user(OVER_THE_SHOULDER, address, str(running.port), "once")

        assert "403" == tried.strip()
        assert 303 == running.get("/?token=once", Cookie=None)[0]


def test_the_system_says_who_has_opened_a_connection(running: Running) -> None:
    if not Path("/proc/net/tcp").exists():
        pytest.skip("the system does not say")
    with socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE) as found:
        ends = found.getsockname(), found.getpeername()

        assert os.getuid() == owner(*ends)
    assert owner(("127.0.0.1", 1), ("127.0.0.1", 2)) is None
    assert owner(None, ends[1]) is None


def test_the_cookie_of_another_port_is_not_ours(running: Running) -> None:
    cookie = f"gnomon-studio-{running.port + 1}={running.secret}"

    assert 403 == running.get("/", Cookie=cookie)[0]


@pytest.mark.parametrize("path", ["/static/app.js", "/rpc", "/lsp", "//", "/index.html"])
def test_the_token_counts_in_the_link_only(running: Running, path: str) -> None:
    assert 403 == running.get(f"{path}?token={running.token}", Cookie=None)[0]


@pytest.mark.parametrize("path", WAYS)
def test_a_web_socket_needs_the_key(running: Running, path: str) -> None:
    assert 101 == status_of(running, path, Cookie=None)
    assert 403 == status_of(running, path, key=None)
    assert 403 == status_of(running, f"{path}?token={running.token}&key={running.key}", key=None)


# The name


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:{port}",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "[::1]:{port}",
        "",
        "0:{port}",
    ],
)
def test_names_that_lead_here_by_other_ways_get_nothing(running: Running, host: str) -> None:
    given = host.format(port=running.port)

    assert running.get("/", Host=given)[0] in {400, 403}
    assert running.get(f"/?token={running.token}", Host=given)[0] in {400, 403}
    origin = f"http://{given}"
    for path in WAYS:
        assert 403 == raw_socket(running, path, host=given, origin=origin)


def raw_socket(running: Running, path: str, host: str, origin: str) -> int:
    """Open a web socket by hand, since no client would send such headers; return the status."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        f"Origin: {origin}",
        f"Cookie: {running.cookie}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        f"Sec-WebSocket-Protocol: gnomon-studio, key.{running.key}",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "",
        "",
    ]
    with socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE) as connection:
        connection.sendall("\r\n".join(lines).encode())
        return int(connection.recv(1000).split()[1])


def test_localhost_is_a_name_of_ours(running: Running) -> None:
    name = f"localhost:{running.port}"

    assert 200 == running.get("/", Host=name)[0]
    assert 101 == raw_socket(running, "/rpc", host=name, origin=f"http://{name}")


def test_two_names_are_none(running: Running) -> None:
    request = (
        f"GET / HTTP/1.1\r\nHost: {running.host}\r\nHost: evil.example\r\n"
        f"Cookie: {running.cookie}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE) as connection:
        connection.sendall(request.encode())

        assert int(connection.recv(1000).split()[1]) in {400, 403}


# Other pages


@pytest.mark.parametrize("origin", FOREIGN)
def test_other_pages_get_nothing(running: Running, origin: str) -> None:
    given = origin.format(port=running.port)

    assert 403 == running.get("/", Origin=given)[0]
    assert 403 == running.get(f"/?token={running.token}", Origin=given)[0]
    assert 403 == running.get("/static/app.js", Origin=given)[0]
    assert 403 == running.get("/", "POST", b"{}", Origin=given)[0]
    assert [403, 403] == [raw_socket(running, path, running.host, given) for path in WAYS]


def test_our_own_page_may_say_so(running: Running) -> None:
    assert 200 == running.get("/", Origin=f"http://{running.host}")[0]


@pytest.mark.parametrize("path", WAYS)
def test_a_web_socket_says_where_it_comes_from(running: Running, path: str) -> None:
    assert 403 == status_of(running, path, Origin=None)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_can_be_sent_but_over_web_sockets(running: Running, method: str) -> None:
    own = f"http://{running.host}"

    assert 403 == running.get("/", method, b"{}")[0]
    assert running.get("/", method, b"{}", Origin=own)[0] in {404, 405}
    assert running.get("/rpc", method, b"{}", Origin=own)[0] in {404, 405}


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
def test_what_browsers_say_about_other_sites_counts(running: Running, site: str) -> None:
    assert 403 == running.get("/", Sec_Fetch_Site=site)[0]
    assert 403 == running.get(f"/?token={running.token}", Cookie=None, Sec_Fetch_Site=site)[0]
    assert 403 == running.get("/static/app.js", Sec_Fetch_Site=site)[0]
    assert [403, 403] == [status_of(running, path, Sec_Fetch_Site=site) for path in WAYS]


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_what_browsers_say_about_our_page_is_fine(running: Running, site: str) -> None:
    assert 200 == running.get("/", Sec_Fetch_Site=site)[0]


# The page


def test_the_policy_lets_the_page_do_what_it_needs_and_no_more(running: Running) -> None:
    _, headers, body = running.get("/")
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    nonces = re.findall(r"'nonce-([^']+)'", policy["style-src"])

    assert "'none'" == policy["default-src"]
    assert "'self'" == policy["script-src"]
    assert f"'self' ws://{running.host}" == policy["connect-src"]
    assert ["'none'"] * 3 == [policy[x] for x in ("base-uri", "form-action", "frame-ancestors")]
    assert [f'content="{nonces[0]}"'.encode()] == re.findall(rb'content="[^"]+"', body)
    assert "unsafe" not in headers["content-security-policy"]


def test_every_page_has_a_nonce_of_its_own(running: Running) -> None:
    policies = {running.get("/")[1]["content-security-policy"] for _ in range(5)}

    assert 5 == len(policies)


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/static/missing", "/missing"])
def test_everything_says_what_it_is_and_for_whom(running: Running, path: str) -> None:
    _, headers, _ = running.get(path)

    assert "nosniff" == headers["x-content-type-options"]
    assert "no-referrer" == headers["referrer-policy"]
    assert "DENY" == headers["x-frame-options"]
    assert "same-origin" == headers["cross-origin-resource-policy"]
    assert headers["cache-control"] in {"no-store", "no-cache"}
    assert "server" not in headers


def test_the_page_itself_is_never_kept(running: Running) -> None:
    assert "no-store" == running.get("/")[1]["cache-control"]


def test_files_of_the_page_are_asked_for_again(running: Running) -> None:
    tag = running.get("/static/app.js")[1]["etag"]

    assert 304 == running.get("/static/app.js", If_None_Match=tag)[0]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../index.html",
        "/static/%2e%2e/pages.py",
        "/static/..%2fpages.py",
        "/static/..%5cpages.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/app.js%00",
        "/static/",
        "/static/sources.sha256",
        "/../../../../etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_page(running: Running, path: str) -> None:
    assert running.get(path)[0] in {400, 404}


def test_it_listens_on_this_machine_only(running: Running) -> None:
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table]
    local = [row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{running.port:04X}")]

    assert [f"0100007F:{running.port:04X}"] == local
