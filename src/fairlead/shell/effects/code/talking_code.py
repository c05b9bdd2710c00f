"""Code of whatever language that gives a shell to another machine: it opens a connection, and starts what
comes over it. Languages that are read word by word are left to their readers."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.following.interpreters import interpreter_for
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.record import SHELL
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_CONNECTS = lazy(
    r"gen_tcp:(?:connect|listen)|\bUnix\.(?:connect|socket|bind)|\[socket\b|\bnew\s+[\w.]*Socket\b|\bSockets?\.(?:connect|tcp)"
    r"|\bTcp(?:Stream|Client|Listener)\b|\bTCPSocket\b|\bnewAsyncSocket|\bnewSocket|socket\.tcp\(|\bnet\.(?:Dial|Listen)"
    r"|\bsocket\s*\(\s*(?:PF_|AF_)INET|\bUnixSocket|/inet/tcp/|open-tcp-stream|tcp-connect|make-socket-stream"
)
_STARTS = lazy(
    r"/bin/(?:ba|da|z|k)?sh\b|\bos:cmd\(|\bProcess\.(?:start|run)\b|\bsys\.io\.Process\b|\bUnix\.(?:execv|open_process)"
    r"|\bexec\s+(?:\$|(?:ba|z)?sh\b)|\beval\s+\$|Command::new\(|ProcessStartInfo|\bexecv|\bexecCmdEx|\bexecProcess|\bposix\.exec|cmd\.exe"
    r"|run-program|\bRuntime\.getRuntime|System\.cmd"
)
_LED_AWAY = lazy(
    r"[,(\[]\s{0,4}[\"'][^\"'\n]{0,40}\b(?:ba|z|da|k)?sh\b[^\n]{0,24}[<>]&?\s{0,4}/dev/(?:tcp|udp)/(?!127\.|localhost)"
)
"""A shell whose streams are a connection."""
_SHELL_FOR_VISITORS = lazy(
    r"\b(?:system|exec|passthru|shell_exec|popen|eval|assert|proc_open)\s*\(\s*(?:base64_decode\(\s*)?\$_(?:GET|POST|REQUEST|COOKIE)"
    r"|Runtime\.getRuntime\(\)\.exec\(\s*request\.getParameter"
)
"""A page that runs whatever its visitor asks for."""
_READ_ELSEWHERE = names("python javascript ruby perl php powershell awk sed sql applescript") | {SHELL}
_SHORTEST = 40
_WRITERS = names("echo printf cat tee")


def talks_to_a_shell(text: str) -> bool:
    if len(text) <= _SHORTEST:
        return False
    return bool(_LED_AWAY.search(text)) or bool(_CONNECTS.search(text) and _STARTS.search(text))


def talking(command: Command) -> Iterator[Effect]:
    """Code in a word or on the input of a program that is told to run it."""
    texts = [word.text for word in command.argv[1:] if len(word.text) > _SHORTEST]
    if command.stdin.text is not None and len(command.stdin.text) > _SHORTEST:
        texts.append(command.stdin.text)
    if not texts:
        return
    interpreter = interpreter_for(command.name)
    if interpreter is not None and interpreter.language in _READ_ELSEWHERE:
        return
    if any(map(talks_to_a_shell, texts)):
        yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=shown(command))


def talking_files(commands: tuple[Command, ...]) -> Iterator[Effect]:
    """Such code in a file that the line writes, and that a later command names, also as a module."""
    for index, writer in enumerate(commands[:-1]):
        if not any(map(talks_to_a_shell, _written(writer))):
            continue
        stems = {_stem(redirect.target.text) for redirect in writer.redirects}
        for later in commands[index + 1 :]:
            if later.name not in _LOOKING and any(_stem(word.text) in stems for word in later.argv[1:]):
                yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", later, what=shown(later))
                return


_LOOKING = names("cat less more head tail ls wc grep rg rm mv cp chmod git file stat diff")


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].split(".", 1)[0] or path


def _written(command: Command) -> tuple[str, ...]:
    """What a command writes into a file, as far as it stands in the line."""
    if command.name not in _WRITERS or not any(redirect.operator in _INTO for redirect in command.redirects):
        return ()
    return (*(word.text for word in command.argv[1:]), command.stdin.text or "")


_INTO = (">", ">>", ">|", "&>")


def left_for_visitors(command: Command) -> Iterator[Effect]:
    """`echo '<?php system($_GET["c"]);' > FILE`: a page that is a door."""
    for text in _written(command):
        if ("$_" in text or "getParameter" in text) and _SHELL_FOR_VISITORS.search(text):
            yield Effect(Action.RUN_NETWORK_CODE, "remote-shell", command, what=shown(command))
            return
