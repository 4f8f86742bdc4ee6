#!/usr/bin/env bash
# Packs the folder of packaging/bundle.sh, whose environment it passes on.
#   bash packaging/tarball.sh BUILD_DIR OUT.tar.xz [MORE_PROGRAMS...]   (XZ_LEVEL=0 for a quick one, or XZ_OPTIONS)
set -euo pipefail

build=${1:?usage: tarball.sh BUILD_DIR OUT.tar.xz [MORE_PROGRAMS...]}
out=${2:?usage: tarball.sh BUILD_DIR OUT.tar.xz [MORE_PROGRAMS...]}
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bash "$(dirname "${BASH_SOURCE[0]}")/bundle.sh" "$build" "$work/mantissa" "$@"
mkdir -p "$(dirname "$out")"
tar -C "$work" -cf - mantissa | xz ${XZ_OPTIONS:--T0 -${XZ_LEVEL:-6}} >"$out.part"
mv "$out.part" "$out"
echo "tarball.sh: $out, $(du -h "$out" | cut -f1), $(find "$work/mantissa" -type f | wc -l) files"
