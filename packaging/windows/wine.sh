#!/usr/bin/env bash
# Runs a program for Windows under Wine, with the libraries of the prefix and the compiler.
#
#   bash packaging/windows/wine.sh build-windows/build/bin/mantissa.exe --version
#
# The preset `windows` makes ctest run its tests so. Wine's own files are in build-windows/wine.
# Environment: MANTISSA_WINDOWS_PREFIX (default build-windows/prefix), WINEPREFIX; ALONE: if set, only
# the libraries beside the program, as on a machine where a package is unpacked.
set -euo pipefail

die() { printf 'wine.sh: %s\n' "$*" >&2; exit 2; }
[ $# -ge 1 ] || die "expects a program for Windows, for example: bash packaging/windows/wine.sh mantissa.exe --version"
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
[ -x "$wine" ] || die "wine64 is not here; apt-get install wine64"

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
prefix=${MANTISSA_WINDOWS_PREFIX:-$repository/build-windows/prefix}
triplet=x86_64-w64-mingw32
export WINEPREFIX=${WINEPREFIX:-$repository/build-windows/wine}
export WINEARCH=win64 WINEDEBUG=${WINEDEBUG:--all} WINEDLLOVERRIDES=mscoree,mshtml=
export LC_ALL=C.UTF-8 # of file names and arguments

if [ ! -f "$WINEPREFIX/ready" ]; then
  mkdir -p "$WINEPREFIX"
  exec {lock}>"$WINEPREFIX/lock"
  flock "$lock"
  if [ ! -f "$WINEPREFIX/ready" ]; then
    "$wine" wineboot --init >"$WINEPREFIX/wineboot.log" 2>&1 ||
      die "Wine could not make its folder: $(tail -n 1 "$WINEPREFIX/wineboot.log") (all of it: $WINEPREFIX/wineboot.log)"
    "$wine" reg add 'HKCU\Software\Wine' /v Version /d win10 /f >>"$WINEPREFIX/wineboot.log" 2>&1
    # Windows' fonts are not here, and Wine would take any; these letters are rather wider than theirs.
    for font in "Segoe UI" Tahoma "MS Shell Dlg" "MS Shell Dlg 2"; do
      "$wine" reg add 'HKCU\Software\Wine\Fonts\Replacements' /v "$font" /d "DejaVu Sans" /f \
        >>"$WINEPREFIX/wineboot.log" 2>&1
    done
    # Taken by Wine only where it has no such library itself.
    "$triplet-gcc-posix" -shared -O2 "$here/bcryptprimitives.c" -ladvapi32 -o "$WINEPREFIX/bcryptprimitives.dll"
    touch "$WINEPREFIX/ready"
  fi
  exec {lock}>&-
fi

# Debian has Wine's server end with its last program: what starts in that moment may fail without a
# word. This one stays for a minute, and so do Wine's services, which keep the output of the program
# that was first; whoever reads that to its end would wait for them.
server=/usr/lib/wine/wineserver64
if [ -x "$server" ]; then
  exec {lock}>"$WINEPREFIX/lock"
  flock "$lock"
  if ! "$server" -k0 2>/dev/null; then
    "$server" -p60 </dev/null >/dev/null 2>&1 {lock}>&-
    "$wine" cmd /c exit </dev/null >/dev/null 2>&1 {lock}>&-
  fi
  exec {lock}>&-
fi

folders=("$WINEPREFIX")
if [ -z "${ALONE-}" ]; then
  compiler=$(dirname "$("$triplet-g++-posix" -print-libgcc-file-name)")
  folders=("$prefix/bin" "$compiler" "/usr/$triplet/lib" "$WINEPREFIX")
fi
WINEPATH=
for folder in "${folders[@]}"; do
  WINEPATH+=${WINEPATH:+;}$(printf 'Z:%s' "$folder" | tr / '\\')
done
export WINEPATH
# Wine keeps Qt's variables from programs, as they may be meant for Qt on Linux, unless called so.
for variable in $(compgen -e QT_); do
  export "WINE$variable=${!variable}"
done
exec "$wine" "$@"
