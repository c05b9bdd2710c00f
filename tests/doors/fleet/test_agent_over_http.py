"""Agents on a web server, honest and hostile."""

import json

import pytest
from fleet_servers import FolderServer, HostileServer
from fleet_workshop import Member, Publishing

pytestmark = pytest.mark.slow


@pytest.fixture
def publishing(tmp_path):
    (tmp_path / "tree").mkdir()
    return Publishing(f"folder:{tmp_path / 'tree'}")


@pytest.fixture
def server(tmp_path, publishing):
    with FolderServer(tmp_path / "tree") as server:
        yield server


def test_a_machine_takes_up_what_lies_on_a_web_server(tmp_path, publishing, server):
    member = Member(tmp_path, "m1", publishing, source=server.url)
    publishing.publish(1)
    assert member.fairlead("fleet", "check").stdout == "took up version 1\n"
    assert server.statuses == [200, 200]
    assert member.fairlead("fleet", "check").stdout == "nothing to take up\n"


def test_a_bundle_that_somebody_changed_on_the_server_is_not_taken(tmp_path, publishing, server):
    member = Member(tmp_path, "m1", publishing, source=server.url)
    pointer = publishing.publish(1)
    path = tmp_path / "tree/bundles" / f"{pointer.release.bundle_sha256}.fairlead"
    content = bytearray(path.read_bytes())
    content[-2000] ^= 1
    path.write_bytes(bytes(content))
    done = member.fairlead("fleet", "check")
    assert (done.returncode, member.version) == (1, 0)
    assert "is not the one that was announced" in done.stderr


def test_a_hostile_server_leaves_what_is_in_force(tmp_path, publishing, server):
    member = Member(tmp_path, "m1", publishing, source=server.url)
    publishing.publish(1)
    assert member.fairlead("fleet", "check").returncode == 0
    lies = b'{"format": 1}'
    hostile = HostileServer([b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(lies) + lies], ())
    try:
        text = member.places.user_enrolment
        with open(text, encoding="utf-8") as file:
            changed = file.read().replace(server.url, hostile.url)
        with open(text, "w", encoding="utf-8") as file:
            file.write(changed)
        done = member.fairlead("fleet", "check", "--json")
    finally:
        hostile.close()
    assert json.loads(done.stdout)["refusal"]["code"] == "unreadable"
    assert member.version == 1
