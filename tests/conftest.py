import os
import signal

import pytest
from hypothesis import settings

from kit import Machine

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it runs in the background like this; programs in the tests must feel a Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


# A busy machine is no bug, so no deadline. CI looks at the same examples each time, people at new ones.
settings.register_profile("people", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "people")
