"""Bundles of the Open Policy Agent, where an organisation has them already.

Their signature covers the files and nothing else: there is no expiry, no version that could be compared and
no group, so an old bundle, or another group's, is accepted again. That cannot be mended from here. So a
machine never takes one as it is: `fairlead bundle build --opa` puts what it holds into a bundle of ours.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
import json
import tarfile
import zlib
from collections.abc import Callable, Mapping

from fairlead.errors import FairleadError
from fairlead.fleet.bundles.archive import MAX_PACKED, check_paths
from fairlead.fleet.bundles.manifest import MAX_FILES, MAX_UNPACKED
from fairlead.fleet.documents import read_document, unreadable
from fairlead.fleet.refusal import RefusalCode, RefusedError
from fairlead.model.value import Value

MANIFEST, SIGNATURES = ".manifest", ".signatures.json"
_STRUCTURED = frozenset(("data.json", MANIFEST))
"""Hashed by their meaning, not by their bytes."""
_YAML_DATA = ("data.yaml", "data.yml")
_OURS = ("hooks/", "programs/")
_HASHES = frozenset(("sha224", "sha256", "sha384", "sha512"))
"""OPA knows weaker ones, too."""
_SECRETS = {"HS256": "sha256", "HS384": "sha384", "HS512": "sha512"}
_MAX_PAYLOAD = 2 * 1024 * 1024
_WHAT = "the OPA bundle"


class OpaBundle(Value):
    """`files` are all but the signatures; `token` is the one signature that it may have."""

    files: Mapping[str, bytes]
    revision: str = ""
    token: str = ""


def read_opa_bundle(content: bytes) -> OpaBundle:
    """Raises RefusedError. Nothing is unpacked to a disk."""
    files = _members(_unpacked(content))
    token = _token(files.pop(SIGNATURES)) if SIGNATURES in files else ""
    revision = ""
    if MANIFEST in files:
        try:
            said = json.loads(files[MANIFEST])
        except (ValueError, RecursionError) as error:
            raise unreadable(_WHAT, f"{MANIFEST} is no JSON") from error
        revision = str(said.get("revision", ""))[:200] if isinstance(said, dict) else ""
    return OpaBundle(files, revision, token)


def fairlead_files(bundle: OpaBundle) -> Mapping[str, bytes]:
    """What of it is policy of ours: `hooks/` and `programs/`, at its top or below `fairlead/`. Raises
    RefusedError where there is none, or where a file could not be called so."""
    found = {
        name.removeprefix("fairlead/"): content
        for name, content in bundle.files.items()
        if name.removeprefix("fairlead/").startswith(_OURS)
    }
    if not found:
        message = f"{_WHAT} holds no hooks/ and no programs/"
        raise RefusedError(RefusalCode.UNREADABLE, message, hint="put them at its top, or below fairlead/")
    check_paths(found)
    return {name: bundle.files.get(name, content) for name, content in found.items()}


def verify_opa_bundle(bundle: OpaBundle, key: bytes) -> str:
    """The algorithm that it was signed with. Raises RefusedError unless the key has signed exactly these
    files. `key` is the secret of HS256 and the like, or a public key in PEM form."""
    if not bundle.token:
        raise RefusedError(RefusalCode.FORGED, f"{_WHAT} is not signed")
    parts = bundle.token.split(".")
    if len(parts) != 3:
        raise unreadable(_WHAT, "its signature is no JSON Web Token")
    header = read_document(_decoded(parts[0]), "the signature's header", limit=4096)
    algorithm = header.text("alg")
    signed = f"{parts[0]}.{parts[1]}".encode("ascii")
    if not _is_signed(algorithm, key, signed, _decoded(parts[2])):
        raise RefusedError(RefusalCode.FORGED, f"{_WHAT} is not signed with this key")
    _check_files(bundle, _payload(_decoded(parts[1])))
    return algorithm


def _unpacked(content: bytes) -> bytes:
    if len(content) > MAX_PACKED:
        raise RefusedError(RefusalCode.TOO_LARGE, f"{_WHAT} is too large")
    engine = zlib.decompressobj(wbits=31)
    try:
        made = engine.decompress(content, MAX_UNPACKED + 1)
    except zlib.error as error:
        raise unreadable(_WHAT, "it is no gzip") from error
    if len(made) > MAX_UNPACKED:
        raise RefusedError(RefusalCode.TOO_LARGE, f"{_WHAT} is too large when it is unpacked")
    if not engine.eof or engine.unused_data:
        raise unreadable(_WHAT, "it ends too early, or something stands behind its end")
    return made


def _members(content: bytes) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            for number, member in enumerate(archive, start=1):
                name = member.name.removeprefix("./").strip("/")
                _check_member(member, name, number, files)
                if member.isreg():
                    taken = archive.extractfile(member)
                    files[name] = taken.read(MAX_UNPACKED) if taken else b""
    except (
        tarfile.TarError,
        EOFError,
        OSError,
        ValueError,
        OverflowError,
        IndexError,
        RecursionError,
    ) as error:
        raise unreadable(_WHAT, f"it is no tar: {error}") from error
    return files


def _check_member(member: tarfile.TarInfo, name: str, number: int, files: Mapping[str, bytes]) -> None:
    plain = member.isdir() or (member.isreg() and not member.issparse())
    parts = name.split("/")
    if not plain or member.name.startswith("/") or ".." in parts or ("" in parts and not member.isdir()):
        raise RefusedError(RefusalCode.UNSAFE_PATH, f"{member.name[:200]!r} cannot be in a bundle")
    if name.casefold() in {each.casefold() for each in files}:
        raise RefusedError(RefusalCode.UNSAFE_PATH, f"{name[:200]!r} is in the bundle twice")
    if number > MAX_FILES:
        raise RefusedError(RefusalCode.TOO_LARGE, f"{_WHAT} holds more than {MAX_FILES} files")


def _token(content: bytes) -> str:
    fields = read_document(content, SIGNATURES, limit=_MAX_PAYLOAD)
    tokens = fields.texts("signatures")
    if len(tokens) != 1:
        raise unreadable(_WHAT, "it takes exactly one signature")
    return tokens[0]


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise unreadable(_WHAT, "its signature is no JSON Web Token") from error


def _payload(content: bytes) -> Mapping[str, tuple[str, str]]:
    """Hash and algorithm of each file that is signed."""
    fields = read_document(content, "the signature", limit=_MAX_PAYLOAD)
    return {
        each.text("name").removeprefix("./").strip("/"): (
            each.text("hash").lower(),
            each.text("algorithm").lower().replace("-", "") if each.has("algorithm") else "sha256",
        )
        for each in fields.each("files")
    }


def _check_files(bundle: OpaBundle, signed: Mapping[str, tuple[str, str]]) -> None:
    for name in sorted({*signed, *bundle.files}):
        if name not in signed or name not in bundle.files:
            where = "in the bundle" if name in bundle.files else "in the signature"
            raise RefusedError(RefusalCode.FILES_DIFFER, f"{name[:200]!r} is only {where}")
        wanted, algorithm = signed[name]
        if algorithm not in _HASHES:
            raise unreadable(_WHAT, f"the hash of {name[:200]!r} is {algorithm[:40]!r}")
        made = hashlib.new(algorithm, _hashed(name, bundle.files[name])).hexdigest()
        if not hmac.compare_digest(made, wanted):
            raise RefusedError(RefusalCode.FILES_DIFFER, f"{name[:200]!r} is not what was signed")


def _hashed(name: str, content: bytes) -> bytes:
    base = name.rsplit("/", 1)[-1]
    if base in _YAML_DATA:
        raise unreadable(_WHAT, f"{name} is YAML, whose hash cannot be checked here; make it data.json")
    if base not in _STRUCTURED:
        return content
    try:
        data = json.loads(content, parse_int=_Number, parse_float=_Number)
    except (ValueError, RecursionError) as error:
        raise unreadable(_WHAT, f"{name[:200]!r} is no JSON") from error
    return _canonical(data).encode("utf-8")


class _Number(str):
    """A number as it is written."""


def _canonical(data: object) -> str:
    """As OPA walks a value: keys sorted, nothing between, numbers as they are written."""
    if isinstance(data, _Number):
        return str(data)
    if isinstance(data, dict):
        pairs = (f"{_canonical(key)}:{_canonical(data[key])}" for key in sorted(data))
        return "{" + ",".join(pairs) + "}"
    if isinstance(data, list):
        return "[" + ",".join(map(_canonical, data)) + "]"
    return json.dumps(data, ensure_ascii=False)


def _is_signed(algorithm: str, key: bytes, content: bytes, signature: bytes) -> bool:
    """The kind of key decides which algorithms can be: a public key is never taken for a secret."""
    is_public = b"-----BEGIN" in key
    if algorithm in _SECRETS and not is_public:
        made = hmac.digest(key.strip(), content, _SECRETS[algorithm])
        return hmac.compare_digest(made, signature)
    if algorithm[:2] in ("RS", "PS", "ES") and algorithm[2:] in ("256", "384", "512") and is_public:
        return _verifier()(algorithm, key, content, signature)
    message = f"it says that it is signed by {algorithm[:20]!r}, which does not go with this key"
    raise RefusedError(RefusalCode.FORGED, message)


def _verifier() -> Callable[[str, bytes, bytes, bytes], bool]:
    try:
        from fairlead.fleet.bundles.opa_public_keys import verify
    except ImportError as error:
        hint = "pip install 'fairlead[opa]', or sign with HS256"
        raise FairleadError("signatures of OPA by a public key need cryptography", hint=hint) from error
    return verify
