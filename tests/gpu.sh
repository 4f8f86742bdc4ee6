#!/usr/bin/env bash
# Everything that needs an NVIDIA card, in one package and three commands.
#
#   bash tests/gpu.sh pack [FILE]               on a machine that builds: makes FILE (default gpu/mantissa.tar.xz):
#                                               programs and tests for one card; beside it diffusers as a wheel
#   bash tests/gpu.sh run [WHAT] [FILE] [OUT]   on a machine with a card, from the same checkout: runs a part (A, B or
#                                               C), the stages that WHAT names (runs,table,), or everything, and
#                                               writes the report to OUT (default $OUT, else gpu/out)
#
# A (6 minutes): kernels, libraries, whole runs, streaming, recordings, resume, loss curves. B (9): SDXL beside
# PyTorch, a profile. C (10): compute-sanitizer, precision matrix, FP8, FP8 streamed within 4 GB, plans of
# cuBLASLt and cuDNN.
# tests/gpu/stages.sh has the stages, the seconds each may take and its share of the processors:
# neighbours that need no more than all of them run side by side. A stage passes, fails, or is not run for a
# reason given; one that has no kernel launched fails, and none stops the next.
#
# OUT receives PART.md, PART.json, PART-performance.md (tables for resources/docs/evidence/cards.md)
# and PART-logs.tar.gz; the first two are rewritten after every stage. Exit status: 0 nothing
# failed, 1 something did, 2 the package can't be used, 3 no card.
#
# MANTISSA_GPU_TORCH, MANTISSA_GPU_TABLE: PyTorch's rows of the table (empty: none), and its seconds.
# MANTISSA_GPU_PRECISIONS: the rows of the stage fp8, as in tests/bench/sdxl_table.py.
# MANTISSA_CUDA_ARCHITECTURES: cards that are packed for (90). MANTISSA_PACK_BUILD: a finished build
# to pack as it is. MANTISSA_GPU_WORK: folder for large files (a new one in TMPDIR). For a rehearsal
# without a card: MANTISSA_GPU_SMALL=1, small models; MANTISSA_GPU_PATIENCE=N, N times the seconds.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
source tests/gpu/stages.sh

default=gpu/mantissa.tar.xz

run() {
  local wanted=,A,B,C, letter name seconds kernels cores title
  part=ABC
  case ${1:-} in
    A | B | C) part=$1 wanted=,$1, && shift ;;
    *,*) part=some wanted=,$1, && shift ;;
  esac
  local file=${1:-$default}
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
  prepare "$file" || exit 2
  no_card=$(card_problem)
  {
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo "no nvidia-smi"
    cat "$root/mantissa/share/doc/mantissa/COMMIT" 2>/dev/null || echo "no commit"
  } >"$work/machine"
  local begun=() first=0 # those that run side by side, and the first processor of the next
  while read -r letter name seconds kernels cores title; do
    case $wanted in *",$letter,"* | *",$name,"*) ;; *) continue ;; esac
    if [ "$cores" = all ] || ((first + cores > 16)); then
      finish_all
      first=0
    fi
    start "$name" "$seconds" "$cores" "$first" &
    begun+=("$! $letter $name $seconds $kernels $title")
    if [ "$cores" = all ]; then finish_all; else first=$((first + cores)); fi
  done < <(stages)
  finish_all
  publish --verdict
}

# start NAME SECONDS CORES FIRST: runs a stage on CORES sixteenths of the processors, from FIRST on.
start() {
  local begun=$SECONDS all share=() i
  if [ -n "$no_card" ] && [ "$1" != devices ]; then
    echo "$no_card" >"$work/logs/$1.log"
    echo "$not_run 0" >"$work/$1.status"
    return
  fi
  all=$(nproc)
  for ((i = 0; i == 0 || 16 * i < $3 * all; ++i)); do
    share+=($((($4 * all / 16 + i) % all)))
  done
  [ "$3" != all ] || share=("0-$((all - 1))")
  counts=$work/logs/$1.counts
  rm -f "$counts"
  MANTISSA_CUDA_COUNTS=$counts taskset -c "$(IFS=, && echo "${share[*]}")" timeout -k 5 $(($2 * ${MANTISSA_GPU_PATIENCE:-1})) \
    bash tests/gpu/stages.sh "$1" >"$work/logs/$1.log" 2>&1 </dev/null
  echo "$? $((SECONDS - begun))" >"$work/$1.status"
}

# finish_all: waits for the stages that have begun, and appends their verdicts to stages.jsonl.
finish_all() {
  local one pid letter name seconds kernels title status taken reason
  for one in "${begun[@]}"; do
    read -r pid letter name seconds kernels title <<<"$one"
    wait "$pid"
    read -r status taken <"$work/$name.status"
    case $status in 124 | 137) reason="stopped after its $seconds s" ;; *) reason="" ;; esac
    python3 tests/gpu/report.py "$letter" "$work" - --stage "$name" --title "$title" --budget "$seconds" \
      --kernels "$kernels" --seconds "$taken" --status "$status" --reason "$reason"
    publish
  done
  begun=()
}

case ${1:-} in
  pack) bash tests/gpu/pack.sh "${2:-$default}" ;;
  run) shift && run "$@" ;;
  *)
    echo "usage: bash tests/gpu.sh pack [FILE] | run [A|B|C|STAGE,...] [FILE] [OUT]" >&2
    exit 2
    ;;
esac
