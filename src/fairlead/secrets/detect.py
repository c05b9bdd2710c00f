"""Key material in text: a small set of precise detectors.

A detector is tried only where one of its `hints` occurs, and its pattern has bounded repeats only, so the
work is linear in the text. Patterns are compiled when they are first needed: a cold call that meets no
hint compiles none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from fairlead.model.value import Value
from fairlead.secrets.plausible import (
    looks_like_jwt,
    looks_random,
    looks_secret,
    not_a_documented_example,
)


class Finding(Value):
    """A secret in a text; `start` and `end` are character offsets of the secret itself."""

    kind: str
    start: int
    end: int


class Detector(Value):
    """Group `secret` of the pattern is the key material, the whole match where there is no such group."""

    kind: str
    hints: tuple[str, ...]
    pattern: str
    plausible: Callable[[str], bool] = not_a_documented_example
    needs: str = ""
    """What any match holds beside a hint, in small letters: a cheap reason not to try."""


class Hints:
    """Looks for any of many short texts in another. All are in small letters, and so must be the other.

    Each comes with what a text must have beside it to mean anything; for most that is nothing.
    """

    def __init__(self, hints: Iterable[tuple[str, str]]) -> None:
        by_need = _leanest(hints)
        self.all = tuple(hint for group in by_need.values() for hint in group)
        self._free = by_need.pop("", [])
        self._bound = tuple(by_need.items())
        self._any_free: Callable[[str], object] = bool

    def compile(self) -> None:
        """One pattern for all takes a millisecond to make, and saves most of the time of each search."""
        from fairlead.secrets.any_of import any_of  # a process that answers one call does not need it

        self._any_free = re.compile(any_of(self._free)).search

    def within(self, lowered: str) -> tuple[str, ...]:
        """Those that occur, and mean something."""
        found = [hint for hint in self._free if hint in lowered] if self._any_free(lowered) else []
        for need, hints in self._bound:
            if need in lowered:
                found += [hint for hint in hints if hint in lowered]
        return tuple(found)


def _leanest(hints: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """By need, without any that holds another: a text with the longer one has the shorter one, too."""
    needs: dict[str, str] = {}
    for hint, need in hints:
        needs[hint] = need if needs.get(hint, need) == need else ""
    kept: dict[str, list[str]] = {}
    for hint in sorted(needs, key=len):
        need = needs[hint]
        if not any(map(hint.__contains__, (*kept.get("", ()), *kept.get(need, ())))):
            kept.setdefault(need, []).append(hint)
    return kept


_START = r"(?<![A-Za-z0-9_])"
_END = r"(?![A-Za-z0-9])"
_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "api-key",
    "apikey",
    "access_key",
    "accesskey",
    "private_key",
    "credential",
)
_NAMED = r"(?i:" + "|".join(_NAMES) + r")[A-Za-z0-9_-]{0,20}"

DETECTORS: tuple[Detector, ...] = (
    Detector("aws-access-key-id", ("AKIA", "ASIA"), _START + r"A[KS]IA[A-Z2-7]{16}" + _END),
    Detector(
        "aws-secret-access-key",
        ("aws", "AWS"),
        r"(?i:aws_?(?:secret)?_?(?:access)?_?key)[\"']?\s{0,4}[:=]\s{0,4}[\"']?"
        r"(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        looks_random,
        needs="key",
    ),
    Detector(
        "github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), _START + r"gh[pousr]_[A-Za-z0-9]{36,255}"
    ),
    Detector("github-token", ("github_pat_",), _START + r"github_pat_[A-Za-z0-9_]{60,255}"),
    Detector(
        "gitlab-token",
        ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"),
        _START + r"gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_.-]{20,100}",
        looks_random,
    ),
    Detector(
        "slack-token", ("xox", "xapp-"), _START + r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{20,250}", looks_random
    ),
    Detector(
        "slack-webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?P<secret>(?:services|workflows|triggers)/[A-Za-z0-9]{8,20}/[A-Za-z0-9/]{20,100})",
        looks_random,
    ),
    Detector(
        "stripe-key",
        ("k_live_", "whsec_"),
        _START + r"(?:[sr]k_live|whsec)_[A-Za-z0-9]{20,250}",
        looks_random,
    ),
    Detector(
        "anthropic-key", ("sk-ant-",), _START + r"sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{24,200}", looks_random
    ),
    Detector(
        "openai-key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-"),
        _START + r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{24,250}",
        looks_random,
    ),
    Detector("openai-key", ("T3BlbkFJ",), _START + r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}" + _END),
    Detector("google-api-key", ("AIza",), _START + r"AIza[A-Za-z0-9_-]{35}" + _END, looks_random),
    Detector("google-oauth-secret", ("GOCSPX-",), _START + r"GOCSPX-[A-Za-z0-9_-]{28}" + _END, looks_random),
    Detector("google-oauth-token", ("ya29.",), _START + r"ya29\.[A-Za-z0-9_-]{40,500}", looks_random),
    Detector(
        "azure-storage-key", ("AccountKey=",), r"AccountKey=(?P<secret>[A-Za-z0-9+/]{86}==)", looks_random
    ),
    Detector("vault-token", ("hvs.", "hvb."), _START + r"hv[sb]\.[A-Za-z0-9_-]{24,300}", looks_random),
    Detector(
        "shopify-token", ("shpat_", "shpss_"), _START + r"shp(?:at|ss)_[a-fA-F0-9]{32}" + _END, looks_random
    ),
    Detector("linear-key", ("lin_api_",), _START + r"lin_api_[A-Za-z0-9]{40}" + _END, looks_random),
    Detector("supabase-token", ("sbp_",), _START + r"sbp_[a-f0-9]{40}" + _END, looks_random),
    Detector("groq-key", ("gsk_",), _START + r"gsk_[A-Za-z0-9]{48,60}" + _END, looks_random),
    Detector("xai-key", ("xai-",), _START + r"xai-[A-Za-z0-9]{70,90}" + _END, looks_random),
    Detector("databricks-token", ("dapi",), _START + r"dapi[a-f0-9]{32}(?:-\d)?" + _END, looks_random),
    Detector("doppler-token", ("dp.pt.",), _START + r"dp\.pt\.[A-Za-z0-9]{40,44}" + _END, looks_random),
    Detector("postman-key", ("PMAK-",), _START + r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}" + _END, looks_random),
    Detector("npm-token", ("npm_",), _START + r"npm_[A-Za-z0-9]{36}" + _END, looks_random),
    Detector("pypi-token", ("pypi-AgE",), _START + r"pypi-AgE[A-Za-z0-9_-]{50,300}"),
    Detector("huggingface-token", ("hf_",), _START + r"hf_[A-Za-z0-9]{34,40}" + _END, looks_random),
    Detector("sendgrid-key", ("SG.",), _START + r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}" + _END),
    Detector("digitalocean-token", ("_v1_",), _START + r"do[opr]_v1_[a-f0-9]{64}" + _END),
    Detector("fairlead-key", ("fairlead-key-v1",), r"fairlead-key-v1 (?P<secret>[A-Za-z0-9+/]{43}=)"),
    Detector("age-secret-key", ("AGE-SECRET-KEY-",), _START + r"AGE-SECRET-KEY-1[A-Z0-9]{58}" + _END),
    Detector("nkey-seed", ("NKEY SEED-----",), r"NKEY SEED-----\s{1,8}(?P<secret>S[A-Z2-7]{57})" + _END),
    Detector("nkey-seed", ("seed",), r"\bseed[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?P<secret>S[A-Z2-7]{57})" + _END),
    Detector(
        "jwt",
        ("eyJ",),
        _START + r"eyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{20,2000}",
        looks_like_jwt,
    ),
    Detector(
        "url-password",
        ("://",),
        r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,100}:(?P<secret>[^\s/@\"'<>]{6,200})@[A-Za-z0-9.-]{1,200}",
        looks_secret,
        needs="@",
    ),
    Detector(
        "assigned-secret",
        _NAMES,
        _NAMED + r"[\"']?\s{0,4}(?:=>|:=|[:=])\s{0,4}(?P<quote>[\"'`])(?P<secret>[^\s\"'`]{8,250})(?P=quote)",
        looks_secret,
    ),
    Detector(
        "assigned-secret",
        _NAMES,
        _NAMED + r"\s{0,4}[:=]\s{0,4}(?P<secret>[^\s\"'`#(){}<>\[\],;]{12,250})\s*(?m:$)",
        looks_secret,
    ),
)

SHORTEST = 14
"""No key material that is found here takes fewer characters, with what shows that it is some."""
LONG, _LONGEST = 768, 64 * 1024
"""Texts of a size that is worth being looked through but once."""

_PEM_HEAD = r"-----BEGIN (?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = r"[A-Za-z0-9+/=\s\\:,.-]{0,32768}"
_PEM_TAIL = r"-----END (?:[A-Z0-9]{2,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_LEAST_KEY = 64
"""Base64 characters that a body must have: a header that is only spoken of has none."""


def find_secrets(text: str) -> Sequence[Finding]:
    """All key material in `text`, in order, none overlapping another."""
    hints = hints_in(text) if len(text) >= SHORTEST else ()
    if not hints:
        return ()
    apart: list[Finding] = []
    candidates = [*_in_form(text, hints), *_under_name(text, text.lower(), hints)]
    for finding in sorted(candidates, key=lambda found: (found.start, -found.end)):
        if not apart or finding.start >= apart[-1].end:
            apart.append(finding)
    return apart


def find_candidates(text: str, hints: tuple[str, ...]) -> Iterator[Finding]:
    """Whatever has the form of key material, plausible or not, in no order: for redaction.

    `hints` has all that occur in the text of those that a search for `form_hints` is made of. Values that
    only a name makes suspicious are left to `context`, which takes all of them.
    """
    return _in_form(text, hints, _anything)


def _in_form(
    text: str, hints: tuple[str, ...], plausible: Callable[[str], bool] | None = None
) -> Iterator[Finding]:
    """What has the form of key material and is plausible: to its own detector, if nothing else is asked."""
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    for detector in _detectors_with(hints):
        if any(map(text.__contains__, detector.hints)):
            matches = _compiled(detector.pattern).finditer(text)
            yield from _matches(detector, matches, plausible or detector.plausible)


@lru_cache(maxsize=64)
def _detectors_with(hints: tuple[str, ...]) -> tuple[Detector, ...]:
    forms = [detector for detector in DETECTORS if detector.hints is not _NAMES]
    return tuple(form for form in forms if holds_any(form.hints, hints))


def holds_any(texts: Iterable[str], hints: Iterable[str]) -> bool:
    """Whether any of the texts, in small letters, holds any of the hints."""
    return any(hint in text.lower() for text in texts for hint in hints)


def form_hints() -> Iterator[tuple[str, str]]:
    """In a text whose small letters hold none of these `find_candidates` finds nothing."""
    yield "private key", ""
    for detector in DETECTORS:
        if detector.hints is not _NAMES:
            yield from ((hint.lower(), detector.needs) for hint in detector.hints)


@cache
def all_hints() -> Hints:
    """In a text whose small letters hold none of these nobody finds a secret, here or by its context."""
    from fairlead.secrets.context import context_hints  # which looks for more of what is told here

    return Hints([*((name, "") for name in _NAMES), *context_hints(), *form_hints()])


def hints_in(text: str) -> tuple[str, ...]:
    """Those that a text holds. A long one is judged, and written down later: it is looked through once."""
    if LONG < len(text) <= _LONGEST:
        return _hints_in_long(text)
    return all_hints().within(lower(text))


@lru_cache(maxsize=4)
def _hints_in_long(text: str) -> tuple[str, ...]:
    return all_hints().within(lower(text))


def lower(text: str) -> str:
    """Small letters, each in the place of its capital: of all letters, one would take two places."""
    return text.replace("\u0130", "I").lower()


def _anything(_: str) -> bool:
    return True


def _under_name(text: str, lowered: str, hints: tuple[str, ...]) -> Iterator[Finding]:
    """Values that their name makes key material."""
    if not holds_any(_NAMES, hints):
        return
    starts = _name_starts(text, lowered)
    for detector in DETECTORS:
        if detector.hints is _NAMES:
            matches = _matches_at(starts, _compiled(detector.pattern), text)
            yield from _matches(detector, matches, detector.plausible)


def _matches(
    detector: Detector, matches: Iterable[re.Match[str]], plausible: Callable[[str], bool]
) -> Iterator[Finding]:
    for match in matches:
        group = "secret" if "secret" in match.re.groupindex else 0
        if plausible(match[group]):
            yield Finding(detector.kind, match.start(group), match.end(group))


def _name_starts(text: str, lowered: str) -> Sequence[int]:
    """Where in a text the names begin that an `assigned-secret` begins with, in order.

    A search for one word after the other is many times faster than a pattern for all of them in any case.
    """
    if not text.isascii():  # a pattern also takes these for an i and an s, and one would take two places
        lowered = text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()
    starts = []
    for name in _NAMES:
        at = lowered.find(name)
        while at >= 0:
            starts.append(at)
            at = lowered.find(name, at + 1)
    return sorted(starts)


def _matches_at(starts: Iterable[int], pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """What `finditer` finds of a pattern that can begin only there."""
    end = 0
    for start in starts:
        match = pattern.match(text, start) if start >= end else None
        if match is not None:
            end = match.end()
            yield match


def _private_keys(text: str) -> Iterator[Finding]:
    covered = 0
    for head in _compiled(_PEM_HEAD).finditer(text):
        if head.start() < covered:
            continue
        body = _compiled(_PEM_BODY).match(text, head.end())
        assert body is not None  # it may be empty, but it always matches
        tail = _compiled(_PEM_TAIL).search(text, head.end(), body.end())
        covered = end = tail.end() if tail else body.end()
        material = text[head.end() : tail.start() if tail else end].replace("\\n", "")
        if sum(map(str.isalnum, material)) >= _LEAST_KEY:
            yield Finding("private-key", head.start(), end)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
