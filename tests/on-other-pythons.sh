#!/usr/bin/env bash
# The engine's tests, and a look at every line, with each Python after 3.11 that this machine has or can fetch;
# says which it has not. PYTHONS names others.
set -uo pipefail
cache=${FAIRLEAD_PYTHONS:-$HOME/.cache/fairlead-pythons}
tests=(tests/unit/engine tests/unit/model tests/unit/drivers tests/unit/translations tests/unit/contracts
  tests/unit/policy tests/unit/settings tests/unit/shell/language tests/unit/doors/library tests/unit/platforms)
packages=(pytest pytest-randomly hypothesis PyYAML click regex)
here=$(dirname "$0")
mkdir -p "$cache"

interpreter() {
  local found
  # a shim of pyenv is there for versions that are not chosen, too
  for found in "$HOME/.pyenv/versions/${1%t}".*"${1##*[0-9]}/bin/python" "$(command -v "python$1")" "$cache/$1/bin/python"; do
    [[ -x $found ]] && "$found" -c 'import sys' 2>/dev/null && echo "$found" && return
  done
  return 1
}

needed() { # VERSION: what the tests import, for that version
  local abi=cp${1/./} platforms=() wanted
  for wanted in manylinux_2_17 manylinux2014 manylinux_2_28 manylinux_2_34; do
    platforms+=(--platform "${wanted}_$(uname -m)")
  done
  python3 -m pip install --quiet --disable-pip-version-check --upgrade --target "$cache/$1/packages" --only-binary :all: \
    --implementation cp --python-version "${1%t}" --abi "$abi" --abi abi3 --abi none "${platforms[@]}" "${packages[@]}"
}

failed=0
for version in ${PYTHONS:-3.12 3.13 3.14 3.13t 3.14t}; do
  if ! python=$(interpreter "$version") && [[ $version != *t ]]; then
    "$here/fetch-pythons.sh" "$cache" "$version"
  fi
  if ! python=$(interpreter "$version") || ! needed "$version" 2>"$cache/said"; then
    echo "NOT TESTED WITH PYTHON $version: it or its packages are not to be had on this machine" >&2
    continue
  fi
  export PYTHONPATH=src:$cache/$version/packages
  echo "Python $("$python" -c 'import platform; print(platform.python_version())'):"
  "$python" -W error -m compileall -q -f src >/dev/null || failed=1
  "$python" -m pytest -q -m 'not slow' -p no:cacheprovider "${tests[@]}" || failed=1
done
exit $failed
