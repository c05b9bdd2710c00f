"""`fairlead bundle`, from a pair of keys to what is published, as people type it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fairlead.fleet.bundles.freshness import read_statement
from fairlead.fleet.publishing.pointer import read_pointer
from fleet_kit import SIGNING, policy
from kit import Machine

pytestmark = pytest.mark.slow

STOPS_TOO_MUCH = b"""\
id: y
event: PreToolUse
rules:
  - id: no-ls
    program: ls
    reason: No.
    stops: ["ls"]
    passes: ["ls"]
"""
KEYS = ("--roles", "roles.json", "--freshness-key", "freshness.key")


class Desk(Machine):
    """Where somebody makes bundles: keys, roles, a policy folder and a folder that is published."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for name in ("bundle", "freshness"):
            done = self.well("bundle", "keygen", f"{name}.key")
            (self.project / f"{name}.pub").write_text(done)
        self.well(
            *("bundle", "rotate", "--add", "bundle", "bundle.pub", "--add", "freshness", "freshness.pub"),
            *("--key", "bundle.key"),
        )
        self.write(policy())
        (self.project / "www").mkdir()

    def write(self, files: dict[str, bytes], below: str = "policy") -> None:
        for name, content in files.items():
            path = self.project / below / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def well(self, *words: str) -> str:
        done = self.fairlead(*words)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def ill(self, *words: str) -> str:
        done = self.fairlead(*words)
        assert done.returncode in (1, 64), done.stdout
        assert b"Traceback" not in done.stderr
        return done.stderr.decode()

    def build(self, version: int = 1, *words: str) -> str:
        return self.well(
            *("bundle", "build", "policy", "--group", "web", "--version", str(version)),
            *("--key", "bundle.key", *words),
        ).strip()

    def publish(self, file: str, *words: str) -> str:
        return self.well(
            *("bundle", "publish", file, "--to", f"folder:{self.project}/www", *KEYS, *words),
        )

    def pointer(self):
        return read_pointer((self.project / "www/groups/web.json").read_bytes())


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_private_key_is_for_its_owner_alone_and_never_replaced(desk: Desk) -> None:
    path = desk.project / "bundle.key"
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.read_bytes()
    assert "is there already" in desk.ill("bundle", "keygen", "bundle.key")
    assert path.read_bytes() == before
    path.chmod(0o640)
    words = ("bundle", "build", "policy", "--group", "web", "--version", "1", "--key", "bundle.key")
    assert "can be read by others" in desk.ill(*words)


def test_from_a_folder_to_what_is_published(desk: Desk) -> None:
    file = desk.build(1)
    assert file == "web-1.fairlead"
    assert "good: web 1" in desk.well("bundle", "verify", file, "--public", "bundle.pub")
    shown = json.loads(desk.well("bundle", "inspect", file, "--json"))
    assert (shown["group"], shown["version"], shown["verified"]) == ("web", 1, False)
    desk.publish(file)
    pointer = desk.pointer()
    assert pointer.release.manifest_sha256 == shown["manifest_sha256"]
    published = desk.project / f"www/bundles/{pointer.release.bundle_sha256}.fairlead"
    assert published.read_bytes() == (desk.project / file).read_bytes()
    assert (desk.project / "www/roles/1.json").read_bytes() == (desk.project / "roles.json").read_bytes()


def test_the_same_folder_version_and_time_make_the_same_bytes(desk: Desk) -> None:
    words = ("--created", "2026-11-19T08:00:00Z", "-o")
    desk.build(1, *words, "a.fairlead")
    os.utime(desk.project / "policy/hooks/tilt/hook.meta.yaml", (1, 1))
    desk.build(1, *words, "b.fairlead")
    assert (desk.project / "a.fairlead").read_bytes() == (desk.project / "b.fairlead").read_bytes()


