#!/usr/bin/env bash
# The six modes, three ways to write a contract, and the default middleware beside them.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=/dev/null
source "${FAIRLEAD_HOOKS:-$(fairlead shell bash)}"

export HOOKS_DIR=hooks-conventions
hooks:declare kv json export legacy

# A middleware gets the hook, the exit code, the name of an array with what was printed, `--` and the
# arguments. It runs in this shell: what it sets, stays.
kv:middleware() {
  local line
  local -n lines=$3
  for line in "${lines[@]}"; do
    case $line in
      '1: contract:DRY_RUN='*) DRY_RUN=${line#*=} ;;
      '1: '*) printf '  %s\n' "${line#1: }" ;;
      '2: '*) printf '  %s\n' "${line#2: }" >&2 ;;
    esac
  done
  return "$2"
}

json:middleware() {
  local line
  local -n lines=$3
  for line in "${lines[@]}"; do
    if [[ $line =~ ^'1: contract:'.*\"mode\":\ *\"([a-z]+)\" ]]; then
      [[ ${BASH_REMATCH[1]} != dry ]] || DRY_RUN=true
    elif [[ $line == '1: '* ]]; then
      printf '  %s\n' "${line#1: }"
    fi
  done
  return "$2"
}

# Words as a shell writes them, parsed and never evaluated: `eval` would run whatever a hook prints.
export:middleware() {
  local line
  local -n lines=$3
  for line in "${lines[@]}"; do
    if [[ $line =~ ^'1: contract:export '([A-Z_]+)=([a-z]+)$ && ${BASH_REMATCH[1]} == DRY_RUN ]]; then
      DRY_RUN=${BASH_REMATCH[2]}
    elif [[ $line == '1: '* ]]; then
      printf '  %s\n' "${line#1: }"
    fi
  done
  return "$2"
}

for convention in kv json export; do
  hooks:middleware "$convention" "$convention:middleware"
  DRY_RUN=false
  echo "convention $convention:"
  hooks:do "$convention"
  echo "  DRY_RUN=$DRY_RUN"
done

DRY_RUN=false
echo "default middleware:"
hooks:do legacy || echo "  exit code $?, DRY_RUN=$DRY_RUN"

for mode in EXEC DRY OK ERROR SKIP TIMEOUT:0.5 "TEST:$here/mock-compile.sh"; do
  echo "mode ${mode%%:*}:"
  CI_SCRIPT_MODE=$mode CI_SCRIPT_ERROR_CODE=42 COMPILE_SECONDS=$([[ $mode != TIMEOUT* ]] || echo 30) \
    "$here/ci-20-compile.sh" | sed 's/^/  /' || echo "  -> exit code ${PIPESTATUS[0]}"
done
