"""`python -I -m fairlead.doors.daemon [--home DIR]`, with the lock on descriptor 3. See `lifecycle`."""

from __future__ import annotations

import os
import sys

from fairlead.doors.daemon.lifecycle import LOCK_FD

if __name__ == "__main__":
    os.closerange(LOCK_FD + 1, os.sysconf("SC_OPEN_MAX"))  # what an agent left open would be open for ever
    os.chdir("/")
    os.umask(0o077)

    from fairlead.doors.daemon.process import run

    words = sys.argv[1:]
    run(words[1] if words[:1] == ["--home"] else "", LOCK_FD)
