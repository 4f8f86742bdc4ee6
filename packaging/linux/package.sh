#!/usr/bin/env bash
# Packs the programs for every Linux distribution with glibc 2.36 or newer, with their own Qt and
# libvips: dist/mantissa-VERSION-linux-x86_64.tar.gz, to be unpacked anywhere, and
# dist/mantissa_VERSION_amd64.deb, which installs the same folder as /opt/mantissa. To be run on
# Debian 12, whose libraries it packs. The same commit gives the same bytes.
#   bash packaging/linux/package.sh build dist
# Environment: MANTISSA_CUDA_WHEELS, a folder: the packages, named -cuda, bring NVIDIA's libraries, from
# the wheels there, which are downloaded if they are missing.
set -euo pipefail

say() { printf 'package: %s\n' "$*"; }
die() { printf 'package: %s\n' "$*" >&2; exit 1; }

usage="expects a build folder and a folder for the packages: bash packaging/linux/package.sh build dist"
build=${1:?$usage}
out=${2:?$usage}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for tool in patchelf dpkg-deb python3 git; do
  command -v "$tool" >/dev/null || die "needs $tool (apt-get install $tool)"
done
for program in mantissa mantissa-studio; do
  [ -x "$build/bin/$program" ] || die "$build/bin/$program is not built; bash packaging/bootstrap.sh build builds it"
done
for language in en ja zh_CN; do
  [ -f "$build/share/mantissa/i18n/mantissa_$language.qm" ] || die "$build/share/mantissa/i18n/mantissa_$language.qm is not built; install qt6-l10n-tools, configure again and build mantissa-studio"
done
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
SOURCE_DATE_EPOCH=$(git -C "$here" log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# Graphics drivers of the target system load newer versions of these than Debian 12 has; older ones
# beside the programs would get in their way.
export HOST_LIBRARIES='libstdc\+\+\.|libgcc_s\.|libX11\.|libX11-xcb\.|libxcb\.|libdrm\.|libgbm\.|libwayland-|libfontconfig\.|libfreetype\.|libexpat\.|libz\.'
MANIFEST=$work/manifest bash "$here/../bundle.sh" "$build" "$work/mantissa"
variant='' level=6
if [ -n "${MANTISSA_CUDA_WHEELS-}" ]; then
  python3 "$here/../cuda_bundle.py" linux-x64 "$work/mantissa/share/mantissa" "$MANTISSA_CUDA_WHEELS"
  variant=-cuda level=1 # a gigabyte that is compressed already where it can be
fi
host=$(python3 "$here/contents.py" "$work/mantissa" "$work/manifest" "$version" "$SOURCE_DATE_EPOCH")
find "$work/mantissa" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

archive=mantissa-$version-linux-x86_64$variant.tar.gz
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -cf - mantissa |
  gzip -9 -n >"$out/$archive.part"
mv "$out/$archive.part" "$out/$archive"
say "$out/$archive, $(du -h "$out/$archive" | cut -f1)"

root=$work/root
mkdir -p "$root/opt" "$root/usr/bin" "$root/usr/share/doc/mantissa" "$root/DEBIAN"
cp -a "$work/mantissa" "$root/opt/mantissa"
for program in mantissa mantissa-studio; do ln -s "/opt/mantissa/bin/$program" "$root/usr/bin/$program"; done
for folder in applications mime icons man bash-completion fish; do cp -a "$work/mantissa/share/$folder" "$root/usr/share/"; done
mkdir -p "$root/usr/share/zsh" # Debian's zsh reads packages' functions here
cp -a "$work/mantissa/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip -9 -n "$root/usr/share/man/man1/mantissa.1"
cat >"$root/usr/share/doc/mantissa/copyright" <<END
Mantissa is under the Apache License 2.0: /usr/share/common-licenses/Apache-2.0
The libraries in /opt/mantissa/lib: /opt/mantissa/share/doc/mantissa/NOTICES.txt
END
depends=$(for package in $host; do
  case $package in
    libc6) echo 'libc6 (>= 2.36)' ;;
    libstdc++6) echo 'libstdc++6 (>= 12)' ;;
    *) echo "$package" ;;
  esac
done | paste -sd, | sed 's/,/, /g')
cat >"$root/DEBIAN/control" <<END
Package: mantissa
Version: $version
Architecture: amd64
Maintainer: Mantissa's developers <mantissa@localhost>
Section: graphics
Priority: optional
Installed-Size: $(du -sk "$root/opt" | cut -f1)
Depends: $depends
Recommends: fonts-dejavu-core
Description: trains LoRA and DoRA adapters for diffusion models
 A desktop studio and a command line with one engine, in FP32, BF16, FP16 and
 FP8: every combination of precision settings trains correctly, or is refused
 before the first step with its cause and a fix.
END
(cd "$root" && find opt usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
package=mantissa_${version}_amd64$variant.deb
dpkg-deb --root-owner-group -Zxz "-z$level" --threads-max=1 --build "$root" "$work/$package" >/dev/null
mv "$work/$package" "$out/$package"
say "$out/$package, $(du -h "$out/$package" | cut -f1)"
