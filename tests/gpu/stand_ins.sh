#!/usr/bin/env bash
# Writes to OUT libraries without content in place of those that libvips needs only for formats that
# no test reads, so that what they need is not packed: stand_ins.sh PROGRAM OUT. Their functions do
# nothing, and return 0 (libvips calls gsf_init at its start).
set -euo pipefail
program=${1:?usage: stand_ins.sh PROGRAM OUT} out=${2:?usage: stand_ins.sh PROGRAM OUT}
rm -rf "$out" && mkdir -p "$out"
loaded=$(ldd "$program" | awk '/=> \// {print $3}')
vips=$(grep -m 1 '/libvips\.so' <<<"$loaded") || exit 0
nm -D --undefined-only "$vips" | awk '{sub(/@.*/, "", $NF); print $NF}' | sort -u >"$out/wanted"
for library in $(grep -E '/(librsvg|libmatio|libOpenEXR|libcfitsio|libgsf|libfftw3|libimagequant)[-._0-9]*\.so' <<<"$loaded"); do
  name=$(basename "$library")
  nm -D --defined-only "$library" | awk '{sub(/@.*/, "", $3); print $3, $2}' | sort -u | join "$out/wanted" - |
    awk '{print ($2 ~ /[BDRVb]/ ? "char " $1 "[4096];" : "long " $1 "(void) { return 0; }")}' >"$out/$name.c"
  "${CC:-cc}" -w -shared -fPIC -fno-builtin -Wl,-soname,"$name" -o "$out/$name" "$out/$name.c"
  rm "$out/$name.c"
done
rm "$out/wanted"
