"""What the bundle in force says that the agent has to know: its version, and what may leave this machine."""

from __future__ import annotations

import os

from fairlead.fleet.bundles.manifest import MAX_MANIFEST, read_manifest
from fairlead.fleet.refusal import RefusedError
from fairlead.fleet.telling.privacy import Privacy, read_privacy
from fairlead.model.value import Value
from fairlead.policy.places import Places, read_own


class InForce(Value):
    """Without a bundle: version 0 and what is sent by default."""

    version: int = 0
    sha256: str = ""
    privacy: Privacy = Privacy()
    problems: tuple[str, ...] = ()


def what_is_in_force(places: Places) -> InForce:
    """A manifest that cannot be read lets nothing out but the places of lines in their chains."""
    folder = os.path.realpath(os.path.join(places.fleet, "current"))
    if not os.path.isdir(folder):
        return InForce()
    content = read_own(os.path.join(folder, "manifest.json"), MAX_MANIFEST + 1)
    try:
        manifest = read_manifest(content or b"")
    except RefusedError as error:
        return InForce(0, os.path.basename(folder), Privacy(frozenset()), (error.message,))
    privacy, problems = read_privacy(dict(manifest.privacy))
    return InForce(manifest.version, os.path.basename(folder), privacy, problems)
