"""What stands in a text that would be written or sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fairlead.model.decision import Decision
from fairlead.model.hook import Evidence, Outcome
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.places.agent_settings import approves_tools, starts_without_hooks
from fairlead.packs.places.package_settings import foreign_source
from fairlead.secrets.detect import Finding, find_secrets
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command

_PIECE = 1 << 20
_OVERLAP = 1 << 16
"""More than any key material is long, so that none is cut in two."""
_LIKELY = frozenset(("assigned-secret", "url-password", "jwt"))
"""Kinds that only their surroundings make a secret: a person is asked."""

_KEY_BEGINS = lazy(r"-----BEGIN (?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY-----\s{1,4}[A-Za-z0-9+/]{16}")
"""In what a tool is told, the beginning of a key is enough: the rest may come with the next call."""
_WRITERS = ("cat", "echo", "printf", "tee")
_SIGNED = lazy(r"[?&](?:X-Amz-Credential|AWSAccessKeyId|X-Goog-Credential|sig)=")
_TEST_FILE = lazy(
    r"/(?:tests?|spec|fixtures?|__tests__|testdata)/|[._-](?:test|spec)\.|/test_[^/]+$|\.(?:md|rst|example|sample)$"
)


def content_objections(call: Call) -> Iterator[Outcome]:
    """Key material in a written or sent text, or a pipeline that would leak some; the weightiest first."""
    if call.said:
        told = [finding for finding in _secrets_in(call.said) if finding.kind not in _LIKELY]
        told += [Finding("private-key", *key.span()) for key in _KEY_BEGINS.finditer(call.said)]
        if told:
            yield _objection(told[0], call)
    text = call.content
    if not text:
        return
    if call.effects:
        yield from _danger_in_files(call, text)
    secrets = _secrets_in(text)
    findings = [finding for finding in secrets if not _excused(finding, call)] if secrets else ()
    if findings:
        yield _objection(max(findings, key=lambda found: found.kind not in _LIKELY), call)


def _secrets_in(text: str) -> Sequence[Finding]:
    """All of it, however long, piece by piece: another thread may run in between."""
    if len(text) <= _PIECE:
        return find_secrets(text)
    found = []
    for start in range(0, len(text), _PIECE - _OVERLAP):
        for one in find_secrets(text[start : start + _PIECE]):
            found.append(one.replace(start=one.start + start, end=one.end + start))
    return found


def _danger_in_files(call: Call, text: str) -> Iterator[Outcome]:
    """What the files would do that the text goes to."""
    from fairlead.packs.judging.pipeline_files import LONGEST_FILE, found_in_file, is_run_elsewhere
    from fairlead.packs.protected.carried_commands import found_in_document

    paths = written_paths(call)
    for path, written in _written_files(call, text, paths):
        if len(written) > LONGEST_FILE and is_run_elsewhere(path):
            yield _unread(path, written)
            break
        danger = found_in_file(path, written, call.where)
        if danger:
            yield _leak(danger)
            break
    if not paths:
        return
    text = text[:_PIECE]
    found = None if call.is_shell else found_in_document(paths, text, call.where)
    off = starts_without_hooks(paths, text)
    yield from filter(None, (off, found, foreign_source(paths, text), approves_tools(paths, text)))


def _leak(danger: str) -> Outcome:
    return Outcome(
        decision=Decision.BLOCK,
        reason="This file would send secrets away, or run what a server sends, on every machine that uses it.",
        rule="ci/pipeline-leak",
        system_message="A pipeline or an install script would leak secrets or run code from the network.",
        evidence=(Evidence(danger, detail="in a file that machines run by themselves"),),
        alternative="Use a pinned action, and give a secret only to the step that needs it.",
    )


def _unread(path: str, text: str) -> Outcome:
    from fairlead.packs.judging.pipeline_files import LONGEST_FILE

    name = path.rsplit("/", 1)[-1]
    return Outcome(
        decision=Decision.ASK,
        reason=f"{name} has {len(text):,} characters, too many to be read, and machines run it by themselves.",
        rule="ci/pipeline-leak",
        system_message="A pipeline or an install script is too long for Fairlead to read.",
        evidence=(Evidence(name, detail=f"more than {LONGEST_FILE:,} characters"),),
        alternative="Keep what machines run in a file of its own.",
    )


def _written_files(call: Call, text: str, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each file with what would stand in it; where a shell's writer was given the text, as it writes it."""
    from fairlead.packs.judging.pipeline_files import is_run_elsewhere

    for path in paths:
        yield path, text
    for effect in call.effects if call.is_shell else ():
        if effect.action not in (Action.WRITE, Action.OVERWRITE) or not effect.target:
            continue
        if not is_run_elsewhere(effect.target.path):
            continue
        if effect.command.stdin.text:
            yield effect.target.path, effect.command.stdin.text
        words = "\n".join(_pieces(effect.command))
        yield effect.target.path, words.replace("\\n", "\n").replace("\\t", "\t")


_ADDED = lazy(r"^[$\d,]{0,20}[aic]\\\n?")
"""How an editor of streams is told to add a line."""


def _pieces(command: Command) -> Iterator[str]:
    """What a command was given to write; text inside code stands between quotes."""
    for word in command.argv[1:]:
        for text in re.split(r"[\"']", word.text) if command.name not in _WRITERS else (word.text,):
            yield _ADDED.sub("", text)


def written_paths(call: Call) -> list[str]:
    """Where the text goes: the file of a tool, or what the shell's own writers are sent to."""
    paths = []
    for effect in call.effects:
        written = not call.is_shell or (
            effect.action in (Action.WRITE, Action.OVERWRITE) and effect.command.name in _WRITERS
        )
        if effect.target is not None and written:
            paths.append(effect.target.path)
    return paths


def _excused(finding: Finding, call: Call) -> bool:
    """A password in a test, a document or a connection string on the command line is everyday work; so is an
    address that was signed for one download."""
    if call.is_address:
        return finding.kind in _LIKELY or bool(_SIGNED.search(call.content))
    if not is_likely_only(finding):
        return False
    if call.is_shell:
        return True
    return any(is_test_file(effect.target.path) for effect in call.effects if effect.target is not None)


def _objection(finding: Finding, call: Call) -> Outcome:
    writes = not call.is_shell or any(_is_writing(call))
    certain = finding.kind not in _LIKELY
    return Outcome(
        decision=Decision.BLOCK if certain and writes else Decision.ASK,
        reason=f"The text holds a secret ({finding.kind}). Written or sent, it is no longer one.",
        rule="secrets/key-in-content",
        system_message="A key, token or password would be written to a file or sent.",
        evidence=(
            Evidence(
                f"[{finding.kind}]",
                "",
                finding.start,
                finding.end,
                f"{finding.kind} at character {finding.start}",
            ),
        ),
        alternative="Read it from the environment where it is used, and name only the variable.",
    )


def is_likely_only(finding: Finding) -> bool:
    """Whether only what stands around it makes it a secret."""
    return finding.kind in _LIKELY


def is_test_file(path: str) -> bool:
    """Whether what stands in the file is made up for tests, or for people to read."""
    return bool(_TEST_FILE.search(path))


def _is_writing(call: Call) -> Iterator[bool]:
    for effect in call.effects:
        yield effect.action in (Action.WRITE, Action.OVERWRITE, Action.SEND_DATA)
