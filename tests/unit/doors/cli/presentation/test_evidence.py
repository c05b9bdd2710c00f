"""The part that is meant stands above its marks."""

from fairlead.doors.cli.presentation.evidence import underlined


def test_the_part_is_underlined_where_it_stands() -> None:
    assert underlined("cd / && rm -rf *", "rm -rf *", start=8, end=16, width=80) == [
        "cd / && rm -rf *",
        "        ^^^^^^^^",
    ]


def test_bytes_are_counted_as_the_reader_counts_them() -> None:
    line = "echo é; rm -rf ~"
    start = len("echo é; ".encode())
    assert underlined(line, "rm -rf ~", start=start, end=start + 8, width=80)[1] == "        ^^^^^^^^"


def test_of_several_lines_the_one_with_the_part_is_shown() -> None:
    assert underlined("set -e\nrm -rf ~\n", "rm -rf ~", start=None, end=None, width=80) == [
        "rm -rf ~",
        "^^^^^^^^",
    ]


def test_of_a_long_line_what_stands_around_the_part_is_shown() -> None:
    line = f"echo {'a' * 90}; rm -rf ~; echo {'b' * 90}"
    shown, marks = underlined(line, "rm -rf ~", start=None, end=None, width=40)
    assert len(shown) == 40 and shown[0] == shown[-1] == "…"
    assert shown[marks.index("^") : marks.index("^") + 8] == "rm -rf ~"


def test_what_is_not_in_the_line_has_no_marks() -> None:
    assert underlined("ls", "rm -rf ~", start=None, end=None, width=80) == []
    assert underlined("ls", "rm", start=50, end=52, width=80) == []
