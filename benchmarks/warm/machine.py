"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from pathlib import Path

_SCHEDULERS = {os.SCHED_OTHER: "normal", os.SCHED_FIFO: "real time", os.SCHED_RR: "real time"}


def describe() -> dict[str, object]:
    facts = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in facts if line.startswith("model name")), "?")
    revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "scheduler": _SCHEDULERS.get(os.sched_getscheduler(0), "?"),
        "load_at_start": round(os.getloadavg()[0], 2),
        "revision": revision.stdout.strip(),
        "date": time.strftime("%Y-%m-%d"),
    }
