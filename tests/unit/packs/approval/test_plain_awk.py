"""An awk program is plain only if it can do nothing but print."""

from __future__ import annotations

import pytest

from fairlead.packs.approval.plain_awk import is_plain_awk


@pytest.mark.parametrize(
    "text",
    [
        "{print $1}",
        "NR>1 && $3 >= 10 {n++} END {print n}",
        "/^blob/{print $3,$4}",
        '{c[$1]++} END {for (f in c) printf "%s %d\\n", f, c[f]}',
        "{if ($3 > 100) print $1}",
        '$1 ~ /a[0-9]+/ {gsub(/x/, "y"); print substr($0, 1, 3)}',
        '{print a "|" b ">" c}',
        "length > 100",
        "",
    ],
)
def test_what_only_prints_is_plain(text: str) -> None:
    assert is_plain_awk(text)


@pytest.mark.parametrize(
    "text",
    [
        '{print > "x"}',
        '{print $1, (a > b) > "x"}',
        '{print >> "x"}',
        '{print | "sh"}',
        '{print |& "sh"}',
        'BEGIN{system("id")}',
        'BEGIN{"id" | getline}',
        'BEGIN{getline x < "/etc/passwd"}',
        '{print a / system("id") / b}',
        '{a++ / system("id") /b}',
        '/[/]/ {system("id")} /x/',
        '/[/ ~ /] { system("id") } /',
        'BEGIN{f="system"; @f("id")}',
        '@include "x"',
        '{print ENVIRON["X"]}',
        "BEGIN{ARGV[1]=1}",
        "{print} # comment",
        "{print",
        '{print "a}',
        "function f() {}",
        "x" * 3000,
    ],
)
def test_what_could_do_more_or_is_not_understood_is_not(text: str) -> None:
    assert not is_plain_awk(text)
