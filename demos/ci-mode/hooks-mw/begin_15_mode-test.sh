#!/usr/bin/env bash
# TEST:FILE: go on with another script instead.
[[ $__CI_SCRIPT_MODE != TEST:* ]] || echo "contract:mode=test:${__CI_SCRIPT_MODE#*:}"
