"""The unit by which systemd keeps the agent running."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fairlead.policy.places import Places, home_of_user

NAME = "fairlead-fleet.service"
_HARDENING = (
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "ProtectHome=read-only",
    "PrivateTmp=yes",
    "PrivateDevices=yes",
    "ProtectKernelTunables=yes",
    "ProtectControlGroups=yes",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "LockPersonality=yes",
)


def has_systemd() -> bool:
    return os.path.isdir("/run/systemd/system")


def unit_path(*, system: bool) -> str:
    if system:
        return os.path.join("/etc/systemd/system", NAME)
    return os.path.join(home_of_user(), ".config/systemd/user", NAME)


def unit_text(words: Sequence[str], places: Places, *, system: bool) -> str:
    """What is written for root may read everything and write only what the agent keeps."""
    writes = os.path.dirname(places.system_fleet)
    hardening = [*_HARDENING, f"ReadWritePaths={writes}", "StateDirectory=fairlead"] if system else []
    return "\n".join(
        [
            "# Written by `fairlead fleet enrol`.",
            "[Unit]",
            "Description=Fairlead: the agent of this machine's fleet",
            "Wants=network-online.target",
            "After=network-online.target",
            "",
            "[Service]",
            f"ExecStart={' '.join(map(_quoted, words))}",
            "Restart=always",
            "RestartSec=5",
            *hardening,
            "",
            "[Install]",
            f"WantedBy={'multi-user' if system else 'default'}.target",
            "",
        ]
    )


def enable_words(*, system: bool) -> str:
    return f"systemctl {'' if system else '--user '}enable --now {NAME.removesuffix('.service')}"


def _quoted(word: str) -> str:
    """As systemd reads it: no variable, no specifier."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'
