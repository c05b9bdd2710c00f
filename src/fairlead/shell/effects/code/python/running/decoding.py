"""Texts that Python code makes of encoded ones."""

from __future__ import annotations

import re

_LONGEST = 65536
_PLAIN = re.compile(r"b64decode|urlsafe_b64decode|standard_b64decode|decodebytes|a2b_base64")


def decoded(name: str, encoded: str, codec: str = "") -> str:
    """What the function makes of a text; empty where it cannot."""
    import zlib

    try:
        return _decoded(name, encoded, codec)
    except (ValueError, OSError, EOFError, LookupError, OverflowError, zlib.error):
        return ""


def _decoded(name: str, encoded: str, codec: str) -> str:
    import base64

    if name == "codecs.decode":
        return _by_codec(encoded, codec.replace("-", "").replace("_", "").lower() or "rot13")
    if "hex" in name:
        return as_text(bytes.fromhex(encoded))
    if _PLAIN.search(name):
        made = base64.b64decode(encoded.replace("-", "+").replace("_", "/") + "==")
    elif name.endswith(("b32decode", "b16decode", "b85decode", "a85decode")):
        made = getattr(base64, name.rpartition(".")[2])(encoded)
    else:
        made = _unpacked(name, encoded.encode("latin-1"))
    return as_text(made)


def _by_codec(encoded: str, codec: str) -> str:
    import base64
    import codecs

    if codec in ("rot13", "rot"):
        return codecs.decode(encoded, "rot13")
    if codec in ("hex", "hexcodec"):
        return as_text(bytes.fromhex(encoded))
    if codec in ("base64", "base64codec"):
        return as_text(base64.b64decode(encoded))
    return encoded


def _unpacked(name: str, packed: bytes) -> bytes:
    """As much of it as is read at all: what is packed may be endless."""
    if name.startswith("bz2"):
        import bz2

        return bz2.BZ2Decompressor().decompress(packed, _LONGEST)
    if name.startswith("lzma"):
        import lzma

        try:
            return lzma.LZMADecompressor().decompress(packed, _LONGEST)
        except lzma.LZMAError:
            return b""
    import zlib

    return zlib.decompressobj(47).decompress(packed, _LONGEST)


def as_text(made: bytes) -> str:
    """Bytes as texts hold them here: what is no UTF-8 byte by byte, so that it can be unpacked further."""
    try:
        return made.decode()
    except UnicodeDecodeError:
        return made.decode("latin-1")
