#!/usr/bin/env bash
# OK: end at once with success.
[[ $__CI_SCRIPT_MODE != OK ]] || echo "contract:mode=ok"
