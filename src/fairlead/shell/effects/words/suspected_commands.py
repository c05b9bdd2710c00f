"""Commands inside the words of a program that is not known to run them, but may well do so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import is_asked
from fairlead.shell.effects.words.lexicon.showing_verbs import TAKING_TEXT
from fairlead.shell.effects.words.unlisted_programs import TESTING, names_a_judge
from fairlead.shell.following.interpreters import interpreter_for
from fairlead.shell.following.wrapping import runs_another
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.normal_form import words_text
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.programs.running import FOLLOWED, SHELLS
from fairlead.shell.reader import read_script
from fairlead.shell.running.builtins import BUILTINS
from fairlead.shell.script import Command, Script, Word
from fairlead.shell.word_sets import names

Reader = Callable[[Script, Surroundings], Iterator[Effect]]

_CORE = names("rm shred truncate dd find git")
_STARTING = names("sh bash zsh dash ksh sudo env python python3 perl ruby node xargs timeout nohup")
"""Programs that are given what they run: `bash -c`, `sudo rm`."""
_PROGRAMS = _CORE | _STARTING
DATA = names(
    """
    man tldr info apropos whatis which type help echo printf grep egrep fgrep zgrep rg ag ack alias history
    export test [ cat ls say espeak cowsay figlet toilet lolcat notify-send logger wall zenity kdialog dialog
    whiptail gum gh glab jira linear todo note memo slack slackcat ntfy curl wget http
    https xh claude codex gemini llm ollama aider sgpt aichat fairlead shellcheck shfmt explainshell cheat
    howdoi bat less more head tail wc sort uniq cut tr jq yq diff comm expr seq read declare local git hub
    basename dirname : true false mkdir touch rm cp mv ln tee stat file pbcopy xclip wl-copy semgrep ast-grep
    sg comby sd ugrep sift pt fzf logcli stern journalctl navi how2 trans towncrier changie reno
    """
)
"""Programs whose words are text, patterns or names, whatever they read like, or that are read elsewhere."""
RUNS = lazy(
    r"(?:^|[-_.:])(?:exec(?:ute)?|commands?|cmds?|run|shell|hook|filter|scripts?|prog(?:ram)?|pager|editor|invoke"
    r"|action|call|eval|handler|callback|before|after|trigger|pre|post|proxy|opener|up|down|wrapper|toolexec)(?:$|[-_.:])"
    r"|(?:cmd|command|exec)s?$|On\w*Error$|^-[cexs]$|^(?:CC|CXX|LD|AR|RM|SHELL)$",
    re.I,
)
"""Options and settings that say by their name that their value is run."""
_VERBS = names("exec execute run shell sh ssh enter unshare attach foreach console explore spawn start rsh")
"""Subcommands behind which a command stands."""
_STARTING_OPTIONS = names("-e -x --exec --execute")
_DATA_OPTIONS = names("-e --env --build-arg --label -l --annotation --set-string")
"""What follows these as `NAME=value` is a variable or a label."""
_READS_AS_COMMAND = lazy(
    r"""[\s\["'(]*(?:(?:sudo|doas|exec|nohup|env|command|time|platform\ shell|shell)\s+|!\s*)*(?:/\S*/)?
    (?:rm|shred|truncate|dd|find|git|mkfs[\w.]*|sh|bash|zsh|dash|chmod|chown|mv|cp|python3?|perl|ruby|node|curl
    |wget|kill|killall|pkill|fairlead|cat|tee|xargs|unlink|reboot|shutdown|systemctl|crontab|psql|mysql|redis-cli)
    \s+[^\s=:]""",
    re.X,
)
_MANY = 64
_SETTING = lazy(r"(?:--?)?([A-Za-z][\w.:-]*?)=(.*)", re.S)


def suspected(command: Command, where: Surroundings, read: Reader, *, listed: bool) -> Iterator[Effect]:
    """What the program, listed or not and none of those above, would do if it ran what reads as a command in
    its words."""
    name = command.name
    if not name or name in BUILTINS or name in SHELLS or name in TESTING:
        return
    if not _may_hold_a_command(command.argv):
        return
    if any(map(str.startswith, [word.text for word in command.argv], repeat(("--dry-run", "--dryrun")))):
        return
    interpreter = interpreter_for(name)
    if interpreter is not None and not interpreter.sources:
        return
    listed = listed or name in FOLLOWED
    wraps = runs_another(command.argv) or is_asked("manifests", name)
    tail = () if wraps else _tail(command.argv, only_after_dashes=listed)
    own = _before_shell(command.argv) if wraps else command.argv
    texts = [words_text(list(tail))] if tail else list(_texts(own, operands=not (listed or wraps)))
    for text in texts[:_MANY]:
        yield from _effects(text, command, where, read)


def _may_hold_a_command(words: Sequence[Word]) -> bool:
    """Whether a word names a program that is looked for, or is a text of several words."""
    for word in words[1:]:
        text = word.text
        if text.rsplit("/", 1)[-1] in _PROGRAMS or " " in text or "\n" in text or "\t" in text:
            return True
        if text == "-wrapper":
            return True
    return False


def _before_shell(words: Sequence[Word]) -> Sequence[Word]:
    """The words of a wrapper up to the shell that it runs, which is read where it runs."""
    shell = (index for index, word in enumerate(words) if index and word.text.rsplit("/", 1)[-1] in SHELLS)
    return words[: next(shell, len(words))]


def _tail(words: Sequence[Word], *, only_after_dashes: bool) -> Sequence[Word]:
    """The words from the one on that names a program, if they ask something of it; of a program that is known
    only after `--` or a word that says that something is run."""
    started = False
    for index, word in enumerate(words[1:-1], start=1):
        if only_after_dashes and words[index - 1].text != "--" and not started:
            started = _starts(word.text)
            continue
        name = word.text.rsplit("/", 1)[-1]
        if name in _PROGRAMS and not word.opaque and _acts(words[index + 1 :]):
            return words[index:]
    return ()


def _starts(text: str) -> bool:
    """Whether what follows this word is run: `exec`, `exec-env`, `local:run`, `-e`."""
    return (
        text in _VERBS
        or text.startswith("exec-")
        or text.endswith((":run", ":exec"))
        or text in _STARTING_OPTIONS
    )


_ASKING = lazy(r"-{1,2}[A-Za-z]|(?:if|of)=")


def _acts(words: Sequence[Word]) -> bool:
    """Whether the words ask for something: an option among the first two, or a program to run."""
    return any(word.text in _CORE or _ASKING.match(word.text) for word in words[:2])


def _texts(words: Sequence[Word], *, operands: bool) -> Iterator[str]:
    """Values of options that say that they are run; with `operands`, also whole command lines in one word."""
    for index, word in enumerate(words[1:], start=1):
        text, before = word.text, words[index - 1].text
        if before == "-wrapper" and "," in text:  # of gcc: a command, its words parted by commas
            yield words_text([Word(part) for part in text.split(",")])
        if word.opaque or not (" " in text or "\t" in text or "\n" in text):
            continue
        setting = _SETTING.fullmatch(text)
        if setting:
            name, text = setting[1].rstrip(":"), setting[2]
            wanted = before not in _DATA_OPTIONS and bool(RUNS.search(name))
        elif index > 1 and before.startswith("-"):
            wanted = bool(RUNS.search(before))
        else:
            said = (before in TAKING_TEXT or names_a_judge(words[0])) and words[0].text not in _QUEUES
            wanted = (operands or _starts(before)) and not said and not _is_prose(text)
        if wanted and _READS_AS_COMMAND.match(text):
            yield text.strip("[]\"'( !")


_TYPED = lazy(r"(?:[:\\]?!|:)(?:set )?")
_OPENS_SHELL = lazy(r"(?:(?:/usr)?(?:/local)?/bin/)?(?:ba|da|z|k|fi|c|tc|a)?sh(?: -[ip]+)?|shell")


def typed_escape(command: Command, where: Surroundings, read: Reader) -> Iterator[Effect]:
    """`!/bin/sh`, `:!rm x` as a line of its own: what is typed into an editor or a pager before it."""
    line = words_text(list(command.argv)).replace("'", "")
    typed = _TYPED.match(line)
    rest = line[typed.end() :].strip() if typed else ""
    if _OPENS_SHELL.fullmatch(rest):
        yield Effect(Action.GAIN_PRIVILEGE, "root-shell", command, what=line)
    elif rest and not line.startswith(":s"):
        yield from _effects(rest, command, where, read)


_QUEUES = names("pueue tsp nq sem")
"""What is added to these is run."""
_PROSE = lazy(
    r"\s(?:is|are|was|were|the|an?|of|not|to|and|in|on|for|with|from|does|should|must|when|loses?|asks?|done)(?:\s|[.!?,]|$)"
)


_SHELL_SIGN = lazy(r"[;&|`$()<>]")


def _is_prose(text: str) -> bool:
    """A sentence that begins with a command; one that goes on as a shell would is none."""
    return bool(_PROSE.search(text)) and not _SHELL_SIGN.search(text)


def _effects(text: str, command: Command, where: Surroundings, read: Reader) -> Iterator[Effect]:
    script = read_script(text, cwd=command.cwd or "/", home=where.home, environment={"HOME": where.home})
    placed = tuple(
        inner.replace(
            start=command.start,
            end=command.end,
            wrappers=(*command.wrappers, *inner.wrappers),
            via=(*command.via, command.name, *inner.via),
        )
        for inner in script.commands
    )
    for effect in read(script.replace(commands=placed), where):
        if effect.action is not Action.RUN_UNKNOWN_CODE:
            yield effect
