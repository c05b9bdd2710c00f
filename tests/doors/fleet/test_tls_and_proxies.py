"""On the way to what is published: certificates, proxies, and servers that lie about what changed."""

import asyncio
import itertools
import shutil

import pytest
from access import Authority
from broker import free_port
from fleet_broker import FleetBroker, needs_broker
from fleet_servers import FolderServer, HostileServer, TunnelProxy
from fleet_workshop import Member, Publishing

from fairlead.doors.fleet.sources.exchange import Web
from fairlead.doors.fleet.sources.http import HttpSource
from fairlead.doors.fleet.sources.source import SourceError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("openssl"), reason="NO openssl HERE: TLS to a source is not tested"),
]
POINTER = b'{"one": 1}'


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path / "tls")


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "shelf/groups").mkdir(parents=True)
    (tmp_path / "shelf/groups/web.json").write_bytes(POINTER)
    return tmp_path / "shelf"


@pytest.fixture
def server(authority, shelf):
    with FolderServer(shelf, authority.certificate("server")) as server:
        yield server


def pointer(web: Web) -> bytes | None:
    return asyncio.run(HttpSource(web, "web").pointer())


def refusal(web: Web) -> SourceError:
    with pytest.raises(SourceError) as caught:
        pointer(web)
    return caught.value


def test_a_server_is_believed_by_who_signed_its_certificate(server, authority):
    assert pointer(Web(server.url, ca=str(authority.ca))) == POINTER


def test_without_its_authority_it_is_not_and_the_way_out_is_named(server):
    error = refusal(Web(server.url))
    assert "cannot be trusted" in error.message and server.url in error.message
    assert "tls_ca" in error.hint


def test_an_authority_of_somebody_else_does_not_count(server, tmp_path):
    other = Authority(tmp_path / "other", "other")
    assert "cannot be trusted" in refusal(Web(server.url, ca=str(other.ca))).message


@pytest.mark.parametrize(
    ("made", "words"),
    [({"days": -1}, "expired"), ({"place": "DNS:elsewhere.example"}, "IP address mismatch")],
)
def test_a_certificate_of_yesterday_or_of_another_host_does_not_count(authority, shelf, made, words):
    with FolderServer(shelf, authority.certificate("server", **made)) as server:
        assert words in refusal(Web(server.url, ca=str(authority.ca))).message


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_of_authorities_that_is_none_is_named(server, tmp_path, content):
    if content:
        (tmp_path / "ca.pem").write_text(content)
    error = refusal(Web(server.url, ca=str(tmp_path / "ca.pem")))
    assert f"{tmp_path}/ca.pem cannot be used" in error.message and "PEM" in error.hint


def test_a_server_without_tls_is_told_from_one_that_is_away(shelf):
    with FolderServer(shelf) as plain:
        error = refusal(Web(plain.url.replace("http:", "https:")))
    assert "speaks no TLS" in error.message and "port" in error.hint
    error = refusal(Web(f"https://127.0.0.1:{free_port()}"))
    assert "cannot be reached" in error.message and "is it up" in error.hint


# proxies


def test_a_proxy_tunnels_and_the_server_behind_it_is_checked_as_ever(server, authority):
    with TunnelProxy() as proxy:
        assert pointer(Web(server.url, ca=str(authority.ca), proxy=proxy.url)) == POINTER
        assert [line.split()[:2] for line in proxy.asked] == [
            ["CONNECT", server.url.removeprefix("https://")]
        ]


def test_a_proxy_that_puts_another_server_in_its_place_is_found_out(server, authority, shelf, tmp_path):
    other = Authority(tmp_path / "other", "other")
    with (
        FolderServer(shelf, other.certificate("server")) as impostor,
        TunnelProxy(elsewhere=int(impostor.url.rpartition(":")[2])) as proxy,
    ):
        error = refusal(Web(server.url, ca=str(authority.ca), proxy=proxy.url))
    assert "cannot be trusted" in error.message
    assert impostor.statuses == []


def test_a_proxy_that_is_away_or_refuses_is_named(server, authority):
    away = f"http://127.0.0.1:{free_port()}"
    error = refusal(Web(server.url, ca=str(authority.ca), proxy=away))
    assert f"through {away}" in error.message and "`proxy`" in error.hint
    with TunnelProxy(answer=b"407 Proxy Authentication Required") as proxy:
        error = refusal(Web(server.url, ca=str(authority.ca), proxy=proxy.url))
    assert "407" in error.message and f"through {proxy.url}" in error.message


