"""The words of contract lines, once for every door: Python reads them here, `hooks.bash` is made with them.

Patterns are written so that Python and a POSIX regular expression mean the same by them; names with `*` and
`[...]` are globs.
"""

NAME = "[A-Za-z_][A-Za-z0-9_]*"
OPERATORS = {"=": "set", "+=": "append", "^=": "prepend", "-=": "remove"}
BARE = "[A-Za-z0-9_@%+=:,./*?!#^~{}-]*"
"""A word that a shell would read as it stands."""
EXIT_CODE = "[0-9]{1,3}"
SECONDS = "[0-9]{1,9}([.][0-9]{1,9})?"
JSON_NUMBER = "-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?"
MODES: dict[str, tuple[str, str, bool, dict[str, str]]] = {
    "dry": ("", "", False, {"DRY_RUN": "true"}),
    "ok": ("zero", "", True, {"__CI_MODE_TERMINATE": "true", "__CI_MODE_EXIT": "0"}),
    "error": ("code", "1", True, {"__CI_MODE_TERMINATE": "true", "__CI_MODE_EXIT": "{}"}),
    "skip": ("zero", "", True, {"__CI_MODE_TERMINATE": "true", "__CI_MODE_EXIT": "0"}),
    "timeout": ("seconds", "", False, {"CI_MODE_TIMEOUT": "{}"}),
    "test": ("file", "", True, {"__CI_MODE_TERMINATE": "true"}),
}
"""For each word the kind of its argument (`zero`: none, and the code is 0), what that is by default, whether
the caller is to end, and the variables that it sets besides CI_MODE, where `{}` is the argument."""
CALLERS_ALONE = ("__CI_MODE_TERMINATE", "__CI_MODE_EXIT")
"""What one hook asked of the caller: no child gets to see it, and the next hook does not find it."""

SETTINGS = (
    "HOOKS_AUTO_TRAP",
    "HOOKS_CONTRACT_ALLOW",
    "HOOKS_DIR",
    "HOOKS_EXEC_MODE",
    "HOOKS_EXIT_POLICY",
    "HOOKS_FAIL_FAST",
    "HOOKS_GRACE",
    "HOOKS_PREFIX",
    "HOOKS_REQUIRED",
    "HOOKS_RETRIES",
    "HOOKS_STDIN",
    "HOOKS_TIMEOUT",
)
"""How the caller has its hooks run. It is the caller's word, so no hook may change it."""

_OUR_STATE = ("__HOOKS_*", "__hooks_*", "__h_*", "FAIRLEAD_*")
_HOW_PROGRAMS_RUN = (
    "PATH",
    "LD_*",
    "DYLD_*",
    "ENV",
    "PYTHON*",
    "PERL*",
    "RUBY*",
    "NODE_*",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "CLASSPATH",
    "DOTNET_*",
    "LUA_INIT*",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "AWKPATH",
    "AWKLIBPATH",
    "GIT_*",
    "MAKEFLAGS",
    "MAKEFILES",
    "GNUMAKEFLAGS",
    "GOFLAGS",
    "GRADLE_OPTS",
    "MAVEN_ARGS",
    "MAVEN_OPTS",
    "NPM_CONFIG_*",
    "npm_config_*",
    "TAR_OPTIONS",
    "RSYNC_RSH",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "NLSPATH",
    "OPENSSL_*",
    "LESSOPEN",
    "LESSCLOSE",
    "HOME",
    "SHELL",
    "TMPDIR",
    "LC_ALL",
    "BROWSER",
    "EDITOR",
    "PAGER",
    "MANPAGER",
    "RUSTC",
    "RUSTC_*",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "VISUAL",
)
_OF_THE_SHELL = (
    "_",
    "BASH*",
    "CDPATH",
    "COMP_*",
    "COMPREPLY",
    "COPROC",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "EXECIGNORE",
    "FUNCNAME",
    "FUNCNEST",
    "GLOBIGNORE",
    "GLOBSORT",
    "GROUPS",
    "HIST*",
    "IFS",
    "INPUTRC",
    "LINENO",
    "MAIL",
    "MAILPATH",
    "MAPFILE",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PPID",
    "PROMPT_COMMAND",
    "PS[0-4]",
    "PWD",
    "OLDPWD",
    "RANDOM",
    "READLINE_*",
    "REPLY",
    "SECONDS",
    "SHELLOPTS",
    "SHLVL",
    "SRANDOM",
    "TMOUT",
    "UID",
    "ZDOTDIR",
)

PROTECTED = (*SETTINGS, *_OUR_STATE, *_HOW_PROGRAMS_RUN, *_OF_THE_SHELL)
"""What a line of output may not set unless the caller permits it by name."""
