#!/usr/bin/env bash
# DRY: show commands without running them.
[[ $__CI_SCRIPT_MODE != DRY ]] || echo "contract:mode=dry"
