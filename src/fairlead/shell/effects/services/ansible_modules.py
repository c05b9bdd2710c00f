"""Ansible: what a module does with the paths in its arguments, here or on other machines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import Arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.program_effects import options_of, shown
from fairlead.shell.effects.services.live_places import names_production
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, Target, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_LOSING_BOOK = lazy(
    r"(?:destroy|delete|wipe|teardown|nuke|reset|purge|uninstall|decommission|drop)[\w-]*\.ya?ml$"
)
_STOPPING = lazy(r"state=(?:stopped|absent|killed|poweredoff)|enabled=(?:no|false)")
_SERVICES = names("service systemd systemd_service win_service docker_container")
_ALWAYS = names("reboot shutdown win_reboot user group")
_WRITING = names("copy template lineinfile blockinfile replace get_url unarchive file synchronize ini_file")
_READING = names("slurp fetch")
_IN_CLOUDS = lazy(
    r"^(?:amazon\.aws|community\.aws|google\.cloud|azure\.azcollection|openstack\.cloud|kubernetes\.core|hetzner\.hcloud"
    r"|community\.(?:digitalocean|general\.(?:linode|proxmox|terraform)|vmware|docker|postgresql|mysql|mongodb)|cloud\.common)"
    r"|^(?:ec2|s3|rds|gcp|azure_rm|os|k8s|docker|digital_ocean|hcloud|proxmox|vmware|postgresql|mysql)_?\w*$"
)
_HERE = frozenset(("localhost", "127.0.0.1"))


_NOTHING_CHANGES = ("--check", "-C", "--syntax-check", "--list-hosts")


def read_ansible(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """`ansible HOSTS -m file -a 'path=/srv state=absent'`."""
    given = options_of(command, where)
    if not given.has(*_NOTHING_CHANGES):
        yield from _module(command, given, where)


def read_playbook(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    """A playbook that says by its name, or by what is set for it, that it takes something away."""
    given = options_of(command, where)
    if given.has(*_NOTHING_CHANGES):
        return
    set_ = [word.text for option in ("-e", "--extra-vars") for word in given.values.get(option, ())]
    if any(_LOSING_BOOK.search(word.text) for word in given.operands) or "state=absent" in " ".join(set_):
        yield Effect(Action.CHANGE_CLOUD, "by-name", command, what=shown(command))
    elif names_production([word.text for word in command.argv[1:]]):
        yield Effect(Action.CHANGE_CLOUD, "go-live", command, what=shown(command))


def _module(command: Command, given: Arguments, where: Surroundings) -> Iterator[Effect]:
    module = given.text("-m", "--module-name").rsplit(".", 1)[-1]
    arguments = given.text("-a", "--args")
    if module in _ALWAYS or (module in _SERVICES and _STOPPING.search(arguments)):
        yield Effect(Action.CHANGE_SERVICE, "stop-service", command, what=shown(command))
    if _STOPPING.search(arguments) and _IN_CLOUDS.search(given.text("-m", "--module-name")):
        yield Effect(Action.CHANGE_CLOUD, "delete", command, what=shown(command))
        return
    here = any(word.text in _HERE for word in given.operands)
    for path in re.findall(r"(?:^|\s)(?:path|dest|name)=[\"']?([^\s\"']+)", arguments):
        target = resolve(Word(path), command, where)
        if "state=absent" in arguments:
            yield Effect(Action.DELETE, "ansible", command, _placed(target, here), True, what=shown(command))
        elif here and module in _WRITING:
            yield Effect(Action.WRITE, "ansible", command, target, what=shown(command))
    for path in re.findall(r"(?:^|\s)src=[\"']?([^\s\"']+)", arguments) if module in _READING else ():
        yield Effect(Action.READ, "ansible", command, resolve(Word(path), command, where))


def _placed(target: Target, here: bool) -> Target:
    passing = target.place in (Place.TEMPORARY, Place.CACHE)
    return target if here or passing else target.replace(place=Place.REMOTE_ROOT)
