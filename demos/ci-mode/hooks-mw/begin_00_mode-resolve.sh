#!/usr/bin/env bash
# Which mode was asked for, for this script or for all. An export would die with this process: the contract
# line sets the variable in the calling script, whose next hooks then have it.
name=${1//[^A-Za-z0-9_]/_}
mine=CI_SCRIPT_MODE_$name
mine_too=HOOKS_FLOW_MODE_$name
mode=${!mine:-${!mine_too:-${CI_SCRIPT_MODE:-${HOOKS_FLOW_MODE:-EXEC}}}}
echo "mode of $1: $mode"
echo "contract:__CI_SCRIPT_MODE=$mode"
