"""Code hosts, pipelines, deployments."""

from __future__ import annotations

from fairlead.model.decision import Decision
from fairlead.packs.rule import Level, Pack, Rule, Scene, Severity
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy

_CHANGE = (Action.CHANGE_CI,)
_PIPELINES = (
    "/.github/workflows/",
    "/.gitlab-ci",
    "/.circleci/",
    "/Jenkinsfile",
    "/azure-pipelines",
    "/.buildkite/",
    "/.travis.yml",
    "/.drone.y",
    "/bitbucket-pipelines.y",
    "/.woodpecker",
    "/.tekton/",
    "/appveyor.y",
    "/.appveyor.y",
    "/cloudbuild.y",
    "/.semaphore/",
    "/.cirrus.y",
    "/.pre-commit-config.y",
    "/CODEOWNERS",
    "/.github/dependabot.y",
    "/.husky/",
    "/lefthook.y",
)


_SEARCHES = ("find", "gfind", "fd", "fdfind")
"""Programs whose other words say which files of a folder are meant."""


def _is_pipeline(effect: Effect, scene: Scene) -> bool:
    if effect.target is None:
        return False
    path = effect.target.path
    if effect.command.name in _SEARCHES:
        path = " ".join((path, *(word.text for word in effect.command.argv)))
    return path.endswith(
        ("/.github", "/.github/workflows", "/.circleci", "/.buildkite", "/.tekton", "/.semaphore", "/.husky")
    ) or any(map(path.__contains__, _PIPELINES))


def _is_lost(effect: Effect, scene: Scene) -> bool:
    """A workflow that gets another name beside the others still runs."""
    words = effect.command.argv  # a file tool has none
    renamed = effect.action is Action.MOVE_AWAY and words and _STILL_RUNS.search(words[-1].text)
    return not renamed and _is_pipeline(effect, scene)


_STILL_RUNS = lazy(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]{1,100}\.ya?ml$")
PACK = Pack(
    id="ci",
    summary="Repositories, releases, secrets and pipelines on a code host",
    rules=(
        Rule(
            id="ci/delete-repository",
            severity=Severity.CRITICAL,
            decision=Decision.BLOCK,
            actions=_CHANGE,
            names=frozenset(
                ("delete-repository", "api-delete", "change-visibility", "delete-secret", "disable-workflow")
            ),
            reason="`{what}` deletes or opens something on the code host for everyone.",
            person="A repository, or what belongs to it, would be deleted or made public.",
            alternative="Look: `gh repo view`.",
            dangerous=(
                "gh secret delete KEY",
                "gh workflow disable ci",
                "gh repo delete o/r --yes",
                "gh api -X DELETE repos/o/r",
                "gh repo edit --visibility public",
            ),
            harmless=("gh repo view", "gh pr list", "gh api repos/o/r", "gh pr create --fill"),
        ),
        Rule(
            id="ci/change-repository",
            severity=Severity.HIGH,
            decision=Decision.ASK,
            actions=_CHANGE,
            names=frozenset(
                (
                    "change-repository",
                    "delete-release",
                    "change-secret",
                    "change-access",
                    "merge-past-checks",
                    "api-change",
                    "deploy",
                )
            ),
            reason="`{what}` changes what others rely on at the code host.",
            person="Releases, secrets, access or pipelines would be changed.",
            alternative="Look: `gh release list`, `gh secret list`.",
            dangerous=(
                "gh release delete v1 --yes",
                "gh pr merge 7 --admin",
                "gh api -X PATCH repos/o/r",
            ),
            harmless=("gh release list", "gh pr merge 7 --squash", "gh run list", "gh workflow list"),
        ),
        Rule(
            id="ci/delete-pipeline",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.DELETE, Action.TRUNCATE, Action.MOVE_AWAY),
            when=_is_lost,
            reason="`{what}` takes {target} away, and with it the checks that run there.",
            person="The project's checks would no longer run.",
            alternative="Look at it: `cat .github/workflows/ci.yml`.",
            dangerous=("rm -rf .github/workflows", "rm .gitlab-ci.yml", "mv .github/workflows/ci.yml /tmp/"),
            harmless=(
                "cat .github/workflows/ci.yml",
                "git mv .github/workflows/a.yml .github/workflows/b.yml",
            ),
        ),
        Rule(
            id="ci/change-pipeline",
            severity=Severity.MEDIUM,
            decision=Decision.ASK,
            actions=(Action.WRITE, Action.OVERWRITE, Action.DELETE),
            when=_is_pipeline,
            reason="{target} decides what runs with the project's secrets.",
            person="A pipeline definition would be changed.",
            alternative="Look at it: `cat .github/workflows/ci.yml`.",
            dangerous=(),
            harmless=("cat .github/workflows/ci.yml",),
            level=Level.STRICT,
        ),
    ),
)
