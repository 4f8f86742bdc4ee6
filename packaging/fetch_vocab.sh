#!/usr/bin/env bash
# Fetches CLIP's merges table to DEST. It ships inside the MIT-licensed Python package
# open_clip_torch; only that file is extracted from the package, and its SHA-256 is checked.
#   bash packaging/fetch_vocab.sh build/share/bpe_simple_vocab_16e6.txt.gz
set -euo pipefail
# shellcheck source=packaging/pypi.sh
. "$(dirname "$0")/pypi.sh"

dest=${1:?usage: fetch_vocab.sh DEST}
name=bpe_simple_vocab_16e6.txt.gz
want=924691ac288e54409236115652ad4aa250f48203de50a9e4722a6ecd48d6804a

if has_sha256 "$dest" "$want"; then
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
download_wheel open_clip_torch "$work"
"$python" - "$work/wheel" "$work/$name" <<'PY'
import pathlib, sys, zipfile
wheel = next(pathlib.Path(sys.argv[1]).glob("*.whl"))
with zipfile.ZipFile(wheel) as archive:
    member = next(n for n in archive.namelist() if n.endswith("/bpe_simple_vocab_16e6.txt.gz"))
    pathlib.Path(sys.argv[2]).write_bytes(archive.read(member))
PY
if ! has_sha256 "$work/$name" "$want"; then
  echo "fetch_vocab.sh: $name has SHA-256 $(sha256sum "$work/$name" | cut -d' ' -f1), expected $want" >&2
  exit 2
fi
mkdir -p "$(dirname "$dest")"
cp "$work/$name" "$dest.part"
mv "$dest.part" "$dest"
