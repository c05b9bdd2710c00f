#!/usr/bin/env bash
# A step of a build whose mode is decided by its hooks: CI_SCRIPT_MODE=DRY ./ci-20-compile.sh
set -euo pipefail

# shellcheck source=/dev/null
source "${FAIRLEAD_HOOKS:-$(fairlead shell bash)}"

export HOOKS_DIR=hooks-mw
hooks:declare begin end
hooks:middleware begin hooks:middleware:contract

hooks:do begin ci-20-compile
hooks:flow:apply

run() {
  if [[ ${DRY_RUN:-} == true ]]; then
    echo "would run: $*"
  else
    "$@"
  fi
}

run echo "compiling in mode ${CI_MODE:-EXEC}"
run sleep "${COMPILE_SECONDS:-0}"
run echo "compiled"
