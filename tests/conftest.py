import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from fairlead.dialects.setup.installs import INSTALLS
from fairlead.dialects.setup.site import Site
from kit import Machine

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it runs in the background like this; programs in the tests must feel a Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)


_NOBODYS_HOME = "/home/no-one"


def pytest_sessionstart() -> None:
    """The guard looks at the disk, so what is judged without a folder of its own stands where nothing is.

    What commands print is as wide as its text, unless a test says otherwise.
    """
    os.environ.pop("COLUMNS", None)
    if os.path.lexists(_NOBODYS_HOME):
        raise pytest.UsageError(f"the tests need a place without files, but this machine has {_NOBODYS_HOME}")


@pytest.fixture(autouse=True, scope="session")
def settings_of_the_real_agents(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests keeps their own settings: no test may set up the agents of this very home."""
    yield
    ours = str(tmp_path_factory.getbasetemp())
    site = Site(str(Path.home()), "", dict(os.environ), "user")
    places = [Path(site.path_of(file)) for setup in INSTALLS.values() for file in setup.files]
    written = [path for path in places if path.is_file() and ours in path.read_text(errors="replace")]
    assert not written, f"a test wrote into settings that are not its own: {written}"


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


# A busy machine is no bug, so no deadline. CI looks at the same examples each time, people at new ones.
settings.register_profile("people", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "people")
