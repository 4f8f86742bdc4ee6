#!/usr/bin/env bash
# Everything that needs an NVIDIA card, in one package and three commands.
#
#   bash tests/gpu.sh pack [FILE]               on a machine that builds: makes FILE (default gpu/mantissa.tar.xz):
#                                               programs and tests for one card; beside it diffusers as a wheel
#   bash tests/gpu.sh run [A|B|C] [FILE] [OUT]  on a machine with a card, from the same checkout: runs one part, or
#                                               all three, and writes its report to OUT (default $OUT, else gpu/out)
#
# A (6 minutes): kernels, libraries, whole runs, streaming, recordings, resume. B (9): SDXL beside
# PyTorch, a profile. C (8): compute-sanitizer, precision matrix, FP8, FP8 streamed within 4 GB.
# tests/gpu/stages.sh has the stages and the seconds each may take. A stage passes, fails, or is not
# run for a reason given; one that has no kernel launched fails, and none stops the next.
#
# OUT receives PART.md, PART.json, PART-performance.md (tables for resources/docs/performance.md)
# and PART-logs.tar.gz; the first two are rewritten after every stage. Exit status: 0 nothing
# failed, 1 something did, 2 the package can't be used, 3 no card.
#
# MANTISSA_CUDA_ARCHITECTURES: cards that are packed for (90). MANTISSA_PACK_BUILD: a finished build
# to pack as it is. MANTISSA_GPU_WORK: folder for large files (a new one in TMPDIR). For a rehearsal
# without a card: MANTISSA_GPU_SMALL=1, small models; MANTISSA_GPU_PATIENCE=N, N times the seconds.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
source tests/gpu/stages.sh

default=gpu/mantissa.tar.xz

run() {
  part=ABC
  case ${1:-} in A | B | C) part=$1 && shift ;; esac
  local file=${1:-$default} letter name seconds kernels title
  out=${2:-${OUT:-gpu/out}}
  mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
  export work root
  root=$(mktemp -d)
  work=${MANTISSA_GPU_WORK:-$root/work}
  mkdir -p "$work/logs" && rm -f "$work"/logs/* "$work/stages.jsonl"
  publish() { python3 tests/gpu/report.py "$part" "$work" "$out" "$@"; }
  trap 'publish --last; rm -rf "$root"' EXIT
  trap 'exit 143' INT TERM
  tar -C "$root" -xJf "$file" || exit 2
  prepare "$file"
  no_card=$(card_problem)
  {
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo "no nvidia-smi"
    cat "$root/mantissa/share/doc/mantissa/COMMIT" 2>/dev/null || echo "no commit"
  } >"$work/machine"
  while read -r letter name seconds kernels title; do
    case $part in *"$letter"*) stage "$letter" "$name" "$seconds" "$kernels" "$title" && publish ;; esac
  done < <(stages)
  publish --verdict
}

# stage PART NAME SECONDS KERNELS TITLE: runs it, and appends its verdict to stages.jsonl.
stage() {
  local begun=$SECONDS status reason=""
  export counts=$work/logs/$2.counts
  rm -f "$counts"
  if [ -n "$no_card" ] && [ "$2" != devices ]; then
    echo "$no_card" >"$work/logs/$2.log"
    status=$not_run
  else
    MANTISSA_CUDA_COUNTS=$counts timeout -k 5 $(($3 * ${MANTISSA_GPU_PATIENCE:-1})) \
      bash tests/gpu/stages.sh "$2" >"$work/logs/$2.log" 2>&1 </dev/null
    status=$?
  fi
  case $status in 124 | 137) reason="stopped after its $3 s" ;; esac
  python3 tests/gpu/report.py "$1" "$work" - --stage "$2" --title "$5" --budget "$3" --kernels "$4" \
    --seconds $((SECONDS - begun)) --status $status --reason "$reason"
}

case ${1:-} in
  pack) bash tests/gpu/pack.sh "${2:-$default}" ;;
  run) shift && run "$@" ;;
  *)
    echo "usage: bash tests/gpu.sh pack [FILE] | run [A|B|C] [FILE] [OUT]" >&2
    exit 2
    ;;
esac
