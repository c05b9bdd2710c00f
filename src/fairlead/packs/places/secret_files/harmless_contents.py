"""Whether what comes out of a file of secrets is none: names without values, or what is encrypted."""

from __future__ import annotations

from fairlead.packs.places.secret_files.unshown_secrets import VARIABLES
from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.effects.secret_material.variable_names_only import keeps_names, masks_values
from fairlead.shell.places.world import text_of
from fairlead.shell.word_sets import names

_ENCRYPTING = {
    "kubeseal": names(""),
    "sops": names("-e --encrypt encrypt"),
    "ansible-vault": names("encrypt"),
    **dict.fromkeys(("gpg", "gpg2"), names("-c -e --symmetric --encrypt")),
    **dict.fromkeys(("age", "rage"), names("-r -R -p --recipient --passphrase")),
}


def is_encrypted(effect: Effect) -> bool:
    """`kubeseal < secret.yaml`: what comes out is for nobody else's eyes."""
    words = _ENCRYPTING.get(effect.command.name)
    if words is None:
        return False
    texts = {word.text for word in effect.command.argv[1:]}
    return not words or bool(words & texts)


_WHOLE_LINES = names("cat grep egrep sort uniq head tail")


def is_cut_to_names(effect: Effect, scene: Scene) -> bool:
    """`cut -d= -f1 .env`, `grep -v '^#' .env | cut -d= -f1`: the names come out, the values do not. A key has
    no names: of that, all would come out."""
    if effect.target is None or not VARIABLES.search(effect.target.path):
        return False
    command = effect.command
    if masks_values(command, text_of(effect.target.path)):
        return True
    piped = sorted(
        (
            c
            for c in scene.script.commands
            if c.pipeline == command.pipeline and c.position >= command.position
        ),
        key=lambda c: c.position,
    )
    for each in piped:
        if keeps_names(each):
            return True
        if each.name not in _WHOLE_LINES or each.redirects:
            return False
    return False
