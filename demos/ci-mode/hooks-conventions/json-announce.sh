#!/usr/bin/env bash
echo 'contract:{"mode": "dry", "level": 2}'
echo "plain output"
