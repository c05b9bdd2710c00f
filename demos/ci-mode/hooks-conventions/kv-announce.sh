#!/usr/bin/env bash
echo "contract:DRY_RUN=true"
echo "plain output"
