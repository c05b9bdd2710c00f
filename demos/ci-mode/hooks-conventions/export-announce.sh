#!/usr/bin/env bash
echo "contract:export DRY_RUN=true"
echo "plain output"
