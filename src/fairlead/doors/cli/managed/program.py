"""What answers for every user of the machine: the client, and an environment that only root writes.

Each user's daemon, state and runtime folder stay their own: only the program is shared.
"""

from __future__ import annotations

import os
import shutil

from fairlead.dialects.setup.description import SECONDS
from fairlead.dialects.setup.site import Client
from fairlead.doors.cli.installation.installing import built_client, place_command, replace_program
from fairlead.doors.cli.installation.package_build import build_of
from fairlead.doors.cli.installation.private_environment import base_interpreter, ensure_environment
from fairlead.doors.cli.managed.users import NOBODY, User, run_as
from fairlead.doors.cli.output import Session
from fairlead.doors.cli.presentation.progress import progress
from fairlead.errors import FairleadError
from fairlead.policy.installed import client_path, environments_folder
from fairlead.policy.places import MANAGED, Places
from fairlead.settings.system_files import FOR_ALL, folder_fault

TOLD = (
    "its program {client} is missing. An administrator can run `fairlead install --system` (after `pipx "
    "install fairlead`, if that is gone too), or `fairlead uninstall --system`."
)
_NOBODY = User("nobody", NOBODY, NOBODY, "/nonexistent")


def machine_places(session: Session) -> Places:
    if not session.places.managed:
        raise FairleadError(
            "--system and --home do not go together", hint="leave out --home and FAIRLEAD_HOME"
        )
    return session.places.of_machine


def machine_client(places: Places) -> Client:
    client = client_path(places)
    return Client(client, told=TOLD.format(client=client))


def plugins_folder(places: Places) -> str:
    return os.path.join(places.share, "plugins")


def place_program(places: Places) -> str:
    """Places the client and who answers it; the interpreter. Who answers comes first."""
    _refuse_weak_base()
    folder = os.path.join(places.share, "bin")
    _make_for_all(places.share)
    with progress("making an environment for every user"):
        interpreter = ensure_environment(environments_folder(places), for_all=True)
    _make_for_all(folder)
    known = {"interpreter": interpreter, "timeout": str(SECONDS), "build": build_of()}
    record = "".join(f"{key}={value}\n" for key, value in known.items())
    replace_program(places.record, record.encode(), FOR_ALL)
    place_command(os.path.join(folder, "fairlead"), interpreter)
    with open(built_client(), "rb") as file:
        replace_program(client_path(places), file.read(), 0o755)
    return interpreter


def remove_program(places: Places) -> bool:
    """Whether there was one. The client goes first: what still asks for it finds nothing, and refuses."""
    if places.share != MANAGED or not os.path.isdir(places.share):
        return False
    aside = f"{places.share}.{os.getpid()}.gone"
    os.rename(places.share, aside)
    shutil.rmtree(aside)
    return True


def _make_for_all(folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)  # noqa: S103 - every user runs what is in it
    why = folder_fault(folder)
    if why:
        raise FairleadError(f"{folder} cannot be protected: {why}", hint=f"chown root {folder}")


def _refuse_weak_base() -> None:
    """Every user runs this Python: each must be able to, and none may change it."""
    base = base_interpreter()
    hint = "use the system's Python: /usr/bin/python3 -m venv /root/fairlead, and install Fairlead there"
    for path in (os.path.dirname(base), os.path.dirname(os.__file__)):
        why = folder_fault(path)
        if why:
            raise FairleadError(f"every user would run {base}, and {why}", hint=hint)
    done = run_as(_NOBODY, [base, "-I", "-S", "-c", "import os"])
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it does not start"]
        raise FairleadError(f"an ordinary user cannot run {base}: {words[0]}", hint=hint)
