"""Policies from hostile or careless hands: refused where they are built, and again by each machine."""

import os
import sys
from pathlib import Path

import pytest

from fairlead.doors.cli.bundle import rehearsal
from fairlead.doors.cli.bundle.rehearsal import rehearse, require_rehearsed, require_unchanged, unpacked
from fairlead.errors import FairleadError, PolicyError
from fairlead.fleet.bundles.building import build_bundle, gather, open_unchecked
from fairlead.fleet.bundles.manifest import MAX_POLICY
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fleet_kit import Kept, bundle, manifest, policy

META = "hooks/a/hook.meta.yaml"
GUARD = "event: PreToolUse\nmiddleware:\n  - {{id: block-dangerous-commands, matcher: '{}'}}\n"


def hook(path: str, more: str = "") -> dict[str, bytes]:
    return {
        META: f"event: PreToolUse\nmiddleware:\n  - {{id: x, type: safety, path: {path}{more}}}\n".encode()
    }


def folder_of(tmp_path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = tmp_path / "policy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "policy"


ALIASES = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(12)
)
HOSTILE = {
    "a file of the machine": hook(sys.executable),
    "a file above the bundle": hook("../../../../../../../../../.." + sys.executable),
    "a file above its folder and the bundle": hook("deep/../../../evil.py"),
    "aliases that double": {META: ALIASES.encode()},
    "an alias of itself": {META: b"&a [*a]\n"},
    "a merge of itself": {META: b"x: &x {<<: *x}\n"},
    "a deep document": {META: b"[" * 100_000},
    "a deep array": {"programs/a.toml": b"a = " + b"[" * 100_000 + b"]" * 100_000},
    "a deep array in lines": {"programs/a.toml": b"a = " + b"[\n" * 20_000 + b"]\n" * 20_000},
    "a deep key": {"programs/a.toml": b".".join([b"a"] * 1_900) + b" = 1"},
    "a deep table": {"programs/a.toml": b"[" + b".".join([b"a"] * 1_900) + b"]\nb = 1"},
    "groups in groups": {META: GUARD.format("/" + "(" * 5_000 + ")" * 5_000 + "/").encode()},
    "a policy of another encoding": {META: b"\xff\xfeevent"},
}


@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_what_cannot_be_a_policy_is_refused_where_it_is_built_and_on_the_machine(tmp_path, files):
    with pytest.raises(FairleadError):
        require_rehearsed(str(folder_of(tmp_path, {**policy(), **files})))
    kept = Kept(tmp_path / "fleet")
    kept.take_checked(bundle(1))
    refused = kept.take_checked(bundle(2, files={**policy(), **files}))
    assert refused.code is RefusalCode.BROKEN_POLICY
    assert "missing key" not in refused.message
    assert kept.version == 1


def test_a_hook_that_lies_in_the_bundle_is_taken(tmp_path):
    files = {**policy(), **hook("../b/run.sh"), "hooks/b/run.sh": b"#!/bin/sh\nexit 0\n"}
    assert Kept(tmp_path / "fleet").take_checked(bundle(1, files=files)) is None


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "([a-z]+)*\\d", "(?:0+)*$"])
@pytest.mark.parametrize("place", ["matcher", "dangerous_patterns"])
def test_a_pattern_that_could_hold_up_every_call_is_found_before_anybody_signs(tmp_path, pattern, place):
    guard = GUARD.format(f"/{pattern}/")
    if place == "dangerous_patterns":
        guard = GUARD.format("Bash").replace("}\n", f", config: {{dangerous_patterns: ['{pattern}']}}}}\n")
    found = rehearse(str(folder_of(tmp_path, {**policy(), META: guard.encode()})))
    assert any("takes too long" in problem.message for problem in found.errors)


@pytest.mark.parametrize(
    "pattern", ["/^mcp__(github|gitlab)__/", "/.*x/", "/[a-z]{1,1000}$/", "mcp__*__get_*"]
)
def test_patterns_that_people_write_are_not_taken_for_slow_ones(tmp_path, pattern):
    found = rehearse(str(folder_of(tmp_path, {**policy(), META: GUARD.format(pattern).encode()})))
    assert not [problem for problem in found.errors if "too long" in problem.message]


def test_more_policy_than_a_call_could_wait_for_is_no_bundle(tmp_path):
    files = {**policy(), "programs/a.toml": b"#" * MAX_POLICY}
    with pytest.raises(RefusedError) as caught:
        build_bundle(manifest(), files)
    assert caught.value.refusal.code is RefusalCode.TOO_LARGE
    assert build_bundle(manifest(), {**policy(), "hooks/tilt/data.bin": b"#" * MAX_POLICY})


