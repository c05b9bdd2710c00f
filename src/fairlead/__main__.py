"""`fairlead hook` and `fairlead mcp -- SERVER` go straight to their work; all else to the command line."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

_OBJECTS_OF_A_CALL = 100_000


def main() -> None:
    arguments = sys.argv[1:]
    if sys.platform == "win32":
        _refuse_windows(arguments)
    elif _is_hook(arguments):
        _hook(arguments)
    elif _is_mcp_door(arguments):
        _mcp_door(arguments)
    else:
        from fairlead.doors.cli.main import run

        run(arguments)


def _refuse_windows(arguments: list[str]) -> None:
    """A hook that cannot judge blocks."""
    sys.stderr.write(
        "error: hooks of agents and scripts do not work on Windows\n  hint: install Fairlead inside WSL\n"
    )
    sys.exit(2 if _is_hook(arguments) else 1)


def _is_hook(arguments: list[str]) -> bool:
    """`hook` as the first word that is not the global option `--home DIR`."""
    words = _without_home(arguments)
    return words[:1] == ["hook"] and words[1:2] not in (["--help"], ["-h"])


def _is_mcp_door(arguments: list[str]) -> bool:
    """`mcp`, options of its own, `--` and a server."""
    words = _without_home(arguments)
    ours = words[: words.index("--")] if "--" in words else []
    options = all(word.startswith("-") for word in ours[1:2])
    return ours[:1] == ["mcp"] and options and not {"-h", "--help"} & {*ours}


def _without_home(arguments: list[str]) -> list[str]:
    words = arguments[2:] if arguments[:1] == ["--home"] else arguments
    return words[1:] if words and words[0].startswith("--home=") else words


def _hook(arguments: list[str]) -> None:
    gc.set_threshold(_OBJECTS_OF_A_CALL)  # nearly all live to its end, and to look them through takes a tenth
    try:
        from fairlead.doors.hook.lean_import import import_leanly

        import_leanly("fairlead", os.path.dirname(__file__))
        if "--reply-fd" in arguments:
            from fairlead.doors.daemon.cold import main as hook_main
        elif any(word.partition("=")[0] == "--bus" for word in arguments):
            from fairlead.doors.bus.cold import main as hook_main
        else:
            from fairlead.doors.hook.cold import main as hook_main
        code = hook_main(arguments)
    except BaseException as error:  # noqa: BLE001 - an exit by accident means "allowed" to most agents
        sys.stderr.write(
            f"Fairlead is broken and blocks this call: {type(error).__name__}: {error}; "
            "`fairlead doctor` shows what is wrong, `fairlead off` switches it off\n"
        )
        code = 2
    _leave(code)


def _mcp_door(arguments: list[str]) -> None:
    gc.set_threshold(_OBJECTS_OF_A_CALL)
    from fairlead.doors.hook.lean_import import import_leanly

    import_leanly("fairlead", os.path.dirname(__file__))
    from fairlead.doors.mcp.door import entry_of, run
    from fairlead.errors import FairleadError

    try:
        code = run(entry_of(arguments))
    except FairleadError as error:
        sys.stderr.write(f"error: {error}\n")
        code = error.exit_code
    _leave(code)


def _leave(code: int) -> None:
    """Ends at once: the answer is written, and to take down what was loaded is another tenth of a call."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # whoever called us may have closed it
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
