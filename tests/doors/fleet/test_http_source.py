"""Real web servers, honest and hostile: what comes is bounded in bytes and in time."""

import asyncio
import hashlib
import itertools

import pytest
from fleet_servers import FolderServer, HostileServer, patient

from fairlead.doors.fleet.sources.exchange import Web
from fairlead.doors.fleet.sources.fetching import fetch
from fairlead.doors.fleet.sources.http import HttpSource, authorization_in
from fairlead.doors.fleet.sources.source import SourceError
from fairlead.errors import UsageError

OK = b"HTTP/1.1 200 OK\r\n"
BODY = b"x" * 1000
DIGEST = hashlib.sha256(BODY).hexdigest()


@pytest.fixture
def tree(tmp_path):
    """What a publisher put there."""
    for name in ("groups", "roles", "bundles"):
        (tmp_path / "tree" / name).mkdir(parents=True)
    (tmp_path / "tree/groups/web.json").write_bytes(b'{"one": 1}')
    (tmp_path / f"tree/bundles/{DIGEST}.fairlead").write_bytes(BODY)
    return tmp_path / "tree"


@pytest.fixture
def server(tree):
    with FolderServer(tree) as server:
        yield server


@pytest.fixture
def hostile():
    servers = []

    def start(*pieces: bytes, then=(), seconds=60) -> HttpSource:
        server = HostileServer(pieces, then)
        servers.append(server)
        return HttpSource(Web(server.url), "web", seconds=seconds, body_seconds=seconds)

    yield start
    for server in servers:
        server.close()


def refusal(work) -> str:
    with pytest.raises(SourceError) as caught:
        asyncio.run(work)
    return caught.value.message


def test_a_pointer_and_a_bundle_come_as_they_were_put_there(server):
    source = HttpSource(Web(server.url), "web")
    assert asyncio.run(source.pointer()) == b'{"one": 1}'
    assert asyncio.run(fetch(source, DIGEST, len(BODY), spread=0, pause=patient)) == BODY


def test_what_is_not_published_is_told_apart_from_trouble(server):
    assert asyncio.run(HttpSource(Web(server.url), "db").pointer()) is None
    assert asyncio.run(HttpSource(Web(server.url), "web").roles(7)) is None
    server.close()
    assert "cannot be reached" in refusal(HttpSource(Web(server.url), "web").pointer())


def test_a_pointer_that_did_not_change_is_not_sent_again(server, tree):
    source = HttpSource(Web(server.url), "web")
    assert [asyncio.run(source.pointer()) for _ in range(3)] == [b'{"one": 1}'] * 3
    assert server.statuses == [200, 304, 304]
    (tree / "groups/web.json").write_bytes(b'{"two": 2}')
    assert asyncio.run(source.pointer()) == b'{"two": 2}'


def test_a_server_that_says_unchanged_without_being_asked_is_not_believed(hostile):
    assert "nothing changed" in refusal(hostile(b"HTTP/1.1 304 Not Modified\r\n\r\n").pointer())


def test_a_server_that_never_answers_is_given_up(hostile):
    assert "not done within 0.5 s" in refusal(hostile(then=itertools.repeat(None), seconds=0.5).pointer())


def test_a_server_that_drips_its_headers_is_given_up(hostile):
    drops = itertools.repeat(b"X: y\r\n"[:1])
    assert "not done within 0.5 s" in refusal(hostile(OK + b"X: ", then=drops, seconds=0.5).pointer())


def test_a_server_that_goes_on_continuing_is_given_up(hostile):
    again = itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert "not done within 0.5 s" in refusal(hostile(then=again, seconds=0.5).pointer())


def test_a_server_that_drips_its_body_is_given_up(hostile):
    source = hostile(OK + b"Content-Length: 1000\r\n\r\n", then=itertools.repeat(b"x"), seconds=0.5)
    assert "not done within 0.5 s" in refusal(source.pointer())


