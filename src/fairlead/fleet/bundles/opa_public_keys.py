"""The RSA and ECDSA signatures of OPA bundles: the only room that needs the package cryptography."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from fairlead.errors import FairleadError

_HASHES: dict[str, hashes.HashAlgorithm] = {
    "256": hashes.SHA256(),
    "384": hashes.SHA384(),
    "512": hashes.SHA512(),
}
_CURVES = {"256": 256, "384": 384, "512": 521}
_LEAST_BITS = 2048


def verify(algorithm: str, pem: bytes, content: bytes, signature: bytes) -> bool:
    """`algorithm` is RS, PS or ES with 256, 384 or 512. Raises FairleadError for a key of another kind."""
    kind, size = algorithm[:2], algorithm[2:]
    try:
        key = serialization.load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise FairleadError("this is no public key in PEM form") from error
    try:
        if kind == "ES" and isinstance(key, ec.EllipticCurvePublicKey) and key.key_size == _CURVES[size]:
            key.verify(_as_der(signature), content, ec.ECDSA(_HASHES[size]))
        elif kind in ("RS", "PS") and isinstance(key, rsa.RSAPublicKey) and key.key_size >= _LEAST_BITS:
            key.verify(signature, content, _padding(kind, _HASHES[size]), _HASHES[size])
        else:
            raise FairleadError(f"this key does not go with {algorithm}")
    except InvalidSignature:
        return False
    return True


def _padding(kind: str, used: hashes.HashAlgorithm) -> padding.AsymmetricPadding:
    return padding.PSS(padding.MGF1(used), used.digest_size) if kind == "PS" else padding.PKCS1v15()


def _as_der(signature: bytes) -> bytes:
    """Two numbers side by side, as a token has them."""
    half = len(signature) // 2
    return encode_dss_signature(
        int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")
    )
