"""JavaScript, Perl, Ruby, PHP and others: which calls touch files and run commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.calls import Call, find_calls
from fairlead.shell.effects.effect import Action
from fairlead.shell.tables import names

_TREES = names(
    """
    rmSync rmdirSync rm_rf rm_r rmtree remove_tree remove_dir rm_rf! remove_entry_secure removeSync
    emptyDirSync remove_entry rimraf deleteDir deltree remove_tree File.rm_rf! delete-directory
    removePathForcibly
    removeDirectoryRecursive removeItem
    """
)
_TREES_BY_OPTION = names(
    "fs.rm rm fsp.rm promises.rm Deno.remove Deno.removeSync fs.rmdir rmdir unlink remove"
)
_FILES = names(
    """
    unlink unlinkSync unlink_sync File.delete File.unlink FileUtils.rm FileUtils.rm_f os.remove fs.unlink rm_f
    rmdir file.remove delete-file Deno.remove Deno.removeSync Dir.rmdir Dir.delete os.unlink File.rm! File.rm
    """
)
_SHELLS = names(
    """
    exec execSync system shell_exec passthru popen proc_open os.execute io.popen spawn_shell backtick shell
    shell-command shell-command-to-string call-process-shell-command System.cmd :os.cmd os.cmd IO.popen
    Open3.capture2     Open3.capture3 Open3.popen3 `  $ Bun.$ process.execute execCommand run.shell
    """
)
_PROCESSES = names(
    "spawn spawnSync execFile execFileSync fork Deno.run Deno.Command pcntl_exec Process.spawn system exec"
)
_READS = names(
    """
    readFileSync readFile createReadStream file_get_contents fopen File.read File.open IO.read readlines
    Deno.readTextFile Deno.readTextFileSync File.readlines readfile Bun.file io.open slurp read_file
    fs.readFile     File.read! openSync file
    """
)
_WRITES = names(
    """
    writeFileSync writeFile appendFileSync appendFile createWriteStream file_put_contents File.write IO.write
    Deno.writeTextFile Deno.writeTextFileSync truncateSync Bun.write File.write! symlinkSync chmodSync
    """
)
_MOVES = names("renameSync rename fs.rename FileUtils.mv File.rename move moveSync FileUtils.move")
_NETWORK = re.compile(
    r"fetch\s*\(|https?['\"]?\s*\)?\s*\.(?:get|request)\s*\(|axios|URI\.open|open-uri|Net::HTTP|LWP|HTTP::Tiny|curl_exec|"
    r"file_get_contents\s*\(\s*['\"]https?:|Invoke-WebRequest|\biwr\b|\birm\b|Invoke-RestMethod|DownloadString|XMLHttpRequest|curl",
)
_EVAL = re.compile(
    r"\beval\b|\bnew Function\b|\bFunction\s*\(|vm\.run|\bIEX\b|\biex\b|Invoke-Expression|instance_eval",
    re.I,
)
_SOCKET_SHELL = re.compile(
    r"(?:socket|fsockopen|TCPSocket|net[\"']?\)?\.connect|IO::Socket).*(?:/bin/(?:ba)?sh|exec|spawn|popen)",
    re.DOTALL | re.I,
)
_BACKTICKS = {
    "perl": re.compile(r"`([^`]+)`|\bqx\s*(?:\(([^)]*)\)|\{([^}]*)\}|([/|!])(.*?)\3)"),
    "ruby": re.compile(r"`([^`]+)`|%x[({\[]([^)}\]]+)[)}\]]"),
    "php": re.compile(r"`([^`]+)`"),
}
_FORKS = re.compile(
    r"for\s*\(;;\)\s*\{?\s*require\(['\"]child_process|"
    r"fork\s+(?:while|until)|loop\s*\{\s*fork"
    r"|while\s*\(\s*(?:1|true)\s*\)\s*\{?\s*(?:fork|require\(['\"]child_process)"
)
_KILLS = re.compile(
    r"\bkill\s+['\"]?\w+['\"]?\s*,\s*-1|"
    r"(?:process\.kill|\bkill)\s*\(?\s*(?:-1\b|['\"]?(?:SIG)?KILL['\"]?,\s*-1)|Process\.kill\([^,]+,\s*-1"
)
_MODES = re.compile(r"\bchmod(?:_R|Sync)?\s*\(?\s*0?o?([0-7]{3,4})\s*,\s*[\"']([^\"']+)")
_STORES = re.compile(
    r"\.(?:dropDatabase|dropTable|dropTableIfExists|dropCollection|flush[aA]ll|flush[dD]b)\b"
    r"|\.deleteMany\(\s*(?:\{\s*\})?\s*\)|\bsync\(\s*\{\s*force:\s*true"
)
_PLAIN_SHELL = {
    "applescript": re.compile(r"do shell script \"((?:\\.|[^\"\\])*)\""),
    "tcl": re.compile(r"\bexec\s+([^\n;\]]+)"),
    "expect": re.compile(r"\bspawn\s+([^\n;]+)"),
    "groovy": re.compile(r"[\"']([^\"']+)[\"']\.execute\(\)"),
    "elisp": re.compile(r"\((?:async-)?shell-command(?:-to-string)? \"((?:\\.|[^\"\\])*)\""),
    "julia": re.compile(r"run\(`([^`]+)`\)"),
    "nushell": re.compile(r"(?:\A|;|\n)\s*\^?([^;\n]+)"),
}
_PERL_OPEN = re.compile(r"\bopen\s*\(?\s*(?:my\s+)?[$]?\w+\s*,\s*([\"'])(.*?)\1(?:\s*,\s*([\"'])(.*?)\3)?")
_TCL_DELETE = re.compile(r"\bfile\s+delete\s+(?:-force\s+)?(?:--\s+)?([^\n;\]]+)")
_LISP_DELETE = re.compile(r"\(delete-(?:directory|file)\s+(?:\(expand-file-name\s+)?\"([^\"]+)\"")
_POWERSHELL = re.compile(
    r"(?:\A|[;|{&]\s*|\s)(?:Remove-Item|ri|rd|rm|del|erase|rmdir|Clear-Content)\s+(?P<rest>[^;|}\n]+)",
    re.IGNORECASE,
)
_POWERSHELL_STOP = re.compile(
    r"\b(?:Stop-Computer|Restart-Computer|Format-Volume|Clear-Disk|Remove-Partition)\b", re.I
)


