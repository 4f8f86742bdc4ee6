#!/usr/bin/env bash
# Everything that needs an NVIDIA GPU, in two commands.
#
#   bash tests/gpu.sh pack [FILE]        on a machine that builds: makes FILE (default gpu/mantissa.tar.xz), the
#                                        tarball users get, with the test programs in it
#   bash tests/gpu.sh run [FILE] [OUT]   on a machine with a card and CUDA 13, from the same checkout: tests what
#                                        was packed and writes OUT/report.md (default OUT gpu/out)
#
# `run` continues after a failure. Every stage passes, fails, or is skipped for a reason given in
# the report. Exit status: 0 all that ran passed, 1 something failed, 3 no card, so nothing could be
# tested. MANTISSA_GPU_STAGES lists the stages to run (default: devices parity runs curves resume
# matrix sanitizer bench table), MANTISSA_SANITIZER_TOOLS those of compute-sanitizer.
# MANTISSA_TABLE: arguments of tests/bench/sdxl_table.py (default: 512 px, batch 1, LoRA, BF16 and
# FP8 storage); without MANTISSA_TABLE_BASE a random base model is written next to the report, 7 GB.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
file=${2:-gpu/mantissa.tar.xz}
stages=${MANTISSA_GPU_STAGES:-devices parity runs curves resume matrix sanitizer bench table}

pack() {
  set -e
  local build=build-gpu
  bash packaging/fetch_cuda.sh $build/cuda
  bash packaging/fetch_vocab.sh $build/share/mantissa/bpe_simple_vocab_16e6.txt.gz
  # Test data is found relative to the checkout that the programs are started in.
  cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMANTISSA_JOIN=ON -DMANTISSA_GUI=OFF -DMANTISSA_BENCH=ON \
    -DMANTISSA_TEST_ROOT=. -DMANTISSA_CUDA_ARCHITECTURES="${MANTISSA_CUDA_ARCHITECTURES:-80;90}"
  cmake --build $build --target mantissa mantissa_cuda kernels_tests engine_cuda_tests engine_train_tests matrix_tests mantissa_bench
  bash packaging/tarball.sh $build "$file" $build/bin/{kernels_tests,engine_cuda_tests,engine_train_tests,matrix_tests,mantissa_bench}
  echo "gpu.sh: $(du -h "$file" | cut -f1) packed; with it travels the checkout, $(git ls-files -z |
    xargs -0 du -ch --apparent-size 2>/dev/null | tail -n 1 | cut -f1)"
}

# ---- on the machine with the card ----------------------------------------------------------------
readonly not_run=77 # a stage's exit status if it can't run here; its last line gives the reason
passed=0 failed=0 left_out=0
say() { printf '%s\n' "$*" | tee -a "$report"; }

# stage NAME TITLE COMMAND...: runs it, its output in OUT/NAME.log, its verdict in the report.
stage() {
  local name=$1 title=$2 begun=$SECONDS status verdict
  shift 2
  case " $stages " in
    *" $name "*) ;;
    *)
      say ""
      say "## $title: not run (not among MANTISSA_GPU_STAGES)"
      left_out=$((left_out + 1))
      return 0
      ;;
  esac
  if [ -n "$no_card" ] && [ "$name" != devices ]; then
    say ""
    say "## $title: not run ($no_card)"
    left_out=$((left_out + 1))
    return 0
  fi
  "$@" >"$out/$name.log" 2>&1
  status=$?
  case $status in
    0) verdict=passed passed=$((passed + 1)) ;;
    "$not_run") verdict="not run ($(tail -n 1 "$out/$name.log"))" left_out=$((left_out + 1)) ;;
    *) verdict="**FAILED** (exit $status)" failed=$((failed + 1)) ;;
  esac
  say ""
  say "## $title: $verdict, $((SECONDS - begun)) s"
  if [ "$name" = table ] && [ -s "$out/table.md" ]; then
    say ""
    tee -a "$report" <"$out/table.md"
  fi
  say ""
  say '```text'
  # A log must not end its code block.
  tail -n 40 "$out/$name.log" | tr -cd '\11\12\40-\176' | sed 's/```/` ` `/g' | cut -c1-240 | tee -a "$report"
  say '```'
}

card_libraries() { # cuBLAS and cuDNN of PyTorch's packages, if no toolkit provides them
  python3 - <<'PY' 2>/dev/null
import glob, importlib.util
spec = importlib.util.find_spec("nvidia")
print(":".join(d for p in (spec.submodule_search_locations if spec else ()) for d in sorted(glob.glob(p + "/*/lib"))))
PY
}

# Why cuda:0 can't be used; empty if it can.
card_problem() {
  local line
  line=$("$bin/mantissa" devices --json 2>/dev/null | grep -m 1 '"device":"cuda:0"')
  case $line in
    *'"usable":true'*) ;;
    "") echo "mantissa devices names no cuda:0" ;;
    *) printf '%s\n' "$line" | sed 's/.*"reason":"//; s/"[,}].*//; s/\\"/"/g' ;;
  esac
}

train() { # train OUT DEVICE [ARGUMENTS...]: 20 steps of the demo, its losses in OUT.jsonl
  local into=$1 device=$2
  shift 2
  "$bin/mantissa" train presets/demo.json --base demo --images demo --out "$into" --device "$device" --json \
    --set training.steps=20 --set samples.every=0 "$@" >"$into.jsonl" || return 1
}

