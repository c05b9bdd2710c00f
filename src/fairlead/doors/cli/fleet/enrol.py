"""`fairlead fleet enrol`."""

from __future__ import annotations

import os

import click

from fairlead.doors.cli.bundle.files import GROUP, bytes_of
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, note, say
from fairlead.doors.fleet.centre.nkeys import new_seed, public_of, write_seed
from fairlead.doors.fleet.running.starting import agent_words
from fairlead.doors.fleet.running.unit import enable_words, has_systemd, unit_path, unit_text
from fairlead.errors import FairleadError, UsageError
from fairlead.fleet.bundles.roles import Roles, read_roles
from fairlead.fleet.bundles.rotation import read_signed_roles
from fairlead.fleet.documents import NAME
from fairlead.fleet.enrolment import (
    Enrolment,
    is_enrolled,
    new_machine,
    proxy_fault,
    source_fault,
    write_enrolment,
)
from fairlead.policy.human import require_human
from fairlead.policy.places import Places, write_private

_SEED = "fleet.key"
"""A name that the guard keeps agents from reading."""


@click.command()
@click.option("--source", required=True, metavar="ADDRESS", help="tls://, nats://, https://, or folder:DIR.")
@click.option("--group", type=GROUP, required=True, help="Whose bundles it takes.")
@click.option("--roles", type=FILE, required=True, metavar="FILE", help="Whose signatures count.")
@click.option("--credentials", type=FILE, default="", metavar="FILE", help="What lets it in there.")
@click.option("--tls-ca", type=FILE, default="", metavar="FILE", help="Who vouches for the source.")
@click.option("--proxy", default="", metavar="URL", help="Through which an https source is reached.")
@click.option("--machine", default="", metavar="NAME", help="Instead of a random name.")
@click.option("--decisions", is_flag=True, help="Send the decisions of this machine, too.")
@click.option("--system", is_flag=True, help="For all its users: as root, in /etc/fairlead.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(
    session: Session,
    *,
    source: str,
    group: str,
    roles: str,
    credentials: str,
    tls_ca: str,
    proxy: str,
    machine: str,
    decisions: bool,
    system: bool,
    yes: bool,
) -> int:
    """Make this machine one of a fleet: from now on it takes up what is signed for its group.

    It takes a person, since whoever signs for the fleet decides what agents may do here. --roles is the file
    of `fairlead bundle rotate`; look at its keys before. For a broker it makes a key of its own, unless you
    bring --credentials, and prints the line about this machine that `fairlead fleet broker-config` wants.

    Where systemd runs, a unit for the agent is written. To enrol many machines, write fleet.yaml by the means
    that you have for files of root.

    \b
    Examples:
      fairlead fleet enrol --source tls://broker.example:4222 --group web --roles roles.json
      sudo fairlead fleet enrol --system --source https://fleet.example --group web --roles roles.json
    """
    places = session.places
    source = _absolute(source)
    _check_names(source, machine, proxy)
    if is_enrolled(places):
        raise FairleadError("this machine belongs to a fleet already", hint="`fairlead fleet leave` first")
    if system and os.geteuid() != 0:
        raise FairleadError(
            "only root can enrol a machine for all its users", hint="sudo, or leave out --system"
        )
    require_human(places, f"let whoever signs for the group {group} decide what agents may do here", yes=yes)
    path = places.system_enrolment if system else places.user_enrolment
    seed = "" if credentials or not source.startswith(("nats:", "tls:")) else _new_seed(os.path.dirname(path))
    enrolment = Enrolment(
        machine=machine or new_machine(),
        group=group,
        source=source,
        roles=_roles_in(roles),
        credentials=os.path.abspath(credentials) if credentials else seed,
        tls_ca=os.path.abspath(tls_ca) if tls_ca else "",
        decisions=decisions,
        proxy=proxy,
    )
    write_enrolment(path, enrolment)
    say(f"{enrolment.machine} {group} {public_of(seed)}" if seed else f"{enrolment.machine} {group}")
    note(f"written to {path}")
    _next_steps(places, session.home, system=system, seed=seed)
    return 0


def _check_names(source: str, machine: str, proxy: str) -> None:
    wrong = source_fault(source)
    if wrong:
        raise UsageError(wrong, hint="tls://host:4222, https://host, folder:/srv/fairlead")
    wrong = proxy_fault(proxy, source) if proxy else ""
    if wrong:
        raise UsageError(wrong, hint="http://proxy.example:3128, for an https source")
    if machine and not NAME.fullmatch(machine):
        hint = "small letters, digits, '-' and '_', at most 63"
        raise UsageError(f"{machine!r} is no name of a machine", hint=hint)
    if proxy and not (proxy.startswith("http://") and source.startswith("https://")):
        raise UsageError(f"{proxy!r} is no proxy here", hint="http://proxy.example:3128, for an https source")


def _absolute(source: str) -> str:
    kind, colon, path = source.partition(":")
    return f"folder:{os.path.abspath(path)}" if kind == "folder" and colon and path else source


def _roles_in(path: str) -> Roles:
    return read_roles(read_signed_roles(bytes_of(path)).content)


def _new_seed(folder: str) -> str:
    path = os.path.join(folder, _SEED)
    if not os.path.lexists(path):
        os.makedirs(folder, exist_ok=True)
        write_seed(path, new_seed())
    return path


def _next_steps(places: Places, home: str, *, system: bool, seed: str) -> None:
    if seed:
        note("give the line above to whoever runs the broker: `fairlead fleet broker-config` lets it in")
    if not has_systemd() or (home and not system):
        note("`fairlead fleet start` starts its agent")
        return
    path = unit_path(system=system)
    text = unit_text(agent_words(places), places, system=system).encode()
    if system:
        _write_system(path, text)
    else:
        write_private(path, text)
    note(f"its agent is described in {path}; start it: {enable_words(system=system)}")


def _write_system(path: str, content: bytes) -> None:
    try:
        with open(path, "wb") as file:
            file.write(content)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error
