"""What reads alike in all of these languages: signs of an act, whatever the code around it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.text.exhausting_code import FORKS, GROWS, KILLS
from fairlead.shell.effects.code.text.loaded_variables import shows_loaded_variables
from fairlead.shell.effects.code.text.remote_control import gives_away_a_shell
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import COMPILED

_NETWORK = lazy(
    r"fetch\s*\(|https?['\"]?\s*\)?\s*\.(?:get|request)\s*\(|axios|URI\.open|open-uri|Net::HTTP|LWP"
    r"|\bget\s*\(?\s*[\"']https?:|\bUR[IL]\(\s*[\"']https?:|HTTP::Tiny|\bhttr2?::\w|\bHTTP\.(?:get|post|put|request)\(|\bgetstore\s*\(|socket\.http|URI\.parse\(.{0,200}\.read|curl_exec|"
    r"file_get_contents\s*\(\s*['\"]https?:|Invoke-WebRequest|\biwr\b|\birm\b|Invoke-RestMethod|DownloadString|XMLHttpRequest|curl",
)


_EVAL = lazy(
    r"\beval\b|\bload\s*\(|\bnew Function\b|\bFunction\s*\(|vm\.run|\bIEX\b|\biex\b|Invoke-Expression"
    r"|instance_eval",
    re.I,
)


_MODES = lazy(r"\bchmod(?:_R|Sync)?\s*\(?\s*0?o?([0-7]{3,4})\s*,\s*[\"']([^\"']+)")


_STORES = lazy(
    r"\.(?:dropDatabase|dropTable|dropTableIfExists|dropCollection|flush[aA]ll|flush[dD]b)\b"
    r"|\.deleteMany\(\s*(?:\{\s*\})?\s*\)|\bsync\(\s*\{\s*force:\s*true"
)


_SIGNS: tuple[tuple[re.Pattern[str], Action, str], ...] = (
    (_STORES, Action.CHANGE_DATABASE, "drop"),
    (re.compile(r"\bto (?:shut down|restart|log out)\b"), Action.SHUTDOWN, "shutdown"),
    (re.compile(r"\bmake (?:new )?login item\b"), Action.CHANGE_SERVICE, "start-later"),
    (FORKS, Action.KILL, "fork-bomb"),
    (GROWS, Action.KILL, "exhaust"),
    (
        re.compile(r"with administrator privileges|«event aevt(?:rsdn|rrst|shut)»"),
        Action.GAIN_PRIVILEGE,
        "root-shell",
    ),
    (
        re.compile(r"\b(?:posix_)?sete?uid\s*\(\s*0\s*\)|\$[<>]\s*=\s*0\s*;"),
        Action.GAIN_PRIVILEGE,
        "root-shell",
    ),
    (KILLS, Action.KILL, "kill-everything"),
    (re.compile(r"\b(?:import|from)\s*\(?\s*[\"']https?://"), Action.RUN_NETWORK_CODE, "download"),
    (
        re.compile(r"\b(?:include|require)(?:_once)?\s*\(?\s*[\"']https?:"),
        Action.RUN_NETWORK_CODE,
        "download",
    ),
    (
        re.compile(
            r"\b(?:source|source_url|source_gist|loadfile|dofile|load)\s*\(\s*(?:url\(\s*)?[\"']https?:"
        ),
        Action.RUN_NETWORK_CODE,
        "download",
    ),
    (
        re.compile(r"install\.packages\([^)]*repos\s*=\s*[\"']http://|install_url\(|Pkg\.add\(\s*url\s*="),
        Action.CHANGE_PACKAGES,
        "install-from-address",
    ),
    (
        re.compile(r"devtools::(?:release|submit_cran)\(|\bsubmit_cran\(|LocalRegistry;\s*register\("),
        Action.PUBLISH_PACKAGE,
        "publish",
    ),
    (re.compile(r"\b[A-Z]\w+\.(?:delete_all|destroy_all)\b"), Action.CHANGE_DATABASE, "unbound"),
)


_BUILT = lazy(r"""Command::new\(\s*"([^"]+)"\s*\)(?P<rest>(?:\s*\.\s*args?\([^()]*\))+)""")


_QW = lazy(r"\b(?:system|exec)\s*\(?\s*qw\s*(?:\(([^)]*)\)|\{([^}]*)\}|\[([^\]]*)\]|/([^/]*)/)")


_FILE_DELETE = lazy(
    r"\b(?:File|Directory|Dir|Path|Paths\.get|Path\.of|Pathname(?:\.new)?)\(\s*[\"']([^\"']+)[\"']\s*\)"
    r"\.(delete\w*|rmtree|unlink|rm_rf|rmdir)\b"
)


_WHOLE_ENVIRONMENT = lazy(
    r"(?:(?:stringify|entries|values|keys|inspect)\(|[,:]\s*)process\.env\s*[)},]|\bENV\.(?:to_|inspect|map|each|sort)|\bgetenv\(\)"
    r"|\$_ENV\b|\bSys\.getenv\(\s*\)|(?:keys|values|each|Dumper\(?\\?|join\(.{0,20})\s*%ENV\b|os\.environ\b(?!\.get|\[)"
)


def signs_anywhere(language: str, text: str) -> Iterator[Act]:
    """What reads alike in all of these languages."""
    for pattern, action, name in _SIGNS:
        if pattern.search(text):
            yield Act(str(action), name=name, text=text[:80])
    if language != COMPILED:
        yield from _over_network(text)
    for match in _BUILT.finditer(text):
        yield Act("argv", words=(match[1], *re.findall(r'"((?:\\.|[^"\\])*)"', match["rest"])))
    for match in _QW.finditer(text):
        yield Act("shell", next(filter(None, match.groups()), ""))
    for match in _FILE_DELETE.finditer(text):
        yield on_path(Action.DELETE, match[1], name=match[2], recursive=match[2] != "delete")
    for match in _MODES.finditer(text):
        yield on_path(
            Action.CHANGE_PERMISSIONS, match[2], name="chmod", detail=match[1], recursive="_R" in match[0]
        )
    for match in re.finditer(
        r"(?:\.|->)(?:query|execute|exec|raw|unsafe|prepare)\(\s*[\"'`]([^\"'`]+)[\"'`]", text
    ):
        yield Act("sql", match[1])
    if shows_loaded_variables(text):
        yield on_path(Action.READ, ".env", name="dotenv")


_RUNS_RESULT = lazy(
    r"(?:\b(?:system|exec(?:Sync|File)?|shell_exec|passthru|popen|evaluate|instance_eval)\b\s*\(?\s*(?![\s(]|[\"'][^\"']*[\"'])|`#\{)"
)
"""A program or code that is no literal."""


def _over_network(text: str) -> Iterator[Act]:
    if gives_away_a_shell(text):
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=text[:80])
    if _NETWORK.search(text) and (_EVAL.search(text) or _RUNS_RESULT.search(text)):
        yield Act(str(Action.RUN_NETWORK_CODE), name="download")
    if _NETWORK.search(text) and _WHOLE_ENVIRONMENT.search(text):
        yield Act(str(Action.SEND_DATA), name="environment")
