#!/usr/bin/env bash
# A user's stories in real windows, clicked and typed by xdotool, a screenshot of each step; told with
# each are the times that the window took no input for.
#
#   bash tests/gui/story.sh BUILD OUT [WINDOW-MANAGER]
#
# STORY: photos, the default (first start, own photos, a conflict, its fix, training, kill -9, restart,
# resume, compare, export), demo (first start, training, pause, sample, save, close, resume), year (3,000
# images in twelve folders), disk (full in mid-run; needs user namespaces) or card (too small for the
# preset, played by the host).
# Screenshots in OUT/<number>-<step>.png. WINDOW-MANAGER is a program such as openbox; with none the
# windows have no frames, as on a bare X server. STORY_SCREEN, STORY_SCALE, STORY_LANG and STORY_THEME:
# the screen's pixels (1400x1000), the window's scale (1), en, zh_CN or ja, light or dark; the demo's
# story can be told in every language. STORY_STEPS: of the demo's run (400); enough that it isn't over
# before the window is closed. STORY_PATIENCE: seconds to wait for anything to appear, 180 by default.
# STORY_WINE: what runs programs for Windows; BUILD is then a build for Windows,
# and a window manager is needed. Needs Xvfb, xdotool and ImageMagick; minutes.
#
#   STORY_WINE=packaging/windows/wine.sh bash tests/gui/story.sh build-windows/build /tmp/story openbox
set -euo pipefail
if [ $# -lt 2 ]; then
  echo "story: expects the build folder, the folder for the screenshots, and perhaps a window manager" >&2
  exit 2
fi
story=${STORY:-photos}
# The small disk is mounted in a namespace of the story's own.
if [ "$story" = disk ] && [ -z "${STORY_INSIDE-}" ]; then
  STORY_INSIDE=1 exec unshare --map-root-user --mount bash "${BASH_SOURCE[0]}" "$@"
fi
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
manager=${3:-none}
if [ "$manager" = none ]; then manager=; fi
for program in Xvfb xdotool import convert python3 $manager; do
  command -v "$program" >/dev/null || { echo "story: $program is not installed" >&2; exit 2; }
done

work=$(mktemp -d)
children=()
clean() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  if [ "$story" = disk ]; then umount "$work/small" || true; fi
  rm -rf "$work"
}
trap clean EXIT
export MANTISSA_HOME=${STORY_WINE:+Z:}$work/home XDG_CONFIG_HOME=$work/config XDG_RUNTIME_DIR=$work/runtime
mkdir -p "$work/home" "$XDG_CONFIG_HOME"
case $story in
  disk)
    mkdir "$work/small"
    mount -t tmpfs -o size=300m tmpfs "$work/small"
    ;;
  card)
    export MANTISSA_CUDA_LIBRARY=$build/lib/libmantissa_cuda_plugin_on_host.so MANTISSA_CUDA_MEMORY=70
    ;;
esac
install -d -m 700 "$XDG_RUNTIME_DIR"

Xvfb -displayfd 3 -screen 0 "${STORY_SCREEN:-1400x1000}x24" -nolisten tcp 3>"$work/display" 2>"$work/xvfb.log" &
children+=($!)
for _ in $(seq 100); do
  [ -s "$work/display" ] && break
  sleep 0.1
done
[ -s "$work/display" ] || { echo "story: Xvfb did not start" >&2; cat "$work/xvfb.log" >&2; exit 1; }
DISPLAY=:$(cat "$work/display")
export DISPLAY
if [ -z "${STORY_WINE-}" ]; then export QT_QPA_PLATFORM=xcb; fi
export QT_SCALE_FACTOR=${STORY_SCALE:-1}
if [ -n "$manager" ]; then
  "$manager" >"$work/manager.log" 2>&1 &
  children+=($!)
  sleep 1
fi
STORY_MANAGER=$manager python3 "$here/story/$story.py" "$build" "$out" "$work"
