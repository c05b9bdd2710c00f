"""Files that a shell, a program or a desktop runs by itself when it starts."""

from __future__ import annotations

from fairlead.shell.lazy_pattern import lazy

_SHELLS = (
    r"\.bashrc|\.bash_profile|\.bash_login|\.bash_logout|\.bash_aliases|\.profile|\.login|\.inputrc",
    r"\.zshrc|\.zshenv|\.zprofile|\.zlogin|\.zlogout|\.oh-my-zsh/custom/.*|\.kshrc|\.mkshrc|\.cshrc|\.tcshrc",
    r"\.config/fish/(?:config\.fish|conf\.d/.*|functions/.*)|\.config/nushell/.*|\.xonshrc|\.config/xonsh/.*",
    r"\.config/elvish/.*|\.config/powershell/.*|\.config/direnv/.*|\.direnvrc|\.pam_environment",
)
_DESKTOPS = (
    r"\.xinitrc|\.xsession|\.xprofile|\.xsessionrc|\.config/(?:autostart|systemd/user|environment\.d)(?:/.*)?",
    r"\.config/(?:i3|sway|hypr|bspwm|openbox|awesome|qtile|river)/.*|\.config/plasma-workspace/.*",
    r"\.local/share/systemd/user(?:/.*)?|Library/LaunchAgents(?:/.*)?",
)
_PROGRAMS = (
    r"\.tmux\.conf|\.config/tmux/.*|\.screenrc|\.vimrc|\.vim/(?:plugin|after|autoload)/.*|\.gvimrc|\.exrc",
    r"\.config/nvim/.*\.(?:lua|vim)|\.emacs|\.emacs\.d/.*\.el|\.config/emacs/.*\.el|\.doom\.d/.*",
    r"\.pythonrc|\.pythonstartup|\.pystartup|\.ipython/profile_[^/]+/(?:startup/.*|ipython_config\.py)",
    r"\.irbrc|\.pryrc|\.psqlrc|\.sqliterc|\.mongorc\.js|\.mongoshrc\.js|\.gdbinit|\.lldbinit|\.Rprofile|\.octaverc",
    r"\.julia/config/startup\.jl|\.ghci|\.sbclrc|\.iex\.exs|\.erlang|\.curlrc|\.wgetrc|\.lessfilter|\.mailcap",
    r"(?:.*/)?site-packages/(?:[^/]+\.pth|(?:site|user)customize\.py)",
)
_TOOLS = (
    r"\.gitconfig|\.config/git/(?:config|hooks/.*|attributes)|\.ssh/(?:config|rc|authorized_keys2?|environment)",
    r"\.npmrc|\.yarnrc(?:\.yml)?|\.bunfig\.toml|\.pypirc|\.pip/pip\.conf|\.config/(?:pip/pip\.conf|uv/uv\.toml)|\.condarc",
    r"\.cargo/config(?:\.toml)?|\.gemrc|\.bundle/config|\.gradle/init(?:\.d/.*|\.gradle(?:\.kts)?)|\.mavenrc|\.sbtrc",
)
_STARTUP = lazy("/(?:" + "|".join((*_SHELLS, *_DESKTOPS, *_PROGRAMS, *_TOOLS)) + ")$")


def runs_by_itself(path: str) -> bool:
    return bool(_STARTUP.search(path))
