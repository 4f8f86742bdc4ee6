#!/usr/bin/env bash
# A folder that runs on any Linux with the same or a newer C library: programs, the CUDA library and
# every other shared library they need. NVIDIA's own libraries and the driver are never included.
#   bash packaging/tarball.sh BUILD_DIR OUT.tar.xz [MORE_PROGRAMS...]   (XZ_LEVEL=0 for a quick one, or XZ_OPTIONS)
# COMPONENT: that of the installation, else all; LEAVE_OUT: paths in the folder that are not packed;
# ADD: FILE:PATH, one more file.
set -euo pipefail

build=${1:?usage: tarball.sh BUILD_DIR OUT.tar.xz [MORE_PROGRAMS...]}
out=${2:?usage: tarball.sh BUILD_DIR OUT.tar.xz [MORE_PROGRAMS...]}
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/mantissa
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

# Of the C library, the loader, graphics drivers and NVIDIA: what every machine has, or must have.
system='^(linux-vdso|ld-linux|libc|libm|libdl|librt|libpthread|libresolv|libGL|libGLX|libEGL|libOpenGL|libGLdispatch|libcuda|libcublas|libcublasLt|libcudnn|libcudart)\b'
libraries() {
  ldd "$@" 2>/dev/null | awk '/=> \// {print $3}' | sort -u |
    while read -r library; do
      if ! basename "$library" | grep -qE "$system"; then echo "$library"; fi
    done
}
mkdir -p "$root/lib"
if [ -x "$root/bin/mantissa-studio" ]; then # Qt loads these at run time
  plugins=$(qtpaths6 --plugin-dir 2>/dev/null || echo /usr/lib/x86_64-linux-gnu/qt6/plugins)
  for kind in platforms platforminputcontexts xcbglintegrations imageformats iconengines wayland-shell-integration; do
    if [ -d "$plugins/$kind" ]; then
      mkdir -p "$root/lib/qt6"
      cp -rL "$plugins/$kind" "$root/lib/qt6/"
    fi
  done
  printf '[Paths]\nPlugins = ../lib/qt6\n' >"$root/bin/qt.conf"
fi
objects() { find "$root" -type f \( -path "$root/bin/mantissa*" -o -path "$root/bin/*_tests" -o -path "$root/bin/*_bench" -o -name '*.so*' \); }
for library in $(libraries $(objects)); do
  cp -L "$library" "$root/lib/"
done
# A library's dependencies are next to it: an old-style RPATH also applies to them.
command -v patchelf >/dev/null || { echo "tarball.sh: needs patchelf (apt-get install patchelf)" >&2; exit 2; }
for object in $(objects); do
  case $object in
    "$root"/bin/*) path='$ORIGIN/../lib' ;;
    "$root"/lib/qt6/*) path='$ORIGIN/../..' ;;
    *) path='$ORIGIN' ;;
  esac
  patchelf --force-rpath --set-rpath "$path" "$object"
done
mkdir -p "$(dirname "$out")"
tar -C "$work" -cf - mantissa | xz ${XZ_OPTIONS:--T0 -${XZ_LEVEL:-6}} >"$out.part"
mv "$out.part" "$out"
echo "tarball.sh: $out, $(du -h "$out" | cut -f1), $(find "$root" -type f | wc -l) files"
