"""Which subcommands of package tools publish, take back, remove, or trust a new source."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.subcommand_tables import Danger

_GRADLE_PUBLISH = (
    "** publish|*:publish|*publish*repository|*publishplugins|*publishtosonatype"
    "|*publishtomavencentral"
    "|*publishallpublications*|*uploadarchives|*bintrayupload|*closeandrelease*|*releaserepository"
    "|*artifactorypublish|*publishandrelease*|jib|*:jib|jreleaser*release|jreleaserdeploy|jreleaserupload|jreleaserpublish"
)
_GRADLE = (
    Danger("help|tasks|properties|dependencies", "known-task"),
    Danger(_GRADLE_PUBLISH, "publish"),
    Danger("** *tomavenlocal", "known-task"),
    Danger("** publish*|*:publish*|*appdistributionupload*", "publish"),
)
_VERSION = ("--version", "-v")
PUBLISHERS: dict[str, tuple[Danger, ...]] = {
    "apt-key": (Danger("add|adv|del", "source-change", action=Action.CHANGE_PACKAGES),),
    "add-apt-repository": (Danger("", "source-change", action=Action.CHANGE_PACKAGES),),
    "update-alternatives": (
        Danger(
            "",
            "source-change",
            needs=("--set", "--install", "--remove", "--remove-all"),
            action=Action.CHANGE_PACKAGES,
        ),
    ),
    "cargo": (
        Danger("publish", "publish", unless=("-n",)),
        Danger("release", "publish", needs=("--execute", "-x")),
        Danger("yank", "unpublish"),
        Danger("owner", "registry-change", unless=("-l", "--list")),
        Danger("+* publish|yank|owner", "publish"),
        Danger("* publish", "publish"),
        Danger("smart-release", "publish", needs=("--execute", "-e")),
    ),
    "twine": (Danger("upload|register", "publish"),),
    "poetry": (
        Danger(
            "source add * https://download.pytorch.org*|https://*pypi.org*",
            "known-source",
            action=Action.CHANGE_PACKAGES,
        ),
        Danger("source add", "source-change", action=Action.CHANGE_PACKAGES),
        Danger("publish", "publish"),
        Danger("config repositories*", "registry-change"),
    ),
    "uv": (Danger("publish", "publish"),),
    "flit": (Danger("publish", "publish"),),
    "hatch": (Danger("publish", "publish"),),
    "pdm": (Danger("publish", "publish"),),
    "gem": (
        Danger("sources", "source-change", needs=("--add", "-a"), action=Action.CHANGE_PACKAGES),
        Danger(
            "install|i",
            "source-change",
            needs=("-P=NoSecurity", "--trust-policy=NoSecurity"),
            action=Action.CHANGE_PACKAGES,
        ),
        Danger("inabox|nexus", "publish"),
        Danger("push", "publish"),
        Danger("yank", "unpublish"),
        Danger("owner", "registry-change", needs=("-a", "--add", "-r", "--remove")),
    ),
    "mvn": (
        Danger(
            "** deploy|release:p*|*:deploy|*:deploy-file|nexus-staging:*|central-publishing:*|*:publish"
            "|jib:build|*:jib-maven-plugin:build|jreleaser:*release|site-deploy|wagon:upload*",
            "publish",
        ),
    ),
    "gradle": _GRADLE,
    "gradlew": _GRADLE,
    "nuget": (
        Danger("sources|source add|update|remove", "source-change", action=Action.CHANGE_PACKAGES),
        Danger("push", "publish"),
        Danger("delete", "unpublish"),
    ),
    "vsce": (Danger("publish", "publish"), Danger("unpublish|delete-publisher", "unpublish")),
    "ovsx": (Danger("publish", "publish"),),
    "lerna": (Danger("publish", "publish"),),
    "changeset": (Danger("publish", "publish"),),
    "np": (Danger("", "publish", unless=_VERSION),),
    "semantic-release": (Danger("", "publish", unless=("-d", *_VERSION)),),
    "goreleaser": (
        Danger("release|publish|continue", "publish", unless=("--snapshot", "--skip-publish")),
        Danger("", "publish", needs=("--rm-dist",), unless=("--snapshot", "--skip-publish")),
    ),
    "jsr": (Danger("publish", "publish"),),
    "dart": (Danger("pub publish|lish", "publish"), Danger("pub uploader", "registry-change")),
    "flutter": (Danger("pub publish", "publish"), Danger("packages pub publish", "publish")),
    "pod": (
        Danger("trunk push", "publish"),
        Danger("trunk delete|deprecate", "unpublish"),
        Danger("trunk add-owner|remove-owner", "registry-change"),
        Danger("repo push", "publish"),
    ),
    "conda": (
        Danger(
            "config channels conda-forge|bioconda|defaults|pytorch|nvidia",
            "known-source",
            action=Action.CHANGE_PACKAGES,
        ),
        Danger(
            "config",
            "source-change",
            needs=("--add", "--append", "--prepend"),
            action=Action.CHANGE_PACKAGES,
        ),
        Danger("install|update|create", "source-change", needs=("-k",), action=Action.CHANGE_PACKAGES),
        Danger("env remove", "remove-environment", action=Action.CHANGE_PACKAGES),
        Danger("remove|uninstall", "remove-environment", needs=("--all",), action=Action.CHANGE_PACKAGES),
    ),
    "brew": (
        Danger("services stop|kill", "stop-service", action=Action.CHANGE_SERVICE),
        Danger("tap homebrew/*", "known-source", action=Action.CHANGE_PACKAGES),
        Danger("tap *", "source-change", action=Action.CHANGE_PACKAGES),
        Danger(
            "uninstall|remove|rm",
            "remove",
            needs=("--force", "-f", "--zap", "--ignore-dependencies"),
            action=Action.CHANGE_PACKAGES,
        ),
    ),
    "rush": (Danger("publish", "publish", needs=("--publish", "-p", "--apply")),),
    "nx": (
        Danger("run-many|affected", "publish", needs=("--target=publish", "--targets=publish")),
        Danger("run-many|affected|run publish|*:publish", "publish"),
        Danger("release publish", "publish"),
        Danger("release", "publish", needs=("-y", "--yes")),
    ),
    "maturin": (Danger("publish|upload", "publish"),),
    "snapcraft": (Danger("upload|release|push|promote", "publish"), Danger("close|revert", "unpublish")),
    "anaconda": (Danger("upload", "publish"), Danger("* upload", "publish"), Danger("remove", "unpublish")),
    "emerge": (
        Danger(
            "",
            "remove-vital",
            needs=("--unmerge", "-C", "--depclean", "-c", "--prune", "-P"),
            unless=("-p", "--pretend", "-s", "--search"),
            action=Action.CHANGE_PACKAGES,
        ),
    ),
    "rustup": (Danger("self uninstall", "remove", action=Action.CHANGE_PACKAGES),),
    "go": (
        Danger(
            "env goproxy*|gonosumdb*|goflags=*insecure*|gosumdb*|goinsecure*",
            "source-change",
            needs=("-w",),
            action=Action.CHANGE_PACKAGES,
        ),
    ),
    "auto": (Danger("shipit|release|canary", "publish"),),
    "cpan-upload": (Danger("", "publish"),),
    "bundle": (Danger("config ** mirror.*", "source-change", action=Action.CHANGE_PACKAGES),),
    "release-it": (Danger("", "publish", unless=_VERSION),),
    "deno": (Danger("publish", "publish"),),
    "wasm-pack": (Danger("publish", "publish"),),
    "opam": (Danger("publish", "publish"),),
    "stack": (Danger("upload", "publish"),),
    "ansible-galaxy": (
        Danger("collection publish", "publish"),
        Danger("role|* import", "publish"),
        Danger("role delete", "unpublish"),
    ),
    "fastlane": (
        Danger("deliver|supply|pilot|release|deploy|beta|upload_to_*", "publish"),
        Danger("ios|android|mac release|deploy|beta|production|upload*", "publish"),
    ),
    "eas": (Danger("submit|update", "publish"),),
    "eas-cli": (Danger("submit|update", "publish"),),
    "expo": (Danger("publish", "publish"),),
    "oras": (Danger("push", "publish"), Danger("manifest delete", "unpublish")),
    "crane": (Danger("push|tag|copy|cp|append|mutate", "publish"), Danger("delete", "unpublish")),
    "clasp": (Danger("deploy|push", "publish"),),
    "do-release-upgrade": (Danger("", "remove", action=Action.CHANGE_PACKAGES),),
    "yum-config-manager": (Danger("", "source-change", action=Action.CHANGE_PACKAGES),),
    "cpanm": (Danger("http*", "install-from-address", action=Action.CHANGE_PACKAGES),),
    "easy_install": (Danger("http*", "install-from-address", action=Action.CHANGE_PACKAGES),),
    "mamba": (Danger("env remove", "remove-environment", action=Action.CHANGE_PACKAGES),),
    "micromamba": (Danger("env remove", "remove-environment", action=Action.CHANGE_PACKAGES),),
    "sbt": (
        Danger("** release|release?with*|ci-release|+release", "publish"),
        Danger(
            "** publish|publishsigned|+publish|+publishsigned|*/publish|*/publishsigned|sonatype*release",
            "publish",
        ),
    ),
    "lein": (Danger("** deploy|release", "publish"),),
    "cabal": (Danger("upload", "publish"),),
    "luarocks": (Danger("upload", "publish"),),
    "nix-collect-garbage": (
        Danger(
            "", "remove", needs=("-d", "--delete-old", "--delete-older-than"), action=Action.CHANGE_PACKAGES
        ),
    ),
    "choco": (Danger("uninstall", "remove", action=Action.CHANGE_PACKAGES), Danger("push", "publish")),
    "winget": (Danger("uninstall", "remove", action=Action.CHANGE_PACKAGES),),
    "setup.py": (Danger("** upload|register", "publish"),),
    "composer": (
        Danger("global remove *", "remove", action=Action.CHANGE_PACKAGES),
        Danger(
            "config ** repositories*|repo*|secure-http|disable-tls|cafile",
            "source-change",
            action=Action.CHANGE_PACKAGES,
        ),
        Danger(
            "global config ** repositories*|repo*|secure-http|disable-tls|cafile",
            "source-change",
            action=Action.CHANGE_PACKAGES,
        ),
    ),
}
