"""Nothing that is given is ignored: whatever can be given to a command is refused here when it is wrong.

Every option and argument that takes a value stands in one of two tables, so a further one must be placed.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import fleet_values
from fairlead.doors.cli import main
from fairlead.doors.cli.command_table import COMMANDS
from fairlead.doors.cli.main import fairlead
from fairlead.doors.mcp.pins.pins import Pins
from fairlead.doors.mcp.pins.server_identity import ServerIdentity
from fairlead.doors.mcp.pins.server_record import ServerKey
from fairlead.doors.mcp.pins.store import PinStore
from fairlead.errors import FairleadError
from fairlead.journal.ids import new_id, timestamp
from fairlead.policy.places import find_places
from index_kit import call, write

_FILTERS = {
    "--agent": (["--agent", "clade"], "claude"),
    "--event": (["--event", "BeforTool"], "BeforeTool"),
    "--decision": (["--decision", "blok"], "block"),
    "--rule": (["--rule", "git/forc-push"], "git/force-push"),
    "--tool": (["--tool", "Bsh"], "Bash"),
    "--session": (["--session", "morning-shft"], "morning-shift"),
    "--project": (["--project", "/home/dev/acmee"], "/home/dev/acme"),
    "--since": (["--since", "soon"], "2h"),
    "--until": (["--until", "soon"], "2h"),
    "-n": (["-n", "-3"], ""),
}
_LOOK_BACK = ("log", "replay", "sessions", "tail")
_AT_A_BROKER = ["--source", "nats://127.0.0.1:1"]
_BROKER = {
    "--source": (["--source", "nat://host"], "nats://host:4222"),
    "--credentials": (["--source", "nats://127.0.0.1:4222", "--credentials", "nofile"], "no file"),
    "--tls-ca": (["--source", "tls://127.0.0.1:4222", "--tls-ca", "nofile"], "no file"),
}
_AT_A_DESK = {
    "asks": [],
    "answer": ["ab", "--no", "--reason", "x", "--key", "own.key"],
    "notify-approvers": [],
    "grant-off": ["m1", "--minutes", "5", "--reason", "x", "--key", "own.key"],
}
"""Commands that reach the broker, with what they need besides."""
_TELLING = ["fleet", "notify-approvers", "--source", "nats://127.0.0.1:4222"]
_NEAR_POLICY = (["--policy", "polcy"], "policy")

WRONG: dict[str, tuple[list[str], str]] = {
    **fleet_values.WRONG,
    **{
        f"{name} {option}": ([name, *words], near)
        for name in _LOOK_BACK
        for option, (words, near) in _FILTERS.items()
    },
    "allow --agent": (["allow", "git/force-push", "--agent", "clade"], "claude"),
    "allow --command": (["allow", "git/force-push", "--command", "a | b", "--yes"], "one simple command"),
    "allow --for": (["allow", "git/force-push", "--for", "soon"], "1h"),
    "allow --in": (["allow", "git/force-push", "--in", "polcy"], "policy"),
    "allow --revoke": (["allow", "--revoke", "zzz"], "allow --list"),
    "allow rule": (["allow", "git/forc-push"], "git/force-push"),
    "approve --for": (["approve", "zzz", "--for", "soon"], ""),
    "approve code": (["approve", "zzz"], "fairlead approve"),
    "audit rules": (["audit", "gti"], "git"),
    "break-glass --minutes": (["break-glass", "x", "--reason", "x", "--minutes", "0"], ""),
    "break-glass code": (["break-glass", "7Q2M4", "--reason", "x"], "5 groups"),
    "bundle answer-keys --count": (
        ["bundle", "answer-keys", "--group", "web", "--out", "new.answers", "--count", "0"],
        "",
    ),
    "bundle answer-keys --group": (
        ["bundle", "answer-keys", "--group", "We b", "--out", "new.answers"],
        "small letters",
    ),
    "off --grant": (["off", "--grant", "own.kye"], "own.key"),
    "bundle codes --count": (["bundle", "codes", "--group", "web", "--count", "0"], ""),
    "bundle codes --group": (["bundle", "codes", "--group", "We b"], "small letters"),
    "bundle codes --machine": (["bundle", "codes", "--machine", "M 1"], "fairlead fleet status"),
    "fleet answer --key": (
        ["fleet", "answer", "ab", "--no", "--reason", "x", "--key", "no"],
        "cannot be read",
    ),
    **{
        f"fleet {name} {option}": (["fleet", name, *words, *given], near)
        for name, words in _AT_A_DESK.items()
        for option, (given, near) in _BROKER.items()
    },
    "fleet notify-approvers --kind": (["fleet", "notify-approvers", "--kind", "slak"], "slack"),
    "fleet notify-approvers --link": ([*_TELLING, "--webhook", "https://x", "--link", "x"], "--link https"),
    "fleet notify-approvers --webhook": ([*_TELLING, "--webhook", "http://example.com"], "https"),
    "fleet notify-approvers --webhook-file": ([*_TELLING, "--webhook-file", "nofile"], "cannot be read"),
    "doctor --as": (["doctor", "--system", "--as", "nobdy"], "nobody"),
    "bus serve --policy": (["bus", "serve", "--url", "nats://x", *_NEAR_POLICY[0]], "policy"),
    "bus serve --root": (["bus", "serve", "--url", "nats://x", "--root", "polcy"], "policy"),
    "bus serve --url": (["bus", "serve", "--url", "foo"], "nats://"),
    "check --agent": (["check", "ls", "--agent", "clade"], "claude"),
    "check --cwd": (["check", "ls", "--cwd", "polcy"], "policy"),
    "check --policy": (["check", "ls", *_NEAR_POLICY[0]], "policy"),
    "check --session": (["check", "ls", "--session", "morning-shft"], "morning-shift"),
    "check --tool": (["check", "ls", "--tool", "Bsh"], "Bash"),
    "completion shell": (["completion", "zhs"], "zsh"),
    "coverage agent": (["coverage", "clade"], "claude"),
    "daemon logs -n": (["daemon", "logs", "-n", "0"], ""),
    "doctor agents": (["doctor", "clade"], "claude"),
    "explain wanted": (["explain", "zzz"], "fairlead log"),
    "fleet collect --database": (["fleet", "collect", *_AT_A_BROKER, "--database", "mysql://x"], "sqlite:"),
    "fleet collect --keep": (["fleet", "collect", *_AT_A_BROKER, "--keep", "pas=3d"], "pass"),
    "fleet collect --source": (["fleet", "collect", "--source", "foo"], "nats://"),
    "fleet dashboard --database": (["fleet", "dashboard", "--database", "x"], "sqlite:"),
    "fleet dashboard --port": (["fleet", "dashboard", "--database", "x", "--port", "x"], ""),
    "fleet privacy --last": (["fleet", "privacy", "--last", "x"], ""),
    "forward --header": (["forward", "--otlp", "http://127.0.0.1:9", "--header", "x"], "Name: value"),
    "forward --otlp": (["forward", "--otlp", "http://example.org"], "https"),
    "forward --jetstream": (["forward", "--jetstream", "foo"], "nats://"),
    "forward --otlp-logs": (["forward", "--otlp-logs", "http://example.org"], "https"),
    "forward --sink": (["forward", "--sink", "foo"], "fairlead plugins"),
    "forward --statsd": (["forward", "--statsd", "foo:bar"], ""),
    "forward --syslog": (["forward", "--syslog", "foo"], "tls://"),
    "hooks disable --event": (["hooks", "disable", "log-operations", "--event", "BeforTool"], "BeforeTool"),
    "hooks disable id_": (["hooks", "disable", "log-operation"], "log-operations"),
    "hooks enable --event": (["hooks", "enable", "log-operations", "--event", "BeforTool"], "BeforeTool"),
    "hooks enable id_": (["hooks", "enable", "log-operation"], "log-operations"),
    "hooks list --agent": (["hooks", "list", "--agent", "clade"], "claude"),
    "hooks list --event": (["hooks", "list", "--event", "BeforTool"], "BeforeTool"),
    "hooks list --policy": (["hooks", "list", *_NEAR_POLICY[0]], "policy"),
    "hooks tree --dir": (["hooks", "tree", "pre", "--dir", "polcy"], "policy"),
    "import agent": (["import", "claud"], "claude"),
    "init path": (["init", "polcy"], "policy"),
    "install agents": (["install", "clade"], "claude"),
    "learn --days": (["learn", "--days", "0"], ""),
    "learn accept --days": (["learn", "accept", "zzz", "--days", "0"], ""),
    "learn accept id_": (["learn", "accept", "zzz"], "fairlead learn"),
    "log prune --max-size": (["log", "prune", "--max-size", "big"], "500M"),
    "log prune --older-than": (["log", "prune", "--older-than", "soon"], "7d"),
    "mcp diff --in": (["mcp", "diff", "notes", "--in", "polcy"], "notes"),
    "mcp diff server": (["mcp", "diff", "nots"], "notes"),
    "mcp diff tools": (["mcp", "diff", "notes", "ad"], "add"),
    "mcp install clients": (["mcp", "install", "vscod"], "vscode"),
    "mcp pin --in": (["mcp", "pin", "notes", "--in", "polcy"], "notes"),
    "mcp pin server": (["mcp", "pin", "nots"], "notes"),
    "mcp pin tools": (["mcp", "pin", "notes", "ad"], "add"),
    "mcp pins --in": (["mcp", "pins", "notes", "--in", "polcy"], "notes"),
    "mcp pins server": (["mcp", "pins", "nots"], "notes"),
    "mcp uninstall clients": (["mcp", "uninstall", "vscod"], "vscode"),
    "mcp unpin --in": (["mcp", "unpin", "notes", "--in", "polcy"], "notes"),
    "mcp unpin server": (["mcp", "unpin", "nots"], "notes"),
    "mcp unpin tools": (["mcp", "unpin", "notes", "ad"], "add"),
    "new middleware --lang": (["new", "middleware", "x", "--lang", "pyton"], "python"),
    "new middleware name": (["new", "middleware", "No Name"], "small letters"),
    "off --for": (["off", "--for", "soon"], "1h"),
    "off agents": (["off", "clade"], "claude"),
    "packs disable name": (["packs", "disable", "gti"], "git"),
    "packs enable name": (["packs", "enable", "gti"], "git"),
    "packs show name": (["packs", "show", "gti"], "git"),
    "parse --cwd": (["parse", "ls", "--cwd", "polcy"], "policy"),
    "policy check --agent": (["policy", "check", "--agent", "clade"], "claude"),
    "policy check --policy": (["policy", "check", *_NEAR_POLICY[0]], "policy"),
    "policy check path": (["policy", "check", "polcy"], "policy"),
    "programs check file": (["programs", "check", "fooctl.tml"], "fooctl.toml"),
    "programs list family": (["programs", "list", "kubernets"], "kubernetes"),
    "programs new name": (["programs", "new", "a b"], ""),
    "programs show name": (["programs", "show", "kubctl"], "kubectl"),
    "promote --since": (["promote", "git", "--since", "soon"], "2h"),
    "promote rules": (["promote", "gti"], "git"),
    "replay --examples": (["replay", "--examples", "-1"], ""),
    "replay --fail-on": (["replay", "--fail-on", "losened"], "loosened"),
    "replay --policy": (["replay", *_NEAR_POLICY[0]], "policy"),
    "report --should": (["report", "zzz", "--should", "alow"], "allow"),
    "report wanted": (["report", "zzz"], "fairlead log"),
    "run --exit-policy": (["run", "pre", "--exit-policy", "wrst"], "worst"),
    "run --grace": (["run", "pre", "--grace", "-1"], ""),
    "run --retries": (["run", "pre", "--retries", "-1"], ""),
    "run --stop-code": (["run", "pre", "--stop-code", "900"], ""),
    "run --timeout": (["run", "pre", "--timeout", "0"], ""),
    "run --declare": (["run", "pre", "--declare", "a b"], ""),
    "run hook": (["run", "a/b"], ""),
    "scan --baseline": (["scan", "--baseline", "fooctl.tml"], "fooctl.toml"),
    "scan --format": (["scan", "--format", "sariff"], "sarif"),
    "scan paths": (["scan", "polcy"], "policy"),
    "sessions forget --agent": (["sessions", "forget", "morning-shift", "--agent", "clade"], "claude"),
    "sessions forget name": (["sessions", "forget", "morning-shft"], "morning-shift"),
    "sessions show --agent": (["sessions", "show", "morning-shift", "--agent", "clade"], "claude"),
    "sessions show name": (["sessions", "show", "morning-shft"], "morning-shift"),
    "shell name": (["shell", "bsh"], "bash"),
    "snapshot folder": (["snapshot", "polcy"], "policy"),
    "stats --agent": (["stats", "--agent", "clade"], "claude"),
    "stats --by": (["stats", "--by", "rule"], "rules"),
    "stats --since": (["stats", "--since", "soon"], "2h"),
    "stats --until": (["stats", "--until", "soon"], "2h"),
    "test --policy": (["test", *_NEAR_POLICY[0]], "policy"),
    "test files": (["test", "fooctl.tml"], "fooctl.toml"),
    "trust path": (["trust", "polcy"], "policy"),
    "ui --port": (["ui", "--port", "70000"], ""),
    "undo --older-than": (["undo", "prune", "--older-than", "soon"], "1h"),
    "undo --session": (["undo", "--session", "zzz"], "undo --list"),
    "undo --since": (["undo", "--since", "soon"], "1h"),
    "undo wanted": (["undo", "zzz"], "undo --list"),
    "uninstall agents": (["uninstall", "clade"], "claude"),
    **{f"top {key}": (["top", *words], near) for key, (words, near) in _FILTERS.items() if key != "-n"},
}

FREE = {
    **fleet_values.FREE,
    "check text": "any command",
    "parse text": "any command",
    "hooks tree hooks": "a hook that nothing implements is shown as that",
    "hook *": "answers an agent: what is wrong there is refused in the agent's own words",
    "log --text": "any text",
    "replay --text": "any text",
    "sessions --text": "any text",
    "tail --text": "any text",
    "top --text": "any text",
    "snapshot -m": "any text",
    "forward --prefix": "any word",
    "forward --subject": "any subject: the broker knows which it has",
    "forward --ocsf": "a file that is written",
    "forward --credentials": "as of the bus",
    "forward --tls-ca": "read when the receiver is asked",
    "fleet collect --credentials": "as of the bus",
    "fleet collect --tls-ca": "read when the broker is asked",
    "fleet collect --tls-cert": "read when the broker is asked",
    "fleet collect --tls-key": "read when the broker is asked",
    "mcp env --env": "a variable that is not set is shown as missing",
    "run args": "given on to the hook",
    "run --dir": "a folder that is missing is a step without hooks, and a warning says so",
    "run --allow": "any name of a variable",
    "run --export": "a file that is written",
    "run --dotenv": "a file that is written",
    "run --junit": "a file that is written",
    "run --report": "a file that is written",
    "scan --output": "a file that is written",
    "scan --write-baseline": "a file that is written",
    "shell --copy": "a file that is written",
    "test --junit": "a file that is written",
    "undo --to": "a folder that is made",
    "bus serve --credentials": "a file, or the secret itself; read when the broker is asked",
    "bus serve --tls-ca": "read when the broker is asked",
    "bus serve --tls-cert": "read when the broker is asked",
    "bus serve --tls-key": "read when the broker is asked",
    "untrust path": "the project may be gone",
    "break-glass --reason": "any text",
    "bundle answer-keys --out": "a file that is written",
    "fleet answer --reason": "any text",
    "fleet answer request": "only the broker knows which questions are open",
}


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            assert inner is not None
            yield from _commands(inner, f"{name} {each}")


def every_command() -> dict[str, click.Command]:
    context = click.Context(fairlead)
    found = ((name, fairlead.get_command(context, name)) for name in sorted(COMMANDS))
    return {path: each for name, command in found if command for path, each in _commands(command, name)}


def _values() -> Iterator[str]:
    for name, command in every_command().items():
        for parameter in command.params:
            if isinstance(parameter, click.Option) and parameter.is_flag:
                continue
            shown = parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.name)
            yield "hook *" if name == "hook" else f"{name} {shown}"


def test_every_value_that_a_command_takes_stands_in_one_of_the_tables() -> None:
    assert sorted(set(_values())) == sorted({*WRONG, *FREE})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of somebody whose agent made a call; in the current folder stand `policy` and `fooctl.toml`."""
    made, now = tmp_path / "home", time.time()
    record = call(1, "block", session="morning-shift", id=new_id(now), ts=timestamp(now))
    write(made / "state" / "journal", record)
    server = ServerIdentity(("server",), program="/usr/bin/server")
    pins = Pins(PinStore(find_places(str(made))), ServerKey("notes"), server)
    pins.seen([{"name": "add", "description": "Adds.", "inputSchema": {}}], complete=True)
    work = tmp_path / "work"
    (work / "policy" / "hooks").mkdir(parents=True)
    (work / "fooctl.toml").write_text("")
    (work / "own.key").write_text(f"fairlead-key-v1 {'A' * 43}=\n")
    (work / "own.key").chmod(0o600)
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(made))
    return made


