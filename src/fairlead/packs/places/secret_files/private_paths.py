"""Files that hold what people wrote, typed or visited: no keys, and nobody else's business."""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_HISTORY = lazy(
    r"/\.(?:(?:bash|zsh|sh|ash|ksh|fish|csh|python|node_repl|ts_node_repl|mysql|psql|sqlite|rediscli|mongo|mongosh"
    r"|irb|pry|php|scala|erlang|octave|gdb|lldb|duckdb|clickhouse|influx)[_-]?(?:history|hist)|history|histfile|zhistory"
    r"|lesshst|viminfo|dbshell|wget-hsts|sh_history)$|/(?:fish_history|ConsoleHost_history\.txt)$"
    r"|/\.zsh_sessions/|/\.bash_sessions/|/nvim/shada/"
)
_PERSONAL = lazy(
    r"^(?:/(?:Users|home)/[^/]+|/root)?/Library/(?:Messages|Mail|Calendars|Safari|Accounts|Suggestions|CallServices|IdentityServices|PersonalizationPortrait"
    r"|Application Support/(?:AddressBook|CallHistoryDB|com\.apple\.TCC|MobileSync|Knowledge|WhatsApp|Telegram Desktop|Signal)"
    r"|Containers/com\.apple\.(?:Safari|mail|Notes|iChat|MobileSMS|reminders)"
    r"|Group Containers/(?:group\.com\.apple\.(?:notes|reminders|mail)|group\.net\.whatsapp\S*))(?:/|$)"
    r"|/(?:places\.sqlite|formhistory\.sqlite|NoteStore\.sqlite|knowledgeC\.db|com\.apple\.LaunchServices\.Quarantine\S*)$"
    r"|/(?:\.config|Library/Application Support)/(?:google-chrome|Google/Chrome|chromium|Chromium|BraveSoftware|microsoft-edge"
    r"|Microsoft Edge|vivaldi)/.*/(?:History|Bookmarks|Top Sites|Visited Links|Favicons)$"
    r"|/\.thunderbird/|/(?:Maildir|\.mail)/|^/var/(?:spool/)?mail/[^/]+"
)
_WHOLE = lazy(
    r"^/(?:(?:home|Users)(?:/[^/]+)?|root|etc)(?:/(?:Documents|Desktop|Pictures|Movies|Photos))?$|^/$"
)
"""A home, or what people keep in it, as a whole."""
_PACKING = names("tar gtar bsdtar zip 7z 7za 7zz rar ditto hdiutil cpio")
_EVERYONES = frozenset(("/", "/home", "/Users", "/root", "/etc"))
_COPYING = names("cp gcp rsync")
_RAW = lazy(
    r"^/dev/(?:r?disk\d\w*|sd[a-z]+\d*|vd[a-z]+\d*|xvd[a-z]+\d*|nvme\d+n\d+(?:p\d+)?|mapper/[^/]+|dm-\d+)$"
)
_DUMPING = names(
    "dd dcfldd cat strings xxd od hexdump grep pv debugfs foremost photorec testdisk bulk_extractor"
)
_FEW = 50
"""How many of the last commands are no more than what one did a moment ago."""
_SEARCHING = names("grep egrep fgrep rg ag ack")
_SECRETIVE = lazy(r"(?i)pass|pwd|secret|token|key|cred|login|ssh|auth|sudo|curl|mysql|\.\*|^\.$|^$")
_MEASURING = names("wc ls stat du file test md5sum sha256sum shasum")


def is_history(path: str) -> bool:
    return bool(_HISTORY.search(path))


def is_personal(path: str) -> bool:
    return bool(_PERSONAL.search(path))


def shows_private(effect: Effect, scene: Scene) -> bool:
    """Whether a read shows more of such a file than one thing that is looked for."""
    target = effect.target
    if target is None or not target.path or effect.name in ("source", ".", "git-add"):
        return False
    paths = {target.path, target.real} - {""}
    if any(map(is_personal, paths)) or _as_a_whole(effect, paths):
        return True
    return any(map(is_history, paths)) and not _shows_little(effect.command)


def _as_a_whole(effect: Effect, paths: Set[str]) -> bool:
    """A home that is packed or copied, a disk that is read past its permissions. The folder of `tar -C` is only
    where it looks."""
    command = effect.command
    texts = [word.text for word in command.argv[1:]]
    if command.name in _PACKING:
        unpacks = command.name.endswith("tar") and any(map(_UNPACKS.match, texts[:1]))
        return effect.name != "given" and not unpacks and any(map(_WHOLE.search, paths))
    if command.name in _COPYING:
        return not _EVERYONES.isdisjoint(paths)
    little = any(map(_COUNTED.match, texts)) or (
        command.name == "debugfs" and not any(map(_TAKEN_OUT.search, texts))
    )
    return command.name in _DUMPING and not little and any(map(_RAW.search, paths))


_COUNTED = lazy(r"count=\d{1,2}\b")
"""No more than where a table of partitions stands."""
_TAKEN_OUT = lazy(r"^\s*(?:cat|dump|rdump)\b")
_UNPACKS = lazy(r"^-?[a-zA-Z]*x|^--extract$|^-?t")


def _shows_little(command: Command) -> bool:
    texts = [word.text for word in command.argv[1:]]
    if command.name in _MEASURING:
        return True
    if command.name in _SEARCHING:
        patterns = [text for text in texts if not text.startswith("-")][:1]
        return bool(patterns) and not any(map(_SECRETIVE.search, patterns))
    return command.name in ("tail", "head") and 0 < _count(texts) <= _FEW


def _count(texts: list[str]) -> int:
    """How many lines are asked for; ten without a word about it."""
    for before, text in pairwise(("", *texts)):
        number = (
            text
            if before in ("-n", "--lines")
            else text.removeprefix("--lines=").removeprefix("-n").lstrip("-")
        )
        if number.isdigit() and (before in ("-n", "--lines") or text.startswith("-")):
            return int(number)
    return 0 if any(text.startswith(("-c", "--bytes", "-n")) for text in texts) else 10
