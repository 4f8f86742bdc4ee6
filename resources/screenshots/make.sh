#!/usr/bin/env bash
# The screenshots of the README and the guide, taken by the built program.
#
#   bash resources/screenshots/make.sh BUILD
#
# Trains two demos with the mini model (about five minutes on two cores), so that every page has something
# to show, renders the pages without a display and keeps those below, with colours from a palette to be
# small. Needs vips (Debian: libvips-tools). demo.png and mini-base.png are written by `mantissa demo`.
set -euo pipefail
[ $# -eq 1 ] || { echo "make: expects the build folder" >&2; exit 2; }
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
command -v vips >/dev/null || { echo "make: vips is not here; install libvips-tools" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Qt's own offscreen screen is too small for the window.
cat >"$work/screen.json" <<'JSON'
{"windowFrameMargins": true, "screens": [{"name": "screen", "x": 0, "y": 0, "width": 1920, "height": 1200,
  "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]}
JSON
export MANTISSA_HOME=$work/home XDG_CONFIG_HOME=$work/config LC_ALL=C.UTF-8
export QT_QPA_PLATFORM=offscreen:configfile=$work/screen.json
mkdir -p "$MANTISSA_HOME" "$XDG_CONFIG_HOME"

train() { # train NAME SETTINGS...
  local name=$1 settings=()
  shift
  for setting in "$@"; do settings+=(--set "$setting"); done
  "$build/bin/mantissa" train demo --base demo --images demo --set "output.name=$name" \
    --set training.steps=1600 --set samples.every=400 --set output.save_every=400 \
    --set data.validation_share=0.2 --set training.validate_every=50 "${settings[@]}" >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; exit 1; }
}
train zorb-dora adapter.type=dora precision.compute=bf16
train zorb-lora precision.compute=fp16 precision.weights.denoiser=fp8_e4m3
run=$("$build/bin/mantissa" runs list | awk '/zorb-lora/ {print $1; exit}')
"$build/bin/mantissa-studio" --run "$run" --base demo --images demo --lang en --theme light \
  --screenshots "$work/pages"
# train-1 is the Numerics view of Train; see RunPage::looks().
for page in setup data train samples history compare numerics=train-1; do
  colours=Q=95
  if [ "$page" = samples ]; then colours=Q=75,dither=0; fi  # nearly all of it is images
  vips copy "$work/pages/${page#*=}.png" \
    "$here/${page%=*}.png[palette=true,$colours,compression=9,effort=10,strip=true]"
done
echo "make: $(ls "$here"/*.png | wc -l) images in $here"
