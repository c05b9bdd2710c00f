"""A site with a broker of its own, which dials the centre: machines there read and send as at the centre.

What the site may send is bounded at the centre, whoever runs the site.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest
from broker import NatsServer, free_port
from fleet_broker import FleetBroker, needs_broker

from fairlead.doors.bus.connection import Broker, connect
from fairlead.doors.fleet.link import Link, LinkError, RefusedError
from fairlead.doors.fleet.subjects import DECISIONS, POLICY_BUCKET, direct_get, policy_subject, subject_of

pytestmark = [pytest.mark.slow, needs_broker]
POINTER = policy_subject("group.web")


class Site:
    """`m1` and `m2` are at the site, whose account at the centre has what `m1` needs."""

    def __init__(self, folder):
        port = free_port()
        self.centre = FleetBroker(folder / "centre", ("m1", "web"), ("m2", "web"))
        read = direct_get(POLICY_BUCKET, POINTER)
        sent = subject_of(DECISIONS, "m1")
        imports = [
            f'{{ service: {{ account: FLEET, subject: "{sent}" }} }}',
            f'{{ service: {{ account: FLEET, subject: "{read}" }}, to: "site.{read[1:]}" }}',
            f'{{ stream: {{ account: FLEET, subject: "{POINTER}" }}, to: "site.{POINTER[1:]}" }}',
        ]
        account = (
            f"SITE {{ users: [ {{ user: site, password: secret }} ], imports: [ {', '.join(imports)} ] }}"
        )
        self.centre.server._config.write_text(
            self.centre.config.replace("  MACHINES {", f"  {account}\n  MACHINES {{")
            + f"leafnodes {{ host: 127.0.0.1, port: {port} }}\n"
        )
        users = self.centre.config.partition("  MACHINES {")[2].partition("    imports:")[0]
        remote = f'{{ url: "nats-leaf://site:secret@127.0.0.1:{port}", account: HUB }}'
        exports = [
            f'{{ service: "{sent}" }}',
            f'{{ service: "site.{read[1:]}" }}',
            f'{{ stream: "site.{POINTER[1:]}" }}',
        ]
        taken = [
            f'{{ service: {{ account: HUB, subject: "{sent}" }} }}',
            f'{{ service: {{ account: HUB, subject: "site.{read[1:]}" }}, to: "{read}" }}',
            f'{{ stream: {{ account: HUB, subject: "site.{POINTER[1:]}" }}, to: "{POINTER}" }}',
        ]
        own = (
            f"accounts {{ HUB {{ exports: [ {', '.join(exports)} ] }}\n"
            f"  MACHINES {{ {users}\n imports: [ {', '.join(taken)} ] }} }}\n"
            f"leafnodes {{ remotes: [ {remote} ] }}\n"
        )
        self.server = NatsServer(folder / "site", own)

    def __enter__(self):
        self.centre.__enter__()
        self.server.start(stream=False)
        return self

    def __exit__(self, *_):
        self.server.stop()
        self.centre.__exit__()

    @asynccontextmanager
    async def machine(self, name):
        link = Link(Broker(self.server.url, self.centre.credentials(name)), name)
        keeping = asyncio.ensure_future(link.keep())
        try:
            yield link
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with Site(tmp_path_factory.mktemp("site")) as made:
        yield made


async def publish(site, body):
    client = await connect(site.centre.as_who("publisher"), patience=30)
    try:
        await client.jetstream().publish(POINTER, body)
    finally:
        await client.close()


async def asked(link, subject, body=b""):
    """The site may still be dialling."""
    for _ in range(100):
        try:
            return await link.request(subject, body, seconds=5)
        except LinkError as error:
            if isinstance(error, RefusedError):
                raise
            await asyncio.sleep(0.1)
    raise AssertionError("the site never reached the centre")


def test_a_machine_at_a_site_sends_and_reads(site):
    async def scenario():
        await publish(site, b"first")
        async with site.machine("m1") as link:
            assert (await asked(link, direct_get(POLICY_BUCKET, POINTER))).data == b"first"
            assert (await link.publish(subject_of(DECISIONS, "m1"), b"{}"))["seq"] > 0

    asyncio.run(scenario())


def test_a_machine_at_a_site_has_no_right_more_than_at_the_centre(site):
    async def scenario():
        async with site.machine("m1") as link:
            await asked(link, direct_get(POLICY_BUCKET, POINTER))
            with pytest.raises(RefusedError):
                await link.publish(subject_of(DECISIONS, "m2"), b"{}")
            with pytest.raises(RefusedError):
                await link.publish(POINTER, b"forged")

    asyncio.run(scenario())


def test_a_site_sends_for_no_machine_that_the_centre_does_not_give_it(site):
    async def scenario():
        async with site.machine("m1") as ours:
            await asked(ours, direct_get(POLICY_BUCKET, POINTER))
        async with site.machine("m2") as link:
            with pytest.raises(LinkError):
                await link.publish(subject_of(DECISIONS, "m2"), b"{}", seconds=3)

    asyncio.run(scenario())
