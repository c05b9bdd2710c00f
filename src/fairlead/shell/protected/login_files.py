"""Files in a home that run by themselves, by who runs them: at login, when a shell or a program starts, or in
the place of a command. What is written there runs later, outside the guard.

A path is seen from the home. `*` stands for a part of one name, `{a,b}` for either; a folder with `/**`
behind it stands for itself and for all that is in it, and `**/` before a path for any folder.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.value import Value


class LoginFiles(Value):
    """`holding`: only a text that this pattern is found in runs something; any other is a plain setting."""

    kind: str
    paths: str
    runs: tuple[str, ...]
    """Examples, which are tests."""
    leaves: tuple[str, ...]
    """What lies beside them and runs nothing."""
    holding: str = ""


TABLE = (
    LoginFiles(
        "bash",
        """
        .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_functions .profile .login
        .inputrc .bashrc.d/** .bash.d/** .profile.d/** .bash_completion .bash_completion.d/** .bash_it/**
        .fzf.bash .local/share/bash-completion/** .config/bash/**
        """,
        (".bashrc", ".bashrc.d/x.sh", ".bash_completion", ".local/share/bash-completion/completions/git"),
        (".bash_history", "dotfiles/.bashrc", ".local/share/bash/notes"),
    ),
    LoginFiles(
        "zsh",
        """
        .zshrc .zshenv .zprofile .zlogin .zlogout .zshrc.d/** .zsh/** .zfunc/** .config/zsh/** .oh-my-zsh/**
        .p10k.zsh .zinit/** .zplug/** .antigen/** .fzf.zsh .local/share/zsh/**
        """,
        (".zshrc", ".oh-my-zsh/custom/x.zsh", ".config/zsh/.zshrc", ".zfunc/_git"),
        (".zsh_history", "backup/.zshrc"),
    ),
    LoginFiles(
        "other shells",
        """
        .config/fish/** .local/share/fish/{vendor_*,generated_completions}/** .config/nushell/** .xonshrc
        .config/xonsh/** .config/elvish/** .elvish/** .config/powershell/** .kshrc .mkshrc .cshrc .tcshrc
        .pam_environment
        """,
        (".config/fish/conf.d/x.fish", ".config/fish", ".config/nushell/env.nu", ".cshrc"),
        (".local/share/fish/fish_history", ".config/fisherman.txt"),
    ),
    LoginFiles(
        "what shells load of tools",
        """
        .cargo/{env,env.*} .local/bin/{env,env.*} .deno/{env,env.*} .ghcup/env .nvm/{nvm.sh,bash_completion}
        .rvm/scripts/** .sdkman/bin/** .opam/opam-init/** .asdf/{asdf.sh,lib/**,plugins/**} .asdfrc
        .rbenv/{bin,libexec,plugins}/** .pyenv/{bin,libexec,plugins,pyenv.d}/** .config/mise/**
        .config/rtx/** .mise.toml .config/direnv/** .direnvrc .local/share/direnv/** .nix-profile/etc/**
        .iterm2_shell_integration.*
        """,
        (".cargo/env", ".config/mise/config.toml", ".config/direnv/direnvrc", ".nvm/nvm.sh"),
        (".cargo/registry/x", ".nvm/README.md", ".tool-versions", "project/.envrc"),
    ),
    LoginFiles(
        "desktops and services",
        """
        .xinitrc .xsession .xprofile .xsessionrc .xbindkeysrc .config/sxhkd/**
        .config/{autostart,systemd,environment.d}/**
        .config/{i3,sway,hypr,bspwm,openbox,awesome,qtile,river,plasma-workspace}/**
        .config/user-tmpfiles.d/** .local/share/{systemd,dbus-1}/** .kde/Autostart/**
        Library/LaunchAgents/** Library/{QuickLook,Spotlight,ScriptingAdditions,PreferencePanes,Services}/**
        .config/{google-chrome,chromium,BraveSoftware/*}/*/Extensions/** .mozilla/firefox/*/extensions/**
        """,
        (".config/systemd/user/x.timer", ".config/autostart/x.desktop", ".config/environment.d/path.conf"),
        (".config/gtk-3.0/settings.ini", ".local/share/applications/x.desktop"),
    ),
    LoginFiles(
        "terminals and editors",
        """
        .tmux.conf .tmux/plugins/** .config/tmux/** .screenrc .vimrc
        .vim/{plugin,after,autoload,pack,ftplugin}/** .gvimrc .exrc .config/nvim/**/*.{lua,vim}
        .local/share/nvim/site/** .emacs .emacs.d/**/*.el .config/emacs/**/*.el .doom.d/** .config/doom/**
        .wezterm.lua .config/wezterm/**
        """,
        (".tmux.conf", ".config/nvim/init.lua", ".config/nvim/lua/plugins/x.lua", ".vim/plugin/x.vim"),
        (".config/nvim/spell/en.add", ".config/alacritty/alacritty.toml", ".viminfo"),
    ),
    LoginFiles(
        "interpreters and clients",
        """
        .pythonrc .pythonrc.py .pythonstartup .pystartup .ipython/profile_*/startup/**
        .ipython/profile_*/ipython_config.py .jupyter/jupyter_*_config.{py,json} .irbrc .pryrc .psqlrc
        .sqliterc .mongorc.js .mongoshrc.js .gdbinit .config/gdb/** .lldbinit .Rprofile .octaverc
        .julia/config/** .ghci .sbclrc .iex.exs .erlang .curlrc .wgetrc .lessfilter .mailcap .perldb
        .config/matplotlib/*.py **/site-packages/*.pth **/site-packages/{site,user}customize.py .ansible.cfg
        .ansible/plugins/**
        """,
        (".psqlrc", ".ipython/profile_default/startup/00.py", ".local/lib/python3.12/site-packages/x.pth"),
        (".python_history", ".config/myapp/config.yml", ".jupyter/lab/theme.json"),
    ),
    LoginFiles(
        "git and ssh",
        """
        .gitconfig .config/git/{config,config.*,attributes,hooks/**,template/**} .git-templates/**
        .git_template/** .ssh/{config,config.d/**,rc,authorized_keys,authorized_keys2,environment}
        .gnupg/{gpg.conf,gpg-agent.conf} .local/share/gh/extensions/** .rhosts .shosts
        """,
        (".gitconfig", ".rhosts", ".config/git/hooks/pre-commit", ".ssh/authorized_keys2", ".ssh/config"),
        (".config/git/ignore", ".ssh/known_hosts", ".config/gh/state.yml"),
    ),
    LoginFiles(
        "package managers",
        """
        .npmrc .yarnrc .yarnrc.yml .bunfig.toml .pypirc .pip/pip.conf .config/{pip/pip.conf,uv/uv.toml}
        .condarc .cargo/{config,config.toml} .gemrc .bundle/config
        .gradle/{init.d/**,init.gradle,init.gradle.kts} .mavenrc .sbtrc
        """,
        (".cargo/config.toml", ".npmrc", ".gradle/init.d/x.gradle"),
        (".config/uv/notes.txt", ".gradle/gradle.properties"),
    ),
    LoginFiles(
        "programs that stand for others",
        """
        .pyenv/shims/** .rbenv/shims/** .nodenv/shims/** .asdf/shims/** .jenv/shims/** .goenv/shims/**
        .local/share/mise/shims/** .pyenv/versions/*/bin/** .volta/bin/**
        .nvm/versions/node/*/bin/{node,npm,npx,corepack} .rbenv/versions/*/bin/** .ghcup/bin/**
        .bun/bin/{bun,bunx} .deno/bin/deno
        .cargo/bin/{cargo,rustc,rustup,rustdoc,rustfmt,rust-analyzer,rust-gdb,rust-lldb}
        .cargo/bin/{clippy-driver,cargo-clippy,cargo-fmt,cargo-miri}
        .rustup/toolchains/*/bin/** .claude/local/**
        """,
        (".pyenv/shims/python", ".pyenv/versions/3.12.1/bin/pip", ".cargo/bin/cargo", ".volta/bin/node"),
        (
            ".cargo/bin/mytool",
            ".local/bin/mytool",
            ".pyenv/versions/3.12.1/lib/python3.12/site-packages/x.py",
        ),
    ),
    LoginFiles(
        "commands in the settings of clients",
        ".aws/config .config/gh/config.yml .config/glab-cli/aliases.yml",
        (".aws/config", ".config/gh/config.yml"),
        (".aws/cli/cache/x.json", ".config/gh/hosts.yml"),
        holding=r"(?m)^[ \t]*(?:credential_process|web_identity_token_file)[ \t]*="
        r"|^[ \t]+\S+:[ \t]*[\"']?!|^[ \t]*(?:pager|editor|browser):[ \t]*\S",
    ),
)


def paths_with_choices() -> Iterator[str]:
    """Every path at which something runs whatever is in it, one for each choice between braces."""
    for files in TABLE:
        for path in files.paths.split() if not files.holding else ():
            yield from _choices(path)


def _choices(path: str) -> Iterator[str]:
    before, opened, rest = path.partition("{")
    if not opened:
        yield path
        return
    inside, _, after = rest.partition("}")
    for choice in inside.split(","):
        yield from _choices(f"{before}{choice}{after}")


def examples() -> Iterator[str]:
    """A path of each kind without any glob in it, and those that the table names as examples."""
    for path in paths_with_choices():
        yield path.removesuffix("/**").replace("**/", "").replace("*", "x")
        if path.endswith("/**"):
            yield path.replace("**", "x").replace("*", "x")
    for files in TABLE:
        yield from files.runs if not files.holding else ()
