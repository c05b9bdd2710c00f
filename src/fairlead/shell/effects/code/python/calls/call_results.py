"""What calls return that open files, run commands, fetch or connect: things of which the origin counts."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.calls.archives import ARCHIVES
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.calls.cloud_accounts import ACCOUNTS, is_of_others
from fairlead.shell.effects.code.python.calls.files import (
    OPENING,
    fetched_paths,
    is_method,
    keep,
    mode_of,
    opened_paths,
)
from fairlead.shell.effects.code.python.calls.killing import LISTING
from fairlead.shell.effects.code.python.calls.network import is_request
from fairlead.shell.effects.code.python.calls.processes import KNOWN, command_lines
from fairlead.shell.effects.code.python.calls.serving import EVERYTHING
from fairlead.shell.effects.code.python.libraries.keepers import kept_secret
from fairlead.shell.effects.code.python.libraries.mail import is_mailbox
from fairlead.shell.effects.code.python.libraries.packets import forged_packet
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    UNKNOWN,
    Thing,
    from_,
    origins_of,
    paths_of,
    unknown,
)
from fairlead.shell.effects.effect import Action
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_CONNECTIONS = names(
    """
    socket.create_connection telnetlib.Telnet http.client.HTTPConnection http.client.HTTPSConnection
    ftplib.FTP ftplib.FTP_TLS smtplib.SMTP smtplib.SMTP_SSL paramiko.Transport websocket.create_connection
    pysftp.Connection websockets.connect asyncio.open_connection imaplib.IMAP4_SSL socketio.Client
    multiprocessing.connection.Client fabric.Connection fabric.connection.Connection rpyc.connect
    xmlrpc.client.ServerProxy redis.Redis redis.StrictRedis redis.from_url redis.asyncio.Redis
    poplib.POP3_SSL poplib.POP3 imaplib.IMAP4 asyncssh.connect
    """
)
_PRIVATE = names(
    """
    getpass.getpass pyperclip.paste pyautogui.screenshot PIL.ImageGrab.grab ImageGrab.grab mss.mss.shot
    keyboard.record pynput.keyboard.Listener win32clipboard.GetClipboardData cv2.VideoCapture
    sounddevice.rec tkinter.simpledialog.askstring simpledialog.askstring
    """
)
"""What a person types, copies, shows or says."""
_TELLING_WHO = names("getpass.getuser socket.gethostname os.getlogin platform.node os.uname socket.getfqdn")
_MAIL_PORT = 25
_RECEIVING = names(
    """
    recv recvfrom recv_into recv_bytes makefile read readline readuntil read_until recvmsg receive
    listen get_message blpop brpop lpop rpop retr fetch recv_json recv_string recv_multipart recv_pyobj
    """
)
_SPAWNED = names("system popen")
_SPACE = names("shutil.disk_usage os.statvfs psutil.disk_usage psutil.virtual_memory")
_TIMES = names("os.stat os.lstat os.path.getmtime os.path.getatime")


def made_by(call: Call, run: Run) -> Thing | None:
    name, method = call.name, call.method
    if name in OPENING or is_method(call) or method == "dotenv_values":
        return _opened(call, run)
    if name in KNOWN or (method in _SPAWNED and call.given):
        lines = command_lines(call)
        return Thing(name=name, origins=frozenset(("output", line) for line in lines[:4]))
    if is_request(call):
        return _requested(call, run)
    if name in _WITH_PATHS:
        return _with_paths(call)
    if name in _CONNECTIONS:
        return _connected(call)
    if (found := _of_library(call)) is not None:
        return found
    if name in _PRIVATE:
        return unknown(name, from_("private", name))
    if name in ARCHIVES:
        paths = call.paths(0, "name", "file")
        written = [run.files[path] for path in paths if path in run.files]
        into = call.named.get("fileobj", call.at(0))
        return Thing(tuple(paths), name=name, origins=origins_of((*call.given, *written)), peers=into.peers)
    if name in ACCOUNTS and is_of_others(call):
        return Thing(name=name, peers=call.hosts(call.at(0, "endpoint")) if call.at(0).texts else (HOLE,))
    if name.startswith(_ABOUT_PROCESSES):
        return _process(call)
    if name == "eval" and _DOTTED.match(call.told(0)):
        return run.evaluate(ast.parse(call.told(0), mode="eval").body)
    return call.at(0, "source") if name == "compile" else _by_method(call, run)


def _of_library(call: Call) -> Thing | None:
    """Files in memory, mailboxes, secrets that a keeper hands out, packets that are made by hand."""
    if call.method == "memfd_create":
        return Thing(name=call.name, origins=from_("memory"))
    if is_mailbox(call):
        paths = call.paths(0, "dirname", "path")
        return Thing(tuple(paths), name=call.name, origins=frozenset(("file", path) for path in paths))
    return kept_secret(call) or forged_packet(call)


_DOTTED = re.compile(r"^[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{0,40}){0,4}$")
"""Text that names a function: `eval("os.system")(text)`."""


_ABOUT_PROCESSES = (
    "psutil.",
    "os.getppid",
    "getpass.getuser",
    "socket.get",
    "os.getlogin",
    "platform.",
    "os.uname",
)


def _process(call: Call) -> Thing | None:
    """Processes, and who and where the code runs."""
    name = call.name
    if name == "psutil.net_connections":
        origins = from_("port", "*")
        return Thing(items=(Thing(name="psutil.Connection", origins=origins),), origins=origins)
    if name == "psutil.Process":
        return Thing(name=name, origins=origins_of(call.given), number=call.at(0, "pid").number)
    if name == "os.getppid":
        return unknown(name, from_("parent"))
    if name in _TELLING_WHO:
        return unknown(name, from_("machine", name))
    if name in LISTING:
        origins = from_("process", "*")
        return Thing(items=(Thing(name="psutil.Process", origins=origins),), origins=origins)
    return None


_WITH_PATHS = _TIMES | _SPACE | names("wget.download contextlib.chdir shutil.make_archive")


def _with_paths(call: Call) -> Thing:
    """What remembers the path that it is about."""
    if call.name == "shutil.make_archive":
        return _archived(call)
    if call.name == "wget.download":
        return Thing(tuple(fetched_paths(call)), name="wget", origins=from_("network", call.told(0, "url")))
    if call.name in _SPACE:
        return Thing(name=call.name, origins=from_("free"))
    paths = call.paths(0, "path")
    if call.name in _TIMES:
        return Thing(name=call.name, origins=frozenset(("times", path) for path in paths))
    return Thing(tuple(paths), name=call.name)


def _archived(call: Call) -> Thing:
    ends = {"zip": ".zip", "tar": ".tar", "gztar": ".tar.gz"}
    made = tuple(each + ends.get(call.told(1, "format"), ".tar") for each in call.paths(0, "base_name"))
    return Thing(made, origins=frozenset(("file", path) for path in call.paths(2, "root_dir")))


def _by_method(call: Call, run: Run) -> Thing | None:
    name, method = call.name, call.method
    if method == "to_bytes" and call.owner.number is not None:
        return _as_bytes(call)
    if method in ("getvalue", "getbuffer") and run.packed:
        return unknown(name, call.owner.origins | run.packed)
    if method in ("read_text", "read_bytes") and call.owner.texts:
        return _content(call, run)
    if method == "accept" and ("socket" in name or "Listener" in name):
        peers = call.owner.peers or (HOLE,)
        if "Listener" in name:
            return Thing(name="socket.socket", peers=peers)
        return Thing(items=(Thing(name="socket.socket", peers=peers), UNKNOWN))
    if method in _RECEIVING and call.owner.peers:
        return Thing(name=name, origins=from_("socket", call.owner.peers[0]), peers=call.owner.peers)
    return None


def _as_bytes(call: Call) -> Thing:
    """`0x6c73.to_bytes(2, "big")`."""
    length, order = call.at(0, "length").number or 1, call.told(1, "byteorder")
    try:
        made = (call.owner.number or 0).to_bytes(length, "little" if order == "little" else "big")
    except (OverflowError, ValueError):
        return UNKNOWN
    return Thing((made.decode("latin-1"),), origins=from_("decoded", "to_bytes"))


def _opened(call: Call, run: Run) -> Thing:
    paths = opened_paths(call)
    at = 0 if is_method(call) else 1
    reads = mode_of(call, at) is Action.READ or "r+" in call.told(at, "mode")
    written = [run.files[path] for path in paths if path in run.files and reads]
    origins = frozenset(("file", path) for path in paths) if reads else frozenset()
    if reads and not paths and any(kind == "network" for kind, _ in call.at(0, "file").origins):
        origins = from_("file", EVERYTHING)
    return Thing(tuple(paths), name="open", origins=origins | origins_of(written))


def _content(call: Call, run: Run) -> Thing:
    paths = paths_of(call.owner)
    written = [run.files[path] for path in paths if path in run.files]
    origins = frozenset(("file", path) for path in paths) | origins_of(written)
    return unknown(call.name, origins)


def _requested(call: Call, run: Run) -> Thing:
    address = call.at(
        1 if call.method in ("request", "stream") and len(call.given) > 1 else 0, "url", "fullurl"
    )
    hosts = call.hosts(address) if address.texts else address.peers
    if call.method == "Request":
        payload = origins_of((call.at(1, "data"),))
        return Thing(name=call.name, peers=hosts, origins=payload)
    origins = from_("network", address.texts[0] if address.texts else "")
    if call.method == "urlretrieve":
        for path in call.paths(1, "filename"):
            keep(path, unknown(origins=origins), run)
        return Thing(items=(Thing(tuple(call.paths(1, "filename")), origins=origins), UNKNOWN))
    return Thing(name=call.name, origins=origins)


def _connected(call: Call) -> Thing:
    peers = call.hosts(call.at(0, "address", "host", "sock", "uri"))
    if call.name.startswith("redis.") and not call.has(0, "host"):
        peers = ("localhost",)
    port = call.at(1, "port").number
    made = Thing(name=call.name, peers=peers, number=port or _MAIL_PORT if "SMTP" in call.name else None)
    if call.name == "asyncio.open_connection":
        return Thing(items=(made, made), peers=peers)
    return made