def script_acts(language: str, text: str, home: str, cwd: str) -> Iterator[Act]:
    """What code of one of these languages does, as far as its literals tell."""
    known = {
        "process.cwd()": cwd,
        "os.homedir()": home,
        "require('os').homedir()": home,
        "Dir.home": home,
        "Dir.pwd": cwd,
        "ENV['HOME']": home,
        'ENV["HOME"]': home,
        "getenv('HOME')": home,
        'getenv("HOME")': home,
        "ENV{HOME}": home,
        "homedir()": home,
        "__dirname": cwd,
        "process.env.HOME": home,
        "getcwd()": cwd,
    }
    yield from _patterns(language, text)
    if language == "perl":
        yield from _opened(text)
    calls = tuple(find_calls(text, known))
    for call in calls:
        yield from _act(call, text)
    yield from _listed(calls, text)


def _patterns(language: str, text: str) -> Iterator[Act]:
    for table in (_BACKTICKS, _PLAIN_SHELL):
        pattern = table.get(language)
        if pattern is not None:
            for match in pattern.finditer(text):
                yield Act("shell", max((part for part in match.groups() if part), key=len, default=""))
    if language == "tcl":
        yield from (
            on_path(Action.DELETE, m[1].strip(), name="file delete", recursive=True)
            for m in _TCL_DELETE.finditer(text)
        )
    if language == "elisp":
        yield from (
            on_path(Action.DELETE, m[1], name="delete", recursive=True) for m in _LISP_DELETE.finditer(text)
        )
    if language in ("elisp", "lisp", "scheme"):
        yield from (on_path(Action.READ, m[1], name="read") for m in _LISP_READ.finditer(text))
    if language == "powershell":
        yield from _powershell(text)
    yield from _anywhere(text)


