"""`fairlead bundle inspect`: what is in a bundle, whoever made it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fairlead.doors.cli.bundle.files import bytes_of
from fairlead.doors.cli.given.folders import FILE
from fairlead.doors.cli.output import note, say_lines, show_json
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.fleet.bundles.building import open_unchecked
from fairlead.fleet.bundles.checking import Opened
from fairlead.fleet.bundles.manifest import SECTIONS
from fairlead.fleet.bundles.signatures import Signature
from fairlead.fleet.moments import write_moment


@click.command()
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--opa", is_flag=True, help="FILE is a bundle of the Open Policy Agent.")
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as JSON.")
def command(file: str, *, opa: bool, as_json: bool) -> int:
    """Show what a bundle says of itself and which files it holds. `verify` asks whose signature it is.

    With --opa: FILE is an OPA bundle (.tar.gz). It has no expiry, no version and no group, so that a machine
    could be given an old one, or another's, again; `build --opa` puts what it holds into a bundle of ours.

    \b
    Examples:
      fairlead bundle inspect web-7.fairlead
      fairlead bundle inspect company-opa.tar.gz --opa --json
    """
    content = bytes_of(file)
    if opa:
        from fairlead.doors.cli.bundle.opa_words import show_opa

        return show_opa(content, as_json=as_json)
    bundle, signatures = open_unchecked(content)
    if as_json:
        show_json(_json(bundle, signatures))
    else:
        say_lines(fields(list(_rows(bundle, signatures))))
        note("not verified: `fairlead bundle verify` asks whose signature it is")
    return 0


def _json(bundle: Opened, signatures: tuple[Signature, ...]) -> dict[str, object]:
    return {
        **bundle.manifest.as_json(),
        "manifest_sha256": bundle.sha256,
        "bundle_sha256": bundle.bundle_sha256,
        "signatures": [each.keyid for each in signatures],
        "verified": False,
    }


def _rows(bundle: Opened, signatures: tuple[Signature, ...]) -> Iterator[tuple[str, str]]:
    manifest = bundle.manifest
    yield "group", manifest.group
    yield "version", str(manifest.version)
    yield "created", write_moment(manifest.created)
    yield "expires", write_moment(manifest.expires)
    asks = ", then calls ask" if manifest.stale else ""
    yield "freshness", f"may be {manifest.freshness_days} days old{asks}"
    for name in SECTIONS:
        section = getattr(manifest, name)
        if section:
            yield name.replace("_", " "), printable(", ".join(sorted(section)))
    yield "manifest", bundle.sha256
    yield "signed by", ", ".join(each.keyid for each in signatures) or "nobody"
    for path, mark in sorted(manifest.files.items()):
        yield "file", f"{path} ({mark.size} bytes)"
