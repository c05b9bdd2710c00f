"""`fairlead bundle verify`: would a machine take this bundle?"""

from __future__ import annotations

import time

import click

from fairlead.doors.cli.bundle.believed import believed
from fairlead.doors.cli.bundle.files import GROUP, PUBLIC_KEY, bytes_of
from fairlead.doors.cli.bundle.rehearsal import unpacked
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import Session, note, say, show_json
from fairlead.doors.fleet.trial_home import policy_problems
from fairlead.fleet.bundles.checking import Expected, Opened, open_bundle, open_signed
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.bundles.seen import SeenGroup
from fairlead.fleet.bundles.store import require_policy, store_of
from fairlead.fleet.enrolment import read_enrolment
from fairlead.fleet.moments import write_moment
from fairlead.fleet.refusal import RefusedError


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--public", "publics", type=PUBLIC_KEY, metavar="KEY", multiple=True, help="A key that counts.")
@click.option("--roles", type=FILE, metavar="FILE", default="", help="The roles whose bundle keys count.")
@click.option("--group", type=GROUP, default="", help="The group that it must be for.")
@click.option("--opa", is_flag=True, help="FILE is a bundle of the Open Policy Agent.")
@click.option(
    "--opa-key", type=FILE, metavar="FILE", default="", help="Its secret, or public key in PEM form."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.pass_obj
def command(
    session: Session,
    file: str,
    *,
    publics: tuple[str, ...],
    roles: str,
    group: str,
    opa: bool,
    opa_key: str,
    as_json: bool,
) -> int:
    """Ask what a machine asks before it takes a bundle, in the same order. Exit code 1: it would not.

    Without --public and --roles those of this machine's enrolment count, and then also its group and the
    highest version that it has seen.

    With --opa: a signature over the files of an OPA bundle is checked, and nothing else can be: it has no
    expiry, no version and no group, so an old bundle, or another group's, is accepted again.

    \b
    Examples:
      fairlead bundle verify web-7.fairlead --public bundle.pub
      fairlead bundle verify web-7.fairlead --roles roles.json --group web --json
      fairlead bundle verify company-opa.tar.gz --opa --opa-key company.pem
    """
    content = bytes_of(file)
    if opa:
        from fairlead.doors.cli.bundle.opa_words import verify_opa

        return verify_opa(content, opa_key, as_json=as_json)
    try:
        bundle = _checked(session, content, believed(session, roles=roles, publics=publics), group)
    except RefusedError as error:
        if as_json:
            show_json({"ok": False, **error.refusal.as_json()})
            return 1
        raise
    manifest = bundle.manifest
    if as_json:
        told = {"group": manifest.group, "version": manifest.version, "sha256": bundle.sha256}
        show_json({"ok": True, **told, "expires": write_moment(manifest.expires)})
    else:
        say(f"good: {manifest.group} {manifest.version}")
        note(f"expires {write_moment(manifest.expires)}; its manifest is {bundle.sha256}")
    return 0


def _checked(session: Session, content: bytes, roles: Roles, group: str) -> Opened:
    enrolment = None if group else read_enrolment(session.places)
    seen = SeenGroup()
    if enrolment is not None:
        group = enrolment.group
        seen = store_of(session.places).seen().of(group)
    group = group or open_signed(content, roles)[1].group
    bundle = open_bundle(content, Expected(group, roles, seen, time.time()))
    with unpacked(bundle) as folder:
        require_policy(policy_problems(folder), folder)
    return bundle
