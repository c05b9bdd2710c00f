"""The bytes of an archive from its beginning, unpacked on the way where they are packed, up to a bound."""

from __future__ import annotations

from typing import BinaryIO, Protocol


class Unlistable(Exception):  # noqa: N818 - no mistake of ours: the archive cannot be listed
    """An archive whose names cannot be told; the text says why."""


class Stream(Protocol):
    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end."""

    def skip(self, size: int) -> None: ...


class PlainStream:
    """A file as it is: what is skipped is not read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        file.seek(0)

    def read(self, size: int) -> bytes:
        return self._file.read(size)

    def skip(self, size: int) -> None:
        self._file.seek(size, 1)


class _Unpacker(Protocol):
    """What the decompressors of the standard library have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """gzip in the words of the others."""

    def __init__(self) -> None:
        import zlib

        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def _unpacker(form: str) -> _Unpacker:
    if form == "gzip":
        return _Gzip()
    if form == "bzip2":
        import bz2

        return bz2.BZ2Decompressor()
    if form == "xz":
        import lzma

        return lzma.LZMADecompressor(memlimit=_MOST_MEMORY)
    from importlib import import_module

    try:
        unpacker: _Unpacker = import_module("compression.zstd").ZstdDecompressor()
    except ImportError:
        raise Unlistable("this Python cannot unpack zstd") from None
    return unpacker


class PackedStream:
    """A file that is unpacked while it is read: what is skipped is unpacked, too."""

    def __init__(self, file: BinaryIO, form: str) -> None:
        self._file, self._form = file, form
        self._left = _MOST_BYTES[form]
        self._unpacker = _unpacker(form)
        self._waiting = b""
        self._ready = b""
        file.seek(0)

    def read(self, size: int) -> bytes:
        parts = [self._ready[:size]]
        self._ready = self._ready[size:]
        missing = size - len(parts[0])
        while missing > 0 and (piece := self._unpacked()):
            parts.append(piece[:missing])
            self._ready = piece[missing:]
            missing -= len(parts[-1])
        return b"".join(parts)

    def skip(self, size: int) -> None:
        size -= len(self._ready)
        self._ready = self._ready[len(self._ready) + size :] if size < 0 else b""
        while size > 0 and (piece := self._unpacked()):
            self._ready = piece[size:]
            size -= len(piece)

    def _unpacked(self) -> bytes:
        """Some more bytes; none at the end. One file may hold several packed parts, one after the other."""
        while True:
            if self._unpacker.eof:
                self._waiting = (self._unpacker.unused_data or self._file.read(_PIECE)).lstrip(b"\0")
                if not self._waiting:
                    return b""
                self._unpacker = _unpacker(self._form)
            elif not self._waiting and self._unpacker.needs_input:
                self._waiting = self._file.read(_PIECE)
                if not self._waiting:
                    return b""
            given, self._waiting = self._waiting, b""
            piece = self._unpacker.decompress(given, _PIECE)
            if piece:
                self._left -= len(piece)
                if self._left < 0:
                    raise Unlistable("unpacked it is too large to be looked through")
                return piece


_PIECE = 1 << 16
_MEGABYTE = 1 << 20
_MOST_MEMORY = 128 * _MEGABYTE
_MOST_BYTES = {"gzip": 48 * _MEGABYTE, "xz": 16 * _MEGABYTE, "bzip2": 8 * _MEGABYTE, "zstd": 48 * _MEGABYTE}
"""Unpacked bytes that are looked through: each of them takes up to about a fifth of a second."""
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"]\0\0": "xz", b"(\xb5/\xfd": "zstd"}


def stream_of(file: BinaryIO) -> Stream:
    head = file.read(8)
    form = next((form for magic, form in _PACKED.items() if head.startswith(magic)), "")
    return PackedStream(file, form) if form else PlainStream(file)