def test_what_does_not_pass_its_tests_is_neither_built_nor_signed(desk: Desk) -> None:
    good = desk.build(1)
    desk.write({"hooks/tilt/hook.test.yaml": b"tests: [{command: tilt up, expect: pass}]\n"})
    said = desk.ill("bundle", "build", "policy", "--group", "web", "--version", "2")
    assert "FAILED" in said
    assert "1 test failed" in said
    assert not (desk.project / "web-2.fairlead").exists()
    from fairlead.fleet.bundles.building import build_bundle, gather
    from fairlead.fleet.bundles.manifest import Manifest

    files = gather(str(desk.project / "policy")).files
    other = desk.project / "other.fairlead"
    other.write_bytes(build_bundle(Manifest("web", 2, 1, 2, {}), files))
    before = other.read_bytes()
    assert "1 test failed" in desk.ill("bundle", "sign", "other.fairlead", "--key", "bundle.key")
    assert other.read_bytes() == before
    assert (desk.project / good).exists()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"hooks/x/hook.meta.yaml": b"event: PreTolUse\n"}, "unknown event"),
        ({"programs/x.toml": b"[["}, "x.toml"),
        ({"bundle.yaml": b"grup: web\n"}, "unknown key 'grup'"),
        ({"bundle.yaml": b"expires_days: 0\n"}, "whole number"),
        ({"hooks/tilt/hook.test.yaml": b"tests: [{comand: x}]\n"}, "unknown key"),
        ({"hooks/tilt/a b.txt": b""}, "cannot be a file of a bundle"),
        ({"bundle.yaml": b"privacy: {fields: [prompts]}\n"}, "prompts"),
        ({"bundle.yaml": b"privacy: {commands: [no-tilt]}\n"}, "rules/no-tilt"),
        ({"bundle.yaml": b"approvals: {people: [{name: a, key: KEY, rules: [no-tilt]}]}\n"}, "rules/no-tilt"),
        ({"hooks/y/hook.meta.yaml": STOPS_TOO_MUCH}, "hooks/y/hook.meta.yaml:8:5:"),
    ],
)
def test_a_policy_with_mistakes_is_not_built(desk: Desk, files: dict[str, bytes], words: str) -> None:
    files = {name: content.replace(b"KEY", f"'{SIGNING.public}'".encode()) for name, content in files.items()}
    desk.write(files)
    said = desk.ill("bundle", "build", "policy", "--group", "web", "--version", "1")
    assert words in said
    assert "/state/fleet/" not in said, "files are named as the author knows them"


def test_links_and_hidden_files_do_not_get_into_a_bundle(desk: Desk) -> None:
    desk.write({"hooks/.git/config": b"x", "hooks/__pycache__/x.pyc": b"x", "hooks/.DS_Store": b"x"})
    done = desk.fairlead("bundle", "build", "policy", "--group", "web", "--version", "1", "--json")
    told = json.loads(done.stdout)
    assert told["left_out"] == ["hooks/.DS_Store", "hooks/.git", "hooks/__pycache__"]
    (desk.project / "policy/hooks/link").symlink_to("/etc/passwd")
    assert "no plain file" in desk.ill("bundle", "build", "policy", "--group", "web", "--version", "2")


def test_settings_beside_the_policy_get_into_the_manifest(desk: Desk) -> None:
    text = b"group: db\nexpires_days: 9\nfreshness_days: 3\nstale: ask\nprivacy: {fields: [decision]}\n"
    desk.write({"bundle.yaml": text})
    desk.well("bundle", "build", "policy", "--version", "1")
    told = json.loads(desk.well("bundle", "inspect", "db-1.fairlead", "--json"))
    assert (told["group"], told["freshness_days"], told["stale"]) == ("db", 3, "ask")
    assert told["privacy"] == {"fields": ["decision"]}
    assert "bundle.yaml" not in told["files"]