def test_a_machine_takes_no_such_bundle_from_somebody_who_made_it_otherwise(tmp_path, monkeypatch):
    monkeypatch.setattr("fairlead.fleet.bundles.building.require_readable", lambda files: None)
    kept, files = Kept(tmp_path / "fleet"), {**policy(), "programs/a.toml": b"#" * MAX_POLICY}
    with monkeypatch.context() as context:
        context.setattr("fairlead.fleet.bundles.checking.require_readable", lambda files: None)
        content = bundle(1, files=files)
    assert kept.take(content).code is RefusalCode.TOO_LARGE


# folders


def test_two_thousand_folders_in_one_another_are_too_deep(tmp_path):
    folder = folder_of(tmp_path, policy())
    descriptor = os.open(folder / "hooks", os.O_RDONLY)
    for _ in range(2_000):
        os.mkdir("n", dir_fd=descriptor)
        below = os.open("n", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(descriptor)
    with pytest.raises(FairleadError, match="too deep"):
        gather(str(folder))
    _remove_deep(folder / "hooks")


def _remove_deep(top: Path) -> None:
    """What the tools of a test's end cannot: paths here are longer than the system takes."""
    descriptor = os.open(top, os.O_RDONLY)
    while os.path.isdir(top / "n"):
        below = os.open("n", os.O_RDONLY, dir_fd=descriptor)
        if not os.listdir(below):
            os.close(below)
            os.rmdir("n", dir_fd=descriptor)
            break
        inner = os.open("n", os.O_RDONLY, dir_fd=below)
        os.close(inner)
        os.rename("n", "m", src_dir_fd=below, dst_dir_fd=descriptor)
        os.close(below)
        os.rmdir("n", dir_fd=descriptor)
        os.rename("m", "n", src_dir_fd=descriptor, dst_dir_fd=descriptor)
    os.close(descriptor)


def test_too_many_files_are_noticed_before_all_are_read(tmp_path):
    folder = folder_of(tmp_path, policy())
    for number in range(2_100):
        (folder / f"hooks/{number}.txt").touch()
    with pytest.raises(FairleadError, match="too much for a bundle"):
        gather(str(folder))


@pytest.mark.parametrize(
    "name",
    ["b\nc.yaml", "b\x1b[2J.yaml", "\u0430.yaml", "A.yaml", "a .yaml", "a\u200b.yaml", "con.yaml", "-x"],
)
def test_names_that_are_not_what_they_seem_are_refused(tmp_path, name):
    folder = folder_of(tmp_path, {**policy(), "hooks/a.yaml": b"x"})
    (folder / "hooks" / name).write_bytes(b"x")
    with pytest.raises(RefusedError) as caught:
        gather(str(folder))
    assert caught.value.refusal.code is RefusalCode.UNSAFE_PATH
    assert caught.value.message.isprintable()


# tests in a policy

SLEEPS = b"import time\n\ndef process(hook_input, config, previous_results):\n    time.sleep(1000)\n"
WRITES = b"""\
from pathlib import Path

def process(hook_input, config, previous_results):
    Path(__file__).with_name("data.txt").write_text("changed")
    return None
"""
TESTS = b"tests:\n  - command: ls\n    expect: pass\n"


def with_tests(code: bytes, more: str = "") -> dict[str, bytes]:
    own = {"hooks/a/run.py": code, "hooks/a/data.txt": b"as it was", "hooks/a/hook.test.yaml": TESTS}
    return {**policy(), **hook("run.py", more), **own}


@pytest.mark.slow
def test_tests_that_never_end_are_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(rehearsal, "TESTS_SECONDS", 2)
    folder = folder_of(tmp_path, with_tests(SLEEPS, ", timeout: 3600"))
    with pytest.raises(PolicyError, match="take longer than 2 s"):
        rehearse(str(folder))


@pytest.mark.slow
def test_tests_that_write_into_the_policy_are_found_out(tmp_path):
    made = open_unchecked(bundle(1, files=with_tests(WRITES)))[0]
    with unpacked(made) as folder:
        require_unchanged(made, folder)
        rehearse(folder)
        with pytest.raises(PolicyError, match=r"change its own hooks/a/data\.txt"):
            require_unchanged(made, folder)
