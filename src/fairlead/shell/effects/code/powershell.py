"""PowerShell: its cmdlets say by their names what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.program_effects import is_asked
from fairlead.shell.lazy_pattern import lazy

_DELETE = lazy(
    r"(?:\A|[;|{&(]\s*|\s)(?:Remove-Item|ri|rd|rm|del|erase|rmdir|Clear-Content)\s+(?P<rest>[^;|}\n]+)",
    re.IGNORECASE,
)
_PIPED = lazy(
    r"\b(?:Get-ChildItem|gci|ls|dir)\s+(?P<rest>[^;|}\n]+)\|[^;}\n]*\b(?:Remove-Item|ri|rm|del)\b",
    re.IGNORECASE,
)
_READ = lazy(
    r"(?:\A|[;|{&(]\s*|\s)(?:Get-Content|gc|type|cat|Select-String|sls|Import-Csv|Get-Item|-InFile)\s+(?P<rest>[^;|})\n]+)",
    re.IGNORECASE,
)
_WEB = lazy(
    r"\b(?:Invoke-WebRequest|iwr|Invoke-RestMethod|irm|curl|wget|Start-BitsTransfer|DownloadString|DownloadFile"
    r"|DownloadData|OpenRead|WebClient|WebRequest)\b",
    re.I,
)
_RUNS = lazy(
    r"\b(?:iex|Invoke-Expression|Invoke-Command|Start-Process|saps|ScriptBlock\]::Create|Reflection\.Assembly\]::Load"
    r"|Add-Type|Import-Module|rundll32|mshta)\b|&\s*[\(\"'$.]|(?:^|[;|]\s*)\.?[\\/][\w\\/.-]+\.(?:ps1|exe|bat|cmd|vbs)",
    re.I,
)
_SOCKET = lazy(r"TCPClient|Sockets\.|TcpListener", re.I)
_CMDLETS: tuple[tuple[Action, str, str], ...] = (
    (Action.SHUTDOWN, "shutdown", r"(?:Stop|Restart|Suspend)-Computer\b"),
    (
        Action.FORMAT,
        "format",
        r"(?:Format-Volume|Clear-Disk|Initialize-Disk|(?:Remove|Resize|New)-Partition|Reset-PhysicalDisk|Set-Disk"
        r"|Remove-(?:Volume|VirtualDisk|StoragePool))\b",
    ),
    (
        Action.CHANGE_SERVICE,
        "stop-service",
        r"(?:(?:Stop|Remove|Suspend)-Service|Set-Service\b[^;|]{0,200}(?:Disabled|Stopped))\b",
    ),
    (Action.CHANGE_SERVICE, "start-later", r"(?:Unregister|Register|Disable|New)-ScheduledTask\b"),
    (
        Action.CHANGE_SYSTEM,
        "firewall",
        r"(?:Set-ExecutionPolicy|(?:Set|Add)-MpPreference|Uninstall-WindowsFeature|Set-NetFirewall\w*|Disable-BitLocker"
        r"|(?:Disable|Remove)-NetFirewall\w*|Disable-NetAdapter|Disable-WindowsOptionalFeature|Disable-ComputerRestore"
        r"|(?:Clear|Remove|Limit)-EventLog)\b",
    ),
    (
        Action.CHANGE_ACCOUNTS,
        "change-account",
        r"(?:(?:Add|Remove)-(?:LocalGroup|ADGroup)Member|(?:New|Remove|Set|Disable|Enable)-LocalUser|Set-Acl"
        r"|(?:Remove|Set|Disable)-AD\w+)\b",
    ),
    (Action.CHANGE_PACKAGES, "remove", r"(?:Uninstall-Package|Remove-AppxPackage|Uninstall-Module)\b"),
    (
        Action.CHANGE_PACKAGES,
        "source-change",
        r"(?:Register-(?:PSRepository|PackageSource)|Install-(?:Module|Package)\b[^;|]{0,200}-SkipPublisherCheck)\b",
    ),
    (Action.PUBLISH_PACKAGE, "publish", r"Publish-(?:Module|Script|PSResource)\b"),
    (
        Action.CHANGE_CLOUD,
        "delete",
        r"(?:(?:Remove|Stop)-VM\w*|(?:Remove|Stop|Restart|Clear|Revoke|Disable)-(?:Az|AWS|S3|EC2|RDS|Gc|Mg|DynamoDB|LM|ECS|EKS|CFN|IAM)\w+)\b",
    ),
    (Action.CHANGE_SYSTEM, "kernel", r"(?:Set|New|Remove)-ItemProperty\b[^;|]{0,200}HK(?:LM|CU|EY)"),
    (Action.KILL, "kill-everything", r"Get-Process\s*\|[^;]{0,200}(?:Stop-Process|kill|spps)\b"),
    (Action.KILL, "kill-everything", r"Stop-Process\b[^;|]{0,200}(?:['\" ]\*|lsass|csrss|winlogon|svchost)"),
)
_KNOWN = tuple(
    (re.compile(rf"(?<![\w-]){pattern}", re.I), action, name) for action, name, pattern in _CMDLETS
)


_SPOKEN = lazy(
    r"\b(?:Write-(?:Output|Host|Verbose|Warning|Error|Debug)|echo)\s+(?:'[^']*'|\"[^\"$]*\")", re.I
)
"""Text that is only shown."""


_PROGRAM = lazy(r"(?:\A|[;{&(|\n])[ \t]*(?P<line>(?P<name>[a-z][\w.-]{0,40})\s[^;|{}\n]*)")


def powershell_acts(text: str) -> Iterator[Act]:
    for match in _PROGRAM.finditer(text):
        if is_asked("anywhere", match["name"]):
            yield Act("shell", text=match["line"].replace("\\", "/"))
    for match in _READ.finditer(text):
        yield from _on_each(Action.READ, match["rest"], "Get-Content")
    for match in _PIPED.finditer(text):
        yield from _on_each(Action.DELETE, match["rest"], "Remove-Item", recursive=True)
    for match in _DELETE.finditer(text):
        recursive = bool(re.search(r"-r(?:ec|$|\s)|/s\b", match["rest"], re.IGNORECASE))
        yield from _on_each(Action.DELETE, match["rest"], "Remove-Item", recursive=recursive)
    done = _SPOKEN.sub(" ", text)
    for pattern, action, name in _KNOWN:
        if pattern.search(done) and not re.search(r"-WhatIf\b", text, re.I):
            yield Act(str(action), name=name, text=text[:80])
    if _WEB.search(text) and _RUNS.search(text):
        yield Act(str(Action.RUN_NETWORK_CODE), name="download", text=text[:80])
    if _SOCKET.search(text) and re.search(r"\biex\b|Invoke-Expression|cmd|powershell|Process", text, re.I):
        yield Act(str(Action.RUN_NETWORK_CODE), name="remote-shell", text=text[:80])


def _on_each(action: Action, words: str, name: str, *, recursive: bool = False) -> Iterator[Act]:
    for word in re.findall(r"\"[^\"]+\"|'[^']+'|\S+", words):
        if not word.startswith("-"):
            yield on_path(action, word.strip("\"'"), name=name, recursive=recursive)
