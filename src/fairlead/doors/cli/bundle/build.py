"""`fairlead bundle build`: a policy folder becomes one file."""

from __future__ import annotations

import time

import click

from fairlead.doors.cli.bundle.files import GROUP, PRIVATE_KEYS, bytes_of, keys_in, write_bytes
from fairlead.doors.cli.bundle.rehearsal import require_rehearsed, require_unchanged, unpacked
from fairlead.doors.cli.durations import seconds_of
from fairlead.doors.cli.given.folders import EITHER
from fairlead.doors.cli.output import count, note, say, show_json
from fairlead.errors import PolicyError, UsageError
from fairlead.fleet.bundles.building import (
    SETTINGS,
    Gathered,
    build_bundle,
    gather,
    open_unchecked,
    sign_bundle,
)
from fairlead.fleet.bundles.manifest import Manifest
from fairlead.fleet.bundles.settings import BundleSettings, read_bundle_settings
from fairlead.fleet.moments import DAY, read_moment, write_moment
from fairlead.fleet.questions.approvals import read_approvals
from fairlead.fleet.telling.privacy import read_privacy


@click.command()
@click.argument("source", metavar="FOLDER", type=EITHER)
@click.option(
    "--version", "number", type=click.IntRange(min=1), required=True, help="Higher than the last one."
)
@click.option("--group", type=GROUP, default="", help="Whose machines take it; else what bundle.yaml says.")
@click.option("--expires", metavar="LENGTH", default="", help="After how long no machine takes it: 90d.")
@click.option("--created", metavar="TIME", default="", help="When it was made, instead of now.")
@click.option("-o", "--output", metavar="FILE", default="", help="Instead of GROUP-VERSION.fairlead.")
@PRIVATE_KEYS
@click.option("--gzip", "packed", is_flag=True, help="Make it smaller.")
@click.option("--opa", is_flag=True, help="FOLDER is an OPA bundle; take the hooks/ and programs/ in it.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def command(
    source: str,
    *,
    number: int,
    group: str,
    expires: str,
    created: str,
    output: str,
    keys: tuple[str, ...],
    packed: bool,
    opa: bool,
    as_json: bool,
) -> int:
    """Make a policy folder one file, after a look at every policy in it and after its tests.

    FOLDER holds hooks/ and programs/, and may hold bundle.yaml: group, expires_days, freshness_days, stale,
    privacy, rollout, break_glass, approvals. Hidden files are left out. The same folder, version and time
    make the same bytes. With --key it is signed at once.

    \b
    Examples:
      fairlead bundle build policy --group web --version 7
      fairlead bundle build policy --version 8 --expires 90d --key bundle.key
      fairlead bundle build company-opa.tar.gz --opa --group web --version 9
    """
    settings = BundleSettings() if opa else read_bundle_settings(source)
    _require_usable(settings)
    manifest = _manifest(settings, number, group=group, expires=expires, created=created)
    gathered = _from_opa(source) if opa else gather(source)
    content = build_bundle(manifest, gathered.files, packed=packed)
    for name in gathered.left_out:
        note(f"left out: {name}")
    made = open_unchecked(content)[0]
    with unpacked(made) as folder:
        found = require_rehearsed(folder)
        require_unchanged(made, folder)
    for key in keys_in(keys):
        content = sign_bundle(content, key)
    path = output or f"{manifest.group}-{number}.fairlead"
    write_bytes(path, content)
    bundle, signatures = open_unchecked(bytes_of(path))
    if as_json:
        show_json(
            {
                "file": path,
                "sha256": bundle.sha256,
                "bundle_sha256": bundle.bundle_sha256,
                "size": len(content),
                "signatures": [each.keyid for each in signatures],
                "left_out": list(gathered.left_out),
                **found.as_json(),
            }
        )
    else:
        say(path)
        signed = (
            f"signed by {', '.join(each.keyid for each in signatures)}" if signatures else "not signed yet"
        )
        note(
            f"{count(len(bundle.files), 'file')}, {count(found.tests, 'test')} passed, {signed}; "
            f"expires {write_moment(manifest.expires)}"
        )
    return 0


def _require_usable(settings: BundleSettings) -> None:
    """What no machine could use is not built. Raises PolicyError."""
    approvals = read_approvals(settings.sections.get("approvals", {}))
    privacy, problems = read_privacy(settings.sections.get("privacy"))
    if problems:
        raise PolicyError(f"{SETTINGS}: {problems[0]}", hint="docs/fleet-decisions.md has an example")
    answered = (rule for person in approvals.people for rule in person.rules)
    for name in (*privacy.commands, *privacy.paths, *answered):
        if "/" not in name and "*" not in name:
            hint = f"rules of a policy are called rules/{name}, others PACK/{name}; * stands for all"
            raise PolicyError(f"{SETTINGS}: no rule is called {name!r}", hint=hint)


def _manifest(settings: BundleSettings, number: int, *, group: str, expires: str, created: str) -> Manifest:
    group = group or settings.group
    if not group:
        raise UsageError("for which group is it?", hint="--group web, or `group: web` in bundle.yaml")
    try:
        made = read_moment(created) if created else int(time.time())
    except ValueError as error:
        raise UsageError(str(error)) from error
    lasts = int(seconds_of(expires)) if expires else settings.expires_days * DAY
    return Manifest(
        group,
        number,
        made,
        made + lasts,
        {},
        freshness_days=settings.freshness_days,
        stale=settings.stale,
        **settings.sections,
    )


def _from_opa(source: str) -> Gathered:
    from fairlead.fleet.bundles.opa import fairlead_files, read_opa_bundle

    found = read_opa_bundle(bytes_of(source))
    files = fairlead_files(found)
    return Gathered(files, tuple(sorted(name for name in found.files if name not in files)))
