"""The native client is made in the way that starts fastest, wherever that can be."""

import platform
import shutil
import sys

import pytest
from client_workshop import native_build

pytestmark = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64") or shutil.which("cc") is None,
    reason="NOT TRIED: only Linux on x86-64, with a compiler, makes a client without a C library",
)


def test_on_linux_the_client_needs_no_c_library(tmp_path):
    module = native_build()
    fastest = module.own_ways()[0]
    assert "-nostdlib" in fastest
    client = module.build_native(tmp_path, flags=fastest)
    assert client.stat().st_size < 200_000
