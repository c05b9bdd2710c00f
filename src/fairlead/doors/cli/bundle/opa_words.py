"""What the commands say of a bundle of the Open Policy Agent."""

from __future__ import annotations

from fairlead.doors.cli.bundle.files import bytes_of
from fairlead.doors.cli.output import note, say, say_lines, show_json
from fairlead.doors.cli.presentation.words import printable
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.errors import UsageError
from fairlead.fleet.bundles.opa import read_opa_bundle, verify_opa_bundle
from fairlead.fleet.refusal import RefusedError

_LACKS = ("expiry", "version", "group")
_WARNING = (
    "an OPA bundle has no expiry, no version and no group: an old one, or another group's, is accepted "
    "again. `fairlead bundle build --opa` puts what it holds into a bundle that has them"
)


def show_opa(content: bytes, *, as_json: bool) -> int:
    bundle = read_opa_bundle(content)
    if as_json:
        told = {"revision": bundle.revision, "signed": bool(bundle.token), "verified": False}
        show_json({**told, "files": sorted(bundle.files), "lacks": list(_LACKS)})
        return 0
    rows = [("revision", printable(bundle.revision) or "none"), ("signed", "yes" if bundle.token else "no")]
    say_lines(fields([*rows, *(("file", printable(name)) for name in sorted(bundle.files))]))
    note(_WARNING)
    return 0


def verify_opa(content: bytes, key: str, *, as_json: bool) -> int:
    if not key:
        raise UsageError("with which key was it signed?", hint="--opa-key FILE: the secret, or a public key")
    try:
        algorithm = verify_opa_bundle(read_opa_bundle(content), bytes_of(key))
    except RefusedError as error:
        if as_json:
            show_json({"ok": False, **error.refusal.as_json(), "lacks": list(_LACKS)})
            return 1
        raise
    if as_json:
        show_json({"ok": True, "algorithm": algorithm, "lacks": list(_LACKS)})
    else:
        say(f"good: signed by {algorithm}")
        note(_WARNING)
    return 0
