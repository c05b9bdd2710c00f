"""fairlead-hook [--home DIR] AGENT [EVENT], where no compiler could make the native one.
fairlead-hook [--home DIR] off [--for TIME] | on

The same program as `native/client.c`: one test suite runs against both. It is started for every hook call, so
it imports nothing of ours and only modules that are built into the interpreter or nearly so. The build copies
this file with the last resorts filled in.
"""

import _socket
import posix
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

BUILD_ID = "unbuilt"
LAST_RESORTS: dict[tuple[str, str], tuple[tuple[int, bytes, bytes], tuple[int, bytes, bytes]]] = {}
"""By agent and event (`""`: any other event): what is said when nothing can answer, and "no opinion"."""
UNKNOWN_AGENT = (
    (2, b"", b"Fairlead could not answer, so this is refused. Run `fairlead doctor` to see why.\n"),
    (0, b"", b""),
)

WIRE_VERSION = 2
HELLO, CALL, CWD, ENVIRONMENT, PAYLOAD = 1, 2, 3, 4, 5
ACKNOWLEDGED, REPLY = 16, 17
FRAME_HEADER, REPLY_HEADER = 5, 8
ACKNOWLEDGE_SECONDS = 0.3
DEFAULT_TIMEOUT = 30.0
PAYLOAD_LIMIT, REPLY_LIMIT, RECORD_LIMIT, NOISE_LIMIT = 16 << 20, 32 << 20, 16384, 4096
MANAGED_LIMIT = 65536
SYSTEM_FOLDER, SYSTEM_FLEET = b"/etc/fairlead", b"/var/lib/fairlead/fleet"
OTHER_BREAKS = (b"\r", b"\0", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")
PLAIN_MARKS = str.maketrans("[],\"'", "     ")
NOT_TEXT = frozenset(("on", "off", "yes", "no", "true", "false", "null"))
DEED = "(off|allow|trust|approve|\"(off|allow|trust|approve)\"|'(off|allow|trust|approve)')"
WORD = "[A-Za-z_][A-Za-z0-9_./*@+-]*"
NAME = f"({WORD}|\"{WORD}\"|'{WORD}')"
HEX = "-[0-9a-f]{16}-[0-9a-f]{64}"
PLAIN_ITEMS = {"forbid": DEED, "lock": NAME, "codes": f"1{HEX}", "answers": f"2{HEX}", "people": NAME}
PLAIN_VALUES = {
    key: rf"\[ *({item}( *, *{item})*){'?' if key in ('forbid', 'lock') else ''} *\]"
    for key, item in PLAIN_ITEMS.items()
}
PLAIN_VALUES["minutes"] = "([1-9]|[1-9][0-9]|[1-9][0-9][0-9]|1[0-3][0-9][0-9]|14[0-3][0-9]|1440)"
PAIR = (
    "(" + "|".join(f"{key}: +{PLAIN_VALUES[key]}" for key in ("codes", "answers", "minutes", "people")) + ")"
)
PLAIN_VALUES["break_glass"] = rf"\{{ *{PAIR}( *, *{PAIR})* *\}}"
REPLY_FD = 3
SAFE_PATH = b"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

USAGE = b"""fairlead-hook: the command in the agent's settings is wrong, so nothing is let through
  usage: fairlead-hook [--home DIR] AGENT [EVENT]
  hint: run `fairlead doctor`
"""


class TooLateError(Exception):
    """The daemon took the call and did not answer in time: it may still run, so nobody else may."""


class Call:
    """One call. `home` is empty unless `--home` moved everything."""

    def __init__(self, agent: str, event: str, home: str) -> None:
        self.agent, self.event, self.home = agent, event, home
        self.request = posix.urandom(16).hex()
        self.path = own_path()
        self.record = read_own_file(self.path + b".record", RECORD_LIMIT) or b""
        self.deadline = time.monotonic() + self.patience()
        self.payload = b""

    def recorded(self, key: bytes) -> bytes | None:
        """What `fairlead install` wrote beside the client."""
        return value_of(self.record, key)

    def patience(self) -> float:
        """0.6 of the timeout that the agent was told to give this command."""
        value = self.recorded(b"timeout." + encoded(self.agent)) or self.recorded(b"timeout")
        try:
            seconds = float(value) if value else 0.0
        except ValueError:
            seconds = 0.0
        return (seconds if 0 < seconds < 86400 else DEFAULT_TIMEOUT) * 0.6

    def allowance(self) -> int:
        """The milliseconds that whoever judges may take: less than the client waits."""
        return max(0, int((self.deadline - time.monotonic()) * 900))

    def places(self) -> tuple[bytes, bytes]:
        """Where the `off` marker and the installed client are; empty when no home is known."""
        if self.home:
            return encoded(self.home) + b"/state", encoded(self.home) + b"/share"
        home = self.recorded(b"home") or passwd_home()
        return (home + b"/.local/state/fairlead", home + b"/.local/share/fairlead") if home else (b"", b"")


# --- one call ---


def main() -> None:
    words = sys.argv[1:]
    if words == ["--version"]:
        relay(0, f"fairlead-hook {BUILD_ID} pure\n".encode(), b"")
    call = None
    try:
        open_standard_streams()
        call = Call(*read_arguments(words))
        answer(call)
    except BaseException as error:  # noqa: BLE001 - an uncaught exception would let the tool run
        why = b"the client broke: " + encoded(repr(error))
        if call is None:
            relay(2, b"", b"fairlead-hook: " + why + b"; run `fairlead doctor`\n")
        answer_by_itself(call, why)


def switch(words: list[str], home: str) -> "NoReturn":
    """`off` and `on` for a person. Python that runs this is not enough to tell one: the package decides."""
    call = Call("", "", home)
    interpreter = find_interpreter(call)
    given = [*words, "--for", "1h"] if words == ["off"] else words
    moved = ["--home", home] if home else []
    command = [interpreter, b"-I", b"-m", b"fairlead", *map(encoded, (*moved, *given))]
    if posix.access(interpreter, posix.X_OK):
        posix.execve(interpreter, command, posix.environ)
    relay(1, b"", b"fairlead-hook: nothing was changed: " + what_is_gone(interpreter) + b"\n")


def answer(call: Call) -> None:
    if not read_payload(call):
        answer_by_itself(call, b"its input never ended")
    try:
        ask_daemon(call)
    except TooLateError:
        answer_by_itself(call, b"the daemon did not answer in time")
    except OSError:
        pass  # no daemon, or one that broke off: the cold path answers
    answer_cold(call)


def read_arguments(words: list[str]) -> tuple[str, str, str]:
    home = ""
    moved = len(words) > 1 and words[0] == "--home"
    if moved:
        home, words = words[1], words[2:]
    if words[:1] in (["off"], ["on"]):
        switch(words, home)
    agent, event = (*words, "", "")[:2]
    if agent in ("", "-") or agent[0] == "-" or len(words) > 2 or (moved and home[:1] != "/"):
        relay(2, b"", USAGE)
    return agent, event, home


def open_standard_streams() -> None:
    """So that no pipe or socket of ours can take the number of a stream that the agent left closed."""
    for descriptor in (0, 1, 2):
        try:
            posix.fstat(descriptor)
        except OSError:
            posix.open("/dev/null", posix.O_RDWR)


def read_payload(call: Call) -> bool:
    """To its end, so that the agent is not stopped in the middle of writing. One byte above the limit is
    kept: whoever judges the payload then sees that it is too large."""
    parts: list[bytes] = []
    left = PAYLOAD_LIMIT + 1
    while readable(0, call.deadline):
        part = posix.read(0, 1 << 16)
        if not part:
            call.payload = b"".join(parts)
            return True
        if left > 0:
            parts.append(part[:left])
            left -= len(part)
    return False


# --- bytes, time, files ---


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def wait_until(ends: dict[int, int], deadline: float) -> list[tuple[int, int]]:
    """The descriptors that are ready; none when the time is over."""
    poll = select.poll()
    for descriptor, events in ends.items():
        poll.register(descriptor, events)
    return poll.poll(max(0.0, deadline - time.monotonic()) * 1000)


def readable(descriptor: int, deadline: float) -> bool:
    return bool(wait_until({descriptor: select.POLLIN}, deadline))


def own_path() -> bytes:
    """Where this file really is, without what `os.path` costs to import."""
    descriptor = posix.open(__file__, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return encoded(posix.readlink(f"/proc/self/fd/{descriptor}"))
    except OSError:
        return encoded(__file__)
    finally:
        posix.close(descriptor)


def read_own_file(path: bytes, limit: int) -> bytes | None:
    """A small file that nobody but its owner (we, or root) can have written."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except OSError:
        return None
    found = posix.fstat(descriptor)
    regular, foreign = found.st_mode & 0o170000 == 0o100000, found.st_mode & 0o022
    mine = regular and not foreign and found.st_uid in (posix.getuid(), 0)
    content = posix.read(descriptor, limit) if mine else None
    posix.close(descriptor)
    return content


def value_of(text: bytes, key: bytes) -> bytes | None:
    """The value of `key=value` in lines of text."""
    for line in text.split(b"\n"):
        if line.startswith(key + b"="):
            return line[len(key) + 1 :]
    return None


def passwd_home() -> bytes:
    uid = str(posix.getuid()).encode()
    with open("/etc/passwd", "rb") as users:
        for line in users:
            fields = line.rstrip(b"\n").split(b":")
            if len(fields) > 5 and fields[2] == uid:
                return fields[5]
    return b""


# --- the daemon ---


def frame(kind: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + bytes((kind,)) + payload


def runtime_directory(home: str) -> str:
    if home:
        return home + "/run"
    uid = posix.getuid()
    session = f"/run/user/{uid}"
    try:
        found = posix.lstat(session)
    except OSError:
        return f"/tmp/fairlead-{uid}"  # noqa: S108 - its owner and mode are checked before it is used
    owned = found.st_mode & 0o170000 == 0o040000 and found.st_uid == uid
    return session + "/fairlead" if owned else f"/tmp/fairlead-{uid}"  # noqa: S108


def connect_to_daemon(home: str) -> _socket.socket:
    """Through /proc/self/fd: the directory that was checked is the one that is used, whatever its length."""
    if sys.platform != "linux":
        raise OSError("a daemon serves on Linux only")
    flags = posix.O_PATH | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
    directory = posix.open(runtime_directory(home), flags)
    found = posix.fstat(directory)
    if found.st_uid != posix.getuid() or found.st_mode & 0o7777 != 0o700:
        raise PermissionError("the runtime directory is not private")
    daemon = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_NONBLOCK)
    daemon.connect(f"/proc/self/fd/{directory}/daemon.sock")
    credentials = daemon.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    if int.from_bytes(credentials[4:8], sys.byteorder) != posix.getuid():
        raise PermissionError("the daemon is another user's")
    return daemon


def description(call: Call) -> bytes:
    try:
        cwd = posix.getcwdb()
    except OSError:
        cwd = b""
    unsaid = ""  # which files it sees: the daemon finds out
    texts = (call.request, call.agent, call.event, str(call.allowance()), unsaid)
    variables = (name + b"=" + value + b"\0" for name, value in posix.environ.items())
    return b"".join(
        (
            frame(HELLO, WIRE_VERSION.to_bytes(4, "big") + BUILD_ID.encode()),
            frame(CALL, b"".join(encoded(text) + b"\0" for text in texts)),
            frame(CWD, cwd),
            frame(ENVIRONMENT, b"".join(variables)),
            frame(PAYLOAD, call.payload),
        )
    )


def send_call(daemon: _socket.socket, call: Call) -> None:
    left = memoryview(description(call))
    while left:
        try:
            left = left[daemon.send(left, _socket.MSG_NOSIGNAL) :]
        except BlockingIOError:
            until = min(time.monotonic() + ACKNOWLEDGE_SECONDS, call.deadline)
            if not wait_until({daemon.fileno(): select.POLLOUT}, until):
                raise


class Reception:
    """What a daemon or an interpreter has sent so far."""

    def __init__(self, until: float) -> None:
        self.bytes = b""
        self.acknowledged = False
        self.until = until

    def take(self, more: bytes, deadline: float) -> None:
        """Relays a complete reply and ends the process; raises for what is not even a promise of one."""
        self.bytes += more
        while len(self.bytes) >= FRAME_HEADER:
            length, kind = int.from_bytes(self.bytes[:4], "big"), self.bytes[4]
            if length > REPLY_LIMIT:
                raise ConnectionError("the reply is too long")
            if len(self.bytes) < FRAME_HEADER + length:
                return
            self._take_frame(kind, self.bytes[FRAME_HEADER : FRAME_HEADER + length], deadline)
            self.bytes = self.bytes[FRAME_HEADER + length :]

    def _take_frame(self, kind: int, body: bytes, deadline: float) -> None:
        if kind == ACKNOWLEDGED and len(body) == 4:
            self.acknowledged = True
            self.until = min(time.monotonic() + int.from_bytes(body, "big") / 1000, deadline)
            return
        length = int.from_bytes(body[4:8], "big")
        if kind != REPLY or len(body) < REPLY_HEADER or length > len(body) - REPLY_HEADER:
            raise ConnectionError("not an answer")
        code, text = int.from_bytes(body[:4], "big"), body[REPLY_HEADER:]
        relay(code, text[:length], text[length:])


def ask_daemon(call: Call) -> None:
    """Returns never: it relays the answer, or raises because there is none."""
    daemon = connect_to_daemon(call.home)
    send_call(daemon, call)
    reception = Reception(min(time.monotonic() + ACKNOWLEDGE_SECONDS, call.deadline))
    while readable(daemon.fileno(), reception.until):
        part = daemon.recv(1 << 16)
        if not part:
            raise ConnectionError("the daemon broke off")
        reception.take(part, call.deadline)
    raise TooLateError if reception.acknowledged else TimeoutError("the daemon does not acknowledge")


# --- the fallback ---


def find_interpreter(call: Call) -> bytes:
    """As recorded; else beside the client, as in a virtual environment; else the one that runs `fairlead`."""
    directory = call.path[: call.path.rindex(b"/")]
    recorded = call.recorded(b"interpreter")
    if recorded is not None:
        return recorded
    if posix.access(directory + b"/python3", posix.X_OK):
        return directory + b"/python3"
    try:
        with open(directory + b"/fairlead", "rb") as script:
            line = script.readline()
    except OSError:
        return b""
    return line[2:].split()[0] if line.startswith(b"#!/") else b""


def clean_environment() -> dict[bytes, bytes]:
    """Nothing of the caller's under its own name: PYTHONPATH, LD_PRELOAD, OPENSSL_CONF and their like would
    put foreign code into the interpreter. Hook scripts get the caller's environment, so it is kept."""
    kept = {b"FAIRLEAD_KEPT_" + name: value for name, value in posix.environ.items()}
    return {**kept, b"PATH": SAFE_PATH, b"LANG": b"C.UTF-8"}


def start_interpreter(call: Call, interpreter: bytes) -> tuple[int, int, int, int]:
    """Its process id, and our ends of its stdin, reply pipe and stderr."""
    words = [interpreter, b"-I", b"-m", b"fairlead"]
    if call.home:
        words += [b"--home", encoded(call.home)]
    words += [b"hook", b"--request", call.request.encode(), b"--reply-fd", b"%d" % REPLY_FD]
    words += [b"--seconds", b"%d" % (call.allowance() // 1000)]
    words += [encoded(word) for word in (call.agent, call.event) if word]
    environment = clean_environment()
    payload, to_payload = posix.pipe()
    from_reply, reply = posix.pipe()
    from_noise, noise = posix.pipe()
    child = posix.fork()
    if child == 0:
        become_interpreter(words, environment, (payload, reply, noise))
    for descriptor in (payload, reply, noise):
        posix.close(descriptor)
    return child, to_payload, from_reply, from_noise


def become_interpreter(
    words: list[bytes], environment: dict[bytes, bytes], ends: tuple[int, int, int]
) -> None:
    try:
        payload, reply, noise = ends
        while reply <= REPLY_FD:  # the others may sit on that number until they are in their places
            reply = posix.dup(reply)
        posix.dup2(payload, 0)
        posix.dup2(posix.open("/dev/null", posix.O_WRONLY | posix.O_CLOEXEC), 1)
        posix.dup2(noise, 2)
        posix.dup2(reply, REPLY_FD)
        posix.execve(words[0], words, environment)
    finally:
        posix._exit(127)


def supervise(call: Call, to_payload: int, from_reply: int, from_noise: int) -> bytes:
    """Returns only if no reply came: with what was written to stderr instead."""
    reception, noise, left = Reception(call.deadline), b"", memoryview(call.payload)
    posix.set_blocking(to_payload, False)
    ends = {to_payload: select.POLLOUT, from_reply: select.POLLIN, from_noise: select.POLLIN}
    while ready := dict(wait_until(ends, call.deadline)):
        if to_payload in ready:
            left = feed(to_payload, left)
            if not left:
                del ends[to_payload]
                posix.close(to_payload)
        if from_noise in ready:
            part = posix.read(from_noise, NOISE_LIMIT)
            noise += part
            if not part or len(noise) > NOISE_LIMIT:
                del ends[from_noise]
        if from_reply in ready:
            part = posix.read(from_reply, 1 << 16)
            if not part:
                break
            try:
                reception.take(part, call.deadline)
            except ConnectionError:
                break
    while from_noise in ends and readable(from_noise, 0) and (part := posix.read(from_noise, NOISE_LIMIT)):
        noise += part
    return noise[:NOISE_LIMIT]


def feed(descriptor: int, left: memoryview) -> memoryview:
    """What is still to be written; nothing when the interpreter does not want it."""
    try:
        return left[posix.write(descriptor, left) :]
    except BlockingIOError:
        return left
    except OSError:
        return memoryview(b"")


def what_is_gone(interpreter: bytes) -> bytes:
    """And commands that are not."""
    again = b"`fairlead install` (after `pipx install fairlead`, if that is gone too)"
    return b"its interpreter is gone: " + interpreter + b"\nA person can run " + again + b"."


def answer_cold(call: Call) -> None:
    interpreter = find_interpreter(call)
    if not interpreter:
        answer_by_itself(call, b"no interpreter is recorded")
    if not posix.access(interpreter, posix.X_OK):
        answer_by_itself(call, what_is_gone(interpreter))
    try:
        child, *ends = start_interpreter(call, interpreter)
    except OSError as error:
        answer_by_itself(call, b"no process could be started: " + encoded(error.strerror or ""))
    noise = supervise(call, *ends)
    posix.kill(child, 15)
    late = time.monotonic() >= call.deadline
    why = b"the interpreter did not answer in time" if late else b"the interpreter gave no answer"
    answer_by_itself(call, why, noise)


# --- answers ---


def write_all(descriptor: int, content: bytes) -> bool:
    left = memoryview(content)
    try:
        while left:
            left = left[posix.write(descriptor, left) :]
    except OSError:
        return False
    return True


def relay(code: int, out: bytes, err: bytes) -> "NoReturn":
    """Half an answer may read as an approval: if it cannot be delivered, the exit code has to block."""
    delivered = write_all(1, out)
    write_all(2, err)
    posix._exit(code & 255 if delivered else 2)


def is_off(call: Call) -> bool:
    """The marker says when it ends (0: never), then the agents that it is for (none: all), one to a line."""
    state, share = call.places()
    marker = read_own_file(state + b"/off", 4095) if state else None
    if marker is not None and marker.startswith(b"glass "):
        return is_glass_broken(marker, state)
    if marker is not None and marker.startswith(b"granted "):
        return is_granted(marker[8:], state)
    if marker is None or not is_attested(marker, state, share):
        return False
    first, *agents = marker.decode("utf-8", "replace").split("\n")
    if not (first.isascii() and first.isdigit()) or len(first) > 15 or 0 < int(first) <= time.time():
        return False
    return (call.agent in agents or not any(agents)) and not is_forbidden(state, b"off")


def is_forbidden(state: bytes, deed: bytes) -> bool:
    """What those who manage the machine say of it, in /etc/fairlead and in the bundle of its fleet."""
    fleet = state + b"/fleet"
    try:
        posix.lstat(SYSTEM_FOLDER + b"/fleet.yaml")
        fleet = SYSTEM_FLEET
    except OSError:
        pass  # root has enrolled it in no fleet
    files = (SYSTEM_FOLDER + b"/hooks/managed.yaml", fleet + b"/current/hooks/managed.yaml")
    return any(file_forbids(path, deed) for path in files)


def file_forbids(path: bytes, deed: bytes) -> bool:
    """Line by line, as policy/managed/forbidden.py reads it: what is not plainly written forbids."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    try:
        content = posix.read(descriptor, MANAGED_LIMIT + 1)
    except OSError:
        return True
    finally:
        posix.close(descriptor)
    return len(content) > MANAGED_LIMIT or b"\0" in content or text_forbids(content, deed)


def text_forbids(content: bytes, deed: bytes) -> bool:
    at, named = Place(), False
    for line in plain_lines(content):
        if line is None:
            return True
        if not line or (line == "---" and not at.seen):
            continue
        if not at.read(line):
            return True
        words = line.removeprefix("forbid:").translate(PLAIN_MARKS).split()
        named = named or (at.key == "forbid" and deed.decode() in words)
    return (
        named
        or not at.filled
        or not at.seen
        or ("break_glass" in at.seen and not at.seen & {"codes", "answers"})
    )


def plain_lines(content: bytes) -> "Iterator[str | None]":
    """With what is in brackets in one line, and without comments; None where it cannot be plain."""
    whole = ""
    for raw in content.split(b"\n"):
        before, mark, comment = raw.removesuffix(b"\r").partition(b"#")
        odd = any(not 0x20 <= byte < 0x7F for byte in before) or any(each in comment for each in OTHER_BREAKS)
        line = "" if odd else before.decode().rstrip(" ")
        glued = bool(mark and before) and before[-1:] != b" "
        if odd or glued or (whole and line and line[0] != " "):
            yield None
            return
        whole = f"{whole} {line.strip(' ')}" if whole else line
        if sum(map(whole.count, "[{")) <= sum(map(whole.count, "]}")):
            yield whole
            whole = ""
    if whole:
        yield None


class Place:
    """Where the reader is: in which keys, and how far their lists are indented; -1 for not yet."""

    def __init__(self) -> None:
        self.key, self.below, self.indent, self.items = "", "", -1, -1
        self.filled, self.seen = True, set()  # type: bool, set[str]

    def read(self, line: str) -> bool:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if text.startswith("- "):
            return self.take_item(indent, text[2:].lstrip(" "))
        key, colon, value = text.partition(":")
        top = indent == 0
        if (
            not colon
            or key in self.seen
            or (not self.filled and (top or self.key != "break_glass" or self.below))
        ):
            return False
        return self.take_top(key, value) if top else self.take_below(indent, key, value)

    def take_top(self, key: str, value: str) -> bool:
        from re import findall

        if key not in ("forbid", "lock", "break_glass") or (
            value and not is_plain(PLAIN_VALUES[key], value, key)
        ):
            return False
        names = findall("([a-z]+):", value)
        self.key, self.below, self.items, self.filled = key, "", 0 if value else -1, bool(value)
        self.indent = 0 if value and key == "break_glass" else -1
        self.seen |= {key, *names}
        return len(names) == len(set(names))

    def take_below(self, indent: int, key: str, value: str) -> bool:
        inside = self.key == "break_glass" and self.indent in (-1, indent)
        if not inside or key not in ("codes", "answers", "minutes", "people"):
            return False
        self.below, self.indent, self.filled = key, indent, bool(value)
        self.items = indent if value else -1
        self.seen.add(key)
        return is_plain(PLAIN_VALUES[key], value, key) if value else key != "minutes"

    def take_item(self, indent: int, text: str) -> bool:
        key = self.below or self.key
        deeper = indent >= max(self.indent, 0) and self.items in (-1, indent)
        started = self.items == indent or not self.filled
        if not deeper or not started or not is_plain(PLAIN_ITEMS.get(key, "(?!)"), f" {text}", key):
            return False
        self.items, self.filled = indent, True
        return True


def is_plain(form: str, value: str, key: str) -> bool:
    """Without what YAML takes for something else than a name; `forbid` has `off` for a word of its own."""
    from re import fullmatch  # as good as never

    words = value.lower().translate(PLAIN_MARKS).split() if key in ("lock", "people") else ()
    return bool(fullmatch(f" +({form})", value)) and NOT_TEXT.isdisjoint(words)


def is_attested(marker: bytes, state: bytes, share: bytes) -> bool:
    """Once there is a passphrase, the marker alone proves nothing: `fairlead off`, which asks for it, says
    the same in the record of the installed client."""
    record = read_own_file(share + b"/bin/fairlead-hook.record", RECORD_LIMIT) or b""
    try:
        posix.lstat(state + b"/passphrase")
    except OSError:
        if value_of(record, b"sealed") is None:
            return True
    return value_of(record, b"off") == marker.replace(b"\n", b" ").rstrip(b" ")


# --- the other off-marker, which a one-time code has signed: see policy/glass ---

GLASS_FIELDS = (b"code", b"uid", b"boot", b"from", b"until", b"wall", b"record")
ANSWERED_FIELDS = (
    b"code", b"machine", b"group", b"bundle", b"user", b"minutes", b"uid", b"boot", b"from", b"nonce",
    b"until", b"wall", b"record",
)  # fmt: skip
GLASS_NUMBERS = (b"bundle", b"minutes", b"uid", b"from", b"until", b"wall")
ANSWER_WAITS, ANSWER_LINK, ANSWER_DIGIT, ANSWER_ROUNDS = 900, 10, 65535, 131072
GLASS_LINK, GLASS_CHAINS, GLASS_STEPS, GLASS_SECONDS = 20, 67, 15, 86400


def is_glass_broken(marker: bytes, state: bytes) -> bool:
    answered = marker.startswith(b"glass 2\n")
    text, mark, rest = marker.partition(b"answer=" if answered else b"signature=")
    lines = text.split(b"\n")
    pairs = [line.partition(b"=") for line in lines[1:-1]]
    fields = ANSWERED_FIELDS if answered else GLASS_FIELDS
    head = b"glass 2" if answered else b"glass 1"
    if lines[0] != head or tuple(name for name, _, _ in pairs) != fields or lines[-1] or not mark:
        return False
    said = {name: value for name, _, value in pairs}
    numbers = {name: said[name] for name in GLASS_NUMBERS if name in said}
    version, salt, public = (*said[b"code"].split(b"-"), b"", b"", b"")[:3]
    if len(said[b"code"]) != 83 or not all(each.isdigit() and len(each) < 16 for each in numbers.values()):
        return False
    if version != head[-1:] or int(said[b"uid"]) != posix.getuid():
        return False
    minutes = int(numbers.get(b"minutes", b"0"))
    longest = ANSWER_WAITS + 60 * minutes if answered else GLASS_SECONDS
    start, end, wall = (int(numbers[name]) for name in (b"from", b"until", b"wall"))
    running, now = boot_clock()
    in_time = start <= running < end <= start + longest and minutes <= 1440 and time.time() < wall
    if said[b"boot"] != now or not in_time:
        return False
    signer = answer_signer(said, rest, salt) if answered else glass_signer(text, rest, salt)
    return signer == public and is_code_in_force(said[b"code"], state)


GRANTED_FIELDS = (b"id", b"uid", b"boot", b"from", b"until", b"wall", b"by", b"record")


def is_granted(name: bytes, state: bytes) -> bool:
    """What whoever has the fleet's folder has checked, and put there: see policy/glass/granted."""
    if len(name) != 33 or name[-1:] != b"\n" or name[:-1].translate(None, b"0123456789abcdef"):
        return False
    enrolled = is_there(SYSTEM_FOLDER + b"/fleet.yaml")
    path = (SYSTEM_FLEET if enrolled else state + b"/fleet") + b"/off/" + name[:-1]
    lines = (read_own_file(path, 2048) or b"").split(b"\n")
    pairs = [line.partition(b"=") for line in lines[1:-1]]
    if lines[0] != b"off 1" or tuple(each for each, _, _ in pairs) != GRANTED_FIELDS or lines[-1]:
        return False
    said = {each: value for each, _, value in pairs}
    numbers = [said[each] for each in (b"from", b"until", b"wall")]
    if not all(number.isdigit() and len(number) < 16 for number in numbers):
        return False
    start, end, wall = map(int, numbers)
    running, now = boot_clock()
    in_time = start <= running < end <= start + GLASS_SECONDS and time.time() < wall
    whose = said[b"uid"] in (b"*", b"%d" % posix.getuid()) and said[b"id"] == name[:-1]
    by_root = enrolled or is_there(SYSTEM_FOLDER + b"/hooks/managed.yaml")
    return whose and in_time and said[b"boot"] == now and not (by_root and posix.lstat(path).st_uid != 0)


def boot_clock() -> tuple[float, bytes]:
    """The seconds since the machine was started, and the name of that start; no name where nobody knows."""
    if sys.platform != "linux":
        return 0.0, b"?"
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            return time.clock_gettime(time.CLOCK_BOOTTIME), file.read(64).strip()
    except OSError:
        return 0.0, b"?"


def glass_signer(text: bytes, signature: bytes, salt: bytes) -> bytes:
    """Whose signature it would be."""
    from hashlib import sha256  # as good as never

    if len(signature) != 2 * GLASS_LINK * GLASS_CHAINS + 1 or signature[-1:] != b"\n":
        return b""
    try:
        whole, start = bytes.fromhex(signature[:-1].decode()), bytes.fromhex(salt.decode())
    except ValueError:
        return b""
    digest = sha256(b"fairlead-glass-v1\n" + text).digest()
    digits = [digit for byte in digest for digit in (byte >> 4, byte & 15)]
    rest = sum(GLASS_STEPS - digit for digit in digits)
    ends = b""
    for chain, digit in enumerate((*digits, rest >> 8, rest >> 4 & 15, rest & 15)):
        link = whole[chain * GLASS_LINK : (chain + 1) * GLASS_LINK]
        for step in range(digit, GLASS_STEPS):
            link = sha256(start + bytes((chain, step)) + link).digest()[:GLASS_LINK]
        ends += link
    return sha256(ends).hexdigest().encode()


def answer_signer(said: dict[bytes, bytes], answer: bytes, salt: bytes) -> bytes:
    """The same for an answer that was read out: see policy/glass/spoken.py and challenges.py."""
    from hashlib import sha256  # as good as never

    if len(answer) != 6 * ANSWER_LINK + 1 or answer[-1:] != b"\n" or answer != answer.lower():
        return b""
    try:
        whole, start = bytes.fromhex(answer[:-1].decode()), bytes.fromhex(salt.decode())
    except ValueError:
        return b""
    bound = [b"fairlead-challenge-v1"] + [said[name] for name in (b"uid", b"boot", b"from", b"nonce")]
    mark = sha256(b"\n".join(bound) + b"\n").hexdigest()[:10].encode()
    named = [said[name] for name in (b"machine", b"group", b"bundle", b"user", b"minutes")]
    digest = sha256(b"fairlead-spoken-v1\n" + b"\n".join([*named, mark]) + b"\n").digest()
    for _ in range(ANSWER_ROUNDS):
        digest = sha256(digest + start).digest()
    one, other = int.from_bytes(digest[:2], "big"), int.from_bytes(digest[2:4], "big")
    rest, ends = 2 * ANSWER_DIGIT - one - other, b""
    for chain, (digit, last) in enumerate(
        ((one, ANSWER_DIGIT), (other, ANSWER_DIGIT), (rest, 2 * ANSWER_DIGIT))
    ):
        link = whole[chain * ANSWER_LINK : (chain + 1) * ANSWER_LINK]
        for step in range(digit, last):
            link = sha256(start + bytes((chain,)) + step.to_bytes(3, "big") + link).digest()[:ANSWER_LINK]
        ends += link
    return sha256(ends).hexdigest().encode()


def is_code_in_force(code: bytes, state: bytes) -> bool:
    """Whether a policy names it; where root manages the machine, a policy of root's."""
    enrolled = is_there(b"/etc/fairlead/fleet.yaml")
    by_root = enrolled or is_there(b"/etc/fairlead/hooks/managed.yaml")
    fleet = b"/var/lib/fairlead/fleet" if enrolled else state + b"/fleet"
    for path in (b"/etc/fairlead/hooks/managed.yaml", fleet + b"/current/hooks/managed.yaml"):
        lines = (read_own_file(path, MANAGED_LIMIT) or b"").split(b"\n")
        named = any(code in line.partition(b"#")[0] for line in lines)
        if named and (not by_root or posix.stat(path).st_uid == 0):
            return True
    return False


def is_there(path: bytes) -> bool:
    try:
        posix.lstat(path)
    except OSError:
        return False
    return True


def answer_by_itself(call: Call, why: bytes, noise: bytes = b"") -> "NoReturn":
    """`noise` is what the interpreter said when it broke: for the person who has to mend it."""
    unknown = LAST_RESORTS.get((call.agent, ""), UNKNOWN_AGENT)
    (code, out, err), neutral = LAST_RESORTS.get((call.agent, call.event), unknown)
    if is_off(call):
        relay(*neutral)
    if code != 0:
        err += b"fairlead-hook: " + why + b"\n" + noise
    relay(code, out, err)


if __name__ == "__main__":
    main()
