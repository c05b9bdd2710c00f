"""Programs that no family lists: what their words say of what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.for_tests import is_for_tests
from fairlead.shell.effects.options import Arguments, read_arguments
from fairlead.shell.effects.plain_names import with_names_hidden, with_selections_hidden
from fairlead.shell.effects.saying import Manner, name_says_loss, option_says_loss, says_loss
from fairlead.shell.effects.subcommands import is_dry_run, shown
from fairlead.shell.effects.vocabulary import INNOCENT, PASSING, UNDOING, lasts, parts
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.tables import names

SPEAKING = names(
    """
    [ ack ag alias apropos bat cat cloc cut diff echo export figlet fx grep gron head help history info jq
    last lastb less ls man more notify-send printf rg say sort tail test tldr tokei tr type uniq wc which
    who xdg-open yq
    """
)


_BY_OWN_RULES = names("make gmake just task npm yarn pnpm run mage rake invoke tox nox ros2 mosquitto_pub")
"""Programs whose subcommands the project itself names, or that publish messages."""


_PUBLISHING = lazy(
    r"^(?:[\w@/.:-]*[:.-])?(?:publish|unpublish|yank)(?:[-:][\w-]+)?$|^(?:github|push|gh|npm|publish)-release$"
)
_PUBLISHER = lazy(r"^(?:un)?publish(?:-|$)|semantic-release$|-publish$", re.IGNORECASE)
"""Programs that say it by their own name."""
_LONGEST = 80
"""No subcommand is longer than this."""


_OF_PROGRAMS = lazy(r"(?:^|/)s?bin/[^/]+$|/\.bin/[^/]+$")


def _lies_somewhere(command: Command) -> bool:
    """Whether it is a program by its path, most likely of the project; one in a folder of programs is not,
    nor a package with a scope."""
    text = command.argv[0].text
    own = "/" in text and not text.startswith("@") and not _OF_PROGRAMS.search(text)
    return own and not _is_remote(command)


def publishing(command: Command, *, listed: bool = False) -> Iterator[Effect]:
    """A subcommand that says by its name that others will get it, of a program that nobody listed."""
    if command.name in SPEAKING or command.name in _BY_OWN_RULES or _lies_somewhere(command):
        return
    given = read_arguments(command.argv[1:])
    words = [word.text[:_LONGEST] for word in given.operands[:3]]
    if is_dry_run(given) or any(word in _VIEWING for word in words):
        return
    named = any(_PUBLISHING.match(word) for word in words[:2])
    unlisted = words[:1] in (["release"], ["promote"]) or _PUBLISHER.search(command.name)
    told = _is_told(command, "--publish") or given.has("--auto-publish")
    if named or told or (unlisted and not listed):
        yield Effect(Action.PUBLISH_PACKAGE, "publish", command, what=shown(command))


def _is_told(command: Command, option: str) -> bool:
    """Whether the option stands there without a value: `--publish 8080:80` is a port."""
    following = [after.text for word, after in pairwise(command.argv) if word.text == option]
    last = command.argv[-1].text == option
    return last or any(not re.match(r"[\d.\[]|(?:never|false)$", text) for text in following)


_VIEWING = names("list ls show status info help check view history notes")
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
_ENDING = names(
    """
    stop kill shutdown rm rmr del remove uninstall unregister deactivate leave archive flush reset forget
    evict kick disconnect unban deregister offboard unload
    """
)
_NAME = lazy(r"[A-Za-z][\w:-]*")
_COPIES = names("branch branches backup backups snapshot snapshots instance instances database databases")
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
    cargo-nextest newman k6 artillery hurl tavern locust prove kotest specs2 behat pabot xcodebuild
    """
)
_LOOKING = names("help search describe explain lint view")
_PASSING = lazy(r"(?:^|[:.-])(?:tests?|specs?|e2e|cache|caches|tmp|temp|build|dist|coverage)(?:$|[:.-])")


def _subcommands(command: Command) -> Iterator[str]:
    """The first words that may name what the program shall do: no value of an option that selects."""
    words = [word for before, word in pairwise(with_selections_hidden(command.argv)) if not _selected(before)]
    given = read_arguments(words).operands[:4]
    if command.name in TESTING or any(word.text in _LOOKING for word in given[:2]):
        return
    for text in with_names_hidden([word.text for word in given]):
        if not (command.name in _BY_OWN_RULES and _PASSING.search(text)):
            yield text


def _selected(before: Word) -> bool:
    return bool(_SELECTING.match(before.text))


_RUNNING = names("fd fdfind xargs parallel")
"""Programs whose words are another command, which is judged by itself."""


def _ends(command: Command, words: list[str]) -> bool:
    """`vtctl DeleteShard x`, `ejabberdctl stop`."""
    told = [part for word in words[:3] if _NAME.fullmatch(word) for part in parts(word)]
    ends = (
        not PASSING.intersection(told)
        and bool(_MANAGER.search(command.name))
        and any(part in _ENDING for part in told)
    )
    first = any(_FIRST_LOSING.match(word) and not INNOCENT.intersection(parts(word)) for word in words[:1])
    return ends or first or _takes_from(command, words)


_TAKEN = names("remove purge uninstall unregister revoke evict")


def _takes_from(command: Command, words: list[str]) -> bool:
    """`sometool uninstall --app blog`, `sometool subscription --remove x`: half of it is an option."""
    options = [word.text.partition("=")[0][2:] for word in command.argv[1:] if word.text.startswith("--")]
    taken = any(word in UNDOING for word in words[:1]) and any(lasts(option) for option in options)
    return taken or (any(lasts(word) for word in words[:3]) and any(option in _TAKEN for option in options))


