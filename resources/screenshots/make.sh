#!/usr/bin/env bash
# The screenshots of the README and the guide, made again by the built program.
#
#   bash resources/screenshots/make.sh BUILD
#
# Trains two demos with the mini model (about two minutes on two cores), so that every page has something
# to show, renders the pages without a display and keeps those below, with colours from a palette to be
# small. Needs vips (Debian: libvips-tools). demo.png and mini-base.png are written by `mantissa demo`.
set -euo pipefail
[ $# -eq 1 ] || { echo "make: expects the build folder" >&2; exit 2; }
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
command -v vips >/dev/null || { echo "make: vips is not here; install libvips-tools" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MANTISSA_HOME=$work/home XDG_CONFIG_HOME=$work/config QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
mkdir -p "$MANTISSA_HOME" "$XDG_CONFIG_HOME"

train() { # train NAME SETTINGS...
  local name=$1 settings=()
  shift
  for setting in "$@"; do settings+=(--set "$setting"); done
  "$build/bin/mantissa" train demo --base demo --images demo --set "output.name=$name" \
    --set training.steps=400 --set samples.every=100 --set output.save_every=100 \
    --set data.validation_share=0.2 --set training.validate_every=20 "${settings[@]}" >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; exit 1; }
}
train zorb-dora adapter.type=dora precision.compute=bf16
train zorb-lora precision.compute=fp16 precision.weights.denoiser=fp8_e4m3
run=$("$build/bin/mantissa" runs list | awk '/zorb-lora/ {print $1; exit}')
"$build/bin/mantissa-studio" --run "$run" --base demo --images demo --lang en --theme light \
  --screenshots "$work/pages"
# Of a page's views the third and fourth of Train are Numerics and the log; see Page::looks().
for page in setup data train samples history compare numerics=train-1; do
  vips copy "$work/pages/${page#*=}.png" \
    "$here/${page%=*}.png[palette=true,Q=95,compression=9,effort=10,strip=true]"
done
echo "make: $(ls "$here"/*.png | wc -l) images in $here"