@pytest.mark.parametrize("kind", [b"Connection: close\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"])
def test_endless_data_is_cut_off(hostile, kind):
    piece = b"x" * 4096
    endless = itertools.repeat(b"1000\r\n" + piece + b"\r\n" if b"chunked" in kind else piece)
    assert "more than 8192 bytes" in refusal(hostile(OK + kind, then=endless).pointer())


def test_a_length_that_is_too_long_is_refused_before_it_comes(hostile):
    assert "would send 9000000000 bytes" in refusal(
        hostile(OK + b"Content-Length: 9000000000\r\n\r\n").pointer()
    )


def test_a_length_that_is_not_kept_is_noticed(hostile):
    short = hostile(OK + b"Content-Length: 1000\r\n\r\n" + b"x" * 999)
    assert "promised 1000 bytes and sent 999" in refusal(short.body(DIGEST, 1000))


@pytest.mark.parametrize(
    "head", [b"Content-Length: -5", b"Content-Length: many", b"Content-Length: 5\r\nContent-Length: 9"]
)
def test_a_length_that_makes_no_sense_never_gives_another_body(hostile, head):
    source = hostile(OK + head + b"\r\n\r\n" + b"y" * 999)
    with pytest.raises(SourceError):
        asyncio.run(fetch(source, DIGEST, len(BODY), spread=0, pause=patient))


def test_another_body_than_was_announced_is_refused(hostile):
    source = hostile(OK + b"Content-Length: 1000\r\n\r\n" + b"y" * 1000)
    assert "is not the one that was announced" in refusal(
        fetch(source, DIGEST, len(BODY), spread=0, pause=patient)
    )


def test_a_redirect_is_not_followed(hostile, server):
    target = f"{server.url}/groups/web.json".encode()
    source = hostile(b"HTTP/1.1 302 Found\r\nLocation: " + target + b"\r\nContent-Length: 0\r\n\r\n")
    assert "is not followed" in refusal(source.pointer())
    assert server.statuses == []


def test_rubbish_is_no_http(hostile):
    assert "speaks no HTTP" in refusal(hostile(b"\x00\xff" * 500).pointer())


def test_packed_content_that_nobody_asked_for_is_refused(hostile):
    packed = OK + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"
    assert "packed" in refusal(hostile(packed).pointer())


@pytest.mark.parametrize("base", ["http://example.org/x", "ftp://127.0.0.1/", "https:///x", "web"])
def test_only_https_or_this_machine_is_an_address(base):
    with pytest.raises(UsageError, match="no address of a web server"):
        HttpSource(Web(base), "web")


def test_credentials_become_a_header_and_never_a_word_of_an_error(server, tmp_path):
    (tmp_path / "pair").write_text("me:s3cret\n")
    (tmp_path / "token").write_text("sesame\n")
    assert authorization_in(str(tmp_path / "pair")) == "Basic bWU6czNjcmV0"
    assert authorization_in(str(tmp_path / "token")) == "Bearer sesame"
    web = Web(server.url, authorization_in(str(tmp_path / "token")))
    asyncio.run(HttpSource(web, "web").pointer())
    assert server.authorizations == ["Bearer sesame"]


def test_variables_of_the_environment_name_no_proxy(server, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert asyncio.run(HttpSource(Web(server.url), "web").pointer()) == b'{"one": 1}'


def test_a_bundle_is_fetched_again_after_a_failure(server, tree):
    """The pauses between are used to mend it."""
    path = tree / f"bundles/{DIGEST}.fairlead"
    path.unlink()

    async def mended(_: float) -> bool:
        path.write_bytes(BODY)
        return True

    source = HttpSource(Web(server.url), "web")
    assert asyncio.run(fetch(source, DIGEST, len(BODY), spread=0, pause=mended)) == BODY


def test_a_bundle_that_is_too_large_is_not_asked_for(server):
    source = HttpSource(Web(server.url), "web")
    assert "are allowed" in refusal(fetch(source, DIGEST, 1 << 30, spread=0, pause=patient))
    assert server.statuses == []