@pytest.mark.parametrize("drops", [None, b"H"])
def test_a_proxy_that_never_answers_or_drips_is_given_up(server, authority, drops):
    proxy = HostileServer([], itertools.repeat(drops))
    web = Web(server.url, ca=str(authority.ca), proxy=proxy.url)
    try:
        with pytest.raises(SourceError, match=r"not done within 0.5 s"):
            asyncio.run(HttpSource(web, "web", seconds=0.5).pointer())
    finally:
        proxy.close()


@pytest.mark.parametrize("name", ["https_proxy", "HTTPS_PROXY", "all_proxy"])
def test_variables_name_no_proxy_whoever_sets_them(server, authority, monkeypatch, name):
    """An agent sets the variables of what it starts."""
    with TunnelProxy() as proxy:
        monkeypatch.setenv(name, proxy.url)
        assert pointer(Web(server.url, ca=str(authority.ca))) == POINTER
        assert proxy.asked == []


@pytest.mark.parametrize("name", ["no_proxy", "NO_PROXY"])
def test_no_variable_leads_past_the_proxy_either(server, authority, monkeypatch, name):
    monkeypatch.setenv(name, "*")
    with TunnelProxy() as proxy:
        assert pointer(Web(server.url, ca=str(authority.ca), proxy=proxy.url)) == POINTER
        assert len(proxy.asked) == 1


@pytest.mark.parametrize("name", ["SSL_CERT_FILE"])
def test_an_authority_of_the_environment_does_not_replace_the_one_of_the_enrolment(
    server, authority, tmp_path, monkeypatch, name
):
    other = Authority(tmp_path / "other", "other")
    monkeypatch.setenv(name, str(authority.ca))
    assert "cannot be trusted" in refusal(Web(server.url, ca=str(other.ca))).message


# what a server says of what changed


@pytest.fixture
def answering():
    """A server that gives one answer to whoever asks."""
    servers = []

    def answer(*lines: bytes, body: bytes = POINTER) -> HttpSource:
        head = b"\r\n".join([b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *lines])
        servers.append(HostileServer([head + b"\r\n\r\n" + body], ()))
        return HttpSource(Web(servers[-1].url), "web")

    yield answer
    for each in servers:
        each.close()


@pytest.mark.parametrize(
    "mark", [b'"a\r\n b"', b"no quotes", b'"' + b"x" * 5000 + b'"', '"ä"'.encode(), b'"a"b"', b""]
)
def test_a_mark_that_could_not_be_sent_back_is_not_kept(answering, mark):
    """It would stand in the way of every later look."""
    source = answering(b"ETag: " + mark)
    assert [asyncio.run(source.pointer()) for _ in range(2)] == [POINTER] * 2
    assert source._last.etag == ""


def test_a_mark_that_stays_while_the_pointer_changes_hides_nothing(answering):
    """Unless the server says so in as many words, what came counts."""
    source = answering(b'ETag: "same"')
    assert asyncio.run(source.pointer()) == POINTER
    source._web = answering(b'ETag: "same"', body=b'{"two": 2}')._web
    assert asyncio.run(source.pointer()) == b'{"two": 2}'


# a broker


@needs_broker
@pytest.mark.parametrize(
    ("made", "words"),
    [
        ({"days": -1}, "certificate has expired"),
        ({"place": "DNS:elsewhere.example"}, "mismatch"),
        (None, "cannot be trusted"),
    ],
)
def test_a_broker_that_cannot_be_trusted_is_told_with_the_reason(tmp_path, authority, made, words):
    """`None`: its certificate is good, and the machine was not told who signs."""
    publishing = Publishing("nats://127.0.0.1:1")
    more = {"credentials": ""}
    with FleetBroker(tmp_path / "broker", ("m1", "web"), authority=authority) as broker:
        more["credentials"] = broker.credentials("m1")
        broker.server.stop()
        certificate = authority.certificate("broker", **(made or {}))
        broker.server._config.write_text(authority.tls_block(certificate) + broker.config)
        broker.server.start()
        more["tls_ca"] = broker.ca if made else ""
        member = Member(tmp_path, "m1", publishing, source=broker.url, **more)
        done = member.fairlead("fleet", "check")
    assert (done.returncode, member.version) == (1, 0)
    assert "cannot be trusted" in done.stderr and words in done.stderr
    assert "tls" in done.stderr.lower()


@needs_broker
def test_a_broker_that_offers_no_tls_is_told_nothing(tmp_path):
    with FleetBroker(tmp_path / "broker", ("m1", "web")) as broker:
        publishing = Publishing(broker.url)
        url, credentials = broker.url.replace("nats:", "tls:"), broker.credentials("m1")
        member = Member(tmp_path, "m1", publishing, source=url, credentials=credentials)
        done = member.fairlead("fleet", "check")
    assert done.returncode == 1
    assert "offers no TLS" in done.stderr
