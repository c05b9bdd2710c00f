"""Programs that no family lists: what their words say of what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat
from operator import contains

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.databases.test_databases import is_for_tests
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import is_dry_run, shown
from fairlead.shell.effects.words.lexicon.lasting_nouns import COPIED_OVER, INNOCENT, PASSING
from fairlead.shell.effects.words.lexicon.losing_verbs import ENDING_FOR_A_MANAGER, TAKING_BY_OPTION, UNDOING
from fairlead.shell.effects.words.lexicon.showing_verbs import LOOKING_FIRST, TAKING_TEXT, VIEWING_RELEASES
from fairlead.shell.effects.words.lexicon.word_forms import lasts, parts
from fairlead.shell.effects.words.plain_names import with_names_hidden, with_selections_hidden
from fairlead.shell.effects.words.said_loss import Manner, name_says_loss, option_says_loss, says_loss
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

SPEAKING = names(
    """
    [ ack ag alias apropos bat cat cloc cut diff echo export figlet fx grep gron head help history info jq
    last lastb less ls man more notify-send printf rg say sort tail test tldr tokei tr type uniq wc which
    who xdg-open yq
    """
)


class Told:
    """What a program is told, read once for all who ask about its words.

    `said` are all words, `texts` those after the program, `options` those of them that begin with a dash;
    `tries`: it shall only show what it would do.
    """

    __slots__ = ("command", "given", "name", "options", "said", "texts", "tries")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.name = command.name
        self.said = [word.text for word in command.argv]
        self.texts = self.said[1:]
        self.options = [text for text in self.texts if text.startswith("-")]
        self.given = read_arguments(command.argv[1:])
        self.tries = is_dry_run(self.given)


_BY_OWN_RULES = names("make gmake just task npm yarn pnpm run mage rake invoke tox nox ros2 mosquitto_pub")
"""Programs whose subcommands the project itself names, or that publish messages."""


_PUBLISHING = lazy(
    r"^(?:[\w@/.:-]*[:.-])?(?:publish|unpublish|yank)(?:[-:][\w-]+)?$|^(?:github|push|gh|npm|publish)-release$"
)
_PUBLISHER = lazy(r"^(?:un)?publish(?:-|$)|semantic-release$|-publish$", re.IGNORECASE)
"""Programs that say it by their own name."""
_MANY = 64
_LONGEST = 80
"""No subcommand is longer than this."""


_OF_PROGRAMS = lazy(r"(?:^|/)s?bin/[^/]+$|/\.bin/[^/]+$")


def _lies_somewhere(command: Command) -> bool:
    """Whether a path is most likely that of a program of the project: one in a folder of programs is not, nor
    a package with a scope."""
    text = command.argv[0].text
    return not (text.startswith("@") or _OF_PROGRAMS.search(text) or _is_remote(command))


def publishing(told: Told, *, listed: bool = False) -> Sequence[Effect]:
    """A subcommand that says by its name that others will get it, of a program that nobody listed."""
    command, name = told.command, told.name
    if told.tries or name in SPEAKING or name in _BY_OWN_RULES:
        return ()
    if "/" in command.argv[0].text and _lies_somewhere(command):
        return ()
    words = [word.text[:_LONGEST] for word in told.given.operands[:3]]
    if not VIEWING_RELEASES.isdisjoint(words):
        return ()
    publishes = any(map(_PUBLISHING.match, words[:2]))
    if not publishes and not listed:
        publishes = words[:1] in (["release"], ["promote"]) or bool(_PUBLISHER.search(name))
    if not publishes:
        publishes = "--auto-publish" in told.given.flags or _is_given("--publish", told.said)
    return (Effect(Action.PUBLISH_PACKAGE, "publish", command, what=shown(command)),) if publishes else ()


def _is_given(option: str, texts: list[str]) -> bool:
    """Whether the option stands there without a value: `--publish 8080:80` is a port."""
    if option not in texts:
        return False
    following = [after for text, after in pairwise(texts) if text == option]
    return texts[-1] == option or any(not _PORT.match(text) for text in following)


_PORT = lazy(r"[\d.\[]|(?:never|false)$")


_FIRST_LOSING = lazy(r"^(?:Delete|Destroy|Terminate|Drop|Purge|Remove)[A-Z]\w*$")
"""Where functions of a server are its subcommands: `vtctl DeleteShard`."""
_MANAGER = lazy(r"(?:ctl|cli|admin|adm|manager|mgr|control|client|shell)(?:\.sh)?$")
"""Programs that manage something which runs elsewhere say so."""
_AT_HAND = names(
    """
    playerctl pactl wpctl brightnessctl bluetoothctl amixer cmus-remote direnv gpgconf xmlstarlet meson
    watchman dasel htmlq sd jscodeshift comby codemod zoxide
    """
)
"""Programs that switch or end what is at hand, and nothing else."""
_NAME = lazy(r"[A-Za-z][\w:-]*")
_FORCING = (
    *("--force", "-y", "--yes", "--all", "--purge", "--auto-approve", "--no-input", "--confirm", "--prune"),
    *(
        "--no-prompt",
        "--no-confirm",
        "--non-interactive",
        "--everything",
        "--assume-yes",
        "--skip-confirmation",
    ),
)
_FORCING_WORDS = names("-force -all -yes -auto-approve /f /y FORCE everything")


_SELECTING = lazy(
    r"^(?:-[bkgtemnERq]|--?(?:grep|filter|focus|name|match|pattern|query|search|keys?|exclude|include|ignore|only|skip"
    r"|test|tests|spec|tags?|select|label|title|body|notes?|subject|summary|content|message|description|reason|comment|text|format|example)[\w-]*)$"
)
"""Options whose value says what to look at, or is text: no subcommand."""
TESTING = names(
    """
    pytest py.test nose2 vitest jest mocha ava tap jasmine karma cypress playwright wdio testcafe detox
    rspec minitest phpunit pest codecept busted ginkgo gotestsum behave robot bats cucumber ctest nextest
    cargo-nextest newman k6 artillery hurl tavern locust prove kotest specs2 behat pabot xcodebuild molecule
    """
)
_PASSING = lazy(r"(?:^|[:.-])(?:tests?|specs?|e2e|cache|caches|tmp|temp|build|dist|coverage)(?:$|[:.-])")


def _subcommands(told: Told) -> list[str]:
    """The first words that may name what the program shall do: no value of an option that selects."""
    texts = [word.text for word in _unselected(told)[:4]]
    if told.name in TESTING or not LOOKING_FIRST.isdisjoint(texts[:2]):
        return []
    words = with_names_hidden(texts)
    if told.name in _BY_OWN_RULES:
        words = [text for text in words if not _PASSING.search(text)]
    return [text for text in words if len(text) <= _LONGEST]


def _unselected(told: Told) -> Sequence[Word]:
    """The operands but for those that an option before them takes to select something."""
    argv = told.command.argv
    if not told.options and not told.said[0].startswith("-"):
        return told.given.operands
    words = with_selections_hidden(argv)
    kept = [word for before, word in pairwise(words) if not _SELECTING.match(before.text)]
    if words is argv and len(kept) == len(told.texts):
        return told.given.operands
    return read_arguments(kept).operands


_RUNNING = names("fd fdfind xargs parallel")
"""Programs whose words are another command, which is judged by itself."""


def _ends(told: Told, words: list[str]) -> bool:
    """`vtctl DeleteShard x`, `ejabberdctl stop`."""
    if not words:
        return False
    if _MANAGER.search(told.name):
        spoken = [part for word in words[:3] if _NAME.fullmatch(word) for part in parts(word)]
        if PASSING.isdisjoint(spoken) and not ENDING_FOR_A_MANAGER.isdisjoint(spoken):
            return True
    if _FIRST_LOSING.match(words[0]) and INNOCENT.isdisjoint(parts(words[0])):
        return True
    return bool(told.options) and _takes_from(told.options, words)


def _takes_from(dashed: list[str], words: list[str]) -> bool:
    """`sometool uninstall --app blog`, `sometool subscription --remove x`: half of it is an option."""
    options = [text.partition("=")[0][2:] for text in dashed if text.startswith("--")]
    if words[0] in UNDOING and any(map(lasts, options)):
        return True
    return not TAKING_BY_OPTION.isdisjoint(options) and any(map(lasts, words[:3]))


def _restores(words: list[str]) -> bool:
    """`sometool branches restore main old`: what is there now is written over."""
    return "restore" in words and any(n in COPIED_OVER and verb == "restore" for n, verb in pairwise(words))


_TRYING = (
    "--dry",
    "--noop",
    "--no-op",
    "--no-act",
    "--what-if",
    "--whatif",
    "--preview",
    "--pretend",
    "--plan",
    "--dump-sql",
)


def _only_shows(told: Told) -> bool:
    shows = told.command.argv[-1].text in ("-h", "-n", "help", "--version", "-V")
    return shows or told.tries or told.given.has(*_TRYING)


def losing_task(command: Command) -> Iterator[Effect]:
    """A task of a framework that says by its name what is lost: `manage.py purge_tenants`."""
    if not is_for_tests(command):
        task = command.replace(argv=(Word("task"), *command.argv[1:]))
        yield from losing(Told(task), listed=True, strict=True)


def _first_options(told: Told) -> list[str]:
    few = len(told.texts) <= _MANY
    return told.options if few else [text for text in told.texts[:_MANY] if text.startswith("-")]


def losing(told: Told, *, listed: bool = False, strict: bool = False) -> Sequence[Effect]:
    """A subcommand that says by its name that something will be gone, of a program that nobody listed.

    A listed one has a table of what is lost without a word of it: there, no other word makes a verb worse.
    """
    command, name = told.command, told.name
    if name in SPEAKING or name in _RUNNING or name in _AT_HAND:
        return ()
    if "/" in command.argv[0].text and _lies_somewhere(command):
        return ()
    manner = Manner(strict=strict) if listed else _manner(told)
    words = _subcommands(told)
    named = bool(words) and (says_loss(words, manner) or _restores(words))
    if not named and told.options and name not in TESTING and words[:1] != ["clean"]:
        named = any(map(option_says_loss, _first_options(told)))
    named = named or (not listed and (_ends(told, words) or name_says_loss(name, manner)))
    if not named or _only_shows(told):
        return ()
    return (Effect(Action.CHANGE_CLOUD, "by-name", command, what=shown(command)),)


_JUDGE = lazy(
    r"(?:^|[-_.]|sql)(?:guard|check|lint|parse|format|valid|audit|scan|explain|classif|judge|analy[sz]e|glot|fluff)"
)


def _judges_text(command: Command) -> bool:
    """Whether the program says by its name, or by what it is told first, that it only looks at text."""
    return names_a_judge(command.argv[0]) or any(word.text in TAKING_TEXT for word in command.argv[1:4])


def names_a_judge(program: Word) -> bool:
    return bool(_JUDGE.search(program.text.rpartition("/")[2]))


_KEEPING = lazy(r"backup|bkp|^bup|snap|btrbk|zfs|archiv|duplic|restic")


def _manner(told: Told) -> Manner:
    name, texts, flags = told.name, told.texts, told.given.flags
    assured = not (flags.isdisjoint(_FORCING) and _FORCING_WORDS.isdisjoint(texts))
    assured = assured or any(map(str.endswith, texts, repeat("=all")))
    remote = _is_remote(told.command)
    keeps = ("backup",) if _KEEPING.search(name) else ()
    return Manner(
        forced=assured or remote or "-f" in flags,
        remote=remote,
        assured=assured,
        recursive=not flags.isdisjoint(_RECURSIVE),
        manages=bool(_MANAGER.search(name)),
        about=(*parts(name), *_module(told.said), *keeps),
    )


_RECURSIVE = ("-r", "-R", "--recursive")


def _module(texts: list[str]) -> tuple[str, ...]:
    """`py -m coverage erase`: the program is that module."""
    return parts(texts[texts.index("-m") + 1]) if "-m" in texts[:-1] else ()


def _is_remote(command: Command) -> bool:
    """Behind `ssh`: on a machine of others, or an appliance."""
    return bool(command.wrappers) and any(wrapper.place.startswith("ssh:") for wrapper in command.wrappers)


_STATEMENT = lazy(r"\s*(?:DROP|TRUNCATE|DELETE FROM)\s+(?!(?:the|a|an|this|that|it|all)\s)\w", re.IGNORECASE)


_PICKING = names("-k -t -g --grep --filter --name --match --testNamePattern --tests")
"""Options that pick tests by their names, also behind a program that runs another."""


_HARMLESS = ("--local", "--dry_run", "--dry-run")


def stated(command: Command) -> Iterator[Effect]:
    """SQL that loses data, given in one word to a program that may well run it."""
    if not any(map(contains, [word.text for word in command.argv], repeat(" "))):
        return
    if command.name in TESTING or any(word.text in _HARMLESS for word in command.argv):
        return
    for before, word in pairwise(command.argv):
        text = word.text.partition("=")[2] if word.text.startswith("--") else word.text
        if before.text in _PICKING:
            continue
        if _STATEMENT.match(text) and " " in text.strip() and not _judges_text(command):
            from fairlead.shell.effects.databases.sql_statements import sql_danger

            found = sql_danger(text)
            if found is not None:
                yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name)


_BLOCK_DEVICE = lazy(r"^/dev/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|md\d|dm-\d|mapper/)")
_DEVICE_READERS = names(
    """
    lsblk blkid smartctl file df ls cat mount umount udevadm hdparm findmnt stat fio iostat losetup lshw
    sg_inq sg_vpd sg_readcap dumpe2fs lsscsi blockdev partprobe xfs_info lsof fuser
    """
)


def on_device(command: Command) -> Sequence[Effect]:
    """A program that nobody listed, on a disk."""
    if command.name in _DEVICE_READERS:
        return ()
    for word in command.argv[1:]:
        if word.text.startswith("/dev/") and _BLOCK_DEVICE.match(word.text):
            return (Effect(Action.FORMAT, "resize", command, what=shown(command)),)
    return ()


_ASKS_NOTHING = lazy(
    r"^--(?:(?:allow-)?dangerously-(?:skip|bypass|allow|disable)-[\w-]+|skip-permissions(?:-unsafe)?|yolo"
    r"|trust-all-tools|allow-all-tools)$"
)
"""What no other kind of program has an option for."""


def unguarded(command: Command) -> Sequence[Effect]:
    """An agent that nobody listed, told to ask for nothing."""
    if command.name in SPEAKING:
        return ()
    for word in command.argv[1:]:
        if word.text.startswith("--") and _ASKS_NOTHING.match(word.text):
            return (Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command)),)
    return ()
