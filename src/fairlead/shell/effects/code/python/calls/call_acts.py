"""What one call of a library does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.python.calls import files, processes
from fairlead.shell.effects.code.python.calls.archives import archive_acts
from fairlead.shell.effects.code.python.calls.as_commands import LISTENING, SCANNING, command_acts
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.calls.evaluation import evaluation_acts
from fairlead.shell.effects.code.python.calls.files import file_acts
from fairlead.shell.effects.code.python.calls.guessing import fed_guesses, guessing_acts
from fairlead.shell.effects.code.python.calls.killing import kill_acts, kill_command_acts
from fairlead.shell.effects.code.python.calls.network import network_acts
from fairlead.shell.effects.code.python.calls.processes import input_acts, process_acts
from fairlead.shell.effects.code.python.calls.services import service_acts
from fairlead.shell.effects.code.python.calls.serving import serving_acts
from fairlead.shell.effects.code.python.libraries.deeds import library_acts
from fairlead.shell.effects.code.python.libraries.keepers import SECRET
from fairlead.shell.effects.code.python.libraries.machine_code import in_memory_acts, machine_code_acts
from fairlead.shell.effects.code.python.libraries.mail import mail_acts
from fairlead.shell.effects.code.python.libraries.packets import packet_acts
from fairlead.shell.effects.code.python.running.thing import deep_origins
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.secret_material.secret_searches import SECRET_NAME
from fairlead.shell.lazy_pattern import lazy

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

KNOWN = files.KNOWN | processes.KNOWN | LISTENING | SCANNING | {"exec", "eval"}
_ROOT = ("os.setuid", "os.seteuid", "os.setreuid", "os.setgid")
_FEEDING = ("communicate", "write", "sendline", "send")
_SHOWING = ("print", "info", "debug", "warning", "error", "critical", "pprint", "write", "echo")
_DUMPING = (
    "json.dump",
    "yaml.dump",
    "yaml.safe_dump",
    "pickle.dump",
    "toml.dump",
    "tomli_w.dump",
    "plistlib.dump",
)
"""They write what they are given into a file that is open."""
_SECRET = lazy(rf"^{SECRET_NAME}$")
_UPLOADING = ("put", "upload", "upload_from_filename", "send_file", "attach")


def acts_of(call: Call, run: Run) -> Iterator[Act]:
    name, method = call.name, call.method
    if name == "print":
        run.printed += call.given
    if name in _DUMPING and len(call.given) > 1 and call.given[1].name:
        into = call.given[1]
        yield from acts_of(call.replace(name=f"{into.name}.write", given=call.given[:1], owner=into), run)
        return
    if method in _SHOWING:
        yield from _shown_variables(call)
    if name == "print":
        yield from _printed_into(call, run)
        return
    if name in processes.KNOWN or (call.given and (method in ("system", "popen") or call.is_true("shell"))):
        yield from process_acts(call, run)
        yield from kill_command_acts(call, run)
        yield from in_memory_acts(call, run)
        yield from fed_guesses(call)
        yield from _to_known_machines(call)
    elif name == "os.chdir":
        run.folder = (call.paths(0, "path") or [""])[0]
        run.went_to = run.went_to or run.folder
    elif method in _FEEDING and name.startswith(("subprocess.", "asyncio.create_subprocess", "pexpect.")):
        yield from input_acts(call)
    elif name in _ROOT and call.at(0).number == 0:
        yield Act(str(Action.GAIN_PRIVILEGE), name="root-shell", text=name)
    else:
        yield from file_acts(call, run)
        yield from evaluation_acts(call, run)
        yield from kill_acts(call, run)
        yield from network_acts(call, run)
        yield from archive_acts(call, run)
        yield from command_acts(call)
        yield from guessing_acts(call, run)
        yield from serving_acts(call, run)
        yield from library_acts(call, run.world.source)
        yield from packet_acts(call)
        yield from mail_acts(call)
        yield from machine_code_acts(call, run)
        yield from _programs(call)
        yield from service_acts(call, run.world.source)
        if method in _UPLOADING and call.given:
            yield from (on_path(Action.READ, path, name=method) for path in call.paths(0))


_REMOTE = ("ssh", "scp", "rsync", "sshpass")


def _to_known_machines(call: Call) -> Iterator[Act]:
    """`ssh` to each machine that this one was ever at."""
    command = call.at(0, "args")
    first = (command.items or (command,))[0].texts
    known = any(kind == "file" and path.endswith("known_hosts") for kind, path in deep_origins(command))
    if known and first and first[0].split(" ", 1)[0] in _REMOTE:
        yield Act(str(Action.RUN_NETWORK_CODE), name="scan", text=call.name)


def _printed_into(call: Call, run: Run) -> Iterator[Act]:
    """`print(text, file=f)` is `f.write(text)`."""
    into = call.named.get("file")
    if into is not None and into.name and call.given:
        yield from acts_of(call.replace(name=f"{into.name}.write", named={}, owner=into), run)


def _shown_variables(call: Call) -> Iterator[Act]:
    """A variable of the environment whose name says that it is secret, in what is printed or logged."""
    for thing in call.given:
        owner, _, last = thing.name.rpartition(".")
        if owner.endswith("credentials") and _SECRET.match(last.upper()):
            yield Act(str(Action.READ_SECRET), name="print-variable")
        origins = deep_origins(thing)
        kept = SECRET in origins and call.method != "write"
        if kept or any(kind == "variable" and _SECRET.match(which) for kind, which in origins):
            yield Act(str(Action.READ_SECRET), name="print-variable")


def _programs(call: Call) -> Iterator[Act]:
    """GitPython has git's commands as methods, and the module `sh` has every program as a function."""
    words = tuple("$UNKNOWN" if not each.texts else each.texts[0] for each in call.given)
    if call.name.startswith("sh.") and call.method not in ("Command", "bake"):
        yield Act("argv", words=(*call.name.split(".")[1:], *words))
    elif ".git." in call.name:
        flags = [f"--{name.replace('_', '-')}" for name in call.named]
        yield Act("argv", words=("git", call.method.replace("_", "-"), *words, *flags))
    elif call.name.endswith("head.reset") and "working_tree" in call.named:
        yield Act("argv", words=("git", "reset", "--hard"))
