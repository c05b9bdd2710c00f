"""Programs of which some subcommands run another command: runners of environments, containers, clusters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fairlead.model.value import Value
from fairlead.shell.following.wrappers import Wrap
from fairlead.shell.word_sets import names

_NONE: frozenset[str] = frozenset()


class Program(Value):
    """`takes` and `long` are the options before the subcommand that have a value."""

    subcommands: Mapping[tuple[str, ...], Wrap]
    takes: str = ""
    long: frozenset[str] = _NONE


_ENTRYPOINT = names("--entrypoint")
_EXEC = Wrap()
_AFTER_DASHES = Wrap(dashes=True, texts=names("--command"))
_UV = Wrap(
    takes="p",
    long=names(
        "--with --with-editable --with-requirements --python --project --directory --package --extra --group "
        "--env-file --index --index-url --from --only-group --default-index --cache-dir --config-file"
    ),
    chdir=names("--directory"),
)
_NIX = Wrap(skip=99, rest=names("-c --command"), keep=True)
_NIX_RUN = Wrap(long=names("--option --override-input --inputs-from"), keep=True, packaged=True)
_DENO_RUN = Wrap(takes="c", long=names("--config --import-map --lock --env-file"), keep=True, packaged=True)
_CODESPACE = Wrap(takes="cR", long=names("--codespace --repo"), keep=True, place="machine:", joined=True)
_NPM_EXEC = Wrap(takes="pw", long=names("--package --workspace --registry"), texts=names("-c --call"))
_CONDA = Wrap(takes="np", long=names("--name --prefix --cwd"), chdir=names("--cwd"))
_CONTAINER_EXEC = Wrap(
    takes="euw",
    long=names("--env --env-file --user --workdir --detach-keys"),
    skip=1,
    keep=True,
    place="container:",
)
_CONTAINER_RUN = Wrap(
    takes="acehlmpuvw",
    long=names(
        "--add-host --annotation --attach --blkio-weight --cap-add --cap-drop --cgroup-parent --cgroupns "
        "--cidfile --cpu-period --cpu-quota --cpu-shares --cpus --cpuset-cpus --cpuset-mems --device "
        "--device-cgroup-rule --dns --dns-option --dns-search --domainname --entrypoint --env --env-file "
        "--expose --gpus --group-add --health-cmd --health-interval --health-retries --health-timeout "
        "--hostname --ip --ip6 --ipc --isolation --label --label-file --link --log-driver --log-opt "
        "--mac-address --memory --memory-swap --mount --name --network --net --network-alias --pid "
        "--pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size "
        "--stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit --user --userns --uts "
        "--volume --volume-driver --volumes-from --workdir"
    ),
    skip=1,
    keep=True,
    place="container:",
    entry=_ENTRYPOINT,
)
_COMPOSE_EXEC = Wrap(
    takes="euwfp", long=names("--env --user --workdir --index --file --project-name --profile --entrypoint "
                               "--name "
                             "--volume --publish --label"),
    skip=1, keep=True, place="container:", entry=_ENTRYPOINT,
)  # fmt: skip
_CONTAINERS = {
    ("exec",): _CONTAINER_EXEC,
    ("run",): _CONTAINER_RUN,
    ("create",): _CONTAINER_RUN,
    ("container", "exec"): _CONTAINER_EXEC,
    ("container", "run"): _CONTAINER_RUN,
    ("compose", "exec"): _COMPOSE_EXEC,
    ("compose", "run"): _COMPOSE_EXEC,
}
_COMPOSE_OPTIONS = (
    "--file --project-name --profile --env-file --project-directory --ansi --parallel --progress"
)
_DOCKER = Program(
    _CONTAINERS,
    "Hclfp",
    names(f"--host --context --config --log-level --tlscacert --tlscert {_COMPOSE_OPTIONS}"),
)
_CLUSTER_OPTIONS = (
    "--namespace --context --kubeconfig --cluster --user --server --token --as --request-timeout"
)
_POD = Wrap(
    takes="ncflvs",
    long=names(f"--container --filename --image --pod-running-timeout --overrides --env --labels --port "
              f"--restart --target --profile {_CLUSTER_OPTIONS}"),
    skip=1, keep=True, place="pod:", dashes=True,
)  # fmt: skip
_KUBECTL = Program({("exec",): _POD, ("run",): _POD, ("debug",): _POD}, "nsv", names(_CLUSTER_OPTIONS))

_FLY = Program(
    {
        ("ssh", "console"): Wrap(
            takes="acgorsu",
            long=names("--app --config --container --machine --org --region --user --address"),
            texts=names("-C --command"),
            keep=True,
            place="ssh:",
        )
    }
)

PROGRAMS: Mapping[str, Program] = MappingProxyType(
    {
        "uv": Program(
            {("run",): _UV, ("tool", "run"): _UV},
            "",
            names("--directory --project --config-file --cache-dir --color"),
        ),
        "saml2aws": Program({("exec",): _AFTER_DASHES}, "a"),
        "sops": Program({("exec-env",): Wrap(skip=1, keep=True), ("exec-file",): Wrap(skip=1, keep=True)}),
        "az": Program(
            {
                ("aks", "command", "invoke"): Wrap(
                    texts=names("--command -c"), skip=99, keep=True, place="pod:"
                )
            }
        ),
        "kubie": Program({("exec",): Wrap(skip=2)}),
        "telepresence": Program({("helm",): Wrap(named=True)}),
        "aws-okta": Program({("exec",): _AFTER_DASHES}),
        "repo": Program({("forall",): Wrap(rest=names("-c"), skip=99, joined=True)}),
        "guix": Program(
            {("shell",): Wrap(dashes=True, skip=99), ("environment",): Wrap(dashes=True, skip=99)}
        ),
        "poetry": Program({("run",): _EXEC}, "CP", names("--directory --project")),
        "pipenv": Program({("run",): _EXEC}),
        "rye": Program({("run",): _EXEC}),
        "pdm": Program({("run",): Wrap(takes="p", long=names("--project --env-file"))}, "cp"),
        "pixi": Program({("run",): Wrap(takes="e", long=names("--environment --manifest-path"))}),
        "hatch": Program(
            {("run",): _EXEC, ("env", "run"): Wrap(takes="e", dashes=True)}, "ep", names("--env")
        ),
        "tox": Program({("exec",): _AFTER_DASHES}),
        "nox": Program({}),
        "pipx": Program({("run",): Wrap(long=names("--spec --python --pip-args --index-url"))}),
        "conda": Program({("run",): _CONDA}),
        "mamba": Program({("run",): _CONDA}),
        "micromamba": Program({("run",): _CONDA}),
        "npm": Program(
            {
                ("exec",): _NPM_EXEC,
                ("x",): _NPM_EXEC,
            },
            "wC",
            names("--prefix --workspace"),
        ),
        "pnpm": Program(
            {("exec",): Wrap(texts=_NONE), ("dlx",): Wrap(long=names("--package --registry"))},
            "CF",
            names("--dir --filter"),
        ),
        "yarn": Program(
            {("exec",): _EXEC, ("dlx",): Wrap(takes="p", long=names("--package"))}, "", names("--cwd")
        ),
        "bun": Program({("x",): _EXEC}, "ep"),
        "bundle": Program({("exec",): _EXEC}),
        "rbenv": Program({("exec",): _EXEC}),
        "pyenv": Program({("exec",): _EXEC}),
        "nodenv": Program({("exec",): _EXEC}),
        "asdf": Program({("exec",): _EXEC}),
        "fnm": Program({("exec",): Wrap(long=names("--using"))}),
        "volta": Program({("run",): Wrap(long=names("--node --npm --yarn"))}),
        "mise": Program({("exec",): Wrap(dashes=True, texts=names("-c --command")), ("x",): _AFTER_DASHES}),
        "direnv": Program({("exec",): Wrap(skip=1)}),
        "aws-vault": Program({("exec",): Wrap(skip=1, takes="dnt", long=names("--duration --region"))}),
        "op": Program({("run",): _AFTER_DASHES}),
        "doppler": Program({("run",): _AFTER_DASHES}),
        "infisical": Program({("run",): _AFTER_DASHES}),
        "chamber": Program({("exec",): _AFTER_DASHES}),
        "ip": Program({("netns", "exec"): Wrap(skip=1)}),
        "perf": Program({("stat",): Wrap(takes="eprxo"), ("record",): Wrap(takes="eFcpo")}),
        "devbox": Program({("run",): _EXEC}),
        "flatpak": Program({("run",): Wrap(skip=1, texts=_NONE)}),
        "machinectl": Program({("shell",): Wrap(takes="EHM", skip=1, keep=True, place="machine:")}, "EHM"),
        "lxc": Program({("exec",): Wrap(skip=1, dashes=True, keep=True, place="container:")}),
        "multipass": Program({("exec",): Wrap(skip=1, dashes=True, keep=True, place="machine:")}),
        "docker": _DOCKER,
        "podman": _DOCKER.replace(subcommands={**_CONTAINERS, ("unshare",): _EXEC}),
        "nerdctl": _DOCKER,
        "docker-compose": Program(
            {("exec",): _COMPOSE_EXEC, ("run",): _COMPOSE_EXEC}, "fp", names(_COMPOSE_OPTIONS)
        ),
        "podman-compose": Program({("exec",): _COMPOSE_EXEC, ("run",): _COMPOSE_EXEC}, "fp"),
        "crictl": Program({("exec",): Wrap(skip=1, keep=True, place="container:")}, "cir"),
        "kubectl": _KUBECTL,
        "oc": Program({**_KUBECTL.subcommands, ("rsh",): _POD}, "nsv", names(_CLUSTER_OPTIONS)),
        "k": _KUBECTL,
        "microk8s": Program({("kubectl",): Wrap(named=True), ("helm",): Wrap(named=True)}),
        "k3s": Program({("kubectl",): Wrap(named=True)}),
        "minikube": Program({("kubectl",): Wrap(named=True)}, "p"),
        "vagrant": Program(
            {("ssh",): Wrap(texts=names("-c --command"), skip=1, keep=True, place="machine:", dashes=True)}
        ),
        "gcloud": Program(
            {("compute", "ssh"): Wrap(texts=names("--command"), skip=99, keep=True, place="ssh:")},
            "",
            names("--project"),
        ),
        "heroku": Program({("run",): Wrap(takes="as", keep=True, place="dyno:", joined=True)}),
        "fly": _FLY,
        "flyctl": _FLY,
        "railway": Program(
            {
                ("run",): Wrap(takes="sep", long=names("--service --environment --project"), keep=True),
                ("ssh",): Wrap(takes="sep", keep=True, place="ssh:", dashes=True),
            }
        ),
        "dokku": Program({("run",): Wrap(skip=1, keep=True, place="dyno:")}),
        "scalingo": Program(
            {("run",): Wrap(takes="a", keep=True, place="dyno:")}, "a", names("--app --region")
        ),
        "cf": Program({("ssh",): Wrap(texts=names("-c --command"), skip=1, keep=True, place="ssh:")}),
        "adb": Program({("shell",): Wrap(joined=True, keep=True, place="device:")}, "s"),
        "nix": Program({("develop",): _NIX, ("shell",): _NIX, ("run",): _NIX_RUN}),
        "gh": Program({("codespace", "ssh"): _CODESPACE, ("cs", "ssh"): _CODESPACE}),
        "deno": Program({("run",): _DENO_RUN}),
        "corepack": Program({(name,): Wrap(named=True) for name in ("npm", "npx", "pnpm", "pnpx", "yarn")}),
    }
)
