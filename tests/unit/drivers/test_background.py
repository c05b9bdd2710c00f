from __future__ import annotations

import subprocess
import sys
from threading import Event

from fairlead.drivers.background import Background


def test_tasks_run_in_order_and_finish_waits_for_them() -> None:
    done: list[int] = []
    background = Background(lambda error: None)
    for number in range(50):
        background.do(lambda number=number: done.append(number))
    background.finish()
    assert done == list(range(50))


def test_a_task_that_raises_is_reported_and_the_next_one_runs() -> None:
    heard: list[Exception] = []
    ran = Event()
    background = Background(heard.append)
    background.do(lambda: 1 / 0)
    background.do(ran.set)
    background.finish()
    assert ran.is_set()
    assert [type(error) for error in heard] == [ZeroDivisionError]


def test_it_can_be_used_again_after_it_was_finished() -> None:
    done: list[str] = []
    background = Background(lambda error: None)
    for word in ("one", "two"):
        background.do(lambda word=word: done.append(word))
        background.finish()
    assert done == ["one", "two"]


def test_the_end_of_the_process_waits_for_what_is_left() -> None:
    code = (
        "import time; from fairlead.drivers.background import Background\n"
        "b = Background(print)\n"
        "b.do(lambda: (time.sleep(0.05), print('done')))\n"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "done\n"