def run(home: Path, words: list[str]) -> Result:
    return CliRunner().invoke(fairlead, ["--home", str(home), *words], standalone_mode=False)


@pytest.mark.parametrize("named", sorted(WRONG))
def test_a_wrong_value_is_refused_with_the_nearest_right_one(home: Path, named: str) -> None:
    words, near = WRONG[named]
    error = run(home, words).exception
    assert isinstance(error, FairleadError | click.UsageError), error
    said = error.format_message() if isinstance(error, click.UsageError) else f"{error.message} {error.hint}"
    assert near in said


@pytest.mark.parametrize("name", sorted(every_command()))
def test_every_command_has_an_example_in_its_help(name: str) -> None:
    if name != "mcp serve":
        assert "Example" in (every_command()[name].help or "")


def test_json_is_offered_by_whatever_answers_a_question() -> None:
    answers = {
        name
        for name, command in every_command().items()
        if any(parameter.name == "as_json" for parameter in command.params)
    }
    assert answers >= {
        *("allow", "approve", "check", "coverage", "daemon status", "doctor", "explain", "hooks list"),
        *("hooks tree", "index status", "learn", "log", "log verify", "mcp diff", "mcp env", "mcp pins"),
        *("mcp status", "notify", "packs list", "packs show", "parse", "plugins", "policy check", "replay"),
        *(
            "programs check",
            "programs effects",
            "programs list",
            "programs show",
            "promote",
            "run",
            "sessions",
        ),
        *("sessions show", "snapshot", "stats", "status", "tail", "test", "trust", "undo"),
    }


