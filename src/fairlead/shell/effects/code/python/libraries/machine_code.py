"""What reaches below Python: functions of the C library by `ctypes`, machine code, files in memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.act import Act
from fairlead.shell.effects.code.python.calls.call import Call
from fairlead.shell.effects.code.python.running.thing import deep_origins
from fairlead.shell.effects.effect import Action

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_LINES: Mapping[str, str] = {
    "setns": "nsenter -t 1 -m /bin/sh",
    "init_module": "insmod x.ko",
    "finit_module": "insmod x.ko",
    "delete_module": "rmmod x",
    "ptrace": "gcore 1",
    "process_vm_readv": "gcore 1",
    "process_vm_writev": "gcore 1",
    "swapoff": "swapoff -a",
    "sethostname": "hostname other",
    "pivot_root": "chroot / /bin/sh",
    "chroot": "chroot / /bin/sh",
}
"""Functions that have a command which does as much harm."""
_NUMBERS = {
    101: "ptrace",
    155: "pivot_root",
    161: "chroot",
    168: "swapoff",
    175: "init_module",
    176: "delete_module",
    308: "setns",
    310: "process_vm_readv",
    311: "process_vm_writev",
    313: "finit_module",
}
"""As `syscall` is told them on most machines."""
_HARMLESS = {"ptrace": (0, 31)}
"""What a process asks about itself."""
_WINDOWS = (
    "CreateRemoteThread",
    "WriteProcessMemory",
    "VirtualAllocEx",
    "QueueUserAPC",
    "NtUnmapViewOfSection",
)
_HALTING = (
    "NtRaiseHardError",
    "RtlSetProcessIsCritical",
    "ExitWindowsEx",
    "InitiateSystemShutdownW",
    "BlockInput",
)
_EXECUTABLE = ("PROT_EXEC",)
_ALL_RIGHTS = (7, 5, 0x40)
_MAPPING = {"mmap": 2, "mprotect": 2, "VirtualAlloc": 3, "VirtualProtect": 2}
IN_MEMORY = "/proc/self/fd/"


def machine_code_acts(call: Call, run: Run) -> Iterator[Act]:
    if call.name == "os.setns":
        yield Act("shell", _LINES["setns"])
    elif call.name == "fcntl.ioctl" and _says(call, ("TIOCSTI",)):
        yield Act(str(Action.READ_SECRET), name="watch", text="TIOCSTI")
    elif call.name == "mmap.mmap":
        yield from _code() if _says(call, _EXECUTABLE) else ()
    elif call.name == "os.write" and any(kind == "memory" for kind, _ in call.at(0).origins):
        run.files[IN_MEMORY] = call.at(1)
    elif call.name.startswith(("ctypes.", "cffi.")):
        yield from _of_library(call)


def _of_library(call: Call) -> Iterator[Act]:
    number = call.at(0).number
    function = _NUMBERS.get(number or 0, "") if call.method == "syscall" else call.method
    if function in _LINES and number not in _HARMLESS.get(function, ()):
        yield Act("shell", _LINES[function])
    elif function in _HALTING:
        yield Act("shell", "shutdown -h now")
    elif function in _WINDOWS:
        yield Act(str(Action.RUN_UNKNOWN_CODE), name="executed", detail=f"{function}(…)")
    elif function in _MAPPING and (
        call.at(_MAPPING[function], "prot").number in _ALL_RIGHTS or _says(call, _EXECUTABLE)
    ):
        yield from _code()


def _says(call: Call, words: tuple[str, ...]) -> bool:
    spelled = ast.unparse(call.node)
    return any(word in spelled for word in words)


def _code() -> Iterator[Act]:
    yield Act("unknown", detail="machine code that is made here")


def runs_from_memory(path: str) -> bool:
    return path.startswith(("/proc/self/fd", "/dev/fd/", "/proc/thread-self/fd")) or (
        path.startswith("/proc/") and "/fd/" in path
    )


def in_memory_acts(call: Call, run: Run) -> Iterator[Act]:
    """`os.execv("/proc/self/fd/3", …)`: a program that never was a file."""
    for path in call.at(0, "path", "args").texts:
        if runs_from_memory(path):
            content = run.files.get(IN_MEMORY)
            fetched = content is not None and any(
                k in ("network", "socket") for k, _ in deep_origins(content)
            )
            if fetched:
                yield Act(str(Action.RUN_NETWORK_CODE), name="download", text=path)
            else:
                yield Act("unknown", detail=f"{call.method}({path})")
