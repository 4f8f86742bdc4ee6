#!/usr/bin/env bash
# In a minimal Debian: installs /tmp/mantissa.deb, trains, samples, shows the window, and removes the
# package again. Run by linux_package_test.py inside a chroot.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
die() { printf 'installed.sh: %s\n' "$*" >&2; exit 1; }

. /etc/os-release
apt-get update -qq
apt-get install -y -qq --no-install-recommends /tmp/mantissa.deb >/tmp/apt.log 2>&1 || die "$(tail -n 3 /tmp/apt.log)"
cd "$(mktemp -d)"
echo "$PRETTY_NAME: $(mantissa --version | head -n 1)"
demo=/opt/mantissa/share/mantissa/demo
mantissa train demo --base demo --images "$demo/images" --out run --set training.steps=2 --set samples.every=2 >train.log 2>&1 ||
  die "$(tail -n 5 train.log)"
[ -s run/*.safetensors ] || die 'no adapter was written'
echo "trained: $(ls run/*.safetensors)"

apt-get install -y -qq --no-install-recommends xvfb xauth x11-utils >/tmp/apt.log 2>&1 || die "$(tail -n 3 /tmp/apt.log)"
Xvfb :97 -screen 0 1280x900x24 >/dev/null 2>&1 &
screen=$!
export DISPLAY=:97
sleep 2
mantissa-studio >studio.log 2>&1 &
studio=$!
for _ in $(seq 60); do
  if xwininfo -root -tree | grep -q '"[^"]*Mantissa[^"]*": ("mantissa-studio"'; then shown=yes && break; fi
  kill -0 "$studio" 2>/dev/null || die "the studio ended: $(tail -n 5 studio.log)"
  sleep 1
done
[ "${shown-}" = yes ] || die "no window in 60 s: $(tail -n 5 studio.log)"
echo "window: $(xwininfo -root -tree | grep -o '"[^"]*Mantissa[^"]*": ("mantissa-studio".*' | head -n 1)"
kill "$studio"
wait "$studio" || true
frame=$(mantissa-studio --lang ja --startup-time 2>&1) || die "not in Japanese: $frame"
kill "$screen"

apt-get purge -y -qq mantissa >/tmp/apt.log 2>&1 || die "$(tail -n 3 /tmp/apt.log)"
for path in /opt/mantissa /usr/bin/mantissa /usr/share/applications/mantissa-studio.desktop; do
  [ ! -e "$path" ] || die "$path is left after the package was removed"
done
echo removed
