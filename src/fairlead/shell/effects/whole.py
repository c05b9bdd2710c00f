"""Effects that no single command has: what is fed to an interpreter, what is piped out, what is unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.bounds import MAX_STEPS
from fairlead.shell.effects.databases import sql_danger
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.sources import Sources
from fairlead.shell.script import Command, Opaque, Script, Word
from fairlead.shell.tables import names
from fairlead.shell.targets import Place, Surroundings, resolve

_SENDERS = names("curl wget nc ncat netcat socat ssh telnet ftp lftp http https xh openssl mail sendmail")
_DUMPS = names("env printenv set export history declare compgen")
_ENCODERS = names("base64 base32 xxd od hexdump gzip bzip2 xz tar zip openssl gpg")
_DOWNLOADERS = names(
    "curl curlie wget wget2 aria2c axel fetch http https xh xhs lwp-request lynx links w3m tftp"
)
_INTERPRETERS = names(
    """
    sh bash zsh dash ksh ash fish python python2 python3 node deno bun perl ruby php lua osascript pwsh
    powershell tclsh Rscript source .
    """
)
_RUNS_INPUT = names("deno uv bun tsx pipx")
_SHELLS = names("sh bash zsh dash ksh")
_PICKING = names("grep egrep fgrep rg fzf head")
_LOOP_BOMB = re.compile(
    r"(?:^|[;&|({\n]|\b(?:do|then|else)\s)\s*"
    r"(?:while\s+(?:true|:|\(\(\s*1\s*\)\))|until\s+false|for\s*\(\(\s*;\s*;\s*\)\))\s*;?\s*"
    r"do\s+[^;'\"]{1,80}&\s*done"
)
_BOMB = re.compile(r"([\w:.-]+)\s*\(\s*\)\s*\{[^}]*?\1\s*(?:\|\s*)?&?\s*\1\s*&")
_TCP = re.compile(r"^/dev/(?:tcp|udp)/")


def whole_effects(script: Script, sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """What the script does as a whole."""
    commands = script.commands
    first = commands[0] if commands else Command((), None)
    for part in script.opaque:
        yield _unknown(part, script, sources, first)
    if any("calls itself" in part.reason for part in script.opaque) and _BOMB.search(script.text[:65536]):
        yield Effect(Action.KILL, "fork-bomb", first, what=script.text[:80])
    if "<<" not in script.text and _LOOP_BOMB.search(script.text[:4096]):
        yield Effect(Action.KILL, "fork-bomb", first, what=script.text[:80])
    yield from _sent(commands, sources, where)
    yield from _stored_dumps(commands, where)
    yield from _piped_shells(commands)
    yield from _unpacked(commands)
    yield from _mass_kills(commands, sources)
    yield from _filtered_dumps(commands)
    yield from _run_downloads(commands, sources, where)
    for command in commands:
        yield from _connected(command, commands)
        if command.argv and re.match(r"^(?:github:|git\+https?:)", command.argv[0].text):
            yield Effect(Action.RUN_UNKNOWN_CODE, "executed", command, detail="a program from an address")
        via_runner = any(
            wrapper.name in ("npx", "bunx", "pnpx", "pnpm", "yarn", "uvx", "dlx", "uv", "pipx")
            for wrapper in command.wrappers
        )
        told = command.name in _RUNS_INPUT and any(word.text == "-" for word in command.argv[1:])
        if (via_runner and command.argv and re.match(r"^https?://", command.argv[0].text)) or (
            told and _piped_from_network(command, sources)
        ):
            yield Effect(Action.RUN_NETWORK_CODE, "download", command, what=_words(command))
    yield from _fed_statements(commands, where)
    yield from _fed_consoles(commands)


def _unknown(part: Opaque, script: Script, sources: Sources, first: Command) -> Effect:
    command = next((c for c in script.commands if c.start <= part.start < c.end), first)
    command = command.replace(start=part.start, end=part.end)
    upstream = _piped_from_network(command, sources)
    fetched = (
        part.network
        or upstream
        or re.search(r"output of `(?:ssh|scp|aws s3|gsutil|gh |rclone|nc |ncat|sftp|ftp)", part.reason)
    )
    if fetched and part.executed:
        return Effect(
            Action.RUN_NETWORK_CODE, "download", command, what=_slice(script, part), detail=part.reason
        )
    name = "executed" if part.executed else "part"
    if part.executed and _unreadable(part):
        name = "unreadable"
    return Effect(Action.RUN_UNKNOWN_CODE, name, command, what=_slice(script, part), detail=part.reason)


def from_network(effect: Effect, sources: Sources) -> Effect:
    """Unknown code of a command that a download feeds is code from the network."""
    if effect.action is Action.RUN_UNKNOWN_CODE and _piped_from_network(effect.command, sources):
        return effect.replace(action=Action.RUN_NETWORK_CODE, name="download")
    return effect


def _unreadable(part: Opaque) -> bool:
    return (
        "was not read" in part.reason or "nested too deep" in part.reason or f"{MAX_STEPS:,}" in part.reason
    )


def _slice(script: Script, part: Opaque) -> str:
    return script.text.encode("utf-8", "surrogateescape")[part.start : part.end][:200].decode(
        "utf-8", "replace"
    )


def _sent(commands: tuple[Command, ...], sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """Variables and encoded files that reach a program which sends."""
    senders = [command for command in commands if command.name in _SENDERS]
    if not senders:
        return
    for sender in senders:
        feeding = list(sources.of(sender))
        dumped = any(_dumps(command) for command in feeding)
        encoded = any(command.name in _ENCODERS for command in feeding)
        if dumped:
            yield Effect(Action.SEND_DATA, "environment", sender, what=_words(sender))
        elif any(_reads_private(command, where) for command in feeding):
            yield Effect(Action.SEND_DATA, "upload", sender, what=_words(sender))
        elif encoded and sender.name != "openssl" and _reads_files(feeding):
            name = "upload" if sender.name == "ssh" else "encoded"
            yield Effect(Action.SEND_DATA, name, sender, what=_words(sender))


def _piped_shells(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """A shell and a connection in one pipe: `sh -i | nc host port`."""
    shells = {command.pipeline for command in commands if command.name in ("sh", "bash", "zsh", "dash")}
    for command in commands:
        talks = command.name in ("nc", "ncat", "netcat", "socat", "telnet")
        talks = talks or (command.name == "openssl" and any(word.text == "s_client" for word in command.argv))
        if talks and command.pipeline in shells:
            yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=_words(command))


def _dumps(command: Command) -> bool:
    return command.name in _DUMPS and all(word.text.startswith("-") for word in command.argv[1:])


def _stored_dumps(commands: tuple[Command, ...], where: Surroundings) -> Iterator[Effect]:
    """`env > /tmp/e && curl -F f=@/tmp/e …`: the variables go by way of a file."""
    stored: set[str] = set()
    for command in commands:
        if _dumps(command):
            stored |= {resolve(r.target, command, where).path for r in command.redirects if ">" in r.operator}
        elif stored and command.name in _SENDERS:
            text = " ".join(word.text for word in command.argv[1:])
            if any(path and path in text for path in stored):
                yield Effect(Action.SEND_DATA, "environment", command, what=_words(command))


def _reads_private(command: Command, where: Surroundings) -> bool:
    if command.name in ("mysqldump", "pg_dump", "pg_dumpall", "mongodump") or any(
        w.text == ".dump" for w in command.argv
    ):
        return True
    if command.name not in ("cat", "head", "tail", "grep", "base64", "gzip", "sort"):
        return False
    operands = [word for word in command.argv[1:] if "/" in word.text or "~" in word.text]
    return any(resolve(word, command, where).place in (Place.HOME, Place.SYSTEM) for word in operands)


def _reads_files(feeding: list[Command]) -> bool:
    for command in feeding:
        operands = [word for word in command.argv[1:] if not word.text.startswith("-")]
        if command.redirects or (operands and command.name not in ("echo", "printf", "date", "jq")):
            return True
    return False


def _filtered_dumps(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """`env | grep -i token`: the filter says what is looked for."""
    dumps = {command.pipeline for command in commands if _dumps(command)}
    for command in commands:
        if command.pipeline in dumps and command.name in ("grep", "egrep", "rg", "awk", "sed"):
            text = " ".join(word.text for word in command.argv[1:])
            counted = any(re.match(r"^-[a-z]*[cq]", word.text) for word in command.argv[1:])
            if (
                re.search(r"secret|token|passw|api.?key|credential|private|_key|aws_", text, re.IGNORECASE)
                and not counted
            ):
                yield Effect(Action.READ_SECRET, "print-variable", command, what=_words(command))


_CLIENTS = names("psql mysql mariadb sqlite3")


def _prints_statements(text: str) -> bool:
    return text in ("sqlflush", "sqlclear") or bool(re.search(r"(?i)['\"]\s*(?:drop|truncate)\s+\w+", text))


def _fed_consoles(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """Statements that one program prints for another: `sqlflush | psql`, `rails console <<< CODE`."""
    flushing = {c.pipeline for c in commands if any(_prints_statements(word.text) for word in c.argv)}
    for command in commands:
        text = command.stdin.text or ""
        console = any(word.text in ("console", "c", "shell", "tinker") for word in command.argv[1:3])
        losing = console and re.search(
            r"delete_all|destroy_all|\.all\(\)\.delete\(|truncate\(|drop_table", text
        )
        client = command.name in _CLIENTS or any(word.text == "dbshell" for word in command.argv)
        if losing or (client and command.position and command.pipeline in flushing):
            yield Effect(
                Action.CHANGE_DATABASE, "unbound", command, what=_words(command), detail=command.name
            )


def _fed_statements(commands: tuple[Command, ...], where: Surroundings) -> Iterator[Effect]:
    """SQL that one command writes to a file and a later one runs."""
    written: dict[str, str] = {}
    for command in commands:
        text = command.stdin.text or " ".join(word.text for word in command.argv[1:])
        if command.name in ("echo", "printf", "cat"):
            for redirect in command.redirects:
                if ">" in redirect.operator:
                    written[resolve(redirect.target, command, where).path] = text
        elif written and command.name in ("psql", "mysql", "mariadb", "sqlite3", "duckdb", "cqlsh"):
            for word in command.argv[1:]:
                found = sql_danger(written.get(resolve(word, command, where).path, ""))
                if found is not None:
                    yield Effect(
                        Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name
                    )


def _mass_kills(commands: tuple[Command, ...], sources: Sources) -> Iterator[Effect]:
    """`ps | awk '{print $2}' | xargs kill`, with nothing in between that picks some."""
    for command in commands:
        if command.name != "kill" or all(word.known for word in command.argv):
            continue
        feeding = list(sources.of(command))
        picked = any(other.name in _PICKING or _picks(other) for other in feeding)
        numbers = any("[0-9]" in word.text for other in feeding for word in other.argv)
        inverted = numbers or all(
            "-v" in [w.text for w in other.argv] for other in feeding if other.name in _PICKING
        )
        everyone = any(
            other.name in ("ps", "seq")
            or (other.name == "ls" and any(word.text.startswith("/proc") for word in other.argv))
            or (other.name == "pgrep" and other.argv[-1].text in (".", ".*"))
            for other in feeding
        )
        if everyone and (not picked or inverted):
            yield Effect(Action.KILL, "kill-everything", command, what=_words(command))


def _picks(command: Command) -> bool:
    text = " ".join(word.text for word in command.argv[1:])
    by_option = command.name == "ps" and re.search(r"(?:^|\s)(?:-p|-C|-t|--ppid|--pid)\b", text)
    return bool(by_option) or (command.name == "awk" and bool(re.search(r"[/~]|==", text)))


def _unpacked(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """`git archive HEAD | tar -x` writes the committed files over the changed ones."""
    archives = {
        c.pipeline for c in commands if c.name == "git" and any(w.text == "archive" for w in c.argv[1:4])
    }
    for command in commands:
        texts = [word.text for word in command.argv[1:]]
        extracts = command.name == "tar" and any(
            re.match(r"^-?[a-z]*x|^--extract$", text) for text in texts[:2]
        )
        if (
            extracts
            and command.pipeline in archives
            and not any(text.startswith(("-C", "--directory")) for text in texts)
        ):
            yield Effect(Action.DISCARD_GIT_WORK, "apply-reverse", command, what=_words(command))


def _piped_from_network(command: Command, sources: Sources) -> bool:
    return any(other.name in _DOWNLOADERS for other in sources.before(command))


def _run_downloads(commands: tuple[Command, ...], sources: Sources, where: Surroundings) -> Iterator[Effect]:
    """A file that one command fetches and a later one runs."""
    fetched: set[str] = set()
    cloned: set[str] = set()
    unpacked = False
    for command in commands:
        if command.name in _DOWNLOADERS:
            fetched |= set(_written_by(command, where))
        elif command.name in ("scp", "rsync") and any(
            re.search(r"^[\w.@-]+:", w.text) for w in command.argv[1:-1]
        ):
            remote = [
                w.text.rsplit("/", 1)[-1].rsplit(":", 1)[-1] for w in command.argv[1:-1] if ":" in w.text
            ]
            fetched |= {f"{resolve(command.argv[-1], command, where).path}/{name}" for name in remote}
        elif command.name in ("tar", "unzip", "7z", "bsdtar") and (
            fetched or _piped_from_network(command, sources)
        ):
            unpacked = (
                unpacked
                or command.position > 0
                or any(resolve(word, command, where).path in fetched for word in command.argv[1:])
            )
        elif command.position and _piped_from_network(command, sources):
            written = command.argv[1:] if command.name == "tee" else ()
            fetched |= {
                resolve(word, command, where).path for word in written if not word.text.startswith("-")
            }
            fetched |= {
                resolve(r.target, command, where).path for r in command.redirects if ">" in r.operator
            }
        elif command.name == "git" and any(word.text == "clone" for word in command.argv[1:3]):
            cloned |= {resolve(command.argv[-1], command, where).path}
        elif fetched or cloned or unpacked:
            for path in _executed_by(command, where):
                if any(path.startswith(place + "/") for place in cloned):
                    yield Effect(
                        Action.RUN_UNKNOWN_CODE, "executed", command, detail=f"{path} was just cloned"
                    )
                if unpacked and not path.startswith(("/usr/", "/bin/")):
                    yield Effect(
                        Action.RUN_UNKNOWN_CODE, "executed", command, detail=f"{path} was just downloaded"
                    )
                if path in fetched:
                    yield Effect(Action.RUN_NETWORK_CODE, "download-file", command, what=_words(command))


def _written_by(command: Command, where: Surroundings) -> Iterator[str]:
    words = command.argv[1:]
    for index, word in enumerate(words):
        follows = words[index + 1] if index + 1 < len(words) else None
        is_output = word.text in ("--output", "--output-document", "--out") or re.match(
            r"^-\w*[oO]$", word.text
        )
        remote_name = (
            command.name == "curl" and re.match(r"^-\w*O", word.text)
        ) or word.text == "--remote-name"
        if is_output and follows is not None and not remote_name:
            yield resolve(follows, command, where).path
        if word.text == "-P" and follows is not None:
            yield from (f"{resolve(follows, command, where).path}/{name}" for name in _names_of(words))
    for redirect in command.redirects:
        if ">" in redirect.operator:
            yield resolve(redirect.target, command, where).path
    if command.name == "tftp":
        yield from (f"{command.cwd}/{word.text}" for word in words if not word.text.startswith("-"))
    if command.name.startswith(("wget", "aria2c", "axel")) or any(
        re.match(r"^-\w*O$", word.text) for word in words
    ):
        yield from (f"{command.cwd}/{name}" for name in _names_of(words))


def _names_of(words: Sequence[Word]) -> Iterator[str]:
    """The file names that addresses end with."""
    for word in words:
        if "://" in word.text:
            yield word.text.split("?")[0].rstrip("/").rsplit("/", 1)[-1]


def _executed_by(command: Command, where: Surroundings) -> Iterator[str]:
    if not command.argv:
        return
    if command.name in _INTERPRETERS:
        for word in command.argv[1:]:
            if not word.text.startswith("-"):
                yield resolve(word, command, where).path
                break
    elif "/" in command.argv[0].text:
        yield resolve(command.argv[0], command, where).path
    if command.name in ("dpkg", "rpm", "apt", "apt-get", "dnf", "yum", "installer"):
        for word in command.argv[1:]:
            yield resolve(word, command, where).path
    if command.stdin.path is not None and command.name in _INTERPRETERS:
        yield resolve(command.stdin.path, command, where).path


def _connected(command: Command, commands: tuple[Command, ...]) -> Iterator[Effect]:
    """Redirections to `/dev/tcp`: bash opens a connection for them."""
    for redirect in command.redirects:
        if not _TCP.match(redirect.target.text) or redirect.target.text.startswith(
            ("/dev/tcp/localhost", "/dev/tcp/127.")
        ):
            continue
        both_ways = redirect.operator == "<>" and any(other.name in _SHELLS for other in commands)
        if command.name in _INTERPRETERS or both_ways:
            yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=_words(command))
        elif redirect.operator == "<>" and command.name == "exec":
            yield Effect(Action.SEND_DATA, "raw-connection", command, what=_words(command))
        elif ">" in redirect.operator and command.argv and command.name not in ("exec", "true", ":", "echo"):
            yield Effect(Action.SEND_DATA, "raw-device", command, what=_words(command))


def _words(command: Command) -> str:
    return " ".join(word.text or "?" for word in command.argv)[:200]
