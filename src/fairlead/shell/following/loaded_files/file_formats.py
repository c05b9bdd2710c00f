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

_VALUE = r"""\s*[:=\s]\s*(["']?)(?P<text>[^\n]+?)\1\s*$"""
_COMMANDS = (
    "command=argv cmd run script scripts prepare exec entrypoint build ignore buildCommand devCommand "
    "installCommand predeploy postdeploy before_script after_script preDeploy platformCommand"
)
_LITERAL = r"""(?P<q>["'`])(?P<text>(?:\\.|(?!(?P=q)).){1,2000})(?P=q)"""

FORMATS: Mapping[str, tuple[Part, ...]] = MappingProxyType({
    "shell": (("shell",),),
    "script": (("script",),),
    "options": (("options",),),
    "escapes": (("escapes",), ("line", r"(?m)^\s*:?\s*!\s*(?P<text>.+)$", "{}")),
    "statements": (
        ("escapes",), ("code", "sql"),
        ("line", r"(?mi)^\s*(?:\\!|\.shell|\.system|system)\s+(?P<text>.+?);?$", "{}"),
        ("line", r"(?i)\bprogram\s+'(?P<text>[^']+)'", "{}"),
    ),
    "texts": (("texts",),),
    "commands": (("tree", _COMMANDS), ("line", rf"(?mi)^\s*(?:command|cmd){_VALUE}", "{}")),
    **{name: (("code", name),) for name in ("python", "javascript", "ruby", "php", "elixir")},
    "any": (("code", "any"),),
    "lua": (("code", "any"), ("line", r"(?:execute|popen|exec|system|systemlist|jobstart|termopen|io\.popen)\s*\(?\s*" + _LITERAL, "{}")),
    "groovy": (("code", "groovy"), ("texts",)),
    "gradle": (("code", "groovy"), ("texts",)),
    "ssh": (
        ("line", rf"(?mi)^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand){_VALUE}", "{}"),
        ("line", r'(?mi)^\s*Match\b.*?\bexec\s+"(?P<text>[^"\n]+)"', "{}"),
        ("line", r"(?mi)^\s*Match\b.*?\bexec\s+(?P<text>[^\"\s]+)", "{}"),
        ("line", rf"(?mi)^\s*(?:PKCS11Provider|SecurityKeyProvider){_VALUE}", ASKS),
    ),
    "kubeconfig": (("tree", "command=argv cmd-path=argv"),),
    "aws": (("line", rf"(?mi)^\s*credential_process{_VALUE}", "{}"),),
    "npmrc": (("line", rf"(?mi)^\s*(?:script-shell|shell|git|editor|viewer|browser){_VALUE}", "{}"),
              ("line", rf"(?mi)^\s*(?:node-options){_VALUE}", "node {}"),
              ("line", rf"(?mi)^\s*(?:init-module|onload-script){_VALUE}", "node {}")),
    "yarnrc": (("tree", "yarnPath=node yarn-path=node plugins=node path=node constraintsPath=node"),
               ("line", rf"(?mi)^\s*yarn-path{_VALUE}", "node {}")),
    "bunfig": (("tree", "preload=node"),),
    "goenv": (("line", r"(?m)^(?:CC|CXX|FC|AR|PKG_CONFIG)=(?P<text>.+)$", "{}"),
              ("line", r"(?m)^GOFLAGS=.*?-(?:toolexec|exec|vettool)[= ](?P<text>\S+)", "{}")),
    "pth": (("line", r"(?m)^(?P<text>import[ \t].+)$", "python"),),
    "mkdocs": (("tree", "hooks=python3"),),
    "ansible": (
        ("line", r"(?mi)^\s*(?:\w+_plugins|library|module_utils|strategy_plugins|vault_password_file|collections_paths?)\s*=\s*(?P<text>[^\s~/][^\n]*|\./[^\n]*)$", ASKS),
        ("line", r"(?mi)^\s*(?:ssh_executable|sftp_executable|executable|vault_identity_list)\s*=\s*(?P<text>.+)$", "{}"),
        ("line", r"(?mi)^\s*ssh_(?:common_|extra_)?args\s*=\s*(?P<text>.+)$", "ssh {} host"),
    ),
    "expect": (("line", r"(?m)\b(?:spawn|exec|system)\s+(?P<text>[^\n;\]]+)", "{}"),),
    "mise": (
        ("tree", "preinstall postinstall enter leave cd source=source _.source=source"),
        ("line", r"exec\(\s*command\s*=\s*" + _LITERAL, "{}"),
    ),
    "mycnf": (("line", rf"(?mi)^\s*(?:pager|tee|init-command|editor){_VALUE}", "{}"),),
    "vim": (
        ("line", r"(?m)^[\s:]*(?:(?:silent|sil|noautocmd|autocmd\s+\S+\s+\S+|execute|exe)!?\s+['\"]?)*(?:[\d.$%,'<>+-]*)(?:r|w|read|write)?\s*!\s*(?P<text>[^\n]+?)['\"]?$", "{}"),
        ("line", r"\b(?:system|systemlist|jobstart|termopen|execute|popen)\s*\(\s*\[?" + _LITERAL, "{}"),
        ("line", r"(?m)^[\s:]*so(?:urce)?\s+(?P<text>\S+)", "vim -S {}"),
    ),
    "debugger": (
        ("line", r"(?m)^\s*(?:shell|!|make|platform\s+shell|pipe\s+[^|\n]*\|)\s*(?P<text>.+)$", "{}"),
        ("line", r"(?m)^\s*(?:python|script|py|pi)\s+(?P<text>.+)$", "python"),
        ("line", r"(?ms)^\s*(?:python|py)\s*\n(?P<text>.*?)^\s*end\s*$", "python"),
        ("line", r"(?m)^\s*source\s+(?P<text>\S+)", "gdb -x {}"),
        ("line", r"(?m)^\s*command\s+script\s+import\s+(?P<text>\S+)", "python3 {}"),
    ),
    "tmux": (
        ("line", r"(?m)\b(?:run-shell|run|if-shell|if|pipe-pane|exec|popup|display-popup)\s+(?:-\w+\s+)*" + _LITERAL, "{}"),
        ("line", r"(?m)^\s*(?:exec|screen|run-shell)\s+(?:-\w+\s+)*(?P<text>[^\"'\n][^\n]*)$", "{}"),
        ("line", r"#\((?P<text>[^()\n]+)\)", "{}"),
        ("line", r"(?:new-session|new-window|split-window|respawn-pane|default-command)\b[^\n'\"]*" + _LITERAL, "{}"),
    ),
    "rspec": (("line", r"(?m)(?:--require|-r)[ =]?(?P<text>\S+)", "ruby {}"),),
    "angular": (("tree", "command commands"), ("line", r'"builder"\s*:\s*"(?P<text>\.[^"]*)"', ASKS)),
    "pm2": (("code", "javascript"), ("line", r"\b(?:script|interpreter|pre-deploy|post-deploy|pre-setup|post-setup|pre-deploy-local)['\"]?\s*:\s*" + _LITERAL, "{}")),
    "xmlcommands": (
        ("line", r"(?s)<executable>\s*(?P<head>[^<>]{1,200}?)\s*</executable>.{0,500}?(?P<list><argument.{0,2000}?)</arguments>", LIST),
        ("line", r"(?s)<exec\s[^<>]{0,200}?\bexecutable\s*=\s*[\"'](?P<head>[^\"'<>]+)[\"'][^<>]{0,200}>(?P<list>.{0,2000}?)</exec>", LIST),
        ("line", r"(?s)<(?:script|source)[^<>]{0,200}>(?P<text>.{1,4000}?)</(?:script|source)>", "any"),
    ),
    "extensions": (("line", r"(?P<text><extension>)", ASKS),),
    "m4": (("line", r"\b(?:m4_)?e?sys(?:cmd|cmd_s)?(?:cmd)?\(\[?(?P<text>[^\])]+)", "{}"), ("shell",)),
    "ninja": (("line", r"(?m)^\s*command\s*=\s*(?P<text>.+)$", "{}"),),
    "bazelrc": (("line", r"(?m)--(?:workspace_status_command|run_under|credential_helper|python_path|shell_executable)[= ](?P<text>.+?)\s*$", "{}"),),
    "doxyfile": (("line", r"(?m)^\s*(?:\w*FILTER\w*|FILE_VERSION_FILTER|QHG_LOCATION|DOT_PATH|PERL_PATH)\s*\+?=\s*(?P<text>\S.*)$", "{}"),),
    "latex": (
        ("line", r"\\write18\s*\{(?P<text>[^{}]+)\}", "{}"),
        ("line", r"\\(?:ShellEscape|input\|)\s*\{?(?P<text>[^{}\n]+)", "{}"),
        ("line", r"(?:os\.execute|io\.popen)\s*\(?\s*" + _LITERAL, "{}"),
    ),
    "latexmkrc": (("code", "perl"), ("line", r"\$(?:pdf|lua|xe)?latex\w*\s*=\s*" + _LITERAL, "{}")),
    "phpunit": (("line", r'bootstrap\s*=\s*"(?P<text>[^"]+)"', "php {}"),),
    "goreleaser": (("tree", "hooks pre post hook cmd=argv"),),
    "hcl": (
        ("line", r"(?s)\b(?:execute|program)\s*=\s*\[(?P<list>[^\]]{0,2000})\]", LIST),
        ("line", r"\brun_cmd\s*\((?P<list>[^)]{0,2000})\)", LIST),
    ),
    "packer": (("line", r"""(?s)shell-local"[^}]{0,500}?\b(?:command|inline|script)"?\s*[=:]\s*\[?\s*""" + _LITERAL, "{}"),),
    "serverless": (("tree", "hooks scripts commands"),),
    "cdk": (("tree", "app build"),),
    "makefile": (("line", r"(?m)^\t[@-]*(?P<text>.+)$", "{}"),),
    "skaffold": (("tree", "before after command=argv buildCommand"),),
    "generators": (("line", r"(?m)^(?P<text>generators|transformers|validators):", ASKS),),
    "earthfile": (("line", r"(?ms)^[ \t]+LOCALLY\b(?P<text>(?:\n[ \t]+[^\n]*)+)", "runs"),),
})  # fmt: skip
