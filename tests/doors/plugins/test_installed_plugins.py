"""A second package, installed with pip beside Fairlead, and what becomes of it on real hook calls."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.doors.daemon import control
from fairlead.policy.places import find_places
from tests.kit import Machine, own_installation

pytestmark = pytest.mark.slow

PACKAGE = Path(__file__).parents[2] / "data" / "plugin_package"
LOADED = """
import sys
from fairlead.doors.hook.cold import main
code = main(sys.argv[1:])
sys.stderr.write("\\n" + " ".join(sorted(sys.modules)))
sys.exit(code)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment that has Fairlead and the package."""
    folder = tmp_path_factory.mktemp("installation")
    interpreter = own_installation(folder / "venv")
    words = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", str(PACKAGE)]
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter), "install", "-q", *words]
    subprocess.run(pip, check=True, capture_output=True, env={**os.environ, "PIP_CACHE_DIR": str(folder)})
    return interpreter


class Acme(Machine):
    def __init__(self, folder, python):
        super().__init__(folder)
        self.python = python

    def run(self, *words, input=b"", code=("-m", "fairlead")):
        return subprocess.run(
            [self.python, "-I", *code, "--home", str(self.home), *words],
            input=input if isinstance(input, bytes) else json.dumps(input).encode(),
            capture_output=True,
            cwd=self.project,
            check=False,
            timeout=120,
            env={**os.environ},  # readline, where it is loaded, puts COLUMNS into what a child inherits
        )

    def modules(self, payload, agent="claude"):
        """The answer to a hook call, and every module that it loaded."""
        done = self.run("hook", agent, input=payload, code=("-c", LOADED))
        return done, set(done.stderr.decode().splitlines()[-1].split())

    def acme(self, command):
        return {
            "when": "before",
            "tool": "Bash",
            "arguments": {"command": command},
            "folder": str(self.project),
        }


@pytest.fixture
def acme(tmp_path, python):
    return Acme(tmp_path, python)


def entry(**keys):
    lines = "".join(f"    {key}: {json.dumps(value)}\n" for key, value in keys.items())
    return f"event: PreToolUse\nmiddleware:\n  -\n{lines}"


def test_plugins_lists_kind_name_distribution_and_interface_and_what_is_wrong(acme):
    done = acme.run("plugins", "--json")
    listed = {(one["kind"], one["name"]): one for one in json.loads(done.stdout)["plugins"]}
    assert done.returncode == 1, "some of them are broken"
    good = {key for key, one in listed.items() if not one["flaw"]}
    assert good == {
        ("dialects", "acme"),
        ("packs", "acme-deploys"),
        ("executors", "acme-text"),
        ("middleware", "acme-hours"),
        ("middleware", "acme-counter"),
        ("sinks", "acme-file"),
        ("commands", "acme"),
        ("commands", "acme-crash"),
    }
    assert {one["flaw"] for key, one in listed.items() if key not in good} == {
        "ModuleNotFoundError: No module named 'acme_has_no_such_module'"
    }
    assert {(one["distribution"], one["version"], one["interface"]) for one in listed.values()} == {
        ("acme-fairlead", "2.3.4", "v1")
    }


def test_law_14_a_hook_call_looks_at_no_metadata_and_imports_no_plugin_that_no_policy_names(acme):
    done, loaded = acme.modules(acme.bash("git status"))
    assert done.returncode == 0
    assert not {name for name in loaded if name.startswith(("acme", "importlib.metadata", "fairlead.entry"))}


def test_a_guard_of_a_plugin_blocks_when_the_users_policy_names_it(acme):
    acme.user_policy(entry(id="hours", type="safety", plugin="acme-hours", config={"tools": ["Bash"]}))
    done, loaded = acme.modules(acme.bash("git status"))
    assert done.returncode == 2
    assert b"waits until Monday" in done.stderr
    assert "acme_fairlead.middleware" in loaded
    assert acme.journal()[-1]["verdict"]["rule"] == "acme/hours"


def test_law_9_an_untrusted_project_imports_no_plugin(acme):
    folder = acme.project / ".fairlead" / "hooks" / "mine"
    folder.mkdir(parents=True)
    text = entry(id="hours", type="safety", plugin="acme-hours", config={"tools": ["Bash"]})
    packs = {"packs": {"plugins": ["acme-deploys"]}}
    text += f"  - {{id: block-dangerous-commands, config: {json.dumps(packs)}}}\n"
    text += '  - {id: protect-sensitive-files, plugin: acme-hours, config: {tools: ["Bash"]}}\n'
    (folder / "hook.meta.yaml").write_text(text)
    done, loaded = acme.modules(acme.bash("rm RELEASES.md"))
    assert done.returncode == 0
    assert not {name for name in loaded if name.startswith(("acme", "importlib.metadata", "fairlead.entry"))}
    assert acme.run("policy", "check").stdout.count(b"would run a plugin") == 3


def test_law_2_a_guard_that_cannot_be_imported_blocks_with_a_sentence(acme):
    acme.user_policy(entry(id="odd", type="safety", plugin="acme-broken"))
    done = acme.run("hook", "claude", input=acme.bash("git status"))
    assert done.returncode == 2
    assert b"acme_has_no_such_module" in done.stderr


def test_law_2_a_guard_that_is_not_installed_blocks_and_policy_check_says_so(acme):
    acme.user_policy(entry(id="odd", type="safety", plugin="acme-hour"))
    done = acme.run("hook", "claude", input=acme.bash("git status"))
    assert done.returncode == 2
    assert b"no plugin among the middleware is named 'acme-hour'" in done.stderr
    checked = acme.run("policy", "check")
    assert checked.returncode == 1
    assert b"no plugin among the middleware is named 'acme-hour'" in checked.stdout


def test_an_observer_that_is_broken_lets_the_call_pass_and_is_reported(acme):
    acme.user_policy(entry(id="odd", type="observability", plugin="acme-broken"))
    assert acme.run("hook", "claude", input=acme.bash("git status")).returncode == 0
    until_reported(acme, "acme_has_no_such_module")


def test_an_observer_of_a_plugin_observes(acme):
    file = acme.project / "calls.txt"
    text = entry(id="counter", type="observability", plugin="acme-counter", config={"file": str(file)})
    acme.user_policy(text)
    assert acme.run("hook", "claude", input=acme.bash("git status")).returncode == 0
    until_reported(acme, "counter")
    assert file.read_text() == "Bash\n"


def until_reported(acme, word):
    from installation import until

    until(lambda: word in json.dumps(acme.journal()))


def test_a_pack_of_a_plugin_adds_its_rule_and_changes_no_other(acme):
    config = {"packs": {"plugins": ["acme-deploys"]}}
    acme.user_policy(entry(id="block-dangerous-commands", config=config))
    done = acme.run("hook", "claude", input=acme.bash("cd . && rm -f RELEASES.md"))
    assert done.returncode == 2
    assert b"Acme keeps its release notes" in done.stderr
    assert acme.journal()[-1]["verdict"]["rule"] == "acme-deploys/release-notes"
    assert acme.run("hook", "claude", input=acme.bash("rm -rf /")).returncode == 2
    assert acme.run("hook", "claude", input=acme.bash("rm notes.txt")).returncode == 0
    assert acme.run("policy", "check").returncode == 0


def test_law_2_a_pack_that_is_broken_blocks_what_it_would_judge(acme):
    config = {"packs": {"plugins": ["acme-broken"]}}
    acme.user_policy(entry(id="block-dangerous-commands", config=config))
    done = acme.run("hook", "claude", input=acme.bash("rm notes.txt"))
    assert done.returncode == 2
    assert b"acme_has_no_such_module" in done.stderr


def test_an_executor_of_a_plugin_runs_a_file(acme):
    keys = {"id": "text", "type": "safety", "path": "answer.txt", "executor": "acme-text"}
    folder = acme.user_policy(entry(**keys))
    (folder / "answer.txt").write_text('{"decision": "block", "reason": "the file says no"}')
    done = acme.run("hook", "claude", input=acme.bash("git status"))
    assert (done.returncode, b"the file says no" in done.stderr) == (2, True)
    (folder / "answer.txt").write_text("rubbish")
    done = acme.run("hook", "claude", input=acme.bash("git status"))
    assert (done.returncode, b"could not answer" in done.stderr) == (2, True)


def name_dialect(acme, *names):
    (acme.home / "config").mkdir(parents=True, exist_ok=True)
    (acme.home / "config" / "plugins.yaml").write_text(f"dialects: {json.dumps(names)}\n")


def test_a_dialect_of_a_plugin_answers_once_the_user_has_named_it(acme):
    payload = acme.acme("rm -rf /")
    done, loaded = acme.modules(payload, "acme")
    assert done.returncode == 2, "the dialect of a caller that nobody knows"
    assert not {name for name in loaded if name.startswith(("acme", "importlib.metadata"))}
    name_dialect(acme, "acme")
    done, loaded = acme.modules(payload, "acme")
    assert done.returncode == 0
    assert json.loads(done.stdout)["acme"] == "no"
    assert acme.journal()[-1]["agent"] == "acme"
    assert acme.run("hook", "acme", input=acme.acme("git status")).stdout == b""


@pytest.mark.parametrize("name", ["acme-broken", "acme-missing"])
def test_law_2_a_dialect_that_cannot_be_loaded_refuses_by_exit_code(acme, name):
    name_dialect(acme, name)
    for event in ((), ("before",), ("PreToolUse",)):
        done = acme.run("hook", name, *event, input=acme.acme("git status"))
        assert done.returncode == 2
        assert name.encode() in done.stderr


def test_law_2_what_a_dialect_cannot_read_is_refused_in_its_own_words(acme):
    name_dialect(acme, "acme")
    done = acme.run("hook", "acme", "before", input=b"rubbish")
    assert (done.returncode, json.loads(done.stdout)["acme"]) == (0, "no")


def test_a_command_of_a_plugin_is_one_of_ours_and_a_broken_one_is_a_sentence(acme):
    assert acme.run("acme", "--name", "Ada").stdout == b"acme greets Ada\n"
    assert b"From acme-fairlead 2.3.4." in acme.run("--help").stdout
    for name, word in (("acme-broken", b"acme_has_no_such_module"), ("acme-crash", b"as promised")):
        done = acme.run(name)
        assert done.returncode == 1
        assert word in done.stderr
        assert b"Traceback" not in done.stderr
    assert acme.run("check", "git status").returncode == 0
    assert b"there is no command 'acmee'" in acme.run("acmee").stderr


def test_a_sink_of_a_plugin_gets_the_journal(acme):
    acme.run("hook", "claude", input=acme.bash("git status"))
    target = acme.project / "records.txt"
    done = acme.run("forward", "--sink", f"acme-file={target}", "--from-start")
    assert done.returncode == 0, done.stderr
    assert "BeforeTool" in target.read_text()
    done = acme.run("forward", "--sink", "acme-nothing")
    assert (done.returncode, b"is named 'acme-nothing'" in done.stderr) == (1, True)


def test_the_environment_that_answers_for_agents_has_the_plugins_too(acme):
    acme.user_policy(entry(id="hours", type="safety", plugin="acme-hours", config={"tools": ["Bash"]}))
    dev = acme.project.parent / "dev"
    dev.mkdir()
    surroundings = {"HOME": str(dev), "PATH": "/usr/bin:/bin"}
    words = [acme.python, "-I", "-m", "fairlead", "--home", acme.home, "install", "claude"]
    done = subprocess.run(words, capture_output=True, cwd=acme.project, env=surroundings, check=False)
    assert done.returncode == 0, done.stderr
    settings = json.loads((dev / ".claude" / "settings.json").read_text())
    line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    try:
        call = json.dumps(acme.bash("git status")).encode()
        done = subprocess.run(["/bin/sh", "-c", line], input=call, capture_output=True, check=False)
        assert b"waits until Monday" in done.stdout + done.stderr
    finally:
        control.stop(find_places(str(acme.home)))
