#!/usr/bin/env bash
# Builds the libraries that Mantissa for Windows needs, once, into a folder that the CMake preset
# `windows` finds. What is already built by the same recipe is not built again.
#
#   bash packaging/windows/dependencies.sh engine   of the engine, the command line and the tests
#   bash packaging/windows/dependencies.sh all      Qt too, for the studio
#   bash packaging/windows/dependencies.sh key all  prints a hash of the recipes, to cache the folder by
#
# Sources and their SHA-256 are in sources.txt, recipes in recipes.sh. Made for Debian 12;
# `bash packaging/bootstrap.sh windows` installs the packages that are needed.
# Environment: MANTISSA_WINDOWS_PREFIX (default build-windows/prefix), JOBS, DEBIAN_MIRROR, UBUNTU_MIRROR.
set -euo pipefail

say() { printf 'dependencies: %s\n' "$*"; }
die() { printf 'dependencies: %s\n' "$*" >&2; exit 1; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
prefix=${MANTISSA_WINDOWS_PREFIX:-$repository/build-windows/prefix}
# By default the mirror that this machine's own packages come from.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
  sed -n '/security/!{s|/*$||p;q}')}
# Ubuntu 24.04 has most of the same archives, among them some that mirrors of Debian 12 lack.
other_mirror=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}
jobs=${JOBS:-$(nproc)}
triplet=x86_64-w64-mingw32
toolchain=$repository/packaging/cmake/windows.cmake
export LC_ALL=C.UTF-8

# In the order in which they are built. A library's packages are copied from this machine.
engine=(headers fmt utf8proc pcre2 libyaml sqlite3 sentencepiece curl libarchive googletest vips)
studio=(qt qtsvg)
declare -A copied=([vips]="libvips-dev libglib2.0-dev" [qt]="qt6-base-dev" [qtsvg]="qt6-base-dev"
  [headers]="nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libeigen3-dev")

# ---- used by the recipes -------------------------------------------------------------------------
logged() { # logged COMMAND...: its output goes to the library's log
  "$@" >>"$log" 2>&1 ||
    die "$part: $(basename "$1") failed: $(grep -m 1 -iE '(error|fatal)(:| at )' "$log" || tail -n 1 "$log") (all of it: $log)"
}

cmake_configure() {
  logged cmake -S "$source" -B build -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
    -DMANTISSA_WINDOWS_PREFIX="$prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$stage" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=OFF "$@"
}

cmake_library() { # cmake_library OPTIONS...: configures, builds and installs
  cmake_configure "$@"
  logged cmake --build build -j "$jobs"
  logged cmake --install build
}

copy_package() { # copy_package PACKAGE PATTERN: those of its files whose path matches, and its licence
  local file
  while read -r file; do
    if [ -f "$file" ]; then install -D -m 644 "$file" "$stage/${file#/usr/}"; fi
  done < <(dpkg -L "$1" | grep -E "$2")
  install -D -m 644 "/usr/share/doc/$1/copyright" "$stage/share/licenses/$1/copyright"
}

write_pkgconfig() { # write_pkgconfig NAME VERSION LIBRARIES [FLAGS]
  mkdir -p "$stage/lib/pkgconfig"
  printf 'prefix=%s\nName: %s\nDescription: %s\nVersion: %s\nLibs: -L${prefix}/lib %s\nCflags: -I${prefix}/include %s\n' \
    "$stage" "$1" "$1" "$2" "$3" "${4-}" >"$stage/lib/pkgconfig/$1.pc"
}

licence() { # licence FILES...: of the sources, for the package's notices
  local file
  for file in "$@"; do
    install -D -m 644 "$source/$file" -t "$stage/share/licenses/$part"
  done
}

# shellcheck source=packaging/windows/recipes.sh
source "$here/recipes.sh"

# ---- one library ---------------------------------------------------------------------------------
sources_of() { awk -v part="$1" '$1 == part { print $2, $3 }' "$here/sources.txt"; }

key_of() { # of everything that decides what a library's build gives
  {
    declare -f "recipe_$1" cmake_configure
    sources_of "$1"
    cat "$toolchain"
    "$triplet-g++-posix" --version
    if [[ $1 == qt* ]]; then declare -f cmake_qt; fi
    if [[ $(declare -f "recipe_$1") == *inline_copies* ]]; then echo "$inline_copies"; fi
    if [ "$1" = vips ]; then declare -f windows_glibconfig; echo "$vips_wheel $vips_sha256"; fi
    # shellcheck disable=SC2086
    if [ -n "${copied[$1]-}" ]; then dpkg-query -W ${copied[$1]}; fi
  } | sha256sum | cut -d' ' -f1
}

