#!/usr/bin/env bash
# Packs a folder that runs on Windows 10 and 11 from anywhere: programs, presets, the demo and every
# library that Windows does not bring. With a third argument, also an installer of that folder. The
# same commit gives the same bytes.
#
#   bash packaging/windows/package.sh build-windows/build dist/mantissa-0.1.0-windows-x64.zip
#   bash packaging/windows/package.sh build-windows/build dist/mantissa-0.1.0-windows-x64.zip dist/mantissa-0.1.0-windows-x64.exe
#
# Environment: MANTISSA_WINDOWS_PREFIX (default build-windows/prefix); ADD: FILE:PATH, one more file;
# MANTISSA_CUDA_WHEELS, a folder: NVIDIA's libraries are packed too, from the wheels there, which are
# downloaded if they are missing.
set -euo pipefail

say() { printf 'package: %s\n' "$*"; }
die() { printf 'package: %s\n' "$*" >&2; exit 1; }

usage="expects a build folder and a zip file, for example: bash packaging/windows/package.sh build-windows/build dist/mantissa-0.1.0-windows-x64.zip"
build=${1:?$usage}
out=${2:?$usage}
setup=${3-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=${MANTISSA_WINDOWS_PREFIX:-$here/../../build-windows/prefix}
triplet=x86_64-w64-mingw32
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/Mantissa
[ -f "$build/bin/mantissa.exe" ] || die "$build/bin/mantissa.exe is not built; bash packaging/bootstrap.sh windows builds everything"
if [ -n "$setup" ]; then
  [ -f "$build/bin/mantissa-studio.exe" ] || die "an installer needs $build/bin/mantissa-studio.exe, which is not built; leave the third argument out, or build it with -DMANTISSA_GUI=ON"
  command -v makensis >/dev/null || die "makensis is not here; apt-get install nsis"
fi
if [ -f "$build/bin/mantissa-studio.exe" ]; then
  for language in en ja zh_CN; do
    [ -f "$build/share/mantissa/i18n/mantissa_$language.qm" ] || die "$build/share/mantissa/i18n/mantissa_$language.qm is not built; install qt6-l10n-tools, configure again and build mantissa-studio"
  done
fi
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$build/CMakeCache.txt")
SOURCE_DATE_EPOCH=$(git -C "$here" log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8 # strip and the archives write times
umask 022

for component in app cuda; do # of the CUDA library there may be none
  cmake --install "$build" --prefix "$root" --strip --component "$component" >/dev/null
done

# Qt loads these at run time.
if [ -f "$root/bin/mantissa-studio.exe" ]; then
  for plugin in platforms/qwindows styles/qwindowsvistastyle imageformats/qico imageformats/qjpeg; do
    if [ -f "$prefix/plugins/$plugin.dll" ]; then
      install -D -m 644 "$prefix/plugins/$plugin.dll" "$root/bin/$plugin.dll"
    fi
  done
  [ -f "$root/bin/platforms/qwindows.dll" ] || die "$prefix/plugins/platforms/qwindows.dll is missing; bash packaging/windows/dependencies.sh all builds it"
fi

# Windows 10 brings these; another name is an error, so that no library is forgotten.
of_windows='^(api-ms-win-.*|advapi32|authz|bcrypt|bcryptprimitives|comctl32|comdlg32|crypt32|d3d9|d3d11|d3d12|dnsapi|dwmapi|dwrite|dxgi|gdi32|imm32|iphlpapi|kernel32|mpr|msvcrt|netapi32|ntdll|ole32|oleaut32|psapi|rpcrt4|secur32|setupapi|shcore|shell32|shlwapi|user32|userenv|uxtheme|version|winmm|winspool|ws2_32|wtsapi32)\.(dll|drv)$'
# Of the user's CUDA installation; mantissa_cuda.dll looks for them when it is opened.
of_cuda='^(cudart64_13|cublasLt64_13|cudnn64_9)\.dll$'
compiler=$(dirname "$("$triplet-g++-posix" -print-libgcc-file-name)")
needed() { # the names of the libraries that the folder's programs and libraries ask for
  find "$root" \( -name '*.exe' -o -name '*.dll' \) -exec "$triplet-objdump" -p {} + |
    awk '/DLL Name:/ {print $3}' | sort -fu
}
added=yes
while [ "$added" = yes ]; do # what is added may need others
  added=no
  while read -r name; do
    if [ -e "$root/bin/$name" ] || grep -qiE "$of_windows|$of_cuda" <<<"$name"; then continue; fi
    for folder in "$prefix/bin" "$compiler" "/usr/$triplet/lib"; do
      if [ -f "$folder/$name" ]; then
        install -m 644 "$folder/$name" "$root/bin/$name"
        "$triplet-strip" --strip-unneeded "$root/bin/$name"
        added=yes
        continue 2
      fi
    done
    die "$name is needed, and neither Windows, $prefix nor the compiler has it"
  done < <(needed)
done

if [ -n "${MANTISSA_CUDA_WHEELS-}" ]; then
  python3 "$here/../cuda_bundle.py" windows-x64 "$root/share/mantissa" "$MANTISSA_CUDA_WHEELS"
fi

# Licences: of what was built for Windows, of the compiler's libraries, and of what they refer to.
mkdir -p "$root/licenses"
cp -r "$prefix/share/licenses/." "$root/licenses/"
rm -rf "$root/licenses/googletest"
for package in gcc-mingw-w64-base mingw-w64-common libz-mingw-w64; do
  install -D -m 644 "/usr/share/doc/$package/copyright" "$root/licenses/$package/copyright"
done
# The wheel of libvips has its own licence alone; these are what is compiled into it.
for package in libaom3 libarchive13 libcairo2 libcgif0 libexif12 libexpat1 libffi8 libfontconfig1 \
  libfreetype6 libfribidi0 libglib2.0-0 libharfbuzz0b libheif1 libhwy1 libimagequant0 libjpeg62-turbo \
  liblcms2-2 libpango-1.0-0 libpixman-1-0 libpng16-16 librsvg2-2 libtiff6 libvips42 libwebp7 libxml2 \
  zlib1g; do
  install -D -m 644 "/usr/share/doc/$package/copyright" "$root/licenses/vips/$package/copyright"
done
if [ -f "$root/bin/mantissa_cuda.dll" ]; then
  install -D -m 644 "$build/cuda/licenses/cudnn-frontend/LICENSE.txt" -t "$root/licenses/cudnn-frontend"
fi
for text in Apache-2.0 GPL-2 GPL-3 LGPL-2 LGPL-2.1 LGPL-3 MPL-2.0; do
  install -m 644 "/usr/share/common-licenses/$text" "$root/licenses/$text.txt"
done
sed 's/$/\r/' "$here/NOTICES.txt" >"$root/NOTICES.txt"
if [ -n "${ADD:-}" ]; then install -D -m 644 "${ADD%%:*}" "$root/${ADD#*:}"; fi
python3 "$here/bill.py" "$root" "$version" "$SOURCE_DATE_EPOCH"
find "$root" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +

absolute() { # absolute FILE: its folder is made
  mkdir -p "$(dirname "$1")"
  echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
}
out=$(absolute "$out")
rm -f "$out.part"
python3 "$here/zip.py" "$root" "$out.part"
mv "$out.part" "$out"
say "$out, $(du -h "$out" | cut -f1), $(find "$root" -type f | wc -l) files, $(find "$root/bin" -name '*.dll' | wc -l) libraries"

if [ -n "$setup" ]; then
  setup=$(absolute "$setup")
  # In this order, whatever the file system's is.
  (cd "$root" && find . -type f -printf '%P\n' | sort) >"$work/files"
  (cd "$root" && find . -mindepth 1 -type d -printf '%P\n' | sort) >"$work/folders"
  while read -r file; do
    folder=/$(dirname "$file")
    if [ "$folder" != "${last-}" ]; then echo "SetOutPath \"\$INSTDIR${folder%/.}\""; fi
    last=$folder
    echo "File \"$root/$file\""
  done <"$work/files" | sed '/^SetOutPath/s|/|\\|g' >"$work/install.nsh"
  {
    sed 's|/|\\|g; s|.*|Delete "$INSTDIR\\&"|' "$work/files"
    sort -r "$work/folders" | sed 's|/|\\|g; s|.*|RMDir "$INSTDIR\\&"|'
  } >"$work/remove.nsh"
  makensis -V2 -WX -INPUTCHARSET UTF8 -DINSTALL="$work/install.nsh" -DREMOVE="$work/remove.nsh" \
    -DOUT="$setup.part" -DVERSION="$version" -DICON="$(realpath "$build/mantissa.ico")" \
    "$here/installer.nsi" >"$work/nsis.log" 2>&1 ||
    die "makensis failed: $(grep -m 1 -i error "$work/nsis.log")"
  mv "$setup.part" "$setup"
  say "$setup, $(du -h "$setup" | cut -f1)"
fi
