"""One `hook.meta.yaml`: its text becomes entries and problems. All problems of a file at once (law 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.errors import RegistrationError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.event_name import GATING, ORIGINAL_EVENTS, EventName, event_named, known_event_names
from fairlead.model.failure import NOTHING
from fairlead.model.hook import ENFORCE, STRICT, Header, HookType
from fairlead.model.matching.matcher import matcher_from
from fairlead.model.value import Value
from fairlead.policy.reading.document import Marked, UnreadableFileError, parse_document
from fairlead.policy.reading.entry import DEFAULT_TIMEOUT, Entry, Provider, guards_for_file
from fairlead.policy.reading.problem import WARNING, Problem, failure_of
from fairlead.policy.reading.report import Fields, Report, read_fields, report_flaws
from fairlead.policy.reading.schema import (
    ENTRY_KEYS,
    FILE_KEYS,
    MAPPING,
    PROVIDER_KEYS,
    TEXT,
    known_providers,
    suggestion,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.policy.reading.approvals import Approval

MAX_TIMEOUT = 3600.0
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class LoadedFile(Value):
    """What one file says. `event` is None when that could not be read; then its guards stand for it."""

    path: str
    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    event: EventName | None = None
    default_decision: Decision | None = None
    providers: Mapping[str, Provider] = NOTHING  # type: ignore[assignment]
    readable: bool = True
    approvals: tuple[Approval, ...] = ()


def load_file(content: bytes, path: str, *, layer: str) -> LoadedFile:
    """Never raises for what the file says."""
    try:
        document = parse_document(content, path)
    except UnreadableFileError as error:
        return unreadable_file(path, error.problem, layer=layer)
    if document.kind != MAPPING:
        problem = Problem(path, document.line, document.column, "a policy is a mapping", "start with `id:`")
        return unreadable_file(path, problem, layer=layer)
    return _File(document, path, layer).load()


def unreadable_file(path: str, problem: Problem, *, layer: str) -> LoadedFile:
    guards = guards_for_file(path, [problem], layer=layer)
    return LoadedFile(path, tuple(guards), (problem,), readable=False)


class _File:
    """One walk through a document."""

    def __init__(self, document: Marked, path: str, layer: str) -> None:
        self.path, self.layer = path, layer
        self.report = Report(path)
        self.fields, self.written = read_fields(document, FILE_KEYS, self.report)
        self.document = document

    def load(self) -> LoadedFile:
        event = self._event()
        self._check_version()
        providers = self._providers()
        default = self._default_decision()
        nodes = self.fields["middleware"].items if "middleware" in self.fields else ()
        reports = [Report(self.path) for _ in nodes]
        shared = self._shared(event, providers)
        entries = [
            _Reader(node, report, shared, number).entry()
            for number, (node, report) in enumerate(zip(nodes, reports, strict=True), start=1)
        ]
        rules, rule_reports = self._rules(shared)
        entries += rules
        reports += rule_reports
        approvals = self._approvals(event)
        own = self.report.errors
        standing = [entry for entry in entries if not (entry.broken and entry.observes)]
        if event is None:
            standing = []
        if own and not (entries and all(entry.observes for entry in entries)):
            events = GATING if event is None else (event,)
            standing += guards_for_file(self.path, own, layer=self.layer, events=events)
        problems = [*self.report.problems, *(p for report in reports for p in report.problems)]
        problems.sort(key=lambda problem: (problem.line, problem.column))
        return LoadedFile(
            self.path, tuple(standing), tuple(problems), event, default, providers, approvals=approvals
        )

    def _approvals(self, event: EventName | None) -> tuple[Approval, ...]:
        if "approve" not in self.fields:
            return ()
        from fairlead.policy.reading.approvals import read_approvals

        return read_approvals(self.fields["approve"], event, self.path, self.layer, self.report)

    def _rules(self, shared: Entry) -> tuple[list[Entry], list[Report]]:
        if "rules" not in self.fields:
            return [], []
        from fairlead.policy.reading.rules import rule_entry

        nodes = self.fields["rules"].items
        reports = [Report(self.path) for _ in nodes]
        pairs = enumerate(zip(nodes, reports, strict=True), start=1)
        return [rule_entry(node, shared, number, report) for number, (node, report) in pairs], reports

    def _event(self) -> EventName | None:
        given = self.fields.get("event")
        if given is None:
            if "event" not in self.written:
                self.report.add(self.document, "missing key 'event'", f"add {FILE_KEYS['event'].example}")
            return None
        name = str(given.value)
        event = event_named(name)
        if event is not EventName.OTHER:
            return event
        hint = suggestion(name, known_event_names(), otherwise="for example PreToolUse or SessionStart")
        self.report.add(given, f"unknown event {name!r}", hint)
        return None

    def _check_version(self) -> None:
        version = self.fields.get("version")
        if version is not None and version.value != 1:
            self.report.add(version, f"version {version.value} is not known here", "this Fairlead reads 1")

    def _default_decision(self) -> Decision | None:
        given = self.fields.get("default_decision")
        return DECISION_WORDS[str(given.value)] if given else None

    def _providers(self) -> dict[str, Provider]:
        sections: dict[str, Provider] = {}
        known = known_providers()
        for key, value in self.fields["providers"].pairs if "providers" in self.fields else ():
            name = str(key.plain)
            if value.kind != MAPPING:
                self.report.add(value, f"section {name!r} must be a mapping", "for example {timeout: 60}")
                continue
            if name not in known:
                self.report.add(key, f"no agent is known as {name!r}", suggestion(name, known), WARNING)
            values, _ = read_fields(value, PROVIDER_KEYS, self.report)
            section = {field: marked.value for field, marked in values.items()}
            if "timeout" in values:
                section["timeout"] = _timeout(values, self.report)
            sections[name] = section
        return sections

    def _shared(self, event: EventName | None, providers: Mapping[str, Provider]) -> Entry:
        """What every entry of this file has from the file."""
        given: list[str] = [name for name in ("execution", "mode") if name in self.fields]
        spots: dict[str, tuple[int, int]] = {
            name: (self.written[name].line, self.written[name].column) for name in given
        }
        return Entry(
            "",
            HookType.SAFETY,
            event or EventName.OTHER,
            self.layer,
            file=self.path,
            execution=str(self.fields["execution"].value) if "execution" in self.fields else "pipeline",
            mode=str(self.fields["mode"].value) if "mode" in self.fields else ENFORCE,
            providers=providers,
            spots=spots,
        )


class _Reader:
    """One entry of the list. Whatever is wrong with it stays within it."""

    def __init__(self, node: Marked, report: Report, shared: Entry, number: int) -> None:
        self.node, self.report, self.shared, self.number = node, report, shared, number
        self.fields: Fields = {}
        self.written: Fields = {}

    def entry(self) -> Entry:
        if self.node.kind != MAPPING:
            self.report.add(self.node, "an entry is a mapping", "start it with `- id:`")
        else:
            self.fields, self.written = read_fields(self.node, ENTRY_KEYS, self.report)
            for value in self.fields.values():
                report_flaws(value, self.report)
        entry = self._read()
        errors = self.report.errors
        return entry.replace(broken=failure_of(errors)) if errors else entry

    def _read(self) -> Entry:
        spots = {name: (key.line, key.column) for name, key in self.written.items()}
        shared = self.shared
        return shared.replace(
            id=self._id(),
            type=HookType(self._text("type", "safety")),
            line=self.node.line,
            path=self._path(),
            url=self._url(),
            plugin=self._plugin(),
            executor=self._executor(),
            headers=self._headers(),
            matcher=self._matcher(),
            priority=self._priority(),
            before=self._names("before"),
            after=self._names("after"),
            timeout=_timeout(self.fields, self.report),
            on_error=DECISION_WORDS[self._text("on_error", "block")],
            protocol=self._text("protocol", "auto"),
            profile=self._profile(),
            config=self._config(),
            enabled=self._flag("enabled", default=True),
            locked=self._flag("locked", default=False),
            mode=self._text("mode", shared.mode),
            spots={**shared.spots, **spots},
        )

    def _text(self, key: str, default: str) -> str:
        return str(self.fields[key].value) if key in self.fields else default

    def _flag(self, key: str, *, default: bool) -> bool:
        return bool(self.fields[key].value) if key in self.fields else default

    def _id(self) -> str:
        given = self.fields.get("id")
        if given is None:
            if "id" not in self.written and self.node.kind == MAPPING:
                self.report.add(self.node, "missing key 'id'", f"add {ENTRY_KEYS['id'].example}")
            return f"entry-{self.number}"
        text = str(given.value)
        if not _ID.fullmatch(text):
            hint = "use letters, digits, '.', '_' and '-', at most 100, a letter or digit first"
            self.report.add(given, f"{text[:40]!r} cannot be an id", hint)
            return f"entry-{self.number}"
        return text

    def _path(self) -> str:
        given = self.fields.get("path")
        if given is None:
            return ""
        text = str(given.value)
        if not text or "\0" in text:
            self.report.add(given, "'path' is empty", "leave it out to name a built-in")
            return ""
        return text

    def _url(self) -> str:
        given = self.fields.get("url")
        if given is None:
            return ""
        if "path" in self.fields:
            self.report.add(given, "an entry has a path or a url, not both", "remove one of them")
        url = str(given.value)
        if not _is_safe(url):
            self.report.add(given, "'url' must be https, or http on this machine", ENTRY_KEYS["url"].example)
        return url

    def _plugin(self) -> str:
        given = self.fields.get("plugin")
        if given is None:
            return ""
        if "path" in self.fields or "url" in self.fields:
            self.report.add(given, "an entry has a plugin, a path or a url, not two of them", "remove one")
        return self._text("plugin", "")

    def _executor(self) -> str:
        given = self.fields.get("executor")
        if given is not None and "path" not in self.fields:
            self.report.add(given, "'executor' needs a 'path' to run", ENTRY_KEYS["path"].example)
        return self._text("executor", "")

    def _headers(self) -> tuple[Header, ...]:
        if "headers" not in self.fields:
            return ()
        from fairlead.policy.reading.headers import read_headers

        return read_headers(self.fields["headers"], self.report)

    def _profile(self) -> str:
        """Under a profile only what its original knows makes sense."""
        name = self._text("profile", STRICT)
        if name == STRICT:
            return name
        given = self.fields["profile"]
        if self.shared.event not in ORIGINAL_EVENTS:
            self.report.add(given, f"{name} has no event {self.shared.event}", "leave out `profile`")
        if self._text("protocol", "auto") not in ("auto", "gemini"):
            self.report.add(self.fields["protocol"], f"{name} knows one protocol, its own", "leave it out")
        if "on_error" in self.fields:
            hint = f"leave it out, or leave out `profile: {name}`"
            self.report.add(self.fields["on_error"], f"{name} decides itself what a failure means", hint)
        return name

    def _matcher(self) -> object:
        given = self.fields.get("matcher")
        if given is None:
            return None
        spec = given.plain
        if self._text("profile", STRICT) != STRICT:
            if spec is not None and not isinstance(spec, str):
                self.report.add(given, "under a profile a matcher is one regular expression", "matcher: read")
            return spec if isinstance(spec, str) else None
        try:
            matcher_from(spec)
        except RegistrationError as error:
            self.report.add(given, error.message, error.hint)
            return None
        return spec

    def _priority(self) -> int:
        given = self.fields.get("priority")
        if given is None:
            return 0
        if not isinstance(given.value, int):
            self.report.add(given, f"'priority' must be a whole number, not {given.value}", "priority: 10")
            return 0
        return given.value

    def _names(self, key: str) -> tuple[str, ...]:
        given = self.fields.get(key)
        if given is None:
            return ()
        items = given.items or ((given,) if given.kind == TEXT else ())
        for item in items:
            if item.kind != TEXT:
                self.report.add(item, f"{key!r} takes ids of hooks", f"for example {ENTRY_KEYS[key].example}")
        return tuple(str(item.value) for item in items if item.kind == TEXT)

    def _config(self) -> Mapping[str, object]:
        given = self.fields.get("config")
        plain = given.plain if given else None
        if given is None or not isinstance(plain, dict):
            return NOTHING
        from fairlead.policy.reading.builtin_config import CONFIGS, check_config

        named = self._text("id", "")
        if named in CONFIGS and self.written.keys().isdisjoint(("path", "url", "plugin")):
            check_config(named, given, self.report)
        return plain


def _timeout(fields: Fields, report: Report) -> float:
    given = fields.get("timeout")
    if given is None:
        return DEFAULT_TIMEOUT
    seconds = given.value
    if isinstance(seconds, (int, float)) and 0 < seconds <= MAX_TIMEOUT:
        return float(seconds)
    report.add(given, f"'timeout' must be above 0 and at most {MAX_TIMEOUT:.0f} seconds", "timeout: 30")
    return DEFAULT_TIMEOUT


def _is_safe(url: str) -> bool:
    """https anywhere, http on this machine only; no credentials, whose '@' hides the true host."""
    scheme, separator, rest = url.partition("://")
    authority = re.split(r"[/?#\\]", rest, maxsplit=1)[0].lower()
    host = re.sub(r":\d*$", "", authority)
    if not separator or not host or "@" in authority or re.search(r"\s", url):
        return False
    return scheme == "https" or (scheme == "http" and host in _LOOPBACK)
