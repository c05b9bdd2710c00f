"""Which programs stand between a person and a command, and which stand for an agent."""

from __future__ import annotations

from fairlead.model.value import Value

AGENTS = frozenset(
    {
        "aider",
        "amp",
        "auggie",
        "claude",
        "cline",
        "codex",
        "copilot",
        "crush",
        "cursor-agent",
        "droid",
        "gemini",
        "goose",
        "kilo",
        "kilocode",
        "kimi",
        "kiro-cli",
        "llxprt",
        "opencode",
        "openhands",
        "qwen",
    }
)
AGENT_VARIABLES = frozenset(
    {
        "AI_AGENT",
        "AUGMENT_AGENT",
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SESSION_ID",
        "CLINE_ACTIVE",
        "CODEX_MANAGED_BY_NPM",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
        "COPILOT_CLI",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "KILO",
        "OPENCODE",
        "QWEN_CODE",
    }
)
"""Set by agents for what they run. Their settings (`CODEX_HOME`) are not here: people have those too."""


class Login(Value):
    """Programs that let a person in.

    `root`: only if they run as root, which nothing that the user starts does; `direct`: what they start need
    not be a shell that waits for input, as in `ssh -t host fairlead off`.
    """

    names: frozenset[str]
    root: bool = False
    direct: bool = False


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


REMOTE = Login(_names("sshd sshd-session dropbear"), root=True, direct=True)
LOGINS = (
    REMOTE,
    Login(_names("login"), root=True),
    Login(
        _names(
            """
            Terminal alacritty blackbox contour cool-retro-term cosmic-term deepin-terminal foot ghostty
            gnome-terminal-server guake hyper iTerm2 io.elementary.terminal kgx kitty konsole lxterminal
            mate-terminal mlterm mosh-server ptyxis-agent qterminal rio roxterm rxvt sakura st tabby
            terminator terminology termite tilda tilix urxvt urxvtd warp warp-terminal wezterm-gui
            xfce4-terminal xterm yakuake
            """
        )
    ),
    Login(
        _names(
            "clion datagrip goland idea phpstorm pycharm rider rubymine rustrover studio webstorm zed-editor"
        )
    ),
)
IDES = _names("Code Cursor code code-insiders code-oss codium cursor electron java node vscodium windsurf")
"""Editors of which only one process keeps the terminals."""
IDE_HOSTS = ("--type=ptyHost", "--utility-sub-type=node.mojom.NodeService", "com.intellij.idea.Main")
"""Words by which that one is known."""
WSL_INIT = "/init"
"""The program that lets a person on Windows in, under this very name."""
KEEPERS = _names("abduco dtach screen shpool tmux wezterm-mux-server zellij")
"""They keep terminals that outlive their person: what counts is who looks at them."""
SHELLS = _names(
    "ash bash busybox csh dash elvish fish ksh ksh93 mksh nu oksh pwsh sh tcsh xonsh yash zsh rbash"
)
ELEVATORS = _names("doas login newgrp sg su sudo sudo-rs")
"""They run what they are told as somebody else, and may give it a terminal of its own."""
LAUNCHERS = _names("direnv mise nice nix nix-shell pixi time uv uvx")
"""What people put before a command."""
CONTAINER_INITS = _names("catatonit docker-init dumb-init tini")
INITS = _names("init launchd openrc-init runit s6-svscan systemd")
SHELL_OPTIONS_WITH_VALUE = _names("--init-command --init-file --rcfile -C -O -o +O +o -e --execute")
