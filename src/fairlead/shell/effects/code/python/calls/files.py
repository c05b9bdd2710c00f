"""Calls that read, write, delete, move or open up files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    Thing,
    deep_origins,
    from_,
    joined,
    paths_of,
)
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

TREES = names("shutil.rmtree os.removedirs distutils.dir_util.remove_tree send2trash.send2trash rmtree")
FILES = names("os.remove os.unlink os.rmdir os.truncate")
MOVES = names("shutil.move os.rename os.replace os.renames")
COPIES = names("shutil.copy shutil.copy2 shutil.copyfile os.symlink os.link")
OPENING = names(
    """
    open io.open codecs.open pathlib.Path.open os.open fileinput.input fileinput.FileInput linecache.getlines
    linecache.getline tokenize.open gzip.open bz2.open lzma.open io.FileIO aiofiles.open builtins.open
    os.fdopen sqlite3.connect pandas.read_csv dbm.open shelve.open mmap.mmap numpy.fromfile
    """
)
_METHODS: Mapping[str, tuple[Action, bool]] = {
    "unlink": (Action.DELETE, False),
    "rmdir": (Action.DELETE, False),
    "rmtree": (Action.DELETE, True),
    "read_text": (Action.READ, False),
    "read_bytes": (Action.READ, False),
    "write_text": (Action.OVERWRITE, False),
    "write_bytes": (Action.OVERWRITE, False),
    "touch": (Action.WRITE, False),
    "symlink_to": (Action.OVERWRITE, False),
    "hardlink_to": (Action.OVERWRITE, False),
}
_READING = {
    "zipfile.ZipFile.write": 0,
    "tarfile.open.add": 0,
    "tarfile.TarFile.add": 0,
    "tarfile.TarFile.open.add": 0,
    "shutil.make_archive": 2,
    "configparser.ConfigParser.read": 0,
    "configparser.RawConfigParser.read": 0,
    "configparser.SafeConfigParser.read": 0,
    "dotenv.dotenv_values": 0,
    "dotenv_values": 0,
    "cryptography.hazmat.primitives.serialization.load_pem_private_key": 0,
    "paramiko.RSAKey.from_private_key_file": 0,
    "runpy.run_path": 0,
    "flask.send_file": 0,
}
"""Which argument names a file that is read, or a folder that is read with all that is in it."""
_STORES = {
    "netrc.netrc": "~/.netrc",
    "spwd.getspnam": "/etc/shadow",
    "spwd.getspall": "/etc/shadow",
    "browser_cookie3.chrome": "~/.config/google-chrome/Default/Cookies",
    "browser_cookie3.firefox": "~/.mozilla/firefox/x.default/cookies.sqlite",
    "browser_cookie3.load": "~/.config/google-chrome/Default/Cookies",
    "browsercookie.chrome": "~/.config/google-chrome/Default/Cookies",
    "browsercookie.firefox": "~/.mozilla/firefox/x.default/cookies.sqlite",
}
"""Libraries that know themselves where secrets are kept."""
_WRITERS = {
    **dict.fromkeys(
        names(
            """
            to_csv to_excel to_json to_parquet to_pickle to_feather to_hdf to_html to_stata savefig imwrite
            write_image write_html
            """
        ),
        0,
    ),
    **dict.fromkeys(names("numpy.save numpy.savetxt numpy.savez"), 0),
    **dict.fromkeys(names("torch.save joblib.dump"), 1),
}
"""Which argument of a library's method, or of its function, names the file that it replaces."""
_HANDLES = ("open", "io.open", "codecs.open", "gzip.open", "tempfile.", "pathlib.Path.open", "aiofiles.open")
_MUCH = 10**11
_NOISE = names("os.urandom secrets.token_bytes random.randbytes numpy.random.bytes os.getrandom")
"""What is written over something to make it unreadable."""
_ENCRYPTING = names("encrypt encrypt_and_digest encryptor update finalize")
_FLAGS = re.compile(r"O_(?:WRONLY|RDWR|TRUNC|APPEND)")
_PERMISSIONS = names("os.chmod os.lchmod pathlib.Path.chmod os.fchmod")
_OWNERS = names("os.chown os.lchown shutil.chown")
KNOWN = TREES | FILES | MOVES | COPIES | OPENING


def file_acts(call: Call, run: Run) -> Iterator[Act]:
    name = call.name
    if is_method(call) or name in OPENING:
        yield from _opens(call)
    elif name in TREES or name in FILES:
        yield from _deletes(call)
    elif name in MOVES or name in COPIES:
        yield from _pairs(call, run)
    elif name in _PERMISSIONS or name in _OWNERS:
        yield from _opened_up(call)
    elif name in _STORES or name in _READING:
        yield from _reads(call, run)
    elif name in ("urllib.request.urlretrieve", "wget.download"):
        for path in fetched_paths(call):
            yield on_path(Action.OVERWRITE, path, name=call.method)
            keep(path, Thing(origins=from_("network", call.told(0, "url"))), run)
    elif name == "shutil.copyfileobj" and len(call.given) > 1:
        for path in paths_of(call.given[1]):
            keep(path, call.given[0], run)
    else:
        yield from _by_method(call, run)


