#!/usr/bin/env bash
# Runs one hook as a step. Inputs come as variables, lists in them with one element on each line.
set -euo pipefail

lines() { # TEXT ARRAY
  local -n found=$2
  local line
  found=()
  while IFS= read -r line || [[ -n $line ]]; do
    [[ -z $line ]] || found+=("$line")
  done <<<"$1"
}

options=() arguments=()
lines "$STEP_OPTIONS" options
lines "$STEP_ARGUMENTS" arguments
hook=$STEP_HOOK directory=$STEP_DIRECTORY
unset STEP_HOOK STEP_ARGUMENTS STEP_DIRECTORY STEP_OPTIONS
exec fairlead run "--dir=$directory" --github --apply "${options[@]}" -- "$hook" "${arguments[@]}"
