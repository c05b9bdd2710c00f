"""Programs that publish for others to install, take that back, or trust a new source, by what they do."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action, EffectReader
from fairlead.shell.effects.subcommand_tables import Danger, grouped_readers

_OUT = "publish"
_BACK = "unpublish"
_SOURCE = Action.CHANGE_PACKAGES


def _trusts(path: str, *needs: str) -> Danger:
    return Danger(path, "source-change", needs=needs, action=_SOURCE)


def _removes(path: str, *needs: str, unless: tuple[str, ...] = ()) -> Danger:
    return Danger(path, "remove", needs=needs, unless=unless, action=_SOURCE)


_BUILDERS: dict[str, tuple[Danger, ...]] = {
    "ko": (Danger("build|publish|apply|create|resolve", _OUT, unless=("--local", "-L", "--push")),),
    "elm gleam nimble alr wasmer wapm spago guix mint rye": (
        Danger("publish", _OUT),
        Danger("hex retire|revert", _BACK),
        Danger("gc|package", "remove", needs=("--delete-generations", "-d"), action=_SOURCE),
        Danger("pull", "remove", needs=("--allow-downgrades",), action=_SOURCE),
    ),
    "rebar3": (Danger("hex publish|cut", _OUT), Danger("hex retire|owner|organization", _BACK)),
    "paket gemfury fury package_cloud cloudsmith buf": (
        Danger("push|publish", _OUT),
        Danger("yank|delete|remove|move|rm", _BACK),
        Danger("tags|entitlements|repositories clear|delete|remove|replace", _BACK),
    ),
    "mvnw": (Danger("** deploy|release:perform|*:deploy|*:deploy-file|*:release|release:prepare", _OUT),),
    "mill": (Danger("** *publish*", _OUT),),
    "clojure clj bb": (Danger("** deploy|publish|release", _OUT),),
    "conan": (
        Danger("upload", _OUT),
        Danger("remove", _BACK, needs=("-r", "--remote", "-f", "--force", "-c", "--confirm")),
        _trusts("remote add|update|remove|disable"),
    ),
    "cosign": (Danger("copy|attach|upload|sign", _OUT), Danger("clean", _BACK)),
    "fez": (Danger("upload", _OUT), Danger("remove", _BACK)),
    "tfx": (Danger("extension publish|share", _OUT), Danger("extension unpublish|unshare", _BACK)),
    "web-ext": (Danger("sign", _OUT),),
    "code-push appcenter": (Danger("** release*|promote|rollback", _OUT), Danger("** remove|clear", _BACK)),
    "dune-release": (Danger("publish", _OUT), Danger("opam submit", _OUT)),
    "cr": (Danger("upload", _OUT), Danger("index", _OUT, needs=("--push",))),
    "electron-builder": (
        Danger("", _OUT, needs=("--publish=always", "-p=always", "--publish=onTag", "-p=onTag")),
        Danger("publish", _OUT),
    ),
    "buildctl depot": (
        Danger("build|bake", _OUT, needs=("--push",), unless=("--push=false",)),
        Danger("build ** *push=true*", _OUT),
    ),
    "earthly": (Danger("**", _OUT, needs=("--push",)),),
    "butler": (Danger("push", _OUT),),
    "devpi": (
        Danger("upload|push", _OUT),
        Danger("remove", _BACK),
        Danger("index|user **", _OUT, needs=("--delete",)),
    ),
    "xcrun altool itms-transporter": (
        Danger("", _OUT, needs=("--upload-app", "--upload-package", "--upload-asset")),
        Danger("** altool|itmstransporter", _OUT, needs=("--upload-app", "--upload-package", "-m")),
    ),
    "chrome-webstore-upload chrome-webstore-upload-cli": (Danger("", _OUT),),
    "copr copr-cli": (Danger("build*", _OUT), Danger("delete*", _BACK)),
    "dput dupload": (Danger("*", _OUT),),
    "fedpkg rhpkg centpkg": (Danger("push|build|update|retire", _OUT),),
    "bodhi": (Danger("updates new|edit|request", _OUT),),
    "koji": (Danger("build|untag-build|tag-build|remove-*|free-task|cancel", _OUT),),
    "jf jfrog": (
        Danger(
            "** upload|u|publish|build-publish|bp|promote|build-promote|docker-push|push|deploy|copy|cp|move"
            "|mv",
            _OUT,
        ),
        Danger("** delete|del|delete-props|delp|repo-delete|rdel|build-discard|bdi", _BACK),
    ),
    "aptly": (
        Danger("publish repo|snapshot|switch|update", _OUT),
        Danger("publish|repo|mirror|snapshot drop|remove", _BACK),
        Danger("db cleanup", _BACK),
    ),
    "reprepro": (
        Danger("** include*|copy*|move*|restore*", _OUT),
        Danger("** remove*|clearvanished|deleteunreferenced", _BACK),
    ),
    "huggingface-cli hf": (
        Danger("upload*", _OUT),
        Danger("repo create|tag", _OUT),
        Danger("repo|repos|repo-files delete*", _BACK),
    ),
    "kaggle": (
        Danger("datasets|kernels|models|d|k|m create|version|push|update|init-upload", _OUT),
        Danger("** delete", _BACK),
        Danger("competitions|c submit", _OUT),
    ),
    "modal": (Danger("deploy", _OUT), Danger("app|volume|secret|dict|queue stop|delete|rm|clear", _BACK)),
    "charmcraft rockcraft": (Danger("upload*|release|promote", _OUT), Danger("close|unregister", _BACK)),
    "puppet": (
        Danger("lookup *password*|*secret*|*token*", "read-secret", action=Action.READ_SECRET),
        Danger("module publish|release", _OUT),
        _removes("module uninstall"),
        _removes("node purge|clean|deactivate"),
        _removes("resource ** ensure=stopped|ensure=absent|ensure=purged"),
    ),
    "pdk": (Danger("release publish", _OUT), Danger("release", _OUT)),
    "knife": (
        Danger("vault|data show", "read-secret", action=Action.READ_SECRET),
        Danger("supermarket|cookbook|role|environment share|upload", _OUT),
        Danger("** delete|purge|unshare|bulk", _BACK),
        Danger("ssh|winrm|exec *", "remove", action=_SOURCE),
    ),
    "berks": (Danger("upload", _OUT),),
    "pixi rattler-build quetz-client": (Danger("upload|publish", _OUT),),
    "cachix attic": (
        Danger("push|pin|watch-exec|watch-store|deploy", _OUT),
        Danger("cache destroy", _BACK),
        _trusts("use"),
    ),
    "luarocks-admin": (Danger("add", _OUT), Danger("remove", _BACK)),
    "dub": (Danger("upload|publish", _OUT),),
    "juju": (
        Danger("remove-*|destroy-*|kill-*", "remove", action=_SOURCE),
        Danger("upgrade-*|refresh|deploy", _OUT),
    ),
}
_SYSTEM: dict[str, tuple[Danger, ...]] = {
    "xbps-remove urpme removepkg pkg_delete pkg_deinstall": (
        Danger("*", "remove-vital", unless=("-n", "--dry-run", "--test", "-warn")),
        Danger("", "remove", needs=("-o", "-O"), unless=("-n", "--dry-run")),
    ),
    "eopkg slackpkg tazpkg opkg fink pkgin pkg swupd nala apt-fast dnf5 pkcon sbopkg cave cards": (
        Danger("remove|rm|purge|delete|del|bundle-remove|erase|uninstall|autoremove|remove-*", "remove"),
        _trusts("add-repo|ar|3rd-party"),
    ),
    "tasksel": (Danger("remove", "remove"),),
    "scoop": (_removes("uninstall|reset"), _trusts("bucket add")),
    "makepkg": (_trusts("", "--skippgpcheck", "--skipchecksums", "--skipinteg"),),
    "mas tlmgr vcpkg": (_removes("uninstall|remove|reset"),),
    "asdf mise rtx pyenv rbenv nodenv goenv jenv fnm volta nvm sdk ghcup proto": (
        _removes("uninstall|nuke|rm|implode|prune"),
        _removes("plugin|plugins|plugin-remove remove|uninstall|rm"),
        Danger("plugin|plugins add * http*", "install-from-address"),
    ),
    "nix": (
        _removes("store gc|delete|optimise"),
        _removes("profile remove|wipe-history|rollback"),
        Danger("copy", _OUT, needs=("--to",), action=Action.PUBLISH_PACKAGE),
        _trusts("", "--accept-flake-config"),
    ),
    "nix-env": (
        _removes("", "-e", "--uninstall", "--delete-generations", "--rollback"),
        Danger("** http*", "install-from-address"),
    ),
    "nix-store": (_removes("", "--gc", "--delete"),),
    "nix-channel": (_trusts("", "--add"), _removes("", "--remove", "--rollback")),
    "nixos-rebuild home-manager darwin-rebuild": (
        Danger("switch|boot", "remove", needs=("--rollback",)),
        Danger("expire-generations|remove-generations|uninstall", "remove"),
    ),
    "rpm-ostree bootc": (
        _removes("rollback|reset|rebase|switch|uninstall|cleanup"),
        _removes("override remove|replace"),
    ),
    "ostree": (
        _removes("admin undeploy|switch|cleanup"),
        _removes("prune|reset|refs", "--delete", "--refs-only"),
    ),
    "pacman-key": (
        _trusts("", "--lsign-key", "--recv-keys", "-r", "-a", "--add", "--delete", "-d", "--init"),
    ),
    "apt-add-repository": (_trusts(""),),
    "alternatives": (_trusts("", "--set", "--install", "--remove", "--remove-all", "--auto"),),
    "dpkg-divert dpkg-statoverride": (_trusts("", "--add", "--remove"),),
    "pecl pear": (
        Danger("install|upgrade http*", "install-from-address"),
        _trusts("channel-discover|channel-add|config-set"),
        _removes("uninstall"),
    ),
    "krew": (_trusts("index add"), Danger("install", "install-from-address", needs=("--manifest-url",))),
    "code codium cursor windsurf": (
        Danger("tunnel|serve-web", "tunnel", unless=("-h",), action=Action.RUN_NETWORK_CODE),
        _trusts("** *.vsix", "--install-extension"),
    ),
}

TABLE: dict[str, EffectReader] = {
    **grouped_readers(
        Action.PUBLISH_PACKAGE,
        _BUILDERS,
        valued=("-p", "--publish", "--token", "--api-key"),
        single_dash=("mvnw",),
    ),
    **grouped_readers(Action.CHANGE_PACKAGES, _SYSTEM),
}
