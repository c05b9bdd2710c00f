"""Whether a call may leave something to remember. It is asked of every call, so it is quick and loads little."""

from __future__ import annotations

from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.noting.kept_files import keeps_files
from fairlead.packs.noting.named_outputs import names_outputs
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.together.run_downloads import DOWNLOADERS
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

WRITING = frozenset((Action.WRITE, Action.OVERWRITE, Action.TRUNCATE))
LOSING = frozenset((Action.DELETE, Action.MOVE_AWAY))
_NOTED = WRITING | LOSING
BRINGING_TOOLS = frozenset((ToolKind.FETCH, ToolKind.WEB_SEARCH, ToolKind.MCP))
UNPACKING = names("tar bsdtar gtar unzip 7z 7za")
COPYING = names("scp rsync sftp")
SUMMING = names("sha256sum sha512sum sha384sum sha224sum sha1sum shasum b2sum md5sum b3sum")
SIGNING = names("gpg gpg2 gpgv minisign cosign signify sigstore")
TALKING = names("gh glab")
CLONING = {"svn": names("co checkout export"), "hg": names("clone"), "degit": names(""), "tiged": names("")}
IN_PLACE = names("gunzip gzip unxz xz bunzip2 bzip2 unzstd zstd uncompress lz4 brotli gpg gpg2")
"""Programs that choose the name of what they write."""
_GIT_WORDS = names("clone submodule apply am")
_BRANCHING, _BRANCH_OPTIONS = names("checkout switch worktree"), names("-b -c")
_FETCHING = (
    DOWNLOADERS | UNPACKING | COPYING | SUMMING | SIGNING | TALKING | CLONING.keys() | IN_PLACE | {"patch"}
)


def may_leave_something(tool: ToolCall, call: Call, verdict: Verdict) -> bool:
    script = call.script
    for effect in call.effects:
        if effect.action in _NOTED:
            return True
    for command in script.commands:
        if may_fetch(command) or keeps_files(command) or _makes_branch(command) or names_outputs(command):
            return True
    for outcome in verdict.outcomes:  # a rule was met, or an exception made of one
        if outcome.rule or outcome.metrics:
            return True
    return bool(script.code) or tool.kind in BRINGING_TOOLS


def may_fetch(command: Command) -> bool:
    """Whether it may leave something to note besides what it writes; git hardly ever does."""
    if command.name == "git":
        return not _GIT_WORDS.isdisjoint([word.text for word in command.argv[1:7]])
    return command.name in _FETCHING


def _makes_branch(command: Command) -> bool:
    if command.name != "git":
        return False
    texts = {word.text for word in command.argv[1:8]}
    return not texts.isdisjoint(_BRANCHING) and not texts.isdisjoint(_BRANCH_OPTIONS)