curves() { # the same 20 steps on the CPU and on the card, losses side by side
  local work=$out/curves precision
  rm -rf "$work" && mkdir -p "$work"
  for precision in fp32 bf16 fp16; do
    train "$work/cpu-$precision" cpu --set precision.compute=$precision || return 1
    train "$work/gpu-$precision" cuda:0 --set precision.compute=$precision || return 1
    python3 - "$work" $precision <<'PY' || return 1
import json, sys
folder, precision = sys.argv[1:]
def losses(side):
    with open(f"{folder}/{side}-{precision}.jsonl") as lines:
        return [e["loss"] for e in map(json.loads, lines) if e.get("event") == "step"]
cpu, gpu = losses("cpu"), losses("gpu")
worst = max(abs(a - b) / abs(a) for a, b in zip(cpu, gpu))
limit = 1e-5 if precision == "fp32" else 1e-3
print(f"{precision}: {len(gpu)} steps, worst relative difference of a loss {worst:.2e}, limit {limit:.0e}")
sys.exit(0 if len(cpu) == len(gpu) == 20 and worst <= limit else 1)
PY
  done
}

resume() { # 20 steps at once, and 10 + 10: the states must be bit-identical
  local work=$out/resume state
  rm -rf "$work" && mkdir -p "$work"
  train "$work/whole" cuda:0 --deterministic --set output.save_every=10 || return 1
  cp -r "$work/whole" "$work/half"
  rm -rf "$work"/half/checkpoints/step-00000020
  "$bin/mantissa" train presets/demo.json --resume "$work/half" --json >"$work/half.jsonl" || return 1
  state=checkpoints/step-00000020/state.safetensors
  cmp "$work/whole/$state" "$work/half/$state" && echo "equal to the bit: $state"
}

parity() { # the CPU backends are tested elsewhere
  "$bin/kernels_tests" --gtest_filter='*/cuda'
}

# A test of every kernel (EveryMethodHasACase holds that); MANTISSA_SANITIZER_FILTER names others.
readonly sanitized='*/KernelGolden.Fp32*/cuda:*/KernelGolden.Bf16*/cuda:*/KernelParity.*/cuda:*/StepEnd.*/cuda:*/QuantTest.*/cuda:*/ProductOfCodes.*/cuda:*/StatisticsTest.*/cuda:*/OptimKernels.*/cuda:*/Dora.*/cuda'
sanitizer() { # compute-sanitizer over our own kernels
  local tool log
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not on this machine"; return $not_run; }
  for tool in ${MANTISSA_SANITIZER_TOOLS:-memcheck racecheck initcheck}; do
    log=$out/sanitizer-$tool.log
    echo "-- $tool"
    timeout 600 compute-sanitizer --tool "$tool" --error-exitcode 9 "$bin/kernels_tests" \
      --gtest_filter="${MANTISSA_SANITIZER_FILTER:-$sanitized}" >"$log" 2>&1 || { tail -n 30 "$log"; return 1; }
    grep -E '\[  PASSED  \] [1-9]' "$log" || { echo "no test ran"; return 1; }
    grep -E 'SUMMARY' "$log"
  done
}

bench() {
  local workload
  for workload in unet2 unet4 block block_dora block_bf16 block_fp8_weights block_fp8; do
    "$bin/mantissa_bench" --device cuda:0 --measure $workload --warmup 20 --steps 50 || return 1
  done
}

table() { # SDXL compared with PyTorch
  local base=${MANTISSA_TABLE_BASE:-$out/full-sdxl.safetensors} missing
  missing=$(python3 - <<'PY'
import importlib.util
print(", ".join(m for m in ("numpy", "safetensors", "torch", "diffusers", "peft") if importlib.util.find_spec(m) is None))
PY
  )
  [ -z "$missing" ] || { echo "Python has no $missing"; return $not_run; }
  [ -s "$base" ] || python3 tests/bench/make_full_sdxl.py "$base" || return 1
  # shellcheck disable=SC2086
  python3 tests/bench/sdxl_table.py "$base" --device cuda --program "$bin/mantissa" --out "$out/table.md" \
    ${MANTISSA_TABLE:---sides 512 --batches 1 --adapters lora --precisions BF16,FP8-storage --warmup 5 --steps 20}
}

run() {
  out=${3:-gpu/out}
  mkdir -p "$out" && out=$(cd "$out" && pwd)
  report=$out/report.md
  local root
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
  tar -C "$root" -xJf "$file" || exit 2
  bin=$root/mantissa/bin
  LD_LIBRARY_PATH=$(card_libraries)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  MANTISSA_HOME=$out/home MANTISSA_TEST_DEVICE=cuda:0
  export LD_LIBRARY_PATH MANTISSA_HOME MANTISSA_TEST_DEVICE
  no_card=$(card_problem)
  : >"$report"
  say "# GPU report"
  say ""
  say "$(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo 'no nvidia-smi'); $(git rev-parse --short HEAD 2>/dev/null || echo 'no commit'); packed: $(du -h "$file" | cut -f1)"
  stage devices "What the engine sees" "$bin/mantissa" devices
  stage parity "Kernels beside the CPU's, every op and dtype" parity
  stage runs "Whole runs: recording, streaming, resume, samples" "$bin/engine_cuda_tests"
  stage curves "20 steps beside the CPU" curves
  stage resume "Resume, deterministic" resume
  stage matrix "Covering set of the precision matrix" "$bin/matrix_tests"
  stage sanitizer "compute-sanitizer" sanitizer
  stage bench "Benchmark" bench
  stage table "SDXL beside PyTorch" table
  say ""
  say "**$passed passed, $failed failed, $left_out not run**"
  [ $failed -eq 0 ] || exit 1
  [ -z "$no_card" ] || exit 3
}

case $mode in
  pack) pack ;;
  run) run "$@" ;;
  *)
    echo "usage: bash tests/gpu.sh pack [FILE] | run [FILE] [OUT]" >&2
    exit 2
    ;;
esac
