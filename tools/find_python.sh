#!/bin/sh
# Prints a Python that can make virtual environments: the first of at least MIN and below BELOW (both as 3.x).
# usage: tools/find_python.sh [MIN] [BELOW]
min=${1:-3.11} below=${2:-3.99}

suits() {
    "$1" -c "
import sys, venv, ensurepip
wanted = [tuple(map(int, v.split('.'))) for v in ('$min', '$below')]
sys.exit(not wanted[0] <= sys.version_info[:2] < wanted[1])" >/dev/null 2>&1
}

for candidate in python3 python python3.14 python3.13 python3.12 python3.11 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python; do
    if suits "$candidate"; then
        command -v "$candidate"
        exit 0
    fi
done
echo "No Python of at least $min and below $below, with venv and ensurepip, was found." >&2
exit 1