_LISP_READ = re.compile(r"\((?:insert-file-contents|find-file|load-file|open)\s+\"([^\"]+)\"")


_SIGNS: tuple[tuple[re.Pattern[str], Action, str], ...] = (
    (_SOCKET_SHELL, Action.RUN_NETWORK_CODE, "remote-shell"),
    (_STORES, Action.CHANGE_DATABASE, "drop"),
    (re.compile(r"\bto (?:shut down|restart|log out)\b"), Action.SHUTDOWN, "shutdown"),
    (_FORKS, Action.KILL, "fork-bomb"),
    (_KILLS, Action.KILL, "kill-everything"),
    (re.compile(r"\b(?:import|from)\s*\(?\s*[\"']https?://"), Action.RUN_NETWORK_CODE, "download"),
    (re.compile(r"\binclude(?:_once)?\s*\(?\s*[\"']https?:"), Action.RUN_NETWORK_CODE, "download"),
    (re.compile(r"\b[A-Z]\w+\.(?:delete_all|destroy_all)\b"), Action.CHANGE_DATABASE, "unbound"),
)
_QW = re.compile(r"\b(?:system|exec)\s*\(?\s*qw\s*(?:\(([^)]*)\)|\{([^}]*)\}|\[([^\]]*)\]|/([^/]*)/)")
_FILE_DELETE = re.compile(r"\bFile\(\s*[\"']([^\"']+)[\"']\s*\)\.(delete\w*)\(")


_WHOLE_ENVIRONMENT = re.compile(
    r"(?:stringify|entries|values|keys|inspect)\(process\.env\)|\bENV\.(?:to_|inspect|map|each|sort)|\bgetenv\(\)"
    r"|\$_ENV\b|(?:keys|values|each|Dumper\(?\\?|join\(.{0,20})\s*%ENV\b|os\.environ\b(?!\.get|\[)"
)


def _anywhere(text: str) -> Iterator[Act]:
    """What reads alike in all of these languages."""
    for pattern, action, name in _SIGNS:
        if pattern.search(text):
            yield Act(str(action), name=name, text=text[:80])
    if _NETWORK.search(text):
        if _EVAL.search(text):
            yield Act(str(Action.RUN_NETWORK_CODE), name="download")
        if _WHOLE_ENVIRONMENT.search(text):
            yield Act(str(Action.SEND_DATA), name="environment")
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
    if re.search(r"require\([\"']dotenv[\"']\)", text) and re.search(r"console\.log|parsed", text):
        yield on_path(Action.READ, ".env", name="dotenv")


def _powershell(text: str) -> Iterator[Act]:
    for match in _POWERSHELL.finditer(text):
        recursive = bool(re.search(r"-r(?:ec|$|\s)|/s\b", match["rest"], re.IGNORECASE))
        for word in re.findall(r"\"[^\"]+\"|'[^']+'|\S+", match["rest"]):
            if not word.startswith("-"):
                yield on_path(Action.DELETE, word.strip("\"'"), name="Remove-Item", recursive=recursive)
    if _POWERSHELL_STOP.search(text):
        yield Act(str(Action.SHUTDOWN), name="shutdown")


def _named(call: Call, table: frozenset[str]) -> bool:
    return (
        call.last in table
        or call.name in table
        or any(call.name.endswith("." + name) for name in table if "." in name)
    )


def _act(call: Call, text: str) -> Iterator[Act]:
    first = call.arguments[0] if call.arguments else None
    recursive = _named(call, _TREES) or bool(
        re.search(r"recurs\w*\s*(?:[:=]>?)\s*(?:true|TRUE|1|T\b)", call.source)
    )
    if _named(call, _SHELLS) and first is not None:
        rest = call.lists[0] if call.lists else tuple(text for text in call.arguments[1:] if text is not None)
        yield Act("argv", words=(first, *rest)) if rest else Act("shell", first)
    if _named(call, _PROCESSES) and first is not None and call.lists:
        yield Act("argv", words=(first, *call.lists[0]))
    if not _named(call, _SHELLS) and not _named(call, _PROCESSES):
        yield from _unnamed(call, text)
    if _deleting(call, text):
        yield from _deleted(call, recursive)
    elif first is not None and _named(call, _WRITES):
        emptied = call.last in ("truncateSync", "truncate") or call.arguments[1:2] == ("",)
        yield on_path(Action.TRUNCATE if emptied else Action.OVERWRITE, first, name=call.last)
    elif first is not None and _named(call, _MOVES):
        yield on_path(
            Action.MOVE_AWAY,
            first,
            name=call.last,
            recursive=True,
            detail=(call.arguments[1:2] or ("",))[0] or "",
        )
    elif first is not None and _named(call, _READS) and not first.startswith("http"):
        written = len(call.arguments) > 1 and (call.arguments[1] or "")[:1] in ("w", "a", ">")
        yield on_path(Action.OVERWRITE if written else Action.READ, first, name=call.last)


