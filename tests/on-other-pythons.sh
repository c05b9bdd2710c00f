#!/usr/bin/env bash
# The engine's tests, and a look at every line, with each Python from 3.11 on that this machine has; says which it
# has not. PYTHONS names others.
set -uo pipefail
cache=${FAIRLEAD_PYTHONS:-$HOME/.cache/fairlead-pythons}
tests=(tests/unit/engine tests/unit/model tests/unit/drivers tests/unit/translations tests/unit/contracts
  tests/unit/policy tests/unit/settings tests/unit/shell/language tests/unit/doors/library)
packages=(pytest pytest-xdist pytest-randomly hypothesis PyYAML click regex rich)

interpreter() {
  local found
  for found in "$HOME/.pyenv/versions/${1%t}".*"${1##*[0-9]}/bin/python" "$(command -v "python$1")"; do
    # a shim of pyenv is there for versions that are not chosen, too
    [[ -x $found ]] && "$found" -c 'import sys' 2>/dev/null && echo "$found" && return
  done
  return 1
}

failed=0
for version in ${PYTHONS:-3.11 3.12 3.13 3.14 3.13t 3.14t}; do
  if ! base=$(interpreter "$version"); then
    echo "NOT TESTED WITH PYTHON $version: it is not on this machine" >&2
    continue
  fi
  home=$cache/$version
  [[ -x $home/bin/python ]] || "$base" -m venv "$home" || exit 1
  "$home/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" || exit 1
  echo "Python $("$home/bin/python" -c 'import platform; print(platform.python_version())'):"
  "$home/bin/python" -W error -m compileall -q -f src >/dev/null || failed=1
  PYTHONPATH=src "$home/bin/python" -m pytest -q -n 2 -m 'not slow' -p no:cacheprovider "${tests[@]}" || failed=1
done
exit $failed
