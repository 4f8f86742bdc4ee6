#!/usr/bin/env bash
# Makes FOLDER the tokenizer folder of Qwen2 and Qwen3: vocab.json, merges.txt, tokenizer_config.json.
# The vocabulary ships inside the Python package dashscope (Apache-2.0); its SHA-256 is checked.
#   bash packaging/fetch_qwen.sh build/share/mantissa/qwen3
set -euo pipefail
# shellcheck source=packaging/pypi.sh
. "$(dirname "$0")/pypi.sh"

dest=${1:?usage: fetch_qwen.sh FOLDER}
want=b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186
made=1 # the form of the files below

if [ -f "$dest/source.txt" ] && [ "$(cat "$dest/source.txt")" = "$want $made" ]; then
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
download_wheel dashscope "$work"
"$python" - "$work/wheel" "$work/qwen.tiktoken" <<'PY'
import pathlib, sys, zipfile
wheel = next(pathlib.Path(sys.argv[1]).glob("*.whl"))
with zipfile.ZipFile(wheel) as archive:
    pathlib.Path(sys.argv[2]).write_bytes(archive.read("dashscope/resources/qwen.tiktoken"))
PY
if ! has_sha256 "$work/qwen.tiktoken" "$want"; then
  echo "fetch_qwen.sh: qwen.tiktoken has SHA-256 $(sha256sum "$work/qwen.tiktoken" | cut -d' ' -f1), expected $want" >&2
  exit 2
fi
"$python" "$(dirname "$0")/qwen_folder.py" "$work/qwen.tiktoken" "$work/qwen3"
echo "$want $made" >"$work/qwen3/source.txt"
mkdir -p "$(dirname "$dest")"
rm -rf "$dest"
cp -r "$work/qwen3" "$dest"
