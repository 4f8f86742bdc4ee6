#!/usr/bin/env bash
# Everything that needs an NVIDIA GPU, in two commands.
#
#   bash tests/gpu.sh pack [FILE]        on a machine that builds: makes FILE (default gpu/mantissa.tar.xz), the
#                                        tarball users get, with the test programs in it
#   bash tests/gpu.sh run [FILE] [OUT]   on a machine with a card and CUDA 13, from the same checkout: tests what
#                                        was packed and writes OUT/report.md (default OUT gpu/out)
#
# `run` goes on after a failure; its exit status is 1 if anything failed. MANTISSA_GPU_STAGES names the
# stages to run (default: devices parity curves resume matrix sanitizer bench).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
file=${2:-gpu/mantissa.tar.xz}

pack() {
  set -e
  local build=build-gpu
  bash packaging/fetch_cuda.sh $build/cuda
  bash packaging/fetch_vocab.sh $build/share/mantissa/bpe_simple_vocab_16e6.txt.gz
  # Test data is found from the checkout that the programs are started in, wherever that lies.
  cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMANTISSA_GUI=OFF -DMANTISSA_BENCH=ON \
    -DMANTISSA_TEST_ROOT=. -DMANTISSA_CUDA_ARCHITECTURES="${MANTISSA_CUDA_ARCHITECTURES:-80;90}"
  cmake --build $build --target mantissa mantissa_cuda kernels_tests engine_train_tests matrix_tests mantissa_bench
  bash packaging/tarball.sh $build "$file" $build/bin/{kernels_tests,engine_train_tests,matrix_tests,mantissa_bench}
}

# ---- on the machine with the card ----------------------------------------------------------------
failed=0
say() { printf '%s\n' "$*" | tee -a "$report"; }

# stage NAME TITLE COMMAND...: runs it, its output in OUT/NAME.log, its verdict in the report.
stage() {
  local name=$1 title=$2 begun=$SECONDS status
  shift 2
  case " ${MANTISSA_GPU_STAGES:-devices parity curves resume matrix sanitizer bench} " in
    *" $name "*) ;;
    *) return 0 ;;
  esac
  "$@" >"$out/$name.log" 2>&1
  status=$?
  say ""
  say "## $title: $([ $status -eq 0 ] && echo passed || echo "**FAILED** (exit $status)") ($((SECONDS - begun)) s)"
  say '```'
  tail -n 40 "$out/$name.log" | cut -c1-240 | tee -a "$report"
  say '```'
  [ $status -eq 0 ] || failed=1
}

card_libraries() { # cuBLAS and cuDNN of PyTorch's packages, where no toolkit brings them
  python3 - <<'PY' 2>/dev/null
import glob, importlib.util
spec = importlib.util.find_spec("nvidia")
print(":".join(d for p in (spec.submodule_search_locations if spec else ()) for d in sorted(glob.glob(p + "/*/lib"))))
PY
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

resume() { # 20 steps at once, and 10 + 10: the states must be equal to the bit
  local work=$out/resume state
  rm -rf "$work" && mkdir -p "$work"
  train "$work/whole" cuda:0 --deterministic --set output.save_every=10 || return 1
  cp -r "$work/whole" "$work/half"
  rm -rf "$work"/half/checkpoints/step-00000020
  "$bin/mantissa" train presets/demo.json --resume "$work/half" --json >"$work/half.jsonl" || return 1
  state=checkpoints/step-00000020/state.safetensors
  cmp "$work/whole/$state" "$work/half/$state" && echo "equal to the bit: $state"
}

sanitizer() { # compute-sanitizer over the kernels of our own
  local tool
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not on this machine"; return 1; }
  for tool in memcheck racecheck initcheck; do
    echo "-- $tool"
    timeout 600 compute-sanitizer --tool $tool --error-exitcode 9 "$bin/kernels_tests" \
      --gtest_filter="${MANTISSA_SANITIZER_FILTER:-*KernelGolden.Fp32*/cuda:*KernelGolden.Bf16*/cuda:*KernelParity.*/cuda}" | tail -n 5 || return 1
  done
}

bench() {
  local workload
  for workload in unet2 unet4 block block_dora block_bf16 block_fp8_weights block_fp8; do
    "$bin/mantissa_bench" --device cuda:0 --measure $workload --warmup 20 --steps 50 || return 1
  done
}

run() {
  out=${3:-gpu/out}
  mkdir -p "$out" && out=$(cd "$out" && pwd)
  report=$out/report.md
  local root
  root=$(mktemp -d)
  tar -C "$root" -xJf "$file" || exit 2
  bin=$root/mantissa/bin
  LD_LIBRARY_PATH=$(card_libraries)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  MANTISSA_HOME=$out/home MANTISSA_TEST_DEVICE=cuda:0
  export LD_LIBRARY_PATH MANTISSA_HOME MANTISSA_TEST_DEVICE
  : >"$report"
  say "# GPU report"
  say ""
  say "$(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null || echo 'no nvidia-smi'); $(git rev-parse --short HEAD 2>/dev/null)"
  stage devices "What the engine sees" "$bin/mantissa" devices
  stage parity "Kernels beside the CPU's, every op and dtype" "$bin/kernels_tests"
  stage curves "20 steps beside the CPU" curves
  stage resume "Resume, deterministic" resume
  stage matrix "Covering set of the precision matrix" "$bin/matrix_tests"
  stage sanitizer "compute-sanitizer" sanitizer
  stage bench "Benchmark" bench
  rm -rf "$root"
  exit $failed
}

case $mode in
  pack) pack ;;
  run) run "$@" ;;
  *)
    echo "usage: bash tests/gpu.sh pack [FILE] | run [FILE] [OUT]" >&2
    exit 2
    ;;
esac
