"""The digest is the one that everybody else computes."""

from __future__ import annotations

import hashlib
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from fairlead.model.digest import sha256_hex


@given(st.binary(max_size=300))
def test_it_is_what_hashlib_says(data: bytes) -> None:
    assert sha256_hex(data) == hashlib.sha256(data).hexdigest()


def test_it_does_not_load_openssl() -> None:
    code = "import fairlead.doors.hook.cold, sys; print('_hashlib' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "False\n"
