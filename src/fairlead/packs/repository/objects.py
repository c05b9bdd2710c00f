"""Reads objects of a repository: one file each, or many in a pack. Never one that would have to be fetched."""

from __future__ import annotations

import os
import zlib
from bisect import bisect_left

from fairlead.packs.repository.git_folder import Repository
from fairlead.packs.repository.limits import Budget, CannotTell
from fairlead.packs.repository.regular_files import open_regular, read_regular

_LARGEST = 16 * 1024 * 1024
_LONGEST_CHAIN = 256
_MOST_PACKS = 512
_MOST_ALTERNATES = 16
_CHUNK = 16 * 1024
_KINDS = {1: b"commit", 2: b"tree", 3: b"blob", 4: b"tag"}
_OFFSET_DELTA, _NAMED_DELTA = 6, 7


class Objects:
    """The objects of one repository, and of those that it borrows from."""

    def __init__(self, repository: Repository, budget: Budget) -> None:
        self._hash_size = repository.hash_size
        self._budget = budget
        self._folders = self._all_folders(os.path.join(repository.common, "objects"))
        self._packs: list[_Pack] | None = None

    def read(self, name: bytes, kind: bytes) -> bytes:
        """The content of an object, which must be of this kind."""
        found = self._find(name, 0)
        if found is None:
            raise CannotTell(f"object {name.hex()} is not here")
        if found[0] != kind:
            raise CannotTell(f"object {name.hex()} is no {kind.decode()}")
        return found[1]

    def close(self) -> None:
        for pack in self._packs or ():
            pack.close()
        self._packs = None

    def _all_folders(self, first: str) -> list[str]:
        folders = [first]
        for folder in folders:
            listed = read_regular(os.path.join(folder, "info/alternates"), self._budget, limit=65536) or b""
            for line in os.fsdecode(listed).splitlines():
                if line and not line.startswith("#"):
                    folders.append(os.path.normpath(os.path.join(folder, line)))
            if len(folders) > _MOST_ALTERNATES:
                raise CannotTell("too many places for objects")
        return folders

    def _find(self, name: bytes, depth: int) -> tuple[bytes, bytes] | None:
        self._budget.step()
        for folder in self._folders:
            loose = os.path.join(folder, name.hex()[:2], name.hex()[2:])
            data = read_regular(loose, self._budget, limit=_LARGEST)
            if data is not None:
                return _split_loose(_inflated(data, _LARGEST))
        for pack in self._opened():
            offset = pack.offset_of(name)
            if offset is not None:
                return self._from_pack(pack, offset, depth)
        return None

    def _opened(self) -> list[_Pack]:
        if self._packs is None:
            paths = [path for folder in self._folders for path in _packs_in(os.path.join(folder, "pack"))]
            if len(paths) > _MOST_PACKS:
                raise CannotTell("too many packs")
            self._packs = [_Pack(path, self._hash_size, self._budget) for path in paths]
        return self._packs

    def _from_pack(self, pack: _Pack, offset: int, depth: int) -> tuple[bytes, bytes]:
        """Follows deltas down to a whole object, then applies them on the way back."""
        deltas: list[bytes] = []
        while True:
            if len(deltas) + depth > _LONGEST_CHAIN:
                raise CannotTell("an object is built on too many others")
            kind, base, content = pack.item(offset)
            if kind in _KINDS:
                found = (_KINDS[kind], content)
                break
            deltas.append(content)
            if isinstance(base, bytes):
                other = self._find(base, depth + len(deltas))
                if other is None:
                    raise CannotTell("the base of an object is not here")
                found = other
                break
            offset = base
        for delta in reversed(deltas):
            self._budget.spend(len(found[1]))
            found = (found[0], _applied(delta, found[1]))
        return found


