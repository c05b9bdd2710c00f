"""Farms of links: `stow` lays a link to each file of a package over a folder."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.overlays.overlay import Kind, Overlay, Source, here, path_of, unseen
from fairlead.shell.places.paths import normal
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.script import Command

_VALUED = ("-d", "--dir", "-t", "--target", "--ignore", "--defer", "--override")


def stowed_trees(command: Command, where: Surroundings) -> Iterator[Overlay]:
    given = read_arguments(command.argv[1:], valued=_VALUED)
    if given.has("-n", "--no", "--simulate", "-D", "--delete", "-V", "--version", "--help"):
        return
    told = given.value("-d", "--dir") or command.assignments.get("STOW_DIR")
    packages = path_of(told, command, where) if told is not None else here(command, where)
    target = given.value("-t", "--target")
    folder = path_of(target, command, where) if target is not None else normal(f"{packages}/..")
    for word in given.operands if packages and folder else ():
        path = path_of(word, command.replace(cwd=packages), where)
        source = Source(Kind.TREE, path) if path else unseen("which package is meant is not known")
        yield Overlay(command, folder, source, dotted=given.has("--dotfiles"))
