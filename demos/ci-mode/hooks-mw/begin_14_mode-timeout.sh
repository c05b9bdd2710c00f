#!/usr/bin/env bash
# TIMEOUT:SECONDS: the work starts, and is ended when its time is over.
[[ $__CI_SCRIPT_MODE != TIMEOUT:* ]] || echo "contract:mode=timeout:${__CI_SCRIPT_MODE#*:}"