fetch() { # fetch SHA256 FILE: to the prefix's downloads
  local file=$prefix/.downloads/${2##*/} path=${2//+/%2b} url
  if [ -f "$file" ] && echo "$1  $file" | sha256sum --check --status; then return; fi
  mkdir -p "$prefix/.downloads"
  for url in "$mirror/pool/main/$path" "$other_mirror/pool/universe/$path"; do
    rm -f "$file"
    # apt's own way to a mirror, its proxy and all; it compares the hash.
    if /usr/lib/apt/apt-helper -o Acquire::Retries=3 download-file "$url" "$file" "SHA256:$1" \
      >>"$log" 2>&1; then return; fi
  done
  die "$part: ${2##*/} could not be fetched from $mirror and $other_mirror: $(grep -m 1 '^E:' "$log" | cut -c 4-); set DEBIAN_MIRROR to a mirror that has it, for example a snapshot of Debian 12 of May 2025"
}

unpack() { # the first source is the library, a second one Debian's patches for it
  local sha256 file patch first=yes
  while read -r sha256 file; do
    fetch "$sha256" "$file"
    if [ "$first" = yes ]; then
      logged tar -xf "$prefix/.downloads/${file##*/}" -C "$source" --strip-components 1
      first=no
      continue
    fi
    logged tar -xf "$prefix/.downloads/${file##*/}" -C "$source"
    while read -r patch; do
      logged patch -d "$source" -p 1 -i "$source/debian/patches/$patch"
    done < <(grep -vE '^(#|$)' "$source/debian/patches/series")
  done < <(sources_of "$part")
}

remove_old() { # the files of an earlier build of the same library
  local mark=$prefix/.parts/$part
  if [ -f "$mark" ]; then
    tail -n +2 "$mark" | (cd "$prefix" && xargs -r -d '\n' rm -f --)
    rm "$mark"
  fi
}

build_part() {
  local part=$1 key=$2 begun work log source stage
  begun=$(date +%s)
  work=$prefix/.work/$part
  rm -rf "$work"
  mkdir -p "$work/source" "$work/stage" "$work/run" "$prefix/.parts"
  log=$work/log source=$work/source stage=$work/stage
  : >"$log"
  say "$part: building, log in $log"
  unpack
  (cd "$work/run" && "recipe_$part")
  # The prefix may be moved: pkg-config files are relative to themselves.
  find "$stage" -name '*.pc' -exec sed -i "s|$stage|\${pcfiledir}/../..|g" {} +
  remove_old
  cp -a "$stage/." "$prefix/"
  { echo "$key"; (cd "$stage" && find . -type f -o -type l); } >"$prefix/.parts/$part.new"
  mv "$prefix/.parts/$part.new" "$prefix/.parts/$part"
  rm -rf "$work"
  say "$part: built in $(($(date +%s) - begun)) s"
}

# ---- all of them ---------------------------------------------------------------------------------
usage="expects engine or all, for example: bash packaging/windows/dependencies.sh engine"
mode=${1-}
only_key=no
if [ "$mode" = key ]; then
  only_key=yes
  mode=${2-}
fi
case $mode in
  engine) parts=("${engine[@]}") ;;
  all) parts=("${engine[@]}" "${studio[@]}") ;;
  *) die "$usage" ;;
esac

need() { # need PROGRAM PACKAGE
  command -v "$1" >/dev/null || die "$1 is not here; apt-get install $2, or bash packaging/bootstrap.sh windows, which installs everything"
}
need "$triplet-g++-posix" g++-mingw-w64-x86-64-posix
need gendef mingw-w64-tools
need cmake cmake
need ninja ninja-build
need tclsh tcl
need patch patch
need dpkg-query "dpkg (this script is made for Debian 12)"
for part in "${parts[@]}"; do
  for package in ${copied[$part]-}; do
    dpkg-query -W "$package" >/dev/null 2>&1 ||
      die "$package is not installed; apt-get install $package, or bash packaging/bootstrap.sh windows, which installs everything"
  done
done

if [ "$only_key" = yes ]; then
  for part in "${parts[@]}"; do key_of "$part"; done | sha256sum | cut -d' ' -f1
  exit 0
fi
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
for part in "${parts[@]}"; do
  key=$(key_of "$part")
  if [ "$(head -n 1 "$prefix/.parts/$part" 2>/dev/null)" != "$key" ]; then build_part "$part" "$key"; fi
done
say "everything is in $prefix"
