#!/usr/bin/env bash
# ERROR: fail with a code of your choice.
code=${CI_SCRIPT_ERROR_CODE:-${HOOKS_FLOW_ERROR_CODE:-1}}
[[ $__CI_SCRIPT_MODE != ERROR ]] || echo "contract:mode=error:$code"