def fetched_paths(call: Call) -> list[str]:
    """Where `urlretrieve` and `wget.download` put what they fetch: the latter by the end of the address."""
    told = call.paths(1, "filename", "out")
    last = call.told(0, "url").partition("?")[0].rpartition("/")[2]
    return told or ([last] if call.name == "wget.download" and last and HOLE not in last else [])


def _reads(call: Call, run: Run) -> Iterator[Act]:
    if call.name in _STORES:
        found = call.paths(0, "file") or [_STORES[call.name]]
    else:
        found = paths_of(call.at(_READING[call.name]))
    if call.method == "dotenv_values":
        found = opened_paths(call)
    if call.method in ("write", "add"):
        run.packed |= frozenset(("file", path) for path in found)
    for path in found:
        yield on_path(Action.READ, path, name=call.method, recursive=True)


def _by_method(call: Call, run: Run) -> Iterator[Act]:
    if call.method in ("add_argument", "launch_persistent_context"):
        for told in call.at(0, "user_data_dir").texts:
            profile = told.partition("user-data-dir=")[2] if call.method == "add_argument" else told
            if profile:
                yield on_path(Action.READ, profile, name=call.method, recursive=True)
    if call.method == "environ" and ("process", "*") in call.owner.origins:
        yield on_path(Action.READ, "/proc/*/environ", name=call.method)
    if call.owner.texts and call.method in _METHODS and not call.name.startswith(("open.", "tempfile.")):
        yield from _of_path(call, run)
    elif (index := _WRITERS.get(call.name, _WRITERS.get(call.method))) is not None and "." in call.name:
        for path in call.paths(index, "path_or_buf", "fname", "path", "file"):
            yield on_path(Action.OVERWRITE, path, name=call.method)
    elif call.method in ("rename", "replace") and call.owner.name == "pathlib.Path":
        yield from _renamed(call)
    elif call.method in _FILLING and (call.owner.name.startswith(_HANDLES) or "fallocate" in call.name):
        if call.given and _is_all_space(call.given[-1], call.method):
            yield Act(str(Action.KILL), name="exhaust", text=call.method)
        yield from _written(call, run)


_FILLING = names("write writelines truncate seek posix_fallocate")


def _is_all_space(size: Thing, method: str) -> bool:
    """As much as is free on a disk, or more than most have."""
    if not size.texts and any(kind == "free" for kind, _ in deep_origins(size)):
        return True
    return method != "write" and (size.number or 0) >= _MUCH


def _deletes(call: Call) -> Iterator[Act]:
    action = Action.TRUNCATE if call.method == "truncate" else Action.DELETE
    found = call.paths(0, "path", "paths", "directory")
    for path in found:
        recursive = call.name in TREES or "*" in path
        yield on_path(action, path, name=call.name, recursive=recursive)
    if not found and call.name in TREES:
        yield Act("unknown-target", name=call.name, recursive=True)


def _pairs(call: Call, run: Run) -> Iterator[Act]:
    sources, aims = call.paths(0, "src"), call.paths(1, "dst")
    if call.method in ("symlink", "link"):
        run.links.update((aim, source) for aim in aims for source in sources[:1])
    action = Action.MOVE_AWAY if call.name in MOVES else Action.READ
    for path in sources:
        yield on_path(action, path, name=call.name, recursive=True, detail=aims[0] if aims else "")
    for path in aims:
        yield on_path(Action.OVERWRITE, path, name=call.name)


def _renamed(call: Call) -> Iterator[Act]:
    aims = call.paths(0, "target")
    for path in paths_of(call.owner):
        yield on_path(
            Action.MOVE_AWAY, path, name=call.method, recursive=True, detail=aims[0] if aims else ""
        )
    for path in aims:
        yield on_path(Action.OVERWRITE, path, name=call.method)


def mode_of(call: Call, index: int = 1) -> Action:
    mode = call.at(index, "mode", "flags")
    said = mode.texts[0] if mode.texts else "r"
    if "w" in said or "x" in said or _FLAGS.search(mode.name) or _FLAGS.search(_spelled(call, index)):
        return Action.OVERWRITE
    return Action.WRITE if "a" in said or "+" in said else Action.READ


def _spelled(call: Call, index: int) -> str:
    import ast

    return (
        ast.unparse(call.node.args[index]) if call.name == "os.open" and index < len(call.node.args) else ""
    )


