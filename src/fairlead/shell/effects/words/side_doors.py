"""Programs and libraries that a command runs in passing: a helper that an option names, a library that a
variable or a statement loads. Where they lie is no place for a program, nobody would look there for it."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.given_paths import letter_of, option_and_value
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.words.suspected_commands import DATA
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.programs.record import Program
from fairlead.shell.script import Command, Word

_MAY_LOAD = lazy(
    r"(?i)engine|plugin|-program|askpass|load|invoke|agent|toolexec|custom-dir|--on-|pkcs11|wrapper|default-auth|-prog\b|-filter|-bin\b|-script|bazelrc|auto_(?:pre|ap)pend|launcher|extension=|--require|knownhosts"
)
_HELPER = lazy(
    r"(?i)(?:^|[-_.:])(?:(?:use-)?compress(?:ion)?-prog(?:ram)?|(?:use-)?askpass|rmt-command|engine|plugin-?(?:dir|path)?s?"
    r"|default-auth|load-?(?:extension|module|library)s?|preload|pkcs11(?:-provider|-lib|-module)?|agent(?:path|lib)"
    r"|javaagent|custom-dir|external-dir|speller|on-(?:bt-)?download-[\w-]+|(?:pre|post)-invoke:*|toolexec|lua-filter|(?:curl|grep|openssl|ssh)-bin"
    r"|init-script|bazelrc|dhcp-script|auto_(?:pre|ap)pend_file|compiler_launcher|(?:experimental-)?loader|require|knownhostscommand"
    r"|provider-path|(?:password|token|auth|proxy|connect)-prog(?:ram)?)$"
)
"""Options and settings whose value is run or loaded, and is hardly ever a file of one's own."""
_LIBRARY = lazy(r"(?<![\w./~-])((?:~|\.{0,2})/[\w./~+-]+)")
_LOADED = lazy(
    r"(?i)(?:\bload(?:_extension|_module|_library)?|extension|library|plugin|engine|agent(?:path|lib)?)[('\"=:\s]+"
    r"((?:~|\.{0,2})/[\w./~+-]+)"
)
"""A statement that loads a library: `select load_extension('/tmp/x.so')`, `.load /tmp/x`."""

_VARIABLES = lazy(
    r"LD_(?:PRELOAD|AUDIT)$|DYLD_(?:INSERT_LIBRARIES|FORCE_FLAT\w*)$|NODE_OPTIONS$|RUBYOPT$|PERL5(?:OPT|DB)$|PYTHONSTARTUP$"
    r"|BASH_ENV$|ENV$|(?:_|JDK_)?JAVA_(?:TOOL_)?OPT(?:ION)?S$|MAVEN_OPTS$|GRADLE_OPTS$|GCONV_PATH$|OPENSSL_(?:CONF|ENGINES|MODULES)$"
    r"|(?:MAN|GIT_|AWS_|BAT_|DELTA_)?PAGER$|\w{0,20}BROWSER$|LESS(?:OPEN|CLOSE)$|\w{0,20}ASKPASS$|LUA_INIT\w{0,8}$|R_PROFILE(?:_USER)?$|ZDOTDIR$"
    r"|GIT_EXEC_PATH$|FACTERLIB$|MAKEFILES$|RUSTC_(?:WORKSPACE_)?WRAPPER$|npm_config_script_shell$"
)
"""Variables that put code of a file into every program of their kind."""
_NOWHERE = frozenset((Place.TEMPORARY, Place.TEMPORARY_ROOT))
_STRANGE = _NOWHERE | {Place.HOME, Place.HOME_ROOT, Place.OUTSIDE, Place.CACHE}
_OWN = _STRANGE | {Place.PROJECT, Place.GENERATED}


def loaded_by_variables(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`LD_PRELOAD=/tmp/x.so ls`: what anybody may have put there runs inside of the program."""
    for name, value in command.assignments.items():
        if not _VARIABLES.match(name):
            continue
        for path in _LIBRARY.findall(value.text.replace("=", " ").replace(":", " ").replace("-r/", " /")):
            if resolve(Word(path), command, where).place in _NOWHERE:
                yield _run(command, f"{name} loads {path}")


def loaded_by_options(command: Command, program: Program | None, where: Surroundings) -> Iterator[Effect]:
    """What an option names that is run or loaded in passing, and what a statement loads."""
    words = command.argv[1:]
    helpers = program.helpers if program is not None else frozenset()
    if not helpers and not _MAY_LOAD.search(" ".join([word.text for word in words])):
        return
    for option, word in option_and_value(words):
        listed = not helpers.isdisjoint((option, letter_of(option)))
        if not option or not (listed or _HELPER.search(option)):
            continue
        if "/" in word.text and resolve(word, command, where).place in (_OWN if listed else _STRANGE):
            yield _run(command, f"{option} runs {word.text}")
    for word in () if command.name in DATA else words:
        for path in _LOADED.findall(word.text):
            if resolve(Word(path), command, where).place in _NOWHERE:
                yield _run(command, f"{path} is loaded")


def _run(command: Command, detail: str) -> Effect:
    return Effect(Action.RUN_UNKNOWN_CODE, "in-passing", command, what=shown(command), detail=detail[:120])
