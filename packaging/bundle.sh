#!/usr/bin/env bash
# A folder that runs on any Linux with the same or a newer C library: programs, the CUDA library and
# every other shared library they need. NVIDIA's own libraries and the driver are never included.
#   bash packaging/bundle.sh BUILD_DIR FOLDER [MORE_PROGRAMS...]
# Environment: COMPONENT, that of the installation, else all; LEAVE_OUT, paths in the folder that are
# removed; ADD, FILE:PATH, one more file; HOST_LIBRARIES, a regular expression of the beginnings of
# further names that the target system provides; MANIFEST, a file that lists every library: its path
# in the folder, or "host", a tab, and the path that it came from.
set -euo pipefail

usage='usage: bundle.sh BUILD_DIR FOLDER [MORE_PROGRAMS...]'
build=${1:?$usage}
root=${2:?$usage}
shift 2
command -v patchelf >/dev/null || { echo "bundle.sh: needs patchelf (apt-get install patchelf)" >&2; exit 2; }
manifest=${MANIFEST:-/dev/null}
: >"$manifest"
cmake --install "$build" --prefix "$root" --strip ${COMPONENT:+--component "$COMPONENT"} >/dev/null
for program in "$@"; do
  install -m 755 -s "$program" "$root/bin/"
done
for path in ${LEAVE_OUT:-}; do
  rm -rf "${root:?}/$path"
done
if [ -n "${ADD:-}" ]; then
  install -m 644 -D "${ADD%%:*}" "$root/${ADD#*:}"
fi

copied() { # copied FILE FOLDER: FILE, or the file it links to, in FOLDER
  mkdir -p "$root/$2"
  cp -L "$1" "$root/$2/"
  printf '%s\t%s\n' "$2/$(basename "$1")" "$(realpath "$1")" >>"$manifest"
}

# Of the C library, the loader, graphics drivers and NVIDIA: what every machine has, or must have.
system='linux-vdso|ld-linux|libc\b|libm\b|libdl\b|librt\b|libpthread\b|libresolv\b|libGL\b|libGLX\b|libEGL\b|libOpenGL\b|libGLdispatch\b|libcuda\b|libcublas\b|libcublasLt\b|libcudnn\b|libcudart\b'
mkdir -p "$root/lib"
if [ -x "$root/bin/mantissa-studio" ]; then # Qt loads these at run time
  plugins=$(qtpaths6 --plugin-dir 2>/dev/null || echo /usr/lib/x86_64-linux-gnu/qt6/plugins)
  for kind in platforms platforminputcontexts xcbglintegrations imageformats iconengines wayland-shell-integration; do
    for plugin in "$plugins/$kind"/*.so; do
      if [ -e "$plugin" ]; then copied "$plugin" "lib/qt6/$kind"; fi
    done
  done
  printf '[Paths]\nPlugins = ../lib/qt6\n' >"$root/bin/qt.conf"
fi
objects() { find "$root" -type f \( -path "$root/bin/mantissa*" -o -path "$root/bin/*_tests" -o -path "$root/bin/*_bench" -o -name '*.so*' \); }
while read -r library; do
  if basename "$library" | grep -qE "^($system${HOST_LIBRARIES:+|$HOST_LIBRARIES})"; then
    printf 'host\t%s\n' "$(realpath "$library")" >>"$manifest"
  else
    copied "$library" lib
  fi
done < <(ldd $(objects) 2>/dev/null | awk '/=> \// {print $3}' | sort -u)
# A library's dependencies are next to it: an old-style RPATH also applies to them.
for object in $(objects); do
  case $object in
    "$root"/bin/*) path='$ORIGIN/../lib' ;;
    "$root"/lib/qt6/*) path='$ORIGIN/../..' ;;
    *) path='$ORIGIN' ;;
  esac
  patchelf --force-rpath --set-rpath "$path" "$object"
done