def test_a_session_that_the_index_has_not_seen_yet_is_known(home: Path) -> None:
    assert run(home, ["log", "--json"]).exception is None
    now = time.time()
    record = call(2, session="just-begun", id=new_id(now), ts=timestamp(now), request="r-new")
    write(home / "state" / "journal", record)
    found = run(home, ["log", "--session", "just-begun", "--json"])
    assert [each["session"] for each in json.loads(found.stdout)] == ["just-begun"]


def test_a_folder_that_is_wrong_further_up_is_named_as_such(home: Path) -> None:
    error = run(home, ["check", "ls", "--cwd", "nowhere/at/all"]).exception
    assert isinstance(error, FairleadError)
    assert error.hint == f"there is no {os.path.join(os.getcwd(), 'nowhere/at')} either"


def _exit_code(words: list[str]) -> object:
    with pytest.raises(SystemExit) as ended:
        main.run(words)
    return ended.value.code


@pytest.mark.parametrize("name", sorted(every_command()))
def test_wrong_usage_is_64_and_never_2_which_means_block(home: Path, name: str) -> None:
    if name not in ("hook", "mcp serve"):
        assert _exit_code(["--home", str(home), *name.split(), "--no-such-option"]) == 64


@pytest.mark.parametrize(
    "words", [["check"], ["chekc"], ["mcp", "nope"], ["hooks", "nope"], ["run"], ["report"]]
)
def test_what_is_missing_or_unknown_is_64_too(home: Path, words: list[str]) -> None:
    assert _exit_code(["--home", str(home), *words]) == 64
