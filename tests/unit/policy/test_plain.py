"""However `managed.yaml` is written, those who read it without YAML never permit what YAML forbids."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairlead.doors import client
from fairlead.policy.managed.plain import is_plain, plainly_forbids
from fairlead.policy.managed.rules import read_managed
from managed_spellings import ANSWER, CODE, DEEDS, spellings

_NATIVE = Path(__file__).resolve().parents[3] / "native"
PROGRAM = r"""
#include "client.h"
#include "plain.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned char head[4];
    while (fread(head, 1, 4, stdin) == 4) {
        const size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        char *text = malloc(length + 1);
        if (fread(text, 1, length, stdin) != length) return 1;
        const char *deeds[] = {"off", "allow", "trust", "approve"};
        for (int i = 0; i < 4; i++) putchar(plainly_forbids(text, length, deeds[i]) ? '1' : '0');
        free(text);
    }
    return 0;
}
"""


def forbidden_by_yaml(content: bytes) -> frozenset[str]:
    with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        file.write(content)
        file.flush()
        return read_managed(file.name)[0].forbid


@given(spellings())
@settings(max_examples=600)
@example(b"break_glass: {codes: [x]}\n")
@example(b"lock: [off]\n")
@example(b"forbid: [allow]\nforbid: [off]\n")
@example(b"lock: [a]\nlock: !!seq {a: b}\n")
def test_what_yaml_forbids_nobody_permits(content: bytes) -> None:
    forbidden = forbidden_by_yaml(content)
    for deed in DEEDS:
        quick = plainly_forbids(content, deed)
        assert client.text_forbids(content, deed.encode()) is quick
        assert quick or deed not in forbidden


@given(spellings())
@settings(max_examples=300)
def test_what_is_not_plain_forbids_everything_to_everybody(content: bytes) -> None:
    if not is_plain(content):
        assert forbidden_by_yaml(content) == frozenset(DEEDS)
        assert all(client.text_forbids(content, deed.encode()) for deed in DEEDS)


PLAIN = (
    "forbid: []\nlock: []\n",
    "forbid: [ off , 'allow' ]\n",
    'lock:\n- "git"\n- packs/*\n\n# the end\n',
    f"break_glass: {{codes: [{CODE}, {CODE}], minutes: 1440, people: ['ann', bob]}}\n",
    f"break_glass:\n  answers:\n  - {ANSWER}\n  minutes: 1\nforbid:\n  - trust\n",
    f"# ours\n---\nlock: [\n  git,   # all of it\n  secrets]\nbreak_glass:\n    codes:\n      - {CODE}\n",
)


@pytest.mark.parametrize("text", PLAIN)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_what_is_plain_means_what_yaml_says(text: str, ending: str) -> None:
    content = text.replace("\n", ending).encode()
    assert is_plain(content)
    forbidden = forbidden_by_yaml(content)
    assert {deed for deed in DEEDS if plainly_forbids(content, deed)} == forbidden
    assert {deed for deed in DEEDS if client.text_forbids(content, deed.encode())} == forbidden


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "lock:\n",
        "forbid:\nlock: [git]\n",
        "forbid: [off\n",
        "forbid\n- trust\n",
        "lock\n  - git\n",
        "break_glass:\n  people\n  - ann\n",
        "lock: [git]\n  - more\n",
        "lock:\n  - a\n - b\n",
        "lock: [a]\nlock: [b]\n",
        "lock: [null]\n",
        "lock: [git ]]\n",
        "lock: [g\u0456t]\n",
        "\ufefflock: [git]\n",
        "lock:\t[git]\n",
        "forbid: [\nallow]\n",
        "lock: [git]# x\n",
        "lock: [git] # x\u2028forbid: [off]\n",
        "lock: [git] # x\rforbid: [off]\n",
        f"break_glass:\n  codes: [{CODE}]\n  people: [no]\n",
        f"break_glass:\n  codes: [{CODE}]\n  people: [ann]\n  people: [bob]\n",
        f"break_glass:\n  codes: [{CODE}]\n   minutes: 5\n",
        f"break_glass:\n  codes: [{CODE}]\n  minutes:\n  - 5\n",
        f"break_glass: {{codes: [{CODE}], codes: [{CODE}]}}\n",
        "break_glass:\n  minutes: 5\n",
        f"break_glass:\nforbid: [off]\n  codes: [{CODE}]\n",
    ],
)
def test_what_could_mean_something_else_is_not_plain(text: str) -> None:
    assert not is_plain(text.encode())
    assert client.text_forbids(text.encode(), b"approve")


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("cc") is None, reason="NOT RUN: without a C compiler the native reader is not built"
)
def test_the_native_client_reads_alike(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(PROGRAM)
    sources = [str(_NATIVE / name) for name in ("plain.c", "bytes.c")]
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-g", "-fsanitize=undefined", f"-I{_NATIVE}"]
    program = tmp_path / "reader"
    subprocess.run(["cc", *flags, "-o", program, tmp_path / "main.c", *sources], check=True)

    @given(st.lists(spellings(), min_size=20, max_size=60))
    @settings(max_examples=40, deadline=None)
    def read(some: list[bytes]) -> None:
        texts = [*some, *(text.encode() for text in PLAIN)]
        given = b"".join(len(text).to_bytes(4, "big") + text for text in texts)
        said = subprocess.run([program], input=given, capture_output=True, check=True).stdout.decode()
        for place, text in enumerate(texts):
            wanted = "".join("01"[plainly_forbids(text, deed)] for deed in DEEDS)
            assert said[4 * place : 4 * place + 4] == wanted, text

    read()
