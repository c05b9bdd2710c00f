import os
import signal

import pytest
from hypothesis import settings

from kit import Machine

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it runs in the background like this; programs in the tests must feel a Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


_NOBODYS_HOME = "/home/no-one"


def pytest_sessionstart() -> None:
    """The guard looks at the disk, so what is judged without a folder of its own stands where nothing is."""
    if os.path.lexists(_NOBODYS_HOME):
        raise pytest.UsageError(f"the tests need a place without files, but this machine has {_NOBODYS_HOME}")


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


# A busy machine is no bug, so no deadline. CI looks at the same examples each time, people at new ones.
settings.register_profile("people", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "people")
