"""Code in any language that lets another machine run commands on this one.

A connection to another host, together with a shell or with a command that is no literal, is the same thing in
every language; only the names differ.
"""

from __future__ import annotations

import re

from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_CONNECTS = lazy(
    r"\bsockets?\b|fsockopen|TCPSocket|TCPServer|IO::Socket|Socket\.tcp|UNIXSocket"
    r"|\bnet['\"]?\)|\bnet\.(?:connect|Socket|createConn|Listen)|node:net"
    r"|stream_socket_(?:client|server)|socket_create|Deno\.(?:connect|listen)|net\.Dial|Bun\.(?:connect|listen)|\bdgram\b"
    r"|\bWebSocket\b|/inet/tcp|\btls['\"]?\)?\.connect|ssl\.connect"
    r"|socketConnection|\bgen_(?:tcp|udp)\b|TcpStream|TcpListener|TcpClient|newSocket|newAsyncSocket|ADDR_INET"
    r"|open_connection|openTCPClient|Network\.Socket|connectTo\b|\busing Sockets\b|Sys\.net|asio::|\bINET\b"
    r"|[\"']ws[\"']|\bwss?://|make-network-process|open-network-stream|tcp-connect|tcpclient|net\.dial"
    r"|\bch_open\(|\bsockconnect\(",
    re.I,
)
_STARTS_SHELL = lazy(
    r"/bin/(?:ba|z|da|k)?sh\b|['\"`](?:ba|z|da|k)?sh(?: -\w)?['\"`]"
    r"|['\"`](?:ba|z|da|k)?sh\b[^'\"`]{0,40}[<>]&|cmd\.exe|powershell|\bpopen|proc_open"
    r"|\bshell_exec|exec(?:Sync|File|Process|Cmd(?:Ex)?)?\s*\(\s*(?!['\"])|os\.execute|\|&\s*getline|exec\.Command\("
    r"|\bsystem\s*[$(]?\s*\$|`#\{|`\s*\$|\bsystem\s*\(\s*(?![\s'\"])"
    r"|(?:\bos:cmd|:os\.cmd|System\.cmd|Sys\.command|callCommand|readProcess|io\.Process|Unix\.(?:open_process|execv)\w*)"
    r"\s*\(*\s*(?!['\"\s(])|\bProcess\.(?:new|start|run)\w*\s*\(\s*(?!['\"])|\bcreateProcess\b|\bexecProcess\b|\beval\s+\$"
    r"|[$]`[^`]{0,40}(?:[$]\{|\b(?:ba|z|da)?sh\b)"
    r"|[\w)]\.!{1,2}(?![=\w])|\bqq?x\s*[({\[/]\s*\$|shell-command(?:-to-string)?\s+(?![\"'])|\(system\s+\(",
    re.I,
)
_SERVES = lazy(r"\bcreateServer\s*\(|\b(?:Deno|Bun)\.serve\s*\(|\bexpress\s*\(\)|\bnew Hono\b|\bfastify\s*\(")
_RUNS_REQUEST = lazy(
    r"[\"'`](?:/bin/)?(?:ba|z|da)?sh[\"'`]\s*,\s*(?:\{\s*args:\s*)?\[?\s*[\"'`]-c[\"'`]\s*,\s*(?![\"'`])"
    r"|\b(?:execSync|exec|spawnSync)\s*\(\s*(?:decodeURIComponent\(\s*)?(?:\w+\.)?(?:req|request|body|query|params|url)\b"
)
"""A server that runs what a request says."""
_HOST = lazy(
    r"[\"'`/@=:\s(](?P<host>\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)+[a-z]{2,}|localhost|::1)(?=[\"'`/:,\s)])",
    re.I,
)
_HERE = lazy(r"127\.\d+\.\d+\.\d+|localhost|::1", re.I)
_FILE_LIKE = lazy(
    r"\.(?:js|ts|mjs|cjs|py|rb|pl|pm|php|json|html?|css|md|txt|sh|lua|go|rs|java|toml|ya?ml|log)$", re.I
)
_ASKED = lazy(
    r"\b(?:system|exec|shell_exec|passthru|popen|proc_open|eval|assert)\s*\(\s*(?:base64_decode\s*\(\s*)?\$_(?:GET|POST|REQUEST|COOKIE|SERVER)"
    r"|`\s*\$_(?:GET|POST|REQUEST)"
)
"""A page that runs whatever it is asked for."""


def gives_away_a_shell(text: str) -> bool:
    if _ASKED.search(text) or (_SERVES.search(text) and _RUNS_REQUEST.search(text)):
        return not _SERVES.search(text) or not _stays_here(text)
    return bool(_STARTS_SHELL.search(text)) and connects(text)


def connects(text: str) -> bool:
    """Whether the code talks to another machine, as far as can be told."""
    return bool(_CONNECTS.search(text)) and not _stays_here(text)


def _stays_here(text: str) -> bool:
    """Whether each host that the code names is this machine, and it names one."""
    hosts = [match["host"] for match in _HOST.finditer(text) if not _FILE_LIKE.search(match["host"])]
    return any(map(_HERE.fullmatch, hosts)) and all(map(_HERE.fullmatch, _numbered(hosts)))


def _numbered(hosts: list[str]) -> list[str]:
    """Names with dots are modules as often as hosts: only well-formed addresses and domains count."""
    return [
        host
        for host in hosts
        if host[0].isdigit() or host.rpartition(".")[2].lower() in _DOMAINS or "." not in host
    ]


_DOMAINS = names("com net org io dev app example test internal local xyz me co info sh ru cn top site tk")
