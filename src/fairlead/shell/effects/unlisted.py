"""Programs that no family lists: what their words say of what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import is_dry_run, shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word
from fairlead.shell.tables import names

SPEAKING = names(
    "man tldr info apropos which type help echo printf grep rg alias history export test [ cat ls ag ack jq "
    "yq gron fx less more head tail diff bat wc cloc tokei sort uniq cut tr say figlet notify-send xdg-open"
)


_BY_OWN_RULES = names("make gmake just task npm yarn pnpm run mage rake invoke tox nox ros2 mosquitto_pub")
"""Programs whose subcommands the project itself names, or that publish messages."""


_PUBLISHING = lazy(
    r"^(?:[\w@/.:-]*[:.-])?(?:publish|unpublish|yank)(?:[-:][\w-]+)?$|^(?:github|push|gh|npm|publish)-release$"
)
_PUBLISHER = lazy(r"^(?:un)?publish(?:-|$)|semantic-release$|-publish$")
"""Programs that say it by their own name."""
_LONGEST = 80
"""No subcommand is longer than this."""


def _lies_somewhere(command: Command) -> bool:
    """Whether it is a program by its path, most likely of the project; a package with a scope is not."""
    text = command.argv[0].text
    return "/" in text and not text.startswith("@")


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
    return last or any(not re.match(r"[\d.\[]", text) for text in following)


_VIEWING = names("list ls show status info help check view history notes")
_VERB = (
    "(?:delete|destroy|drop|purge|wipe|terminate|nuke|obliterate|truncate|deprovision|decommission|teardown|undeploy"
    "|deleteall|unpublish)"
)
_LOSING = lazy(
    rf"^(?:\w[\w.:-]*[-_:.])?{_VERB}(?:[-_:][\w:-]*)?$"
    r"|^(?:delete|destroy|terminate|drop|purge)[A-Z]\w*$"
    r"|^(?:erase|wipe|factory|force)[_-](?:flash|all|region|data|reset|disk|delete|remove)$"
    r"|^[\w-]+[:.](?:reset|fresh)(?:[:.]\w+)?$|^[\w-]+(?::[\w-]+)*:(?:remove|rm)$"
    r"|^[a-z]+-flush$|^(?:app|user|host|node|service|cluster|project|site)[-_:](?:remove|rm|del)$"
    r"|^(?:remove|rm|del)[-_](?:app|user|host|node|service|cluster|project|site|member)s?$|^del(?:user|group|tree)$"
)
_FIRST_LOSING = lazy(r"^(?:Delete|Destroy|Terminate|Drop|Purge|Remove)[A-Z]\w*$")
"""Where functions of a server are its subcommands: `vtctl DeleteShard`."""
_MANAGER = lazy(r"(?:ctl|cli|admin)$")
"""Programs that manage something which runs elsewhere say so."""
_MANAGED = names(
    """
    app apps application user users host node nodes member group account project index repo org team server
    cluster volume service instance bucket database db table queue topic site domain env environment stack vm
    machine pod deployment realm space workspace schema collection alias extension tenant customer
    subscription backup snapshot
    """
)
_TAKING_AWAY = names(
    "rm remove uninstall deactivate archive leave unregister deregister drop wipe reset truncate"
)
_ENDING = names("stop kill deluser shutdown rm remove uninstall unregister deactivate leave archive")
_HALTING = names("stop halt pause suspend reboot deallocate shutdown kill")
_MACHINES = names("instance instances vm vms droplet droplets cluster clusters")
_STORES = names("db database schema migrate migrations")
_COPIES = names("branch branches backup backups snapshot snapshots instance instances database databases")
_EMPTYING = names("reset drop wipe fresh truncate clear nuke clean")
_LOSING_OPTION = lazy(
    r"^-kill$|^--(?:drop|kill|shutdown|(?:delete|destroy|wipe|erase|nuke|purge|drop|remove)-(?:all|everything|data|disks?|volumes?|databases?)"
    r"|destroy|nuke|autonuke|factory-reset|unregister)$"
)
_UNDOING = lazy(
    r"^(?:rm|remove|reset|revoke|cancel|clear|disable|unregister|erase|forget|prune|flush|evict|kill|deregister"
    r"|abandon|uninstall|remove-[a-z-]+|undeploy|teardown|tear-down|down|rollback|shutdown|detach|expire|format)$"
)
_FORCING = (
    *("-f", "--force", "-y", "--yes", "--all", "--purge", "--auto-approve", "--no-input", "--confirm"),
    *(
        "--no-prompt",
        "--no-confirm",
        "--non-interactive",
        "--everything",
        "--assume-yes",
        "--skip-confirmation",
    ),
)


_SELECTING = lazy(
    r"^(?:-[bkgtemnERq]|--?(?:grep|filter|focus|name|match|pattern|query|search|keys?|exclude|include|ignore|only|skip"
    r"|test|tests|spec|tags?|select|label|title|body|notes?|subject|summary|content|message|description|reason|comment|text|format|example)[\w-]*)$"
)
"""Options whose value says what to look at, or is text: no subcommand."""
TESTING = names(
    """
    pytest py.test nose2 vitest jest mocha ava tap jasmine karma cypress playwright wdio testcafe detox rspec
    minitest phpunit pest codecept busted ginkgo gotestsum behave robot bats cucumber ctest nextest
    cargo-nextest newman k6 artillery hurl tavern locust prove kotest specs2 behat pabot xcodebuild
    """
)
_LOOKING = names("help search describe explain lint view")
_PASSING = lazy(r"(?:^|[:.-])(?:tests?|specs?|e2e|cache|caches|tmp|temp|build|dist|coverage)(?:$|[:.-])")


def _subcommands(command: Command) -> Iterator[str]:
    """The first words that may name what the program shall do: no value of an option that selects."""
    words = [
        word for word, before in zip(command.argv[1:], command.argv, strict=False) if not _selected(before)
    ]
    given = read_arguments(words).operands[:4]
    if command.name in TESTING or any(word.text in _LOOKING for word in given[:2]):
        return
    for word in given:
        if not (command.name in _BY_OWN_RULES and _PASSING.search(word.text)):
            yield word.text


def _selected(before: Word) -> bool:
    return bool(_SELECTING.match(before.text))


_RUNNING = names("fd fdfind xargs parallel")
"""Programs whose words are another command, which is judged by itself."""


def _empties(command: Command, words: list[str]) -> bool:
    """`sometool db reset`, `vtctl DeleteShard x`, `podctl remove pod 1`."""
    pairs = list(pairwise(words))
    stores = any(noun in _STORES and verb in _EMPTYING for noun, verb in pairs)
    managed = any(
        (one in _MANAGED and two in _TAKING_AWAY) or (one in _TAKING_AWAY and two in _MANAGED)
        for one, two in pairs
    )
    halted = any(
        verb in _HALTING and noun in _MACHINES for pair in pairs for verb, noun in (pair, pair[::-1])
    )
    ends = bool(_MANAGER.search(command.name)) and any(word in _ENDING for word in words[:2])
    named = any(_FIRST_LOSING.match(word) for word in words[:1])
    return stores or managed or halted or ends or named or _takes_from(command, words)


def _takes_from(command: Command, words: list[str]) -> bool:
    """`sometool uninstall --app blog`: what goes is named by an option."""
    options = (word.text.partition("=")[0][2:] for word in command.argv[1:] if word.text.startswith("--"))
    return any(word in _TAKING_AWAY for word in words[:1]) and any(option in _MANAGED for option in options)


def _restores(words: list[str]) -> bool:
    """`sometool branches restore main old`: what is there now is written over."""
    return any(noun in _COPIES and verb == "restore" for noun, verb in pairwise(words))


def losing(command: Command, *, undoing: bool = True) -> Iterator[Effect]:
    """A subcommand that says by its name that something will be gone, of a program that nobody listed."""
    if command.name in SPEAKING or command.name in _RUNNING or _lies_somewhere(command):
        return
    given = read_arguments(command.argv[1:])
    forced = undoing and given.has(*_FORCING)
    words = [text for text in _subcommands(command) if len(text) <= _LONGEST]
    named = any(_LOSING.match(text) or (forced and _UNDOING.match(text)) for text in words)
    named = named or _restores(words) or (undoing and _empties(command, words))
    if not is_dry_run(given) and (named or any(_LOSING_OPTION.match(word.text) for word in command.argv[1:])):
        yield Effect(Action.CHANGE_CLOUD, "by-name", command, what=shown(command))


_STATEMENT = lazy(r"\s*(?:DROP|TRUNCATE|DELETE FROM)\s+\w", re.IGNORECASE)


def stated(command: Command) -> Iterator[Effect]:
    """SQL that loses data, given to a program that may well run it."""
    if any(word.text in ("--local", "--dry_run", "--dry-run") for word in command.argv):
        return
    for word in command.argv[1:]:
        text = word.text.partition("=")[2] if word.text.startswith("--") else word.text
        if _STATEMENT.match(text) and " " in text.strip():
            from fairlead.shell.effects.sql import sql_danger

            found = sql_danger(text)
            if found is not None:
                yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name)


_BLOCK_DEVICE = lazy(r"^/dev/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|md\d|dm-\d|mapper/)")
_DEVICE_READERS = names(
    "lsblk blkid smartctl file df ls cat mount umount udevadm hdparm findmnt stat fio iostat losetup "
    "lshw sg_inq sg_vpd sg_readcap dumpe2fs lsscsi blockdev partprobe xfs_info"
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
