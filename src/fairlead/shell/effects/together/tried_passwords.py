"""Loops that try one password or one name after the other at something that asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Script
from fairlead.shell.word_sets import names

TRYING_LOGINS = names(
    """
    sshpass smbclient rpcclient smbmap mysql mysqladmin psql curl wget xfreerdp ldapsearch ldapwhoami su
    sudo unzip 7z 7za unrar gpg openssl redis-cli mongosh mongo ftp lftp kinit net crackmapexec nxc winexe
    cryptsetup ssh-keygen qpdf pdftotext steghide keepassxc-cli veracrypt telnet ipmitool snmpwalk snmpget
    mosquitto_pub
    """
)
"""Programs that are told a password or a community in a word."""
_ROUND = lazy(
    r"\b(?:for\s+(\w+)\s+in\b|while\b[^;\n]{0,40}\bread\s+(?:-\w+\s+)*(?:\w+\s+){0,2}?(\w+)\s*)"
    r"[^\n]{0,200}?[;\n]\s*do\b"
)
_GIVEN = (
    r"\bsshpass\s+-p\s*VALUE",
    r"\b(?:smbclient|rpcclient|smbmap|net|winexe)\b[^;\n]{0,80}-U\s*[^\s;%]*(?:%VALUE|VALUE\}?%)",
    r"\b(?:mysql|mysqladmin|mongosh?|7za?|unrar)\b[^;\n]{0,80}\s-[px]\s*VALUE",
    r"\bPGPASSWORD=VALUE",
    r"\b(?:curl|wget)\b(?![^;\n]*(?:localhost|127\.0))[^;\n]{0,120}\s(?:-u|--user)[ =]*[\"']?[^\s:]*:VALUE",
    r"\b(?:curl|wget)\b(?![^;\n]*(?:localhost|127\.0))[^;\n]{0,120}\s(?:-u|--user)[ =]*VALUE\}?:",
    r"\bxfreerdp\b[^;\n]{0,80}/p:VALUE",
    r"\bldap(?:search|whoami)\b[^;\n]{0,120}\s-w\s*VALUE",
    r"\b(?:echo|printf)\b[^;|\n]{0,30}VALUE[^|;\n]{0,10}\|\s*(?:su\b|sudo\s+-\w*S|kinit|cryptsetup|gpg|ftp)",
    r"\bunzip\b[^;\n]{0,40}-P\s*VALUE",
    r"--passphrase[ =]VALUE",
    r"\bpass:VALUE",
    r"\bredis-cli\b[^;\n]{0,60}-a\s*VALUE",
    r"\bl?ftp\b[^;\n]{0,60}-u\s*[^\s;]*,VALUE",
    r"--(?:user-)?password[= ]VALUE",
    r"\bssh-keygen\b[^;\n]{0,60}-P\s*VALUE",
    r"\bsnmp(?:walk|get)\b[^;\n]{0,60}-c\s*VALUE",
)
"""Where such a program takes it; in place of `VALUE` stands what the loop goes through."""
_LONGEST, _REACH = 65536, 400


def tried_passwords(script: Script) -> Iterator[Effect]:
    """`for p in $(cat words.txt); do sshpass -p "$p" ssh admin@10.0.0.5 id; done`."""
    text = script.text[:_LONGEST]
    for found in _ROUND.finditer(text):
        name = found[1] or found[2]
        if _is_given(name, text[found.end() : found.end() + _REACH]) and script.commands:
            yield Effect(Action.READ_SECRET, "guess", script.commands[0], what=found[0][:60])
            return


def _is_given(name: str, body: str) -> bool:
    value = rf"[\"']?\$\{{?{name}\b"
    return any(re.search(each.replace("VALUE", value), body) for each in _GIVEN)
