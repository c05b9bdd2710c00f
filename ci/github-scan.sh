#!/usr/bin/env bash
# Scans the repository in a step of GitHub Actions.
set -uo pipefail
words=()
[ "${SCAN_STRICT:-}" != true ] || words+=(--strict)
[ -z "${SCAN_BASELINE:-}" ] || words+=(--baseline "$SCAN_BASELINE")
words+=(--)
while IFS= read -r path; do
  [ -z "$path" ] || words+=("$path")
done <<<"${SCAN_PATHS:-}"

# Lines of the repository's files are shown: none of them may command the runner.
token=$(head -c 24 /dev/urandom | base64 | tr -dc 'a-zA-Z0-9')
echo "::stop-commands::$token"
fairlead scan "${words[@]}" 2>&1
code=$?
echo
echo "::$token::"
if [ -n "${SCAN_SARIF:-}" ] && [ "$code" -le 1 ]; then
  fairlead scan --format sarif --output "$SCAN_SARIF" "${words[@]}" >/dev/null 2>&1
fi
printf 'exit-code=%s\n' "$code" >>"$GITHUB_OUTPUT"
exit "$code"
