#!/usr/bin/env bash
echo "finished: mode ${CI_MODE:-EXEC}, exit code $1"
