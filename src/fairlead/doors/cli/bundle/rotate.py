"""`fairlead bundle rotate`: who may sign, from the next version on."""

from __future__ import annotations

from collections.abc import Iterable

import click

from fairlead.doors.cli.bundle.files import PRIVATE_KEYS, PUBLIC_KEY, bytes_of, keys_in, write_bytes
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import note, say, show_json
from fairlead.errors import UsageError
from fairlead.fleet.bundles.roles import ROLE_NAMES, Role, Roles, key_id, read_roles
from fairlead.fleet.bundles.rotation import next_roles, read_signed_roles, with_signature, write_signed_roles
from fairlead.fleet.bundles.signatures import Signed
from fairlead.fleet.bundles.signing import FOR_ROLES
from fairlead.fleet.refusal import RefusedError

_ROLE = OneOf("role", ROLE_NAMES)
_KEY_OF = (_ROLE, PUBLIC_KEY)


@click.command()
@click.option(
    "--from", "before", type=FILE, default="", metavar="FILE", help="The roles as they are; else none."
)
@click.option(
    "--add",
    "added",
    nargs=2,
    type=_KEY_OF,
    metavar="ROLE KEY",
    multiple=True,
    help="Let a key sign for a role.",
)
@click.option(
    "--remove",
    "removed",
    nargs=2,
    type=_KEY_OF,
    metavar="ROLE KEY",
    multiple=True,
    help="Let it sign no longer.",
)
@click.option(
    "--threshold",
    "thresholds",
    nargs=2,
    type=(_ROLE, click.IntRange(1)),
    metavar="ROLE N",
    multiple=True,
    help="How many keys of a role it takes.",
)
@click.option("-o", "--output", metavar="FILE", default="roles.json", help="Instead of roles.json.")
@PRIVATE_KEYS
@click.option("--json", "as_json", is_flag=True, help="Print the roles as JSON.")
def command(
    *,
    before: str,
    added: tuple[tuple[str, str], ...],
    removed: tuple[tuple[str, str], ...],
    thresholds: tuple[tuple[str, int], ...],
    output: str,
    keys: tuple[str, ...],
    as_json: bool,
) -> int:
    """Make the next version of the roles, or the first without --from.

    ROLE is bundle (signs bundles and roles), freshness (says what is current) or approval (signs answers of
    people). A version is believed when as many bundle keys of the version before have signed it as it takes,
    and as many of its own; `fairlead bundle sign` adds the signatures of others. A key that was stolen is
    removed in this way; a stolen freshness key can do no more than hold machines where they are.

    \b
    Examples:
      fairlead bundle rotate --add bundle bundle.pub --add freshness freshness.pub --key bundle.key
      fairlead bundle rotate --from roles.json --remove freshness old.pub --add freshness new.pub -o r2.json
      fairlead bundle rotate --from roles.json --threshold bundle 2 --add bundle second.pub -o r2.json
    """
    last = read_roles(read_signed_roles(bytes_of(before)).content) if before else None
    roles = _changed(last, added, removed, thresholds)
    signed = Signed(roles.written())
    for key in keys_in(keys):
        signed = with_signature(signed, key.sign(signed.content, purpose=FOR_ROLES))
    write_bytes(output, write_signed_roles(signed))
    waiting = _waiting(last or roles.replace(version=0), signed)
    if as_json:
        show_json({"file": output, "believed": not waiting, "waiting": waiting, **roles.as_json()})
    else:
        say(output)
        for name in ROLE_NAMES:
            role: Role = getattr(roles, name)
            if role.keys:
                note(f"{name}: {role.threshold} of {', '.join(map(key_id, role.keys))}")
        note(waiting or f"version {roles.version} will be believed")
    return 0


def _changed(
    last: Roles | None,
    added: Iterable[tuple[str, str]],
    removed: Iterable[tuple[str, str]],
    thresholds: Iterable[tuple[str, int]],
) -> Roles:
    """Raises UsageError for a role that could never sign."""
    roles = {name: getattr(last, name) if last else Role() for name in ROLE_NAMES}
    for name, key in removed:
        if key not in roles[name].keys:
            raise UsageError(f"{key} has not signed for {name}")
        roles[name] = roles[name].replace(keys=tuple(each for each in roles[name].keys if each != key))
    for name, key in added:
        roles[name] = roles[name].replace(keys=(*roles[name].keys, key))
    for name, number in thresholds:
        roles[name] = roles[name].replace(threshold=number)
    try:
        return Roles(last.version + 1 if last else 1, **roles).checked()
    except ValueError as error:
        raise UsageError(
            str(error), hint="--add bundle KEY adds a key, --threshold ROLE N sets how many"
        ) from error


def _waiting(last: Roles, signed: Signed) -> str:
    try:
        next_roles(last, signed)
    except RefusedError as error:
        return f"not believed yet: {error.message}"
    return ""