@pytest.mark.parametrize(
    ("words", "code"),
    [(("--public", "freshness.pub"), "forged"), (("--public", "bundle.pub", "--group", "db"), "wrong-group")],
)
def test_verify_says_in_a_word_what_is_wrong(desk: Desk, words: tuple[str, ...], code: str) -> None:
    file = desk.build(1)
    done = desk.fairlead("bundle", "verify", file, *words, "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert (told["ok"], told["code"]) == (False, code)


def test_a_machine_asks_what_it_would_ask_itself(desk: Desk) -> None:
    from fairlead.fleet.bundles.roles import read_roles
    from fairlead.fleet.bundles.rotation import read_signed_roles
    from fleet_kit import enrolled

    file = desk.build(1)
    assert "whose signatures count" in desk.ill("bundle", "verify", file)
    roles = read_roles(read_signed_roles((desk.project / "roles.json").read_bytes()).content)
    enrolled(desk.home / "config", roles=roles)
    assert "good" in desk.well("bundle", "verify", file)
    enrolled(desk.home / "config", roles=roles, group="db")
    assert "group web" in desk.ill("bundle", "verify", file)


def test_nothing_older_and_no_fork_is_published(desk: Desk) -> None:
    first, second = desk.build(1), desk.build(2)
    desk.publish(second)
    before = (desk.project / "www/groups/web.json").read_bytes()
    words = (
        "--to",
        f"folder:{desk.project}/www",
        "--roles",
        "roles.json",
        "--freshness-key",
        "freshness.key",
    )
    assert "published already" in desk.ill("bundle", "publish", first, *words)
    other = desk.build(2, "--created", "2026-01-01T00:00:00Z", "-o", "other.fairlead")
    assert "another bundle of version 2" in desk.ill("bundle", "publish", other, *words)
    desk.well("bundle", "build", "policy", "--group", "web", "--version", "3")
    assert "signed by 0 of the 1" in desk.ill("bundle", "publish", "web-3.fairlead", *words)
    assert (desk.project / "www/groups/web.json").read_bytes() == before


def test_a_rollout_is_in_the_signed_statement_and_goes_on_and_halts(desk: Desk) -> None:
    desk.publish(desk.build(1))
    first = desk.pointer().release
    desk.publish(desk.build(2), "--percent", "10")
    rollout = read_statement(desk.pointer().freshness.content).rollout
    assert (rollout.percent, rollout.previous, rollout.halted) == (10, first, False)
    where = ("web", "--to", f"folder:{desk.project}/www", "--freshness-key", "freshness.key")
    desk.well("fleet", "rollout", *where, "--percent", "50")
    desk.well("fleet", "halt", *where)
    rollout = read_statement(desk.pointer().freshness.content).rollout
    assert (rollout.percent, rollout.previous, rollout.halted) == (50, first, True)
    assert desk.pointer().rollout == rollout
    desk.well("fleet", "rollout", *where, "--resume", "--percent", "100", "--fresh-for", "2h")
    said = read_statement(desk.pointer().freshness.content)
    assert (said.rollout.percent, said.rollout.previous, said.rollout.halted) == (100, first, False)
    assert said.expires - said.at == 7200


def test_one_word_stops_a_version_and_says_what_comes_next(desk: Desk) -> None:
    desk.publish(desk.build(1))
    where = ("web", "--to", f"folder:{desk.project}/www", "--freshness-key", "freshness.key")
    assert "no version before this one" in desk.ill("fleet", "halt", *where, "--back")
    desk.publish(desk.build(2), "--percent", "10")
    done = desk.fairlead("fleet", "halt", *where)
    assert done.stdout == b"web 2 is stopped at 10% of the machines\n"
    assert b"halt web --back` sends those that have it to 1" in done.stderr
    assert b"rollout web --resume` goes on" in done.stderr
    for _ in range(2):
        told = desk.well("fleet", "halt", *where, "--back")
        assert told == "web 2 is taken back: machines return to 1\n"
    rollout = read_statement(desk.pointer().freshness.content).rollout
    assert (rollout.percent, rollout.previous.version, rollout.halted) == (0, 1, True)
    told = json.loads(desk.well("fleet", "halt", *where, "--json"))
    assert (told["halted"], told["back"]) == (True, True)


def test_whoever_stops_what_all_have_is_told_that_this_takes_it_from_nobody(desk: Desk) -> None:
    desk.publish(desk.build(1))
    where = ("web", "--to", f"folder:{desk.project}/www", "--freshness-key", "freshness.key")
    assert b"takes it from nobody" in desk.fairlead("fleet", "halt", *where).stderr


def test_a_watch_keeps_in_a_file_what_it_has_seen(desk: Desk) -> None:
    desk.publish(desk.build(1))
    old = (desk.project / "www/groups/web.json").read_bytes()
    desk.publish(desk.build(2))
    where = ("web", "--to", f"folder:{desk.project}/www", "--freshness-key", "freshness.key", "--once")
    assert desk.well("fleet", "watch", *where) == "version 2 is current\n"
    (desk.project / "www/groups/web.json").write_bytes(old)
    assert "older than what was there before" in desk.ill("fleet", "watch", *where)
    (desk.home / "state/fleet-watch/web.json").write_text("{")
    assert b"counting begins anew" in desk.fairlead("fleet", "watch", *where).stderr


def test_keys_are_rotated_by_those_who_were_believed(desk: Desk) -> None:
    (desk.project / "new.pub").write_text(desk.well("bundle", "keygen", "new.key"))
    words = ("--from", "roles.json", "--remove", "bundle", "bundle.pub", "--add", "bundle", "new.pub")
    told = json.loads(desk.well("bundle", "rotate", *words, "--key", "bundle.key", "-o", "r2.json", "--json"))
    assert (told["version"], told["believed"]) == (2, False)
    desk.well("bundle", "sign", "r2.json", "--key", "new.key")
    from fairlead.fleet.bundles.roles import read_roles
    from fairlead.fleet.bundles.rotation import next_roles, read_signed_roles

    before = read_roles(read_signed_roles((desk.project / "roles.json").read_bytes()).content)
    after = next_roles(before, read_signed_roles((desk.project / "r2.json").read_bytes()))
    assert after.bundle.keys == ((desk.project / "new.pub").read_text().strip(),)
    assert "can never sign" in desk.ill(
        "bundle", "rotate", "--from", "roles.json", "--threshold", "bundle", "2"
    )


def test_wrong_words_are_answered_with_the_right_ones(desk: Desk) -> None:
    file = desk.build(1)
    build = ("bundle", "build", "policy", "--version", "1")
    assert "did you mean 'sign'" in desk.ill("bundle", "sgn", file)
    assert "nothing can be published to" in desk.ill("bundle", "publish", file, "--to", "ftp://x", *KEYS)
    assert "is no name of a group" in desk.ill(*build, "--group", "W x")
    assert "there is no role" in desk.ill("bundle", "rotate", "--add", "bundel", "bundle.pub")
    assert "is no key" in desk.ill("bundle", "verify", file, "--public", "ed25519:xx")
    assert "is no time" in desk.ill(*build, "--group", "web", "--created", "now")