def _packs_in(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise CannotTell(f"{folder} cannot be read") from error
    return sorted(os.path.join(folder, name[:-4]) for name in names if name.endswith(".idx"))


class _Pack:
    """A pack and the list of what is in it (version 2, which git has written since 2007)."""

    def __init__(self, path: str, hash_size: int, budget: Budget) -> None:
        self._size = hash_size
        self._budget = budget
        self._list = self._opened(f"{path}.idx")
        self._pack = -1
        self._path = path
        head = self._part(self._list, 8 + 256 * 4, 0)
        if head[:8] != b"\xfftOc\0\0\0\2":
            self.close()
            raise CannotTell("a pack has an unknown format")
        self._fan = [int.from_bytes(head[at : at + 4], "big") for at in range(8, len(head), 4)]

    def close(self) -> None:
        for descriptor in (self._list, self._pack):
            if descriptor >= 0:
                os.close(descriptor)

    def _opened(self, path: str) -> int:
        descriptor = open_regular(path, follow=True)
        if descriptor is None:
            raise CannotTell(f"{path} is not there")
        return descriptor

    def _part(self, descriptor: int, size: int, offset: int) -> bytes:
        if not 0 <= size <= _LARGEST or offset < 0:
            raise CannotTell("a pack is damaged")
        self._budget.spend(size)
        try:
            found = os.pread(descriptor, size, offset)
        except (OSError, OverflowError) as error:
            raise CannotTell("a pack cannot be read") from error
        if len(found) < size and descriptor == self._list:
            raise CannotTell("a pack is damaged")
        return found

    def offset_of(self, name: bytes) -> int | None:
        low, high = self._fan[name[0] - 1] if name[0] else 0, self._fan[name[0]]
        names = 8 + 256 * 4
        part = self._part(self._list, (high - low) * self._size, names + low * self._size)
        at = bisect_left(range(high - low), name, key=lambda i: part[i * self._size : (i + 1) * self._size])
        if part[at * self._size : (at + 1) * self._size] != name:
            return None
        total = self._fan[255]
        offsets = names + total * (self._size + 4)
        offset = int.from_bytes(self._part(self._list, 4, offsets + (low + at) * 4), "big")
        if offset < 1 << 31:
            return offset
        large = offsets + total * 4 + (offset & (1 << 31) - 1) * 8
        return int.from_bytes(self._part(self._list, 8, large), "big")

    def item(self, offset: int) -> tuple[int, int | bytes, bytes]:
        """The kind of what stands there, what it is a change of (a place or a name), and its content."""
        if self._pack < 0:
            self._pack = self._opened(f"{self._path}.pack")
        head = self._part(self._pack, 32 + self._size, offset)
        try:
            kind, size, at = head[0] >> 4 & 7, head[0] & 15, 0
            shift = 4
            while head[at] & 128:
                at += 1
                size |= (head[at] & 127) << shift
                shift += 7
            at += 1
            base: int | bytes = 0
            if kind == _OFFSET_DELTA:
                back = head[at] & 127
                while head[at] & 128:
                    at += 1
                    back = (back + 1 << 7) | head[at] & 127
                at, base = at + 1, offset - back
            elif kind == _NAMED_DELTA:
                at, base = at + self._size, head[at : at + self._size]
        except IndexError as error:
            raise CannotTell("a pack is damaged") from error
        if size > _LARGEST or (isinstance(base, int) and kind == _OFFSET_DELTA and not 0 < base < offset):
            raise CannotTell("a pack is damaged, or an object too large")
        return kind, base, self._content(offset + at, size)

    def _content(self, offset: int, size: int) -> bytes:
        unpacker, found = zlib.decompressobj(), b""
        while len(found) < size and not unpacker.eof:
            piece = self._part(self._pack, _CHUNK, offset)
            offset += len(piece)
            try:
                found += unpacker.decompress(piece, size - len(found) + 1)
            except zlib.error as error:
                raise CannotTell("a pack is damaged") from error
            if not piece:
                break
        if len(found) != size:
            raise CannotTell("a pack is damaged")
        return found


def _inflated(data: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, limit)
    except zlib.error as error:
        raise CannotTell("an object is damaged") from error
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise CannotTell("an object is damaged, or too large")
    return found


def _split_loose(data: bytes) -> tuple[bytes, bytes]:
    head, _, content = data.partition(b"\0")
    return head.partition(b" ")[0], content


def _applied(delta: bytes, base: bytes) -> bytes:
    """Copies from the base and new pieces, one after the other."""
    at, found, length = _skip_size(delta, _skip_size(delta, 0)), [], 0
    try:
        while at < len(delta):
            code, at = delta[at], at + 1
            if code & 128:
                start, size, at = _copied(delta, code, at)
                piece = base[start : start + size]
            else:
                piece, at = delta[at : at + code], at + code
            found.append(piece)
            length += len(piece)
            if length > _LARGEST or not code:
                raise CannotTell("an object is damaged, or too large")
    except IndexError as error:
        raise CannotTell("an object is damaged") from error
    return b"".join(found)


def _skip_size(delta: bytes, at: int) -> int:
    while at < len(delta) and delta[at] & 128:
        at += 1
    return at + 1


def _copied(delta: bytes, code: int, at: int) -> tuple[int, int, int]:
    start = size = 0
    for bit in range(7):
        if code & 1 << bit:
            if bit < 4:
                start |= delta[at] << 8 * bit
            else:
                size |= delta[at] << 8 * (bit - 4)
            at += 1
    return start, size or 0x10000, at
