import os

import pytest

from fairlead.shell.places.world import looks, real_path


@pytest.fixture
def tree(tmp_path, monkeypatch):
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "folder" / "file").write_text("")
    links = {
        "to_folder": "folder",
        "to_file": "folder/file",
        "absolute": str(tmp_path / "folder"),
        "above": "..",
        "itself": ".",
        "dangling": "nothing/here",
        "first": "second",
        "second": "first",
        "chain": "to_folder/inner",
    }
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("begin", ["", "folder", "folder/inner", "to_folder", "itself/itself", "missing/far"])
@pytest.mark.parametrize(
    "end",
    [
        *("folder", "file", "to_folder/file", "to_file", "to_file/below", "absolute/inner", "above/x"),
        *(
            "itself",
            "dangling",
            "dangling/x",
            "first",
            "first/x",
            "chain",
            "missing",
            "missing/x/y",
            "l" * 300,
        ),
    ],
)
def test_links_are_followed_as_python_follows_them(tree, begin, end):
    for path in (os.path.normpath(f"{tree}/{begin}/{end}"), os.path.normpath(f"{begin}/{end}".lstrip("/"))):
        assert real_path(path) == os.path.realpath(path)


def test_the_root_is_itself_and_a_look_is_counted():
    before = looks()
    assert (real_path("/"), looks()) == ("/", before + 1)
