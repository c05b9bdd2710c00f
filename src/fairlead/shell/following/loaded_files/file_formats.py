"""In what files that programs load are written, and what in it runs.

A part of a format: `("shell",)` for text that a shell runs, `("code", LANGUAGE)`, `("line", PATTERN, TEXT)`
for what a pattern finds, `("tree", KEYS)` for values of structured text, `("texts",)` for texts in a syntax
that nobody reads here, `("escapes",)` for lines that leave to a shell, `("options",)` for options of the
program itself, `("script",)` for a program. `TEXT` has `{}` for what was found, or is `ASKS` where what runs
cannot be told; `LIST` takes the texts of a list as words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Part = tuple[str, ...]
ASKS, LIST = "?", "[]"

_VALUE = r"[ \t]*(?:[:=][ \t]*|(?<=[ \t]))(?P<text>[^\s:=][^\n]*)$"
_COMMANDS = (
    "command=argv commands cmd run script scripts prepare exec entrypoint build ignore buildCommand devCommand "
    "installCommand predeploy postdeploy before_script after_script preDeploy platformCommand"
)
_LITERAL = r"""(?P<q>["'`])(?P<text>(?:\\.|(?!(?P=q))[^\\\n])+)(?P=q)"""
_CALLED = r"(?:\s*\(\s*|\s*)" + _LITERAL

FORMATS: Mapping[str, tuple[Part, ...]] = MappingProxyType({
    "shell": (("shell",),),
    "script": (("script",),),
    "options": (("options",),),
    "escapes": (("escapes",), ("line", r"(?m)^[ \t]*(?::[ \t]*)?!(?P<text>.+)$", "{}")),
    "statements": (
        ("escapes",), ("code", "sql"),
        ("line", r"(?mi)^[ \t]*(?:\\!|\.shell|\.system|system)\s+(?P<text>.+?);?$", "{}"),
        ("line", r"(?i)\bprogram\s+'(?P<text>[^']+)'", "{}"),
    ),
    "texts": (("texts",),),
    "commands": (("tree", _COMMANDS), ("line", rf"(?mi)^[ \t]*(?:command|cmd){_VALUE}", "{}")),
    **{name: (("code", name),) for name in ("python", "javascript", "ruby", "php", "elixir")},
    "any": (("code", "any"),),
    "lua": (("code", "any"), ("line", r"(?:execute|popen|exec|system|systemlist|jobstart|termopen)" + _CALLED, "{}"),
            ("line", r"(?:system|systemlist|jobstart|spawn)\s*\(\s*\{(?P<list>[^{}]{1,2000})\}", LIST)),
    "modules": (("line", r"""(?m)["'\s](?P<text>\.\.?/[\w./@-]+)""", "node {}"),),
    "jest": (("tree", "globalSetup=node globalTeardown=node setupFiles=node setupFilesAfterEnv=node testEnvironment=node runner=node reporters=node transform=node"),),
    "msbuild": (("line", r'<Exec\s[^<>]{0,500}?Command\s*=\s*"(?P<text>[^"]+)"', "{}"),),
    "groovy": (("code", "groovy"), ("texts",)),
    "gradle": (
        ("code", "groovy"), ("texts",),
        ("line", r"\b(?:commandLine|executable)\b\s*[(=]?(?P<list>[^\n]{0,1000})", LIST),
        ("line", r"""(?P<q>["'])(?P<text>[^"'\n]{1,500})(?P=q)\.execute\(\)""", "{}"),
    ),
    "ssh": (
        ("line", r"(?mi)^[ \t]*Include\s+(?P<text>[/~][^[ \t]*?]+)\s*$", "ssh -F {} host"),
        ("line", rf"(?mi)^[ \t]*(?:ProxyCommand|LocalCommand|KnownHostsCommand){_VALUE}", "{}"),
        ("line", r'(?mi)^[ \t]*Match\b.*?\bexec\s+"(?P<text>[^"\n]+)"', "{}"),
        ("line", r"(?mi)^[ \t]*Match\b.*?\bexec\s+(?P<text>[^\"\s]+)", "{}"),
        ("line", rf"(?mi)^[ \t]*(?:PKCS11Provider|SecurityKeyProvider){_VALUE}", ASKS),
    ),
    "kubeconfig": (("tree", "command=argv cmd-path=argv"),),
    "aws": (("line", rf"(?mi)^[ \t]*credential_process{_VALUE}", "{}"),),
    "npmrc": (("line", rf"(?mi)^[ \t]*(?:script-shell|shell|git|editor|viewer|browser){_VALUE}", "{}"),
              ("line", rf"(?mi)^[ \t]*(?:node-options){_VALUE}", "node {}"),
              ("line", rf"(?mi)^[ \t]*(?:init-module|onload-script){_VALUE}", "node {}")),
    "yarnrc": (("tree", "yarnPath=node yarn-path=node plugins=node path=node constraintsPath=node"),
               ("line", rf"(?mi)^[ \t]*yarn-path{_VALUE}", "node {}")),
    "bunfig": (("tree", "preload=node"),),
    "goenv": (("line", r"(?m)^(?:CC|CXX|FC|AR|PKG_CONFIG)=(?P<text>.+)$", "{}"),
              ("line", r"(?m)^GOFLAGS=.*?-(?:toolexec|exec|vettool)[= ](?P<text>\S+)", "{}")),
    "pth": (("line", r"(?m)^(?P<text>import[ \t].+)$", "python"),),
    "mkdocs": (("tree", "hooks=python3"),),
    "ansible": (
        ("line", r"(?mi)^[ \t]*(?:\w+_plugins|library|module_utils|strategy_plugins|vault_password_file|collections_paths?)\s*=\s*(?P<text>[^\s~/][^\n]*|\./[^\n]*)$", ASKS),
        ("line", r"(?mi)^[ \t]*(?:ssh_executable|sftp_executable|executable|vault_identity_list)\s*=\s*(?P<text>.+)$", "{}"),
        ("line", r"(?mi)^[ \t]*ssh_(?:common_|extra_)?args\s*=\s*(?P<text>.+)$", "ssh {} host"),
    ),
    "expect": (("line", r"(?m)\b(?:spawn|exec|system)\s+(?P<text>[^\n;\]]+)", "{}"),),
    "mise": (
        ("tree", "preinstall postinstall enter leave cd source=source _.source=source"),
        ("line", r"exec\(\s*command\s*=\s*" + _LITERAL, "{}"),
    ),
    "mycnf": (("line", rf"(?mi)^[ \t]*(?:pager|tee|init-command|editor){_VALUE}", "{}"),),
    "vim": (
        ("line", r"(?m)^[ \t:]*(?:(?:silent|sil|noautocmd|autocmd\s+\S+\s+\S+|execute|exe)!?\s+['\"]?)*(?:[\d.$%,'<>+-]*)(?:(?:read|write|r|w)[ \t]*)?!(?P<text>[^\n]+?)['\"]?$", "{}"),
        ("line", r"\b(?:system|systemlist|jobstart|termopen|execute|popen)\s*\(\s*\[?" + _LITERAL, "{}"),
        ("line", r"(?m)^[ \t:]*so(?:urce)?\s+(?P<text>\S+)", "vim -S {}"),
    ),
    "debugger": (
        ("line", r"(?m)^[ \t]*(?:shell|!|make|platform\s+shell|pipe\s+[^|\n]*\|)\s*(?P<text>.+)$", "{}"),
        ("line", r"(?m)^[ \t]*(?:python|script|py|pi)\s+(?P<text>.+)$", "python"),
        ("line", r"(?ms)^[ \t]*(?:python|py)[ \t]*\n(?P<text>(?:(?!^[ \t]*end[ \t]*$).)+)", "python"),
        ("line", r"(?m)^[ \t]*source\s+(?P<text>\S+)", "gdb -x {}"),
        ("line", r"(?m)^[ \t]*command\s+script\s+import\s+(?P<text>\S+)", "python3 {}"),
    ),
    "tmux": (
        ("line", r"(?m)\b(?:run-shell|run|if-shell|if|pipe-pane|exec|popup|display-popup)\s+(?:-\w+\s+)*" + _LITERAL, "{}"),
        ("line", r"(?m)^[ \t]*(?:exec|screen|run-shell)\s+(?:-\w+\s+)*(?P<text>[^\"'\n][^\n]*)$", "{}"),
        ("line", r"#\((?P<text>[^()\n]+)\)", "{}"),
        ("line", r"(?:new-session|new-window|split-window|respawn-pane|default-command)\b[^\n'\"]{0,300}" + _LITERAL, "{}"),
    ),
    "rspec": (("line", r"(?m)(?:--require|-r)[ =]?(?P<text>\S+)", "ruby {}"),),
    "angular": (("tree", "command commands"), ("line", r'"builder"\s*:\s*"(?P<text>\.[^"]*)"', ASKS)),
    "pm2": (("code", "javascript"), ("line", r"\b(?:script|interpreter|pre-deploy|post-deploy|pre-setup|post-setup|pre-deploy-local)['\"]?\s*:\s*" + _LITERAL, "{}")),
    "xmlcommands": (
        ("line", r"(?s)<executable>\s*(?P<head>[^<>]{1,200}?)\s*</executable>(?:(?!<executable>).){0,500}?<arguments>(?P<list>(?:(?!<executable>).){0,4000}?)</arguments>", LIST),
        ("line", r"(?s)<exec\s[^<>]{0,200}?\bexecutable\s*=\s*[\"'](?P<head>[^\"'<>]+)[\"'][^<>]{0,200}>(?P<list>(?:(?!<exec\s).){0,4000}?)</exec>", LIST),
        ("line", r"<delete\b[^>]{0,500}?\b(?:dir|file)\s*=\s*[\"'](?P<text>[^\"']+)", "rm -rf {}"),
        ("line", r"(?s)<(?:script|source)[^<>]{0,200}>(?P<text>(?:(?!</?(?:script|source)).)+)", "any"),
    ),
    "extensions": (("line", r"(?P<text><extension\b)", ASKS),),
    "m4": (("line", r"\b(?:m4_)?e?sys(?:cmd|cmd_s)?(?:cmd)?\(\[?(?P<text>[^\])]+)", "{}"), ("shell",)),
    "ninja": (("line", r"(?m)^[ \t]*command\s*=\s*(?P<text>.+)$", "{}"),),
    "bazelrc": (("line", r"(?m)--(?:workspace_status_command|run_under|credential_helper|python_path|shell_executable)[= ](?P<text>.+?)\s*$", "{}"),),
    "doxyfile": (("line", r"(?m)^[ \t]*(?:\w*FILTER\w*|FILE_VERSION_FILTER|QHG_LOCATION|DOT_PATH|PERL_PATH)\s*\+?=\s*(?P<text>\S.*)$", "{}"),),
    "latex": (
        ("line", r"\\write18\s*\{(?P<text>[^{}]+)\}", "{}"),
        ("line", r"\\(?:ShellEscape|input\|)\s*\{?(?P<text>[^{}\n]+)", "{}"),
        ("line", r"(?:os\.execute|io\.popen)" + _CALLED, "{}"),
    ),
    "latexmkrc": (("code", "perl"), ("line", r"\$(?:pdf|lua|xe)?latex\w*\s*=\s*" + _LITERAL, "{}")),
    "phpunit": (("line", r'bootstrap\s*=\s*"(?P<text>[^"]+)"', "php {}"),),
    "goreleaser": (("tree", "hooks pre post hook cmd=argv"),),
    "hcl": (
        ("line", r"(?s)\b(?:execute|program)\s*=\s*\[(?P<list>[^\]]{0,2000})\]", LIST),
        ("line", r"\brun_cmd\s*\((?P<list>[^)]{0,2000})\)", LIST),
    ),
    "provisioners": (
        ("line", r'(?s)provisioner\s+"local-exec"\s*\{[^}]{0,500}?\bcommand\s*=\s*"(?P<text>(?:\\.|[^"\\\n])*)"', "{}"),
        ("line", r'(?s)provisioner\s+"local-exec"\s*\{[^}]{0,500}?\bcommand\s*=\s*<<-?\s*(?P<end>\w+)\n(?P<text>.{0,4000}?)\n\s*(?P=end)\b', "{}"),
    ),
    "packer": (("line", r"""(?s)shell-local"[^}]{0,500}?\b(?:command|inline|script)"?[ \t]*[=:][ \t]*(?:\[\s*)?""" + _LITERAL, "{}"),),
    "serverless": (("tree", "hooks scripts commands"),),
    "cdk": (("tree", "app build"),),
    "makefile": (("line", r"(?m)^\t[@-]*(?P<text>.+)$", "{}"),),
    "skaffold": (("tree", "before after command=argv buildCommand"),),
    "generators": (("line", r"(?m)^(?P<text>generators|transformers|validators):", ASKS),),
    "earthfile": (("line", r"(?ms)^[ \t]+LOCALLY\b(?P<text>(?:\n[ \t]+[^\n]*)+)", "runs"),),
})  # fmt: skip
