"""Trees, archives and patches that are laid over a home or the project: each file counts under its name."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from tests.unit.packs.overlay_kit import HARMFUL, HARMLESS, OVER_PROJECT, SOURCES, Place, make_place

Prepare = Callable[[Place, tuple[str, ...]], object]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    return make_place(tmp_path, monkeypatch)


def _tree(place: Place, names: tuple[str, ...]) -> None:
    place.tree("dot", names)


def _tar(place: Place, names: tuple[str, ...]) -> None:
    place.tar("x.tar", names)


def _gzip(place: Place, names: tuple[str, ...]) -> None:
    place.tar("x.tgz", tuple(f"./{name}" for name in names), "w:gz")


def _xz(place: Place, names: tuple[str, ...]) -> None:
    place.tar("x.tar.xz", names, "w:xz")


def _deep(place: Place, names: tuple[str, ...]) -> None:
    place.tar("x.tar.bz2", tuple(f"top/{name}" for name in names), "w:bz2")


def _zip(place: Place, names: tuple[str, ...]) -> None:
    place.zip("x.zip", names)


def _patch(place: Place, names: tuple[str, ...]) -> None:
    place.patch("x.patch", names)


WAYS: dict[str, Prepare] = {
    "cp -r dot/. ~/": _tree,
    "cp -a dot/. ~": _tree,
    "cp -rT dot ~": _tree,
    "cp -rs $PWD/dot/. ~/": _tree,
    "cp -r --target-directory=$HOME dot/.": _tree,
    "cd dot && cp -r . ~": _tree,
    "cd ~ && cp -r project/dot/. .": _tree,
    "rsync -a dot/ ~/": _tree,
    "rsync -a dot/. ~": _tree,
    "rsync -aR dot/./ ~/": _tree,
    "ditto dot ~": _tree,
    "stow -t ~ dot": _tree,
    "cd ~/project && stow --dir=. --target=.. dot": _tree,
    "tar cf - -C dot . | tar xf - -C ~": _tree,
    "tar cf - dot | tar xf - -C ~ --strip-components=1": _tree,
    "scp -r dot/. ~": _tree,
    "lndir $PWD/dot ~": _tree,
    "python3 -c \"import shutil; shutil.copytree('dot', '..', dirs_exist_ok=True)\"": _tree,
    "tar xf x.tar -C ~": _tar,
    "tar -C ~ -xf x.tar": _tar,
    "tar -xf x.tar --directory=$HOME": _tar,
    "tar --extract --file x.tar --direc ~": _tar,
    "tar xfC x.tar ~": _tar,
    "tar -C / -C home -xf x.tar -C ~": _tar,
    "TAR_OPTIONS='-C ..' tar xf x.tar": _tar,
    "tar x -C ~ < x.tar": _tar,
    "ln -s ~ h && tar xf x.tar -C h": _tar,
    "busybox tar xf x.tar -C ~": _tar,
    "tar xf x.tar -C ~ --exclude=.bashrc/": _tar,
    "tar xf x.tar -C ~ --anchored --exclude=bashrc --exclude='.b*/x'": _tar,
    "tar xf x.tar -C ~ --ignore-case .BASHRC .config .local notes": _tar,
    "bsdtar -xf x.tar -C ~": _tar,
    "sudo -E tar xf x.tar -C ~": _tar,
    "bash -c 'tar xf x.tar -C ~'": _tar,
    "python3 -m tarfile -e x.tar ~": _tar,
    "python3 -m tarfile --extract=x.tar ~": _tar,
    "cd ~ && tar xzf project/x.tgz": _gzip,
    "cat x.tgz | tar xz -C ~": _gzip,
    "gunzip -c x.tgz | tar x -C ~": _gzip,
    "zcat < x.tgz | tar x -C ~": _gzip,
    "for a in *.tgz; do tar xzf $a -C ~; done": _gzip,
    "tar xf x.tar.xz -C ~": _xz,
    "tar xf x.tar.bz2 -C ~ --strip-components=1": _deep,
    "tar xf x.tar.bz2 -C ~ --strip=1": _deep,
    "tar xf x.tar.bz2 -C ~ --strip-components 1 top": _deep,
    "unzip x.zip -d ~": _zip,
    "unzip -oq x -d ~": _zip,
    "cd ~; unzip -o project/x.zip": _zip,
    "unzip '*.zip' -d ~": _zip,
    "unzip x.zip -x bashrc -d ~": _zip,
    "unzip -C x.zip .BASHRC 'notes/*' -d ~": _zip,
    "7z x x.zip -o$HOME": _zip,
    "unar -o ~ x.zip": _zip,
    "bsdtar -xf x.zip -C ~": _zip,
    "jar xf ~/project/x.zip": _zip,
    "python3 -m zipfile -e x.zip ~": _zip,
    "python3 -c \"import zipfile; zipfile.ZipFile('x.zip').extractall('..')\"": _zip,
    "python3 -c \"import shutil; shutil.unpack_archive('x.zip', '..')\"": _zip,
    "patch -d ~ -p1 < x.patch": _patch,
    "patch -d ~ < x.patch": _patch,
    "cd ~ && patch -p1 -i project/x.patch": _patch,
    "git -C ~ apply project/x.patch": _patch,
    "git apply --directory=.. x.patch": _patch,
    'cd ~ && patch -p1 < "$OLDPWD/x.patch"': _patch,
    "cat x.patch | patch -d ~ -p1": _patch,
}
"""Each way to lay what was prepared over the home."""


@pytest.mark.parametrize("name", HARMFUL)
def test_a_tree_laid_over_the_home_is_judged_by_each_of_its_files(name: str, place: Place) -> None:
    place.tree("dot", (*HARMLESS, name))
    found = place.judge("cp -r dot/. ~/")
    assert found.decision is Decision.BLOCK
    assert f"{place.home}/{name}" in found.reason + found.evidence[0].detail


@pytest.mark.parametrize(("line", "prepare"), WAYS.items(), ids=list(WAYS))
def test_every_way_to_lay_files_over_the_home_is_seen(line: str, prepare: Prepare, place: Place) -> None:
    prepare(place, (*HARMLESS, ".bashrc"))
    assert place.decide(line, cwd=_start(place, line)) is Decision.BLOCK


@pytest.mark.parametrize(("line", "prepare"), WAYS.items(), ids=list(WAYS))
def test_files_that_nobody_protects_are_laid_in_silence(line: str, prepare: Prepare, place: Place) -> None:
    prepare(place, HARMLESS)
    assert place.decide(line, cwd=_start(place, line)) is Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "cp -r dot/.[a-z]* ~/",
        "mv dot/.l* ~/",
        "for f in dot/.l*; do cp -a $f ~/; done",
        "ln -s $PWD/dot/.l* ~",
        "shopt -s dotglob; cp -r dot/* ~/",
    ],
)
def test_a_glob_stands_for_what_it_matches(line: str, place: Place) -> None:
    place.tree("dot", (".local/state/fairlead/off",))
    assert place.decide(line) is Decision.BLOCK


def _start(place: Place, line: str) -> str:
    return str(place.home) if line.startswith("jar") else ""


@pytest.mark.parametrize("name", OVER_PROJECT)
@pytest.mark.parametrize("line", ["tar xzf x.tgz", "cp -r dot/. .", "rsync -a dot/ ./", "unzip -o x.zip"])
def test_over_the_project_its_own_settings_and_hooks_count(line: str, name: str, place: Place) -> None:
    for prepare in (_gzip, _tree, _zip):
        prepare(place, (*SOURCES, name))
    assert place.decide(line) is Decision.BLOCK


@pytest.mark.parametrize(
    "line",
    [
        "tar xzf x.tgz",
        "tar xzf x.tgz -C .",
        "cp -r dot/. .",
        "cp -r dot/* src/",
        "rsync -a dot/ ./",
        "unzip -o x.zip",
        "make test && tar xzf x.tgz",
        "mv dot/* .",
        "patch -p1 < x.patch",
        "git apply x.patch",
    ],
)
def test_an_ordinary_archive_of_sources_is_unpacked_in_silence(line: str, place: Place) -> None:
    for prepare in (_gzip, _tree, _zip, _patch):
        prepare(place, SOURCES)
    assert place.decide(line) is Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "cp -a dot ~",
        "cp -r dot ~/backup/",
        "rsync -a dot ~/backup",
        "rsync -a dot/ ~/backup/dot/",
        "tar xf x.tar -C ~/backup",
        "tar xf x.tar -C ~/tools/new",
        "tar xf x.tar --one-top-level -C ~",
        "tar xf x.tar -C ~ notes/today.txt",
        "tar xf x.tar -C ~ --exclude .bashrc",
        "tar tf x.tar -C ~",
        "tar xOf x.tar -C ~",
        "tar xf x.tar -C /scratch",
        "unzip -l x.zip -d ~",
        "unzip x.zip -d ~ -x .bashrc",
        "unzip x.zip 'notes/*' -d ~",
        "rsync -an dot/ ~/",
        "rsync -a --exclude .bashrc dot/ ~/",
        "cp -r dot/* ~/",
        "stow -n -t ~ dot",
        "patch --dry-run -d ~ -p1 < x.patch",
        "git apply --check --directory=.. x.patch",
        "ssh host 'tar xf x.tar -C ~'",
    ],
)
def test_what_does_not_land_where_it_would_work_passes(line: str, place: Place) -> None:
    for prepare in (_tar, _tree, _zip, _patch):
        prepare(place, (*HARMLESS, ".bashrc"))
    assert place.decide(line) is Decision.CONTINUE


def test_the_answer_names_the_file_in_the_archive(place: Place) -> None:
    place.tar("x.tar", ("./.bashrc",))
    found = place.judge("tar xf x.tar -C ~")
    assert str(place.home / ".bashrc") in found.reason
    assert f"./.bashrc in {place.project}/x.tar" in found.evidence[0].detail


def test_a_member_that_leads_out_through_a_link_counts_where_it_lands(place: Place) -> None:
    link = tarfile.TarInfo("a")
    link.type, link.linkname = tarfile.SYMTYPE, "../.."
    with tarfile.open(place.project / "x.tar", "w") as archive:
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("a/.bashrc"), io.BytesIO())
    (place.project / "src" / "app").mkdir(exist_ok=True)
    assert place.decide("tar xf x.tar -C src") is Decision.BLOCK


def test_names_with_dots_and_absolute_names_count_where_they_land(place: Place) -> None:
    place.tar("up.tar", ("../../.bashrc",))
    place.tar("absolute.tar", (f"{place.home}/.bashrc",))
    assert place.decide("tar -P -xf up.tar -C /scratch/x") is Decision.CONTINUE
    assert place.decide("tar -P -xf up.tar -C src") is Decision.BLOCK
    assert place.decide("tar -P -xf absolute.tar -C /scratch/x") is Decision.BLOCK
    assert place.decide("tar -xf absolute.tar -C /scratch/x") is Decision.CONTINUE


def test_a_link_in_a_temporary_folder_leads_where_it_leads(place: Place) -> None:
    place.tree("dist/out", ("a",))
    (place.project / "dist" / "out" / "home").symlink_to(place.home)
    place.tree("dot", ("home/.bashrc",))
    assert place.decide("cp -r dot/. dist/out/") is Decision.BLOCK


def test_a_link_laid_in_the_place_of_a_folder_of_the_guard_is_seen(place: Place) -> None:
    (place.tree("dot", ("notes.txt",)) / ".local").symlink_to("/scratch/x")
    assert place.decide("cp -a dot/. ~/") is Decision.BLOCK


def test_a_link_that_the_line_makes_below_a_new_folder_is_followed(place: Place) -> None:
    place.tree("dot", ("h/.bashrc",))
    assert place.decide("mkdir new && ln -s ~ new/h && cp -r dot/. new/") is Decision.BLOCK


def test_a_line_that_names_many_trees_is_listed_within_one_bound(place: Place) -> None:
    for number in range(9):
        place.tree(f"many/t{number}", (f"f{n}" for n in range(600)))
    found = place.judge("cp -r many/* ~/.config/")
    assert found.decision is Decision.CONTINUE
    place.tree("many/t8", (".x",))
    line = " ".join(f"many/t{number}/." for number in range(9))
    assert place.decide(f"cp -r {line} ~") is Decision.ASK


def test_a_name_that_is_no_text_does_no_harm(place: Place) -> None:
    folder = os.fsencode(place.tree("dot", (".bashrc",)))
    with open(folder + b"/.config-\xff", "w"):
        pass
    assert "\udcff" not in place.judge("cp -r dot/. ~").reason


def test_a_well_known_command_among_the_files_is_seen_and_a_distribution_passes(place: Place) -> None:
    place.tar("node.tar", ("bin/node", "bin/npm", "lib/node_modules/npm/bin/npm", "share/man/man1/node.1"))
    place.tar("evil.tar", ("bin/mytool", "bin/sudo"))
    assert place.decide("tar xf node.tar -C ~/.local") is Decision.CONTINUE
    assert place.decide("tar xf evil.tar -C ~/.local") is Decision.BLOCK


def test_paths_that_are_kept_and_folders_by_a_glob_are_seen(place: Place) -> None:
    place.tree(".", (".claude/settings.json", "settings.json"))
    place.zip("x.zip", ("settings.json",))
    assert place.decide("cp --parents .claude/settings.json ~") is Decision.BLOCK
    assert place.decide("unzip -o x.zip -d ~/.cl*e") is Decision.BLOCK
    assert place.decide("tar xf x.zip -C ~/.cl*") is Decision.BLOCK


def test_a_folder_is_not_what_is_laid_into_it_unless_it_is_replaced(place: Place) -> None:
    place.tree("dot", ("a.txt",))
    assert place.decide("cp -r dot ~/.local") is Decision.CONTINUE
    assert place.decide("rsync -a dot/ ~/.local/") is Decision.CONTINUE
    assert place.decide("mv -T dot ~/.local") is Decision.BLOCK
    assert place.decide("ln -sfn $PWD/dot ~/.local") is Decision.BLOCK
    assert place.decide("cp dot/a.txt ~/.config/f*") is Decision.BLOCK


def test_a_new_repository_below_the_project_brings_its_own_hooks(place: Place) -> None:
    place.tree("other", (".git/config", ".git/hooks/pre-commit", "a.py"))
    assert place.decide("cp -r other src/copy") is Decision.CONTINUE
    assert place.decide("cp -r other/. .") is Decision.BLOCK


def test_a_secret_is_only_touched_where_one_is(place: Place) -> None:
    place.tar("x.tar", (".env",))
    assert place.decide("tar xf x.tar") is Decision.CONTINUE
    (place.project / ".env").write_text("KEY=1")
    assert place.decide("tar xf x.tar") is Decision.BLOCK


def test_a_policy_protects_files_in_an_archive_too(place: Place) -> None:
    place.tar("x.tar", ("src/schema.sql",))
    assert place.decide("tar xf x.tar", protected_patterns=["*.sql"]) is Decision.BLOCK
