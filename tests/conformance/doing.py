"""How each door does a row: writes its files, runs the caller as a process, and says what came of it."""

from __future__ import annotations

import json
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bash_shell import HOOKS

from bash_versions import search_path
from conformance.forking import Forking
from conformance.table import Row, watched

_OPTIONS = {
    "fail_fast": "HOOKS_FAIL_FAST",
    "exit_policy": "HOOKS_EXIT_POLICY",
    "timeout": "HOOKS_TIMEOUT",
    "grace": "HOOKS_GRACE",
    "retries": "HOOKS_RETRIES",
}
_MIDDLEWARE = """
printing() { local -n seen=$3; ((${#seen[@]} == 0)) || printf '%s\\n' "${seen[@]}"; return "$2"; }
dry_or_verbose() {
  local -n seen=$3
  local line
  for line in "${seen[@]}"; do
    case $line in
      '1: contract:mode=dry') export DRY_RUN=true ;;
      '1: contract:mode=verbose') export LEVEL='*' ;;
      '1: '*) printf '%s\\n' "${line#1: }" ;;
      '2: '*) printf '%s\\n' "${line#2: }" >&2 ;;
    esac
  done
  return "$2"
}
"""
_NOTE = """
note() {
  local name
  for name in "$@"; do [[ ! -v $name ]] || printf '%s=%s\\0' "$name" "${!name}"; done >{here}/variables
}
"""


@dataclass
class Came:
    """What came of one row."""

    exit: int
    stdout: str
    stderr: str
    variables: dict[str, str] = field(default_factory=dict)
    goes_on: bool = False
    timeline: list[str] | None = None


def write_files(row: Row, here: Path) -> None:
    folder = here / "ci-cd"
    folder.mkdir()
    bodies = {name: f"#!/usr/bin/env bash\n{body}\n" for name, body in row.get("files", {}).items()}
    for name, text in {**bodies, **row.get("raw", {})}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    for name, text in row.get("plain", {}).items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text)


def environment(row: Row, here: Path) -> dict[str, str]:
    return {
        "PATH": search_path(),
        "TMPDIR": str(here),
        "HOOKS_AUTO_TRAP": "false",
        **row.get("environment", {}),
    }


def through(door: str, row: Row, here: Path, forking: Forking) -> Came:
    if door == "bash":
        return through_bash(row, here)
    return (through_python if door == "python" else through_run)(row, here, forking)


def through_bash(row: Row, here: Path) -> Came:
    (here / "main.sh").write_text(_bash_script(row, here))
    done = subprocess.run(
        ["bash", "main.sh"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if "both" in row else subprocess.PIPE,
        cwd=here,
        env=environment(row, here),
        timeout=60,
        check=False,
    )
    return _came(row, here, done.returncode, done.stdout, done.stderr or b"")


def _came(row: Row, here: Path, code: int, out: bytes, err: bytes) -> Came:
    came = Came(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))
    came.goes_on = (here / "went-on").exists()
    came.variables = _noted(here)
    if "timeline" in row:
        came.timeline = came.stdout.split("\n")[:-1]
    return came


def _noted(here: Path) -> dict[str, str]:
    noted = here / "variables"
    if not noted.exists():
        return {}
    pairs = noted.read_bytes().decode("utf-8", "surrogateescape").split("\0")[:-1]
    return dict(pair.split("=", 1) for pair in pairs)


def _bash_script(row: Row, here: Path) -> str:
    quote = shlex.quote
    lines = [
        "set -euo pipefail",
        row.get("shell", ""),
        f'source "{HOOKS}"',
        _NOTE.replace("{here}", str(here)),
        _MIDDLEWARE,
    ]
    lines += [f"hooks:declare {quote(name)}" for name in row["declare"]]
    if "function" in row:
        lines += _bash_function("hook:h", row["function"])
    for number, (name, does) in enumerate(row.get("registered", {}).items()):
        lines += [
            *_bash_function(f"registered_{number}", does),
            f"hooks:register h {quote(name)} registered_{number}",
        ]
    lines += _bash_middleware(row)
    options = row.get("options", {})
    lines += [
        f"{_OPTIONS[name]}={quote(_word(value))}" for name, value in options.items() if name in _OPTIONS
    ]
    if "allow" in options:
        lines.append(f"HOOKS_CONTRACT_ALLOW={quote(' '.join(options['allow']))}")
    if options.get("required"):
        lines.append("HOOKS_REQUIRED=h")
    lines.append("code=0")
    does = "hooks:do:source" if "source" in row else "hooks:do"
    failing = "" if row.get("apply") else " || code=$?"  # a script that obeys its hooks ends when they fail
    lines += [f"code=0; {does} {' '.join(map(quote, call))}{failing}" for call in row["calls"]]
    lines.append(f"note {' '.join(watched(row))}")
    if "then_cd" in row:
        lines.append(f"cd {quote(row['then_cd'])}")
    if row.get("apply"):
        lines.append("hooks:flow:apply")
    return "\n".join([*lines, f": >{here}/went-on", 'exit "$code"', ""])


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bash_function(name: str, does: list[str]) -> list[str]:
    lines = [f"{name}() {{"]
    for each in does:
        if each.startswith("return "):
            lines.append(each)
        else:
            lines.append(f"printf '%s\\n' {shlex.quote(each[3:])}{' >&2' if each[0] == '2' else ''}")
    return [*lines, "}"]


