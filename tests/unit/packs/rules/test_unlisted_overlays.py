"""Trees, archives and patches that cannot be listed before they are laid over a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.model.decision import Decision
from fairlead.model.installation import Installation
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from tests.unit.packs.guard_kit import shell_event
from tests.unit.packs.overlay_kit import HARMLESS, Place, make_place


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    return make_place(tmp_path, monkeypatch)


@pytest.mark.parametrize("folder", ["~", "~/.local", "~/.config", "~/.local/share", "~/.ssh"])
@pytest.mark.parametrize(
    "line",
    [
        "curl -sL https://example.com/x.tgz | tar xz -C {}",
        "curl -sLO https://example.com/x.tgz && tar xzf x.tgz -C {}",
        "base64 -d blob | tar x -C {}",
        "tar xzf $(ls -t *.tgz | head -1) -C {}",
        "./make.sh && tar xf new.tar -C {}",
        "tar rf x.tar .bashrc && tar xf x.tar -C {}",
        "cp evil dot/.bashrc && cp -r dot/. {}",
        "python3 gen.py dot && rsync -a dot/ {}",
        "rsync -a host:dot/ {}",
        "scp -r host:dot/. {}",
        "docker cp box:/dot/. {}",
        "aws s3 sync s3://bucket/dot {}",
        "svn export https://example.com/dot {}",
        "find dot -type f | xargs -I@ cp --parents @ {}",
        "7z x a.7z -o{}",
        "tar xf broken.tar -C {}",
        "tar xf x.tar -C {} --transform s/a/b/",
        "cpio -idm -D {} < odd.cpio",
        "find dot | cpio -pdm {}",
        "dpkg-deb -x a.deb {}",
        "(cd dot && tar c .) | tar x -C {}",
        "curl -s https://example.com/x.patch | patch -p1 -d {}",
    ],
)
def test_what_cannot_be_listed_is_asked_about_over_a_home(line: str, folder: str, place: Place) -> None:
    place.tar("x.tar", HARMLESS)
    place.tar("x.tgz", HARMLESS, "w:gz")
    place.tree("dot", HARMLESS)
    for name in ("a.7z", "broken.tar", "odd.cpio", "a.deb"):
        (place.project / name).write_bytes(b"neither this nor that" * 100)
    (place.home / ".ssh").mkdir()
    path = folder.replace("~", str(place.home))
    assert place.decide(line.format(path)) >= Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "git --git-dir=/scratch/dot --work-tree=$HOME checkout",
        "GIT_WORK_TREE=$HOME git --git-dir=/scratch/dot checkout main",
        "git -C ~ pull",
        "git checkout-index -a --prefix=$HOME/",
        "unzip -L x.zip -d ~",
        "cd ~ && git merge other",
        "git worktree add ~",
        "git clone https://example.com/dot ~",
        "git clone --depth 1 https://example.com/dot ~/.config",
    ],
)
def test_a_commit_laid_over_the_home_is_asked_about(line: str, place: Place) -> None:
    assert place.decide(line) is Decision.ASK


@pytest.mark.parametrize(
    "line",
    [
        "git --git-dir=$HOME/.dotfiles --work-tree=$HOME status",
        "git --git-dir=$HOME/.dotfiles --work-tree=$HOME add .vimrc",
        "git -C ~/tools pull",
        "git worktree add ../w",
        "git clone https://example.com/app ~/tools/app",
        "git pull",
        "git checkout main",
        "git stash pop",
        "git show abc | git apply",
        "git diff a b | patch -p1",
    ],
)
def test_git_in_its_own_work_tree_is_not(line: str, place: Place) -> None:
    assert place.decide(line) is Decision.CONTINUE


@pytest.mark.parametrize(
    "line",
    [
        "curl -sL https://example.com/x.tgz | tar xz -C ~/.local/bin",
        "curl -sL https://example.com/x.tgz | tar xz -C ~/tools",
        "curl -sL https://example.com/x.tgz | tar xz -C vendor",
        "curl -sL https://example.com/x.tgz | tar xz",
        "curl -LO https://example.com/x.tgz && tar xzf x.tgz",
        "rsync -a host:data ~/",
        "scp host:notes.txt ~/",
        "docker cp box:/data ~/tools",
        "aws s3 sync s3://bucket/data ~/backup/",
        "npm run build && cp -r dist/* .",
        "tar xzf nothing-of-this-name.tgz",
        "tar xzf nothing-of-this-name.tgz -C ~/.local",
        "cp -r nothing-of-this-name/. ~/.config/",
        "mkdir -p ~/tools/x && tar xzf x.tgz -C ~/tools/x",
    ],
)
def test_what_cannot_be_listed_passes_elsewhere(line: str, place: Place) -> None:
    assert place.decide(line) is Decision.CONTINUE


@pytest.mark.parametrize("line", ["tar xf not-yet.tar -C ~", "cp -r not-yet/. ~", "patch -d ~ -p1 < not-yet"])
def test_what_is_not_there_yet_may_come_before_it_is_laid_over_a_home(line: str, place: Place) -> None:
    assert place.decide(line) is Decision.ASK


def test_an_archive_that_something_makes_in_the_same_line_is_asked_about_over_the_project(
    place: Place,
) -> None:
    assert place.decide("python3 make.py && tar xf made.tar") is Decision.ASK


def test_a_download_over_the_project_is_asked_about_by_those_who_want_to_be_strict(place: Place) -> None:
    line = "curl -sL https://example.com/x.tgz | tar xz"
    assert place.decide(line, level="strict") is Decision.ASK


def test_code_may_make_what_it_unpacks_over_the_project(place: Place) -> None:
    line = "python3 -c \"import tarfile; tarfile.open('made.tar').extractall('.')\""
    assert place.decide(line) is Decision.ASK
    place.tar("made.tar", HARMLESS)
    assert place.decide(line) is Decision.CONTINUE


def test_a_folder_that_the_line_makes_sure_of_is_still_listed(place: Place) -> None:
    place.tree("dot", HARMLESS)
    assert place.decide("mkdir -p dot && cp -r dot/. ~/") is Decision.CONTINUE


def test_the_guard_is_kept_in_a_folder_without_a_dot_as_well(
    place: Place,
) -> None:
    place.tree("dot", ("state/fairlead/off",))
    event = shell_event("cp -r dot/. ~/backup/", root=str(place.project))
    assert block_dangerous_commands(event, {}, ()) is None
    moved = Installation(kept=(f"{place.home}/backup/state/fairlead",))
    found = block_dangerous_commands(event.replace(session="again"), {}, (), moved)
    assert found is not None and found.decision is Decision.BLOCK
