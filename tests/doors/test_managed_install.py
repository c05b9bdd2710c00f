"""`fairlead install --system` on a machine of its own: what root puts there, what an ordinary user gets of
it, and what neither client lets him do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from managed_kit import OURS, Lab, why_no_lab

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_no_lab()), reason=f"NOT TESTED WITH MANAGED SETTINGS: {why_no_lab()}"),
]
HOOK, PLACED = "/opt/fairlead/bin/fairlead-hook", "/opt/fairlead/bin/fairlead"
PURE = "/opt/pure/fairlead-hook"
CLAUDE = "/etc/claude-code/managed-settings.json"
NATIVE = Path(__file__).parents[2] / "native"
STATE = "/home/dev/.local/state/fairlead"


@pytest.fixture(scope="module")
def machine() -> Iterator[Lab]:
    lab = Lab()
    lab.root(f"{OURS} install --system")
    yield lab
    lab.close()


@pytest.fixture
def lab(machine: Lab) -> Iterator[Lab]:
    """With nothing of the user's, and nobody who manages anything."""
    yield machine
    machine.root(
        f"rm -rf {STATE} /etc/fairlead; [ ! -e /opt/env.aside ] || mv -T /opt/env.aside /opt/fairlead/env"
    )


def call(command: str, client: str = HOOK) -> str:
    payload = {
        "session_id": "s",
        "cwd": "/home/dev/project",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    return f"printf %s '{json.dumps(payload)}' | {client} claude PreToolUse"


def test_an_ordinary_user_without_any_installation_is_guarded(lab: Lab) -> None:
    assert "recursive-delete" in lab.user(call("rm -rf /"), code=2)
    assert lab.user(call("ls")) == ""
    journal = lab.user(f"cat {STATE}/journal/journal.jsonl")
    assert [json.loads(line)["verdict"]["decision"] for line in journal.splitlines()] == ["block", "continue"]
    assert f"{HOOK}.record" in lab.root(f"ls -d {HOOK}.record")
    assert "machine" in lab.user(f"cd /home/dev/project; {PLACED} status")


def test_nothing_that_answers_can_be_written_by_the_user(lab: Lab) -> None:
    found = lab.root(
        "find /opt/fairlead ! -type l ( ! -user root -o -perm /022 )".replace("(", "\\(").replace(")", "\\)")
    )
    assert found == ""
    assert lab.root("find /opt/fairlead -type f ! -perm -444") == ""
    assert "Permission denied" in lab.user(f"touch {HOOK}", code=1)


@pytest.mark.parametrize("words", ["install --system", "uninstall --system --yes", "doctor --system"])
def test_only_root_installs_for_everybody(lab: Lab, words: str) -> None:
    assert "root is needed" in lab.user(f"cd /; {PLACED} {words}", code=1)


def test_a_dry_run_shows_the_lock_and_changes_nothing(lab: Lab) -> None:
    lab.root("rm /etc/codex/requirements.toml")
    said = lab.user(f"{PLACED} install --system --dry-run codex")
    assert "+hooks = true" in said
    assert "+allow_managed_hooks_only" not in said
    assert "+allow_managed_hooks_only = true" in lab.user(
        f"{PLACED} install --system --managed-only --dry-run codex"
    )
    lab.root("[ ! -e /etc/codex/requirements.toml ]")
    assert "codex        installed" in lab.root(f"{PLACED} install --system codex")


def test_the_line_closes_when_the_program_is_gone(lab: Lab) -> None:
    command = json.loads(lab.user(f"cat {CLAUDE}"))["hooks"]["PreToolUse"][0]["hooks"][0]
    assert command["onFailure"] == "block"
    lab.root(f"mv {HOOK} {HOOK}.aside")
    try:
        said = lab.ask("user", line=command["command"])
    finally:
        lab.root(f"mv {HOOK}.aside {HOOK}")
    assert said["code"] == 2
    assert "install --system" in said["err"]


def forbid(lab: Lab, text: str) -> None:
    lab.root(f"mkdir -p /etc/fairlead/hooks; printf '%b' '{text}' > /etc/fairlead/hooks/managed.yaml")


def build_pure(lab: Lab) -> None:
    """The client in Python, where the native one has its record."""
    words = f"import sys; sys.path.insert(0, '{NATIVE}'); import build, pathlib; "
    words += f"build.build_pure(pathlib.Path('{PURE}').parent)"
    lab.root(f'mkdir -p /opt/pure; {OURS.parent}/python3 -c "{words}"; cp {HOOK}.record /opt/pure')


@pytest.mark.parametrize("client", [HOOK, PURE])
@pytest.mark.parametrize(
    ("text", "honoured"),
    [
        ("", True),
        ("forbid: [allow]\\n", True),
        ("forbid: [allow, off]\\n", False),
        ("lock: [git]\\nforbid:\\n  - off # no\\n", False),
        ("nonsense", False),
        ("  forbid: [off]\\n", False),
        ("forbid: [of]\\n", False),
        ("lock: [git]\\rforbid: [off]\\n", False),
    ],
)
def test_both_clients_honour_a_marker_only_where_nobody_forbids_it(
    lab: Lab, client: str, text: str, honoured: bool
) -> None:
    """With the interpreter gone, the client answers by itself, and reads the marker itself."""
    if client == PURE:
        build_pure(lab)
    lab.user(f"mkdir -p {STATE}; chmod 700 {STATE}; (umask 077; echo 0 > {STATE}/off)")
    if text:
        forbid(lab, text)
    lab.user(f"{PLACED} daemon stop", code=None)
    lab.root("mv /opt/fairlead/env /opt/env.aside")
    lab.user(call("ls", client), code=0 if honoured else 2)


def test_the_bundle_of_the_fleet_forbids_as_well(lab: Lab) -> None:
    lab.user(f"mkdir -p {STATE}; chmod 700 {STATE}; (umask 077; echo 0 > {STATE}/off)")
    fleet = "/var/lib/fairlead/fleet/current/hooks"
    lab.root(f"mkdir -p /etc/fairlead {fleet}; touch /etc/fairlead/fleet.yaml")
    lab.root(f"echo 'forbid: [off]' > {fleet}/managed.yaml")
    lab.root("mv /opt/fairlead/env /opt/env.aside")
    lab.user(call("ls"), code=2)
    lab.root("rm -r /var/lib/fairlead/fleet")
    lab.user(call("ls"), code=0)


def test_a_marker_of_before_switches_nothing_off_in_the_daemon_either(lab: Lab) -> None:
    lab.user(f"mkdir -p {STATE}; chmod 700 {STATE}; (umask 077; echo 0 > {STATE}/off)")
    assert lab.user(call("rm -rf /")) == ""
    forbid(lab, "forbid: [off]")
    assert "recursive-delete" in lab.user(call("rm -rf /"), code=2)
    assert "forbids `off`" in lab.user(f"cd /home/dev/project; {PLACED} status")


@pytest.mark.parametrize(
    ("words", "deed"),
    [
        ("off --for 1h --yes", "off"),
        ("allow git/force-push --yes", "allow"),
        ("packs disable git --yes", "allow"),
        ("trust --yes /home/dev/project", "trust"),
    ],
)
def test_commands_that_loosen_say_who_forbids_them(lab: Lab, words: str, deed: str) -> None:
    lab.user("mkdir -p /home/dev/project/.fairlead/hooks")
    forbid(lab, "forbid: [off, allow, trust, approve]")
    said = lab.user(f"cd /home/dev/project; {PLACED} {words}", code=1)
    assert "forbidden on this machine: /etc/fairlead/hooks/managed.yaml" in " ".join(said.split())
    assert f"`{deed}`" in said


def test_a_person_is_shown_what_is_managed(lab: Lab) -> None:
    forbid(lab, "forbid: [allow]\\nlock: [git]")
    at = "cd /home/dev/project;"
    for words in ("status", "policy check"):
        said = " ".join(lab.user(f"{at} {PLACED} {words}", code=None).split())
        assert "forbidden to everybody here: allow" in said
        assert "never loosened: git" in said
    lab.user(call("git push --force"), code=2)
    for words in ("explain --last", "check 'git push --force'"):
        said = " ".join(lab.user(f"{at} {PLACED} {words}", code=None).split())
        assert "nobody here may" in said
        assert "fairlead allow git" not in said
    managed = json.loads(lab.user(f"{at} {PLACED} status --json", code=None))["managed"]
    assert (managed["forbid"], managed["lock"]) == (["allow"], ["git"])


def test_doctor_proves_it_as_the_user_and_finds_what_is_wrong(lab: Lab) -> None:
    well = lab.root(f"cd /; {PLACED} doctor --system --as dev --quick claude codex")
    assert "nothing to mend" in well
    lab.root(f"chmod 600 {CLAUDE}")
    found = lab.root(f"cd /; {PLACED} doctor --system --as dev --quick --json claude", code=1)
    assert any("mode 0600" in each["what"] for each in json.loads(found) if not each["ok"])
    lab.root(f"{PLACED} install --system claude; [ $(stat -c %a {CLAUDE}) = 644 ]")


def test_a_python_that_users_cannot_run_is_refused() -> None:
    """Outside the machine of its own, the interpreter of these tests may be below a home of root's."""
    lab = Lab()
    try:
        lab.root("chmod 700 /root")
        said = lab.root(f"{OURS} install --system claude", code=None)
        needs_root = OURS.parent.joinpath("python3").resolve().is_relative_to("/root")
        assert ("an ordinary user cannot run" in " ".join(said.split())) is needs_root
        assert ("[ -e" in lab.root(f"[ -e {CLAUDE} ] || echo '[ -e no'", code=None)) is needs_root
    finally:
        lab.close()


def test_uninstall_gives_every_byte_back() -> None:
    lab = Lab()
    try:
        lab.root(f"mkdir -p /etc/claude-code; printf '{{\"a\": 1}}' > {CLAUDE}; chmod 640 {CLAUDE}")
        seen = "find /etc /opt /var/lib -newer /tmp/start -printf '%p %m %s\\n' | sort"
        lab.root("sleep 0.01; touch /tmp/start")
        lab.root(f"{OURS} install --system")
        assert PLACED in lab.root(seen)
        lab.root(f"{PLACED} uninstall --system --yes")
        assert lab.root(f"cat {CLAUDE}; stat -c %a {CLAUDE}") == '{"a": 1}640\n'
        left = lab.root(
            "find /etc /opt -newer /tmp/start -type f; ls -d /etc/codex /opt/fairlead 2>&1", code=None
        )
        assert [line for line in left.splitlines() if "No such file" not in line] == [CLAUDE]
    finally:
        lab.close()


POLICIES = "/etc/gemini-cli/policies/fairlead.toml"
GEMINI = "/etc/gemini-cli/settings.json"


def test_a_second_line_stays_until_somebody_takes_it_out(lab: Lab) -> None:
    assert "--second-line" in lab.root(f"{PLACED} install --system gemini")
    lab.root(f"{PLACED} install --system --second-line gemini; [ $(stat -c %a:%U {POLICIES}) = 644:root ]")
    assert "COUNTERSIGN" in lab.user(f"cat {GEMINI}")
    lab.root(f"{PLACED} install --system gemini; [ -s {POLICIES} ]")
    assert "nothing to mend" in lab.root(f"cd /; {PLACED} doctor --system --as dev --quick gemini")
    lab.root(f"{PLACED} install --system --no-second-line gemini; [ ! -e {POLICIES} ]")
    assert "COUNTERSIGN" not in lab.user(f"cat {GEMINI}")


def test_policies_that_would_no_longer_count_keep_a_second_line_away(lab: Lab) -> None:
    lab.root(f"""sed -i '0,/{{/s//{{"adminPolicyPaths": ["\\/opt\\/theirs"],/' {GEMINI}""")
    said = " ".join(lab.root(f"{PLACED} install --system --second-line gemini", code=1).split())
    assert "adminPolicyPaths, which would no longer count" in said
    lab.root(f"[ ! -e {POLICIES} ]; rm {GEMINI}; {PLACED} install --system --no-second-line gemini")


def test_uninstall_takes_the_second_line_out_before_the_hooks(lab: Lab) -> None:
    lab.root(f"{PLACED} install --system --second-line gemini")
    removed = lab.root(f"{PLACED} uninstall --system --yes gemini")
    assert removed.index(POLICIES) < removed.index(GEMINI)
    lab.root(f"[ ! -e /etc/gemini-cli ]; {PLACED} install --system gemini")