def opened_paths(call: Call) -> list[str]:
    """Of `open(path)` and of `path.open()`."""
    if is_method(call):
        return paths_of(call.owner)
    if call.method == "dotenv_values" and not call.has(0, "dotenv_path"):
        return [".env"]
    return call.paths(0, "file", "path", "database", "filepath_or_buffer", "dotenv_path")


def is_method(call: Call) -> bool:
    return call.method == "open" and bool(call.owner.texts)


def _opens(call: Call) -> Iterator[Act]:
    action = (
        Action.OVERWRITE
        if call.is_true("inplace")
        else mode_of(call, 0 if is_method(call) else 1)
        if call.name.endswith(("open", "FileIO"))
        else Action.READ
    )
    for path in opened_paths(call):
        if "physicaldrive" in path.lower() and action is not Action.READ:
            yield Act(str(Action.FORMAT), name="format", text=f"open({path})")
        if path.startswith("/dev/input/"):
            yield Act(str(Action.READ_SECRET), name="watch", text=f"open({path})")
        if path.endswith("/release_agent") and action is not Action.READ:
            yield Act(str(Action.GAIN_PRIVILEGE), name="escape", text=f"open({path})")
        if not path.startswith(("file:", ":memory:", "http")):
            yield on_path(action, path, name="open")
            if action is Action.OVERWRITE and path.startswith("/var/log/"):
                yield on_path(Action.TRUNCATE, path, name="open")
        elif path.startswith("file:"):
            yield on_path(
                Action.READ, path.removeprefix("file:").removeprefix("//").partition("?")[0], name="open"
            )


def _of_path(call: Call, run: Run) -> Iterator[Act]:
    action, recursive = _METHODS[call.method]
    content = call.given[0] if call.given else None
    if action is Action.OVERWRITE and content is not None and content.texts == ("",):
        action = Action.TRUNCATE
    if call.method.endswith("link_to"):
        for path in call.paths(0, "target"):
            run.links.update((link, path) for link in paths_of(call.owner))
            yield on_path(Action.READ, path, name=call.method)
    for path in paths_of(call.owner):
        deep = recursive or ("*" in path and action is Action.DELETE)
        yield on_path(action, path, name=call.method, recursive=deep)
        if content is not None and action is Action.OVERWRITE:
            if _changes_all(content, path, run):
                yield on_path(Action.TRUNCATE, path, name=call.method)
            keep(path, content, run)


def _written(call: Call, run: Run) -> Iterator[Act]:
    for path in paths_of(call.owner):
        if call.method == "truncate":
            yield on_path(Action.TRUNCATE, path, name="truncate")
        elif call.given and call.method.startswith("write"):
            keep(path, call.given[0], run)
            what = call.given[0]
            if what.name in _NOISE or _is_own_secret_form(what, path) or _changes_all(what, path, run):
                yield on_path(Action.TRUNCATE, path, name="write")
            if any(kind == "private" for kind, _ in deep_origins(call.given[0])):
                yield Act(str(Action.READ_SECRET), name="watch", text=path)


def _is_own_secret_form(content: Thing, path: str) -> bool:
    """What stood in the file, encrypted: without the key that is as good as noise."""
    method = content.name.rpartition(".")[2]
    held = {which for kind, which in deep_origins(content) if kind in ("file", "held")}
    return method in _ENCRYPTING and path in held


def _changes_all(content: Thing, path: str, run: Run) -> bool:
    """Whether files of others, or all below a folder, become something that is made of what stood in them."""
    mine = path.startswith((run.world.cwd + "/", "/tmp/")) or not path.startswith(("/", "~"))  # noqa: S108
    home = _HOME.match(path)
    anothers = home is not None and not run.world.home.endswith("/" + home[1]) and home[1] != "Shared"
    every = ("/*" in path or anothers) and not mine
    return every and any(kind in ("file", "held") and which == path for kind, which in deep_origins(content))


_HOME = re.compile(r"/(?:home|Users)/([^/*]+)/")


def keep(path: str, content: Thing, run: Run) -> None:
    """What the code wrote, in case that it is run further down."""
    before = run.files.get(path)
    run.files[path] = content if before is None else joined(before, content)


def _opened_up(call: Call) -> Iterator[Act]:
    action = Action.CHANGE_PERMISSIONS if call.name in _PERMISSIONS else Action.CHANGE_OWNER
    by_method = call.owner.name == "pathlib.Path" and bool(call.owner.texts)
    paths = paths_of(call.owner) if by_method else call.paths(0, "path")
    mode = call.at(0 if by_method else 1, "mode").number
    detail = f"{mode:03o}" if mode is not None and action is Action.CHANGE_PERMISSIONS else ""
    for path in paths:
        yield on_path(action, path, name="chmod", detail=detail, recursive="*" in path)
