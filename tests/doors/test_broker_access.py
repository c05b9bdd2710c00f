"""Real brokers that demand TLS, certificates and credentials: who is let in, and what the others are told."""

import os
import shutil

import pytest
from access import Authority, Operator, user
from broker import BROKER, BusWorker, NatsServer

from fairlead.doors.bus.connection import Broker, secret_in
from fairlead.doors.bus.messages import HookExecutionRequest
from fairlead.doors.bus.nats_bus import ask_once
from fairlead.errors import FairleadError
from fairlead.model.event_name import EventName

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not os.path.exists(BROKER),
        reason="NO nats-server HERE: the bus is not tested on a real broker (make nats-server installs one)",
    ),
    pytest.mark.skipif(not shutil.which("openssl"), reason="NO openssl HERE: TLS to a broker is not tested"),
]
GIVEN = {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}


@pytest.fixture
def start(tmp_path):
    """Starts a broker with this configuration."""
    started = []

    def start(config: str) -> NatsServer:
        server = NatsServer(tmp_path / f"stream{len(started)}", config)
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def serve(machine):
    """Starts a worker with these options."""
    started = []

    def serve(url: str, *options: str) -> None:
        started.append(BusWorker(machine.home, machine.project, url, *options))

    yield serve
    for worker in started:
        worker.stop()


def ask(broker: Broker) -> str:
    request = HookExecutionRequest(EventName.BEFORE_TOOL, GIVEN, "r1", "test")
    return ask_once(broker.checked(), request, seconds=5)["output"]["decision"]


def refusal(broker: Broker) -> str:
    """What somebody is told who is not let in; the deadline would say that nobody answered."""
    with pytest.raises(FairleadError) as caught:
        ask(broker)
    return caught.value.message


def test_tls_with_the_authority_that_signed_it(start, serve, tmp_path):
    authority = Authority(tmp_path / "tls")
    server = start(authority.tls_block(authority.certificate("broker")))
    url = server.url.replace("nats://", "tls://")
    serve(url, "--tls-ca", str(authority.ca))
    assert ask(Broker(url, ca=str(authority.ca))) == "block"


def test_a_broker_that_another_authority_vouches_for_is_not_trusted(start, tmp_path):
    authority, other = Authority(tmp_path / "tls"), Authority(tmp_path / "other", "other")
    server = start(authority.tls_block(authority.certificate("broker")))
    assert "cannot be trusted" in refusal(Broker(server.url, ca=str(other.ca)))
    assert "cannot be trusted" in refusal(Broker(server.url.replace("nats://", "tls://")))
    assert "cannot be trusted" in refusal(Broker(server.url))


def test_a_certificate_for_another_name_is_not_trusted(start, tmp_path):
    authority = Authority(tmp_path / "tls")
    server = start(authority.tls_block(authority.certificate("broker")))
    url = server.url.replace("127.0.0.1", "localhost")
    assert "Hostname mismatch" in refusal(Broker(url, ca=str(authority.ca)))


def test_a_certificate_that_has_expired_is_not_trusted(start, tmp_path):
    authority = Authority(tmp_path / "tls")
    server = start(authority.tls_block(authority.certificate("broker", days=-1)))
    assert "expired" in refusal(Broker(server.url, ca=str(authority.ca)))


def test_a_broker_that_asks_for_our_certificate_too(start, serve, tmp_path):
    authority, other = Authority(tmp_path / "tls"), Authority(tmp_path / "other", "other")
    server = start(authority.tls_block(authority.certificate("broker"), verify=True))
    ca, ours, foreign = str(authority.ca), authority.certificate("ours"), other.certificate("foreign")
    serve(server.url, "--tls-ca", ca, "--tls-cert", ours[0], "--tls-key", ours[1])
    assert ask(Broker(server.url, "", ca, *ours)) == "block"
    for broker in (Broker(server.url, ca=ca), Broker(server.url, "", ca, *foreign)):
        message = refusal(broker)
        assert "refuses our TLS" in message or "does not answer" in message


def test_a_broker_without_tls_is_told_nothing_where_tls_is_wanted(start, tmp_path):
    """Whoever sits in between could take the TLS away, and read the password."""
    authority = Authority(tmp_path / "tls")
    server = start("authorization { token: sesame }\n")
    (tmp_path / "token").write_text("sesame\n")
    broker = Broker(server.url, str(tmp_path / "token"), ca=str(authority.ca))
    assert "offers no TLS" in refusal(broker)


@pytest.mark.parametrize(
    ("config", "right", "wrong"),
    [
        ('authorization { user: me, password: "s3cret" }\n', "me:s3cret", "me:guess"),
        ("authorization { token: sesame }\n", "sesame", "open"),
    ],
    ids=["password", "token"],
)
def test_a_password_or_a_token(config, right, wrong, start, serve, tmp_path):
    server = start(config)
    for name, text in (("right", right), ("wrong", wrong)):
        (tmp_path / name).write_text(text + "\n")
    serve(server.url, "--credentials", str(tmp_path / "right"))
    assert ask(Broker(server.url, str(tmp_path / "right"))) == "block"
    assert ask(Broker(server.url.replace("//", f"//{right}@"))) == "block"
    message = refusal(Broker(server.url, str(tmp_path / "wrong")))
    assert "refuses these credentials" in message and wrong not in message
    assert "wants credentials" in refusal(Broker(server.url))


