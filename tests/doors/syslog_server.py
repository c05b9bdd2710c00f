"""Who takes syslog: a real rsyslogd where there is one, else a plain reader of counted messages."""

import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = shutil.which("rsyslogd") or shutil.which("rsyslogd", path="/usr/sbin")

_READER = """
import socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    taken, _ = listener.accept()
    stream = taken.makefile("rb")
    while size := stream.read(1):
        while not size.endswith(b" "):
            size += stream.read(1)
        with open(sys.argv[2], "ab") as file:
            file.write(stream.read(int(size)) + b"\\n")
"""


class SyslogServer:
    """Writes each message into `lines`."""

    def __init__(self, folder: Path, port: int) -> None:
        self.path, self.port = folder / "messages", port
        if PROGRAM:
            config = folder / "rsyslog.conf"
            config.write_text(
                'module(load="imtcp")\n'
                f'template(name="raw" type="string" string="%rawmsg%\\n")\n'
                f'input(type="imtcp" port="{port}" address="127.0.0.1")\n'
                f'action(type="omfile" file="{self.path}" template="raw")\n'
            )
            words = [PROGRAM, "-n", "-f", str(config), "-i", str(folder / "pid")]
        else:
            words = [sys.executable, "-c", _READER, str(port), str(self.path)]
        self._words = words
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("the syslog server did not start")

    def lines(self, count: int) -> list[str]:
        """As soon as there are so many."""
        end = time.monotonic() + 30
        while True:
            text = self.path.read_text() if self.path.exists() else ""
            found = [line for line in text.splitlines() if re.match(r"<\d+>1 ", line)]
            if len(found) >= count or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)
