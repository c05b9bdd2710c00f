import pytest

from fairlead.policy.reading.python_files import flaw_in_file


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("def process(a, b, c)\n    return None\n", 1, "SyntaxError"),
        ("x = 1\ndef proces(a, b, c):\n    return None\n", 1, "no function `process`"),
        ("\n\ndef process(a):\n    return None\n", 3, "takes 1 arguments"),
        ("async def process(a, b, c):\n    return None\n", 1, "nothing awaits it"),
        ("def process(a, b, c, d):\n    return None\n", 1, "takes 4 arguments"),
        ("class process:\n    pass\n", 1, "no function `process`"),
        ("\0", 1, "Error"),
    ],
)
def test_a_file_that_cannot_be_a_hook_says_where_and_why(source, line, said):
    found = flaw_in_file(source.encode(), "guard.py")
    assert found is not None
    assert found[0] == line
    assert said in found[1]


@pytest.mark.parametrize(
    "source",
    [
        "def process(hook_input, config, previous_results):\n    return None\n",
        "def process(*given):\n    return None\n",
        "def process(a, b, c, d=1):\n    return None\n",
        "from shared import process\n",
        "from shared import guard as process\n",
        "process = lambda a, b, c: None\n",
        "try:\n    from fast import x\nexcept ImportError:\n    def process(a, b, c): ...\n",
    ],
)
def test_a_file_with_a_process_is_one(source):
    assert flaw_in_file(source.encode(), "guard.py") is None


def test_nothing_of_the_file_runs(tmp_path):
    marker = tmp_path / "ran"
    source = f"open({str(marker)!r}, 'w')\ndef process(a, b, c): ...\n"
    assert flaw_in_file(source.encode(), "guard.py") is None
    assert not marker.exists()
