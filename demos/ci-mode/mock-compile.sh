#!/usr/bin/env bash
# Sourced by `hooks:flow:apply` instead of the rest of the script.
echo "the compiler is mocked"
export __HOOKS_FLOW_EXIT_CODE=3