def _opened(text: str) -> Iterator[Act]:
    """`open(F, ">/x")`, `open my $f, "<", "/x"`, `open F, "/x"`."""
    for match in _PERL_OPEN.finditer(text):
        mode, path = (match[2], match[4]) if match[4] else (match[2][:2], match[2].lstrip("<>+| "))
        if "|" in mode:
            yield Act("shell", path.strip("| "))
        else:
            yield on_path(Action.OVERWRITE if ">" in mode else Action.READ, path, name="open")


def _listed(calls: Sequence[Call], text: str) -> Iterator[Act]:
    """A listing of a directory, and a deletion of something that is no literal: the one feeds the other."""
    deletes = any(_deleting(call, text) and not any(call.arguments) for call in calls) or re.search(
        r"array_map\s*\(\s*['\"](?:unlink|rmdir)|\b(?:unlink|rmtree|delete)\s*\(?\s*(?:glob|<|f\b)", text
    )
    for match in re.finditer(r"Dir\[\s*[\"']([^\"']+)[\"']", text) if deletes else ():
        yield on_path(Action.DELETE, match[1], name="Dir[]", recursive=True)
    for call in calls if deletes else ():
        if call.name == "list.files" or call.last in (
            "glob",
            "readdirSync",
            "scandir",
            "Glob",
            "children",
            "entries",
            "readdir",
            "list.files",
        ):
            for argument in call.arguments[:1]:
                if argument:
                    wild = argument if "*" in argument else f"{argument}/*"
                    yield on_path(Action.DELETE, wild, name=call.last, recursive=True)


def _deleting(call: Call, text: str) -> bool:
    by_option = _named(call, _TREES_BY_OPTION) and ("fs" in text or "recursive" in call.source)
    return _named(call, _TREES) or _named(call, _FILES) or by_option


_PROGRAMS = re.compile(r"^(?:sudo\s+)?(?:rm|git|shred|dd|mkfs[\w.]*|truncate)\s+-?\w")
_TALKING = re.compile(
    r"print|puts|log|echo|write|say|warn|die|assert|expect|describe|test|it$|error|info|debug|raise|throw|len|size|split|join|replace|match|index|contains|starts|ends|upper|lower|trim|scan|sub",
    re.I,
)
_READING = re.compile(r"pars|quot|token|lex|escape|format|highlight|judge|check|classif|lint|valid", re.I)
"""They take text apart, unless the code gave such a name to something that runs it."""


def _unnamed(call: Call, text: str) -> Iterator[Act]:
    """A call by a name that nobody listed, whose arguments read as a command: `x('rm', ['-rf', '/'])`."""
    first = call.arguments[0] if call.arguments else None
    if call.last == "rm" and first is not None and first.startswith("-"):
        yield Act("argv", words=("rm", *(text for text in call.arguments if text)))
    read_only = _READING.search(call.last) and "child_process" not in text
    if first is None or read_only or _TALKING.search(call.last):
        return
    if first in ("rm", "git", "shred", "dd", "sudo") and call.lists:
        yield Act("argv", words=(first, *call.lists[0]))
    elif _PROGRAMS.match(first):
        yield Act("shell", first)


def _deleted(call: Call, recursive: bool) -> Iterator[Act]:
    for argument in call.arguments[:4]:
        if argument:
            yield on_path(Action.DELETE, argument, name=call.last, recursive=recursive or "*" in argument)