def _restores(words: list[str]) -> bool:
    """`sometool branches restore main old`: what is there now is written over."""
    return any(noun in _COPIES and verb == "restore" for noun, verb in pairwise(words))


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


def _only_shows(command: Command, given: Arguments) -> bool:
    shows = command.argv[-1].text in ("-h", "-n", "help", "--version", "-V")
    return shows or is_dry_run(given) or given.has(*_TRYING)


def losing_task(command: Command) -> Iterator[Effect]:
    """A task of a framework that says by its name what is lost: `manage.py purge_tenants`."""
    if not is_for_tests(command):
        yield from losing(command.replace(argv=(Word("task"), *command.argv[1:])), listed=True, strict=True)


def losing(command: Command, *, listed: bool = False, strict: bool = False) -> Iterator[Effect]:
    """A subcommand that says by its name that something will be gone, of a program that nobody listed.

    A listed one has a table of what is lost without a word of it: there, no other word makes a verb worse.
    """
    name = command.name
    if name in SPEAKING or name in _RUNNING or name in _AT_HAND or _lies_somewhere(command):
        return
    given = read_arguments(command.argv[1:])
    manner = Manner(strict=strict) if listed else _manner(command, given)
    words = [text for text in _subcommands(command) if len(text) <= _LONGEST]
    named = says_loss(words, manner) or _restores(words)
    cleans = name in TESTING or words[:1] == ["clean"]
    named = named or (not cleans and any(option_says_loss(word.text) for word in command.argv[1:65]))
    named = named or (not listed and (_ends(command, words) or name_says_loss(name, manner)))
    if named and not _only_shows(command, given):
        yield Effect(Action.CHANGE_CLOUD, "by-name", command, what=shown(command))


TAKING_TEXT = names(
    """
    add note check explain judge ask say log comment describe remember search classify lint parse format
    fmt validate tokenize highlight analyze scan audit
    """
)
"""Subcommands that take text to keep, to show or to look at."""
_JUDGE = lazy(
    r"(?:^|[-_.]|sql)(?:guard|check|lint|parse|format|valid|audit|scan|explain|classif|judge|analy[sz]e|glot|fluff)"
)


def _judges_text(command: Command) -> bool:
    """Whether the program says by its name, or by what it is told first, that it only looks at text."""
    return names_a_judge(command.argv[0]) or any(word.text in TAKING_TEXT for word in command.argv[1:4])


def names_a_judge(program: Word) -> bool:
    return bool(_JUDGE.search(program.text.rpartition("/")[2]))


_KEEPING = lazy(r"backup|bkp|^bup|snap|btrbk|zfs|archiv|duplic|restic")


def _manner(command: Command, given: Arguments) -> Manner:
    texts = [word.text for word in command.argv[1:]]
    assured = given.has(*_FORCING) or any(text in _FORCING_WORDS or text.endswith("=all") for text in texts)
    keeps = ("backup",) if _KEEPING.search(command.name) else ()
    return Manner(
        forced=assured or given.has("-f") or _is_remote(command),
        remote=_is_remote(command),
        assured=assured,
        recursive=given.has("-r", "-R", "--recursive"),
        manages=bool(_MANAGER.search(command.name)),
        about=(*parts(command.name), *_module(command), *keeps),
    )


def _module(command: Command) -> tuple[str, ...]:
    """`py -m coverage erase`: the program is that module."""
    return next((parts(after.text) for word, after in pairwise(command.argv) if word.text == "-m"), ())


def _is_remote(command: Command) -> bool:
    """Behind `ssh`: on a machine of others, or an appliance."""
    return any((wrapper.place or "").startswith("ssh:") for wrapper in command.wrappers)


_STATEMENT = lazy(r"\s*(?:DROP|TRUNCATE|DELETE FROM)\s+(?!(?:the|a|an|this|that|it|all)\s)\w", re.IGNORECASE)


_PICKING = names("-k -t -g --grep --filter --name --match --testNamePattern --tests")
"""Options that pick tests by their names, also behind a program that runs another."""


def stated(command: Command) -> Iterator[Effect]:
    """SQL that loses data, given to a program that may well run it."""
    if any(word.text in ("--local", "--dry_run", "--dry-run") for word in command.argv):
        return
    if command.name in TESTING:
        return
    for before, word in pairwise(command.argv):
        text = word.text.partition("=")[2] if word.text.startswith("--") else word.text
        if before.text in _PICKING:
            continue
        if _STATEMENT.match(text) and " " in text.strip() and not _judges_text(command):
            from fairlead.shell.effects.sql import sql_danger

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


def on_device(command: Command) -> Iterator[Effect]:
    """A program that nobody listed, on a disk."""
    if command.name in _DEVICE_READERS:
        return
    if any(_BLOCK_DEVICE.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.FORMAT, "resize", command, what=shown(command))


_ASKS_NOTHING = lazy(
    r"^--(?:(?:allow-)?dangerously-(?:skip|bypass|allow|disable)-[\w-]+|skip-permissions(?:-unsafe)?|yolo"
    r"|trust-all-tools|allow-all-tools)$"
)
"""What no other kind of program has an option for."""


def unguarded(command: Command) -> Iterator[Effect]:
    """An agent that nobody listed, told to ask for nothing."""
    if command.name not in SPEAKING and any(_ASKS_NOTHING.match(word.text) for word in command.argv[1:]):
        yield Effect(Action.CHANGE_GUARD, "unguarded-agent", command, what=shown(command))