def test_an_nkey(start, serve, tmp_path):
    ours, foreign = user(), user()
    server = start(f"authorization {{ users: [ {{ nkey: {ours.public} }} ] }}\n")
    (tmp_path / "ours").write_text(ours.seed)
    (tmp_path / "foreign").write_text(foreign.seed)
    serve(server.url, "--credentials", str(tmp_path / "ours"))
    assert ask(Broker(server.url, str(tmp_path / "ours"))) == "block"
    assert "refuses these credentials" in refusal(Broker(server.url, str(tmp_path / "foreign")))


def test_a_credentials_file(start, serve, tmp_path):
    operator, other = Operator(), Operator()
    server = start(operator.config)
    right = operator.credentials(tmp_path / "right.creds")
    serve(server.url, "--credentials", right)
    assert ask(Broker(server.url, right)) == "block"
    for wrong in (
        operator.credentials(tmp_path / "old.creds", expires_in=-60),
        other.credentials(tmp_path / "foreign.creds"),
    ):
        assert "refuses these credentials" in refusal(Broker(server.url, wrong))


def test_a_worker_whose_credentials_expire_comes_back_with_new_ones(machine, start, tmp_path):
    operator = Operator()
    server = start(operator.config)
    file = tmp_path / "worker.creds"
    operator.credentials(file, expires_in=10)
    worker = BusWorker(machine.home, machine.project, server.url, "--credentials", str(file))
    try:
        operator.credentials(file)
        assert "ended the connection" in worker.process.stderr.readline()
        assert "answering" in worker.process.stderr.readline()
        assert ask(Broker(server.url, str(file))) == "block"
    finally:
        worker.stop()


def test_a_worker_whose_credentials_expire_for_good_ends(machine, start, tmp_path):
    operator = Operator()
    server = start(operator.config)
    old = operator.credentials(tmp_path / "worker.creds", expires_in=10)
    worker = BusWorker(machine.home, machine.project, server.url, "--credentials", old)
    assert worker.process.wait(60) == 1
    assert "refuses these credentials" in worker.process.stderr.read()
    worker.stop()


def test_who_may_not_speak_of_hooks_is_told_so(machine, start, tmp_path):
    deny = 'permissions: { publish: "other", subscribe: "_INBOX.>" }'
    server = start(f'authorization {{ users: [ {{ user: me, password: "p", {deny} }} ] }}\n')
    (tmp_path / "me").write_text("me:p")
    done = machine.fairlead("bus", "serve", "--url", server.url, "--credentials", str(tmp_path / "me"))
    assert (done.returncode, b"does not let us" in done.stderr) == (1, True)
    assert "does not let us" in refusal(Broker(server.url, str(tmp_path / "me")))


def test_a_broker_without_a_stream_is_told_apart(machine, tmp_path):
    server = NatsServer(tmp_path / "stream")
    server.start(stream=False)
    try:
        done = machine.fairlead("bus", "serve", "--url", server.url)
    finally:
        server.stop()
    assert (done.returncode, b"keeps no stream" in done.stderr) == (1, True)


def test_a_worker_that_is_refused_says_so_and_ends(machine, start, tmp_path):
    server = start("authorization { token: sesame }\n")
    (tmp_path / "wrong").write_text("open")
    done = machine.fairlead("bus", "serve", "--url", server.url, "--credentials", str(tmp_path / "wrong"))
    assert done.returncode == 1
    assert b"refuses these credentials" in done.stderr and b"sesame" not in done.stderr


def test_a_hook_call_reaches_the_fleet_with_credentials_and_tls(machine, start, serve, tmp_path):
    authority = Authority(tmp_path / "tls")
    tls = authority.tls_block(authority.certificate("broker"))
    server = start(tls + "authorization { token: sesame }\n")
    (tmp_path / "token").write_text("sesame")
    access = ("--credentials", str(tmp_path / "token"), "--tls-ca", str(authority.ca))
    serve(server.url, *access)
    call = (machine.bash("ls"), "claude", "PreToolUse", "--bus", server.url)
    assert machine.hook(*call, *access).returncode == 0
    assert _fleet(machine)["failure"] is None


def test_a_hook_call_that_is_refused_falls_back_to_the_local_policy(machine, start, tmp_path):
    server = start("authorization { token: sesame }\n")
    (tmp_path / "wrong").write_text("open")
    access = ("--bus", server.url, "--credentials", str(tmp_path / "wrong"))
    assert machine.hook(machine.bash("rm -rf /"), "claude", "PreToolUse", *access).returncode == 2
    assert machine.hook(machine.bash("ls"), "claude", "PreToolUse", *access).returncode == 0
    assert "refuses these credentials" in _fleet(machine)["failure"]["message"]


def _fleet(machine):
    return next(each for each in machine.journal()[-1]["outcomes"] if each["hook"] == "fleet")


@pytest.mark.parametrize("text", ["", "two\nlines"])
def test_a_file_that_holds_no_credentials_is_refused(text, tmp_path):
    (tmp_path / "file").write_text(text)
    with pytest.raises(ValueError, match="no credentials"):
        secret_in(str(tmp_path / "file"))
    assert "holds no credentials" in refusal(Broker("nats://127.0.0.1:1", str(tmp_path / "file")))
