"""What the words of a record cannot say about the large clouds, and about the tools that build in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.databases.sql_statements import sql_danger
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.words.command_shapes import access, deploying
from fairlead.shell.effects.words.unlisted_programs import Told, publishing
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_OWN_MACHINE = lazy(r"^https?://(?:localhost|127\.|0\.0\.0\.0|localstack|host\.docker\.internal)")


def _is_emulated(command: Command) -> bool:
    """Whether the cloud is one that runs on this machine, for tests."""
    given = read_arguments(command.argv[1:], valued=("--endpoint-url",))
    variables = (
        word.text for name, word in command.assignments.items() if name.startswith("AWS_ENDPOINT_URL")
    )
    return any(_OWN_MACHINE.match(text) for text in (given.text("--endpoint-url"), *variables))


_TO_EVERYONE = lazy(r"\"(?:Principal|AWS)\"\s*:\s*\"\*\"|\bGroup=all\b")
_SWITCHED_OFF = lazy(
    r"(?:Recovery|Versioning|Logging|Encryption|Protection|Backups?)\w*(?:Enabled|Status)\w*=(?:false|Disabled|Suspended)"
)


def read_aws(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """A change of DNS records that deletes some is a deletion."""
    deletes = any('"DELETE"' in word.text for word in command.argv)
    texts = [word.text for word in command.argv]
    if (texts[-1] == "help" and len(texts) <= 4) or _is_emulated(command):
        return
    if any(text.startswith("public-read") or _TO_EVERYONE.search(text) for text in texts):
        yield Effect(Action.CHANGE_CLOUD, "change-access", command, what=" ".join(texts)[:200])
    if texts[1:4] == ["s3", "cp", "/dev/null"] or any(map(_SWITCHED_OFF.search, texts)):
        yield Effect(Action.CHANGE_CLOUD, "disturb", command, what=" ".join(texts)[:200])
    for effect in known(command, where):
        yield effect.replace(name="delete") if deletes and effect.name == "disturb" else effect


def read_terraform(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """`TF_CLI_ARGS_apply=-destroy` says the same as the option."""
    hidden = any(
        name.startswith("TF_CLI_ARGS") and "destroy" in word.text
        for name, word in command.assignments.items()
    )
    for effect in known(command, where):
        yield effect.replace(name="destroy") if hidden and effect.name == "apply" else effect


def read_wrangler(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """`wrangler d1 execute DB --command SQL` is a database client."""
    yield from known(command, where)
    if not any(word.text == "--local" for word in command.argv):
        yield from _stated(command)


def read_bq(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    yield from known(command, where)
    if not any(word.text in ("--dry_run", "--dry_run=true") for word in command.argv):
        yield from _stated(command)


def _stated(command: Command) -> Iterator[Effect]:
    """Statements in the words and in the input of a program that runs them."""
    texts = [word.text.partition("=")[2] or word.text for word in command.argv[1:]]
    for text in (*texts, command.stdin.text or ""):
        found = sql_danger(text)
        if found is not None:
            yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name)


_PARTS_OF_HOSTS = names("pipelines repos devops artifacts")


def read_az(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """Some of its parts are a code host and a registry."""
    found = list(_deployed(command, known(command, where)))
    yield from found
    if not found and any(word.text in _PARTS_OF_HOSTS for word in command.argv[1:2]):
        told = Told(command)
        yield from access(told, at_host=True)
        yield from deploying(told)
        yield from publishing(Told(command.replace(argv=command.argv[1:])), listed=True)


def _deployed(command: Command, effects: Iterable[Effect]) -> Iterator[Effect]:
    """A complete deployment deletes what the template does not name; an incremental one adds to it."""
    complete = any(word.text.lower() in ("complete", "--mode=complete") for word in command.argv)
    for effect in effects:
        if effect.name != "deploy":
            yield effect
        elif complete:
            yield effect.replace(name="destroy")
