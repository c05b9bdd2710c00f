"""What the rules say of what a file would run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.model.value import Value
from fairlead.packs.judging.call_effects import Call
from fairlead.packs.judging.judge import Match, find_matches, told_words
from fairlead.packs.judging.losses.committed_work import PersonsOwn
from fairlead.packs.judging.pipeline_files import leaking_commands
from fairlead.packs.judging.readings import understood_with
from fairlead.packs.project_files.owners import COMMITTED
from fairlead.packs.project_files.sight import FileRead
from fairlead.packs.repository.states import LOST, MODIFIED
from fairlead.packs.rule import Level, Scene, Severity
from fairlead.scan.finding import Finding
from fairlead.scan.kinds import Kind
from fairlead.scan.pipeline_faults import LEAKS, RUNS_UNSEEN, finding_of
from fairlead.scan.repository_files import RepositoryFiles
from fairlead.scan.unit import Unit
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.together.run_downloads import DOWNLOADERS
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.normal_form import command_text
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command, Origin
from fairlead.shell.word_sets import names


class AnyWork:
    """The work tree where a file will run is not this one. What a script deletes by name it may have made
    itself; what it discards as a whole may be work that no commit has."""

    def __call__(self, root: str, paths: Sequence[str], lost: frozenset[str] = LOST) -> str:
        return "" if paths else MODIFIED

    def tracks(self, root: str, paths: Sequence[str]) -> bool:
        return False

    def set_to(self, root: str, revisions: Sequence[str]) -> str:
        return MODIFIED


class Judge(Value):
    """Judges units of one repository. `strict`: all that the rules know counts, not only what nobody
    would put up with in a committed file."""

    where: Surroundings
    files: RepositoryFiles
    strict: bool = False

    def findings(self, unit: Unit, kind: Kind) -> Iterator[Finding]:
        """Without what stands in the line itself, which belongs to whoever knows the file."""
        reader = self.files.with_shadows(unit.shadows)
        read = understood_with(unit.call, unit.folder, self.where, reader)
        paths = dict.fromkeys(file.path for file in read.script.files)
        files = tuple(FileRead(path, "", COMMITTED, path) for path in paths)
        call = Call(self.where, read.script, read.effects, unit.call, is_shell=True, files=files)
        for (origin, _), match in self._strongest(call, kind).items():
            yield self._finding(match, origin, unit)
        if kind.is_pipeline:
            yield from self._leaks(call)

    def _strongest(self, call: Call, kind: Kind) -> dict[tuple[Origin, str], Match]:
        """The strongest match for each command that stands in a file."""
        scene = Scene(call.script, self.where, AnyWork(), Level.STANDARD)
        found: dict[tuple[Origin, str], Match] = {}
        for match in find_matches(call.effects, kind.packs, scene, None if self.strict else PersonsOwn(call)):
            command = match.effect.command
            if command.origin is None or not self._counts(match, kind):
                continue
            key = (command.origin, command_text(command))
            if key not in found or _weight(match) > _weight(found[key]):
                found[key] = match
        return found

    def _counts(self, match: Match, kind: Kind) -> bool:
        return self.strict or (match.rule.severity >= Severity.HIGH and not kind.is_pipeline)

    def _finding(self, match: Match, origin: Origin, unit: Unit) -> Finding:
        rule, text = match.rule, command_text(match.effect.command)
        words = told_words(match.effect)
        if words["what"] in unit.call:  # nobody wrote the call
            words["what"] = text
        return Finding(
            self._inside(origin.path),
            origin.line,
            rule.id,
            rule.severity,
            self._told(rule.reason.format_map(words)),
            self._told(rule.alternative.format_map(words)),
            source=words["what"],
            way=self._way(origin),
        )

    def _leaks(self, call: Call) -> Iterator[Finding]:
        checks = [command for command in call.script.commands if _checks_sum(command)]
        for command in leaking_commands(call.script, call.effects, self.where):
            verified = command.name not in DOWNLOADERS and any(_before(check, command) for check in checks)
            if command.origin is not None and not verified:
                runs = any(
                    each.action is Action.RUN_NETWORK_CODE and each.command is command
                    for each in call.effects
                )
                said = RUNS_UNSEEN if runs else LEAKS
                place, line = self._inside(command.origin.path), command.origin.line
                source, way = command_text(command), self._way(command.origin)
                yield finding_of(said, place, line, source=source, way=way)

    def _way(self, origin: Origin) -> str:
        return " → ".join(f"{self._inside(each.path)}:{each.line}" for each in origin.chain[:-1])

    def _inside(self, path: str) -> str:
        return path.removeprefix(self.where.root.rstrip("/") + "/")

    def _told(self, text: str) -> str:
        """Without the folders of whoever scans."""
        text = text.replace(f"{self.where.root.rstrip('/')}/", "")
        home = self.where.home
        return text.replace(f"{home}/", "~/").replace(home, "~") if len(home) > 1 else text


def _weight(match: Match) -> tuple[int, int]:
    return match.rule.decision, match.rule.severity


_SUMS = lazy(r"(?:sha\d*|md5|b2|b3|ck|sha512/256)sum\Z|shasum\Z|(?:cosign|minisign|gpgv?)\Z")
_CHECKS = names("-c --check -s --status -sc -cs --strict verify verify-blob --verify -V -Vm")


def _checks_sum(command: Command) -> bool:
    """Whether it compares a file with a sum or a signature that the pipeline knows."""
    return bool(_SUMS.match(command.name)) and any(word.text in _CHECKS for word in command.argv[1:])


def _before(first: Command, second: Command) -> bool:
    one, two = first.origin, second.origin
    return one is not None and two is not None and one.path == two.path and one.line <= two.line
