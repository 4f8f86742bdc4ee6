#!/usr/bin/env bash
# Real windows on a separate display: every page in three languages, two themes and two scales.
#
#   bash tests/gui/screens.sh BUILD OUT    screenshots in OUT/<language>-<theme>-<scale>x/<page>.png
#
# A short run with the mini model is trained first, so that every page has something to show.
# SCREENS lists what to render, as in SCREENS="en-light-1 ja-dark-2"; default: all twelve.
set -euo pipefail
[ $# -eq 2 ] || { echo "screens: expects the build folder and the folder for the screenshots" >&2; exit 2; }
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
all=()
for language in en zh_CN ja; do
  for theme in light dark; do
    for scale in 1 2; do all+=("$language-$theme-$scale"); done
  done
done
read -r -a wanted <<<"${SCREENS:-${all[*]}}"

work=$(mktemp -d)
display_pid=
clean() {
  if [ -n "$display_pid" ]; then kill "$display_pid" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap clean EXIT
export MANTISSA_HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_RUNTIME_DIR=$work/runtime
mkdir -p "$MANTISSA_HOME" "$XDG_CONFIG_HOME"
install -d -m 700 "$XDG_RUNTIME_DIR"

train() { # train NAME SETTINGS...
  local name=$1 settings=()
  shift
  for setting in "$@"; do settings+=(--set "$setting"); done
  "$build/bin/mantissa" train demo --base demo --images demo --set "output.name=$name" \
    --set training.steps=60 --set samples.every=30 "${settings[@]}" >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; exit 1; }
}
train zorb-fp16 precision.compute=fp16
train zorb-dora adapter.type=dora precision.weights.denoiser=fp8_e4m3
run=$("$build/bin/mantissa" runs list | awk '/zorb-dora/ {print $1; exit}')

Xvfb -displayfd 3 -screen 0 2700x1900x24 -nolisten tcp 3>"$work/display" 2>"$work/xvfb.log" &
display_pid=$!
for _ in $(seq 100); do
  [ -s "$work/display" ] && break
  sleep 0.1
done
[ -s "$work/display" ] || { echo "screens: Xvfb did not start" >&2; cat "$work/xvfb.log" >&2; exit 1; }
DISPLAY=:$(cat "$work/display")
export DISPLAY QT_QPA_PLATFORM=xcb

for name in "${wanted[@]}"; do
  IFS=- read -r language theme scale <<<"$name"
  folder=$out/$language-$theme-${scale}x
  rm -rf "$folder"
  "$build/bin/mantissa-studio" --run "$run" --base demo --images demo --lang "$language" \
    --theme "$theme" --scale "$scale" --screenshots "$folder"
  # Every page, with the expected size and more than one colour (WindowTest has the list).
  python3 - "$folder" "$scale" <<'PY'
import pathlib, struct, sys, zlib
folder, scale = pathlib.Path(sys.argv[1]), int(sys.argv[2])
pages = sorted(folder.glob("*.png"))
assert folder / "compare.png" in pages, "no two runs were compared"
for page in pages:
    data = page.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (1280 * scale, 860 * scale), (page, width, height)
    assert len(data) > 15000 * scale, f"{page.name} holds next to nothing ({len(data)} bytes)"
PY
done
echo "screens: $(find "$out" -name "*.png" | wc -l) screenshots in $out"