def _bash_middleware(row: Row) -> list[str]:
    if "timeline" in row:
        return ["hooks:middleware h printing"]
    if "contract" in row:
        name = "hooks:middleware:contract" if row["contract"] == "hide" else "_hooks:middleware:modes"
        return [f"hooks:middleware {hook} {name}" for hook in row["declare"]]
    given = row.get("middleware", [])
    lines = []
    for each in given if isinstance(given, list) else [given]:
        if isinstance(each, int):
            lines += [f"answering() {{ return {each}; }}", "hooks:middleware h answering"]
        else:
            name = {"missing": "nonexistent", "reset": "", "dry or verbose": "dry_or_verbose"}[each]
            lines.append(f"hooks:middleware h {name}")
    return lines


def through_python(row: Row, here: Path, forking: Forking) -> Came:
    (here / "row.json").write_text(json.dumps(row))
    code, out, err = forking.run("python", [], here, environment(row, here), both="both" in row)
    return _came(row, here, code, out, err)


def through_run(row: Row, here: Path, forking: Forking) -> Came:
    """Each call is a step of its own; between them, the variables are sourced as a step would."""
    given = environment(row, here)
    outputs: list[tuple[bytes, bytes]] = []
    code = 0
    timeline = None
    for call in row["calls"]:
        words = [call[0], *_run_options(row, call[0]), "--", *call[1:]]
        code, out, err = forking.run("run", words, here, given, both="both" in row)
        if "timeline" in row:
            lines = [line for ran in json.loads(out)["ran"] for line in _lines_of_tries(ran)]
            timeline = [f"{line['stream']}: {line['text']}" for line in lines]
        outputs.append((out, err))
        given = _sourced(row, here, given)
    came = _came(row, here, code, b"".join(out for out, _ in outputs), b"".join(err for _, err in outputs))
    came.timeline = timeline
    return came


def _lines_of_tries(ran: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for each in (*ran["earlier"], ran) for line in each["timeline"]]


def _run_options(row: Row, hook: str) -> list[str]:
    words = [f"--declare={other}" for other in row["declare"] if other != hook]
    for name, value in row.get("options", {}).items():
        if name == "allow":
            words += [f"--allow={each}" for each in value]
        elif value is True:
            words.append(f"--{name.replace('_', '-')}")
        elif value is not False:
            words.append(f"--{name.replace('_', '-')}={value}")
    if "contract" in row:
        words.append("--export=vars.sh")
    if row.get("contract") == "show":
        words.append("--show-contract")
    if row.get("apply"):
        words.append("--apply")
    if "timeline" in row:
        words.append("--json")
    return words


def _sourced(row: Row, here: Path, given: dict[str, str]) -> dict[str, str]:
    """The next step's environment: what a shell exports that has sourced what this one wrote."""
    if not (here / "vars.sh").exists():
        return given
    program = f"{_NOTE.replace('{here}', str(here))}\nsource ./vars.sh\nnote {' '.join(watched(row))}\n"
    program = program.replace("source ./vars.sh\n", "source <(grep -v '^exit ' vars.sh)\n")
    program += f"source ./vars.sh\n: >{here}/went-on\nexec env -0"
    done = subprocess.run(["bash", "-c", program], cwd=here, env=given, capture_output=True, check=False)
    pairs = done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return dict(pair.split("=", 1) for pair in pairs) if done.returncode == 0 and pairs else given
