#!/usr/bin/env bash
# Installs Fairlead from the files of this action, unless the job has it already.
set -euo pipefail
if command -v fairlead >/dev/null; then
  fairlead --version
  exit 0
fi
place=${RUNNER_TEMP:?is for a step of GitHub Actions}/fairlead
python3 -m venv "$place"
"$place/bin/pip" install --quiet --disable-pip-version-check "$FAIRLEAD_SOURCE"
printf '%s\n' "$place/bin" >>"$GITHUB_PATH"
