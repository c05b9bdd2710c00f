"""What a release is made of and needs, as a list for programs: CycloneDX 1.6 in JSON.

The same commit in the same environment gives the same bytes: the time is the commit's, and the number of the
list comes from its content. Versions are those that are installed here; a release allows later ones, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from uuid import NAMESPACE_URL, uuid5

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
_FOR_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w-]+)['\"]")
_FOR_WORK = frozenset(("dev", "dist", "docs", "frameworks", "mcp-test", "ui-test"))
"""Extras of whoever works on Fairlead, not of those who use it."""
_SPDX = re.compile(r"[\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*\Z")


def parts_list_text(version: str, *, epoch: int) -> str:
    own = _reference("fairlead", version)
    needed = sorted(set(_requirements(distribution("fairlead"))))
    parts = [part for part in (_part(name, optional) for name, optional in needed) if part is not None]
    body: dict[str, object] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "fairlead",
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
                "purl": own,
            },
        },
        "components": parts,
        "dependencies": [
            {"ref": own, "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }
    number = uuid5(NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return json.dumps({"serialNumber": f"urn:uuid:{number}", **body}, indent=2) + "\n"


def _requirements(of: Distribution) -> Iterator[tuple[str, bool]]:
    """Names, and whether each is needed for an extra alone."""
    always = {_name(each) for each in of.requires or () if "extra ==" not in each}
    yield from ((name, False) for name in always)
    for each in of.requires or ():
        extra = _FOR_EXTRA.search(each)
        if extra and extra[1] not in _FOR_WORK and _name(each) not in always:
            yield _name(each), True


def _name(requirement: str) -> str:
    found = _REQUIREMENT.match(requirement)
    assert found is not None, requirement
    return re.sub(r"[-_.]+", "-", found[1]).lower()


def _part(name: str, optional: bool) -> dict[str, object] | None:
    """None for an extra that is not installed here: nobody can say its version."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        if not optional:
            raise
        return None
    reference = _reference(name, found.version)
    part: dict[str, object] = {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": found.version,
        "scope": "optional" if optional else "required",
        "purl": reference,
    }
    licence = found.metadata.get("License-Expression") or found.metadata.get("License") or ""
    if _SPDX.match(licence):
        part["licenses"] = [{"expression": licence}]
    return part


def _reference(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"
