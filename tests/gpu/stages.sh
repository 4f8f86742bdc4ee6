#!/usr/bin/env bash
# The stages of tests/gpu.sh: sourced, functions; `stages.sh NAME` runs one of them, as tests/gpu.sh
# does under `timeout`. A stage prints what it found and ends with 0, with 77 if it can't run on this
# machine (its last line says why), or with any other status; work/NAME.md is its table.
set -uo pipefail

# Part, name, seconds, whether kernels must be launched, sixteenths of the processors (all: alone, as
# what is timed must be), title. Neighbours run at the same time while their shares fit. So parts take
# at most 350, 530 and 540 s: of 6, 9 and 10 minutes 10 s are for unpacking.
stages() {
  cat <<'LIST'
A devices     15 no all What the engine sees
A kernels     85 yes 4 Own kernels beside the CPU's, every op and type
A libraries   70 yes 3 Matrix products, convolutions and attention beside the CPU
A runs        80 yes 2 Whole runs beside the CPU
A recording   40 yes 1 One recording per bucket shape and run
A streaming   60 yes 1 Weights streamed within a budget
A resume      40 yes 1 Resume to the bit
A curves      85 yes 4 Curves of 50 steps at every precision, beside PyTorch's
B base        40 no 4 A full-size base model with random weights
C memcheck    150 yes 6 compute-sanitizer memcheck, own kernels
C racecheck   150 yes 6 compute-sanitizer racecheck, own kernels
C matrix      150 yes 3 20 combinations of the precision matrix
C fp8base     40 no 1 The base model, where part B left none
B images      100 yes all A step from images
B table       270 yes all The same steps replayed, beside PyTorch
B profile    120 yes all Time by kernel
C fp8         95 yes all Narrow weights and products
C fp8stream   55 yes all FP8 weights streamed within 4 GB
C plans       30 no all What the libraries propose, timed
C sizes      110 yes all Steps by size and precision
C products    70 yes all Whose products of codes are the faster
LIST
}

readonly not_run=77
small=${MANTISSA_GPU_SMALL:-}
bin=${root:-}/mantissa/bin

# ---- for tests/gpu.sh ------------------------------------------------------------------------------

# prepare PACKAGE: the environment of all stages, and the golden files.
prepare() {
  local libraries wheel
  libraries=$(python3 - <<'PY' 2>/dev/null
import glob, importlib.util
spec = importlib.util.find_spec("nvidia")  # cuBLAS and cuDNN of PyTorch's packages
print(":".join(d for p in (spec.submodule_search_locations if spec else ()) for d in sorted(glob.glob(p + "/*/lib"))))
PY
  )
  bin=$root/mantissa/bin
  export kernel_times library_plans
  kernel_times=$(realpath "$(dirname "$1")")/kernel_times.so
  library_plans=$(realpath "$(dirname "$1")")/library_plans
  export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export MANTISSA_HOME=$work/home MANTISSA_TEST_DEVICE=cuda:0 MANTISSA_RESOURCES=$PWD/resources
  for wheel in "$(dirname "$1")"/*.whl; do # of Python alone: unpacked is installed
    [ ! -e "$wheel" ] || python3 -m zipfile -e "$wheel" "$root/python"
  done
  export PYTHONPATH=$root/python${PYTHONPATH:+:$PYTHONPATH}
  "$bin/draw_goldens" tests/golden gpu/test_data/golden # where pack.sh has the tests look
}

# Why cuda:0 can't be used; empty if it can.
card_problem() {
  local line
  line=$("$bin/mantissa" devices --json 2>/dev/null | grep -m 1 '"device":"cuda:0"')
  case $line in
    *'"usable":true'*) ;;
    "") echo "mantissa devices names no cuda:0" ;;
    *) sed 's/.*"reason":"//; s/"[,}].*//; s/\\"/"/g' <<<"$line" ;;
  esac
}

# ---- A ---------------------------------------------------------------------------------------------

devices() {
  "$bin/mantissa" devices && "$bin/mantissa" devices --json | grep -q '"device":"cuda:0"'
}

# tests PROGRAM FILTER [COMMAND...]: in as many processes as the machine allows, COMMAND before each.
tests() {
  local program=$1 filter=$2 jobs shard failed=0 pids=()
  shift 2
  jobs=$(($(nproc) / 2 < 1 ? 1 : $(nproc) / 2))
  for ((shard = 0; shard < jobs; ++shard)); do
    GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$shard "$@" "$bin/$program" --gtest_filter="$filter" --gtest_brief=0 \
      >"$work/logs/$stage.$shard" 2>&1 &
    pids+=($!)
  done
  for shard in "${!pids[@]}"; do
    wait "${pids[$shard]}" || failed=1
    cat "$work/logs/$stage.$shard"
    rm "$work/logs/$stage.$shard"
  done
  return $failed
}

by_libraries='*Matmul*/cuda:*LargeShapes.*/cuda:*KernelGolden.*/cuda'
kernels() {
  local filter="*/cuda-$by_libraries"
  [ -z "$small" ] || filter='*KernelParity.InPlace/cuda:*StepEnd.*/cuda'
  tests kernels_tests "$filter" && MANTISSA_CUDA_PRODUCTS=ours tests kernels_tests '*ProductOfCodes.*/cuda'
}
libraries() {
  local filter=$by_libraries
  [ -z "$small" ] || filter='*KernelGolden.Bf16*/cuda'
  tests kernels_tests "$filter"
}
runs() {
  local filter='CudaRun.*:OurProducts.*:*/CudaFlowRun.*:*/CudaOptimizerRun.*-*ResumesToTheBit'
  [ -z "$small" ] || filter='CudaRun.Fp32FollowsTheCpu:CudaRun.StepsAreReplayed*'
  tests engine_cuda_tests "$filter"
}
recording() {
  local filter='RecordingRun.*'
  [ -z "$small" ] || filter='RecordingRun.EveryBucketShape*'
  tests engine_cuda_tests "$filter"
}
streaming() {
  local filter='StreamedRun.*:EncodingRun.*'
  [ -z "$small" ] || filter='StreamedRun.Fp8'
  tests engine_cuda_tests "$filter"
}

resume() { # all steps at once, and in two halves: the states must be equal to the bit
  local folder=$work/resume steps=$((small ? 4 : 20)) state half settings
  half=$((steps / 2))
  printf -v state 'checkpoints/step-%08d' $steps
  settings=(--set training.steps=$steps --set samples.every=0 --set output.save_every=$half
    ${small:+--set data.resolution=64 --set data.batch_size=1})
  rm -rf "$folder" && mkdir -p "$folder"
  "$bin/mantissa" train presets/demo.json --base demo --images demo --out "$folder/whole" --device cuda:0 --json \
    --deterministic "${settings[@]}" >"$folder/whole.jsonl" || return 1
  cp -r "$folder/whole" "$folder/half"
  rm -rf "${folder:?}/half/$state"
  "$bin/mantissa" train presets/demo.json --resume "$folder/half" --json "${settings[@]}" >"$folder/half.jsonl" || return 1
  cmp "$folder/whole/$state/state.safetensors" "$folder/half/$state/state.safetensors" || return 1
  echo "equal to the bit: $state/state.safetensors"
}

curves() {
  local filter='*PrecisionCurves.*'
  [ -z "$small" ] || filter='*PrecisionCurves.Begin*/cLora'
  tests engine_train_tests "$filter"
}

# ---- B ---------------------------------------------------------------------------------------------

base_file() { [ -n "$small" ] && echo resources/demo/mini-sdxl.safetensors || echo "$work/full-sdxl.safetensors"; }

base() {
  local file
  file=$(base_file)
  exec 9>"$work/base.lock" && flock 9 # fp8base may run beside it
  [ ! -s "$file" ] || { echo "there is one already: $file"; return 0; }
  python3 -c 'import numpy' 2>/dev/null || { echo "Python has no numpy"; return $not_run; }
  python3 tests/bench/make_full_sdxl.py "$file.part" && mv "$file.part" "$file"
}
fp8base() { base; }

within() { echo $(($1 * ${MANTISSA_GPU_PATIENCE:-1})); } # seconds

# table_of ARGUMENTS...: rows of tests/bench/sdxl_table.py; small: the mini model at 64 px.
table_of() {
  local file
  file=$(base_file)
  [ -s "$file" ] || { echo "there is no base model"; return $not_run; }
  python3 tests/bench/sdxl_table.py "$file" --device cuda --program "$bin/mantissa" --out "$work/$stage.md" \
    --batches 4 --adapters lora --checkpointing off --threads 4 --keep "$work/sdxl" "$@" \
    $([ -n "$small" ] && echo "--tiny --batches 1 --warmup 1 --steps 3" || echo "--sides 1024")
}
images() { table_of --precisions BF16 --only-images --warmup 10 --steps 40 --seconds "$(within 95)"; }
table() {
  table_of --precisions BF16 --torch "${MANTISSA_GPU_TORCH-pure,pure compile,autocast,autocast compile}" \
    --warmup 5 --steps 15 --seconds "$(within "${MANTISSA_GPU_TABLE:-262}")"
}

profile() { # steps under CUPTI: one replay of each kind by kernel
  local name settings seen=$work/kernel_times.tsv failed=0
  [ -e "$kernel_times" ] || { echo "the package has no profiler"; return $not_run; }
  [ -s "$(base_file)" ] || { echo "there is no base model"; return $not_run; }
  while read -r name settings; do
    MANTISSA_KERNEL_TIMES=$seen CUDA_INJECTION64_PATH=$kernel_times "$bin/mantissa" bench --step sdxl-lora --steps 4 \
      --base "$(base_file)" --device cuda:0 --batch 4 --resolution $((small ? 64 : 1024)) --set adapter.rank=16 \
      --set adapter.targets=attention --set training.gradient_checkpointing=false $settings &&
      python3 tests/gpu/kernels.py "$seen" "$work/profile-$name.md" || failed=1
  done <<'LIST'
BF16 --set precision.compute=bf16 --set precision.weights.denoiser=bf16
DoRA --set precision.compute=bf16 --set precision.weights.denoiser=bf16 --set adapter.type=dora
FP8 --set precision.compute=fp8 --set precision.weights.denoiser=fp8_e4m3
FP8-storage --set precision.compute=bf16 --set precision.weights.denoiser=fp8_e4m3
INT8 --set precision.compute=int8 --set precision.weights.denoiser=int8
NF4-storage --set precision.compute=bf16 --set precision.weights.denoiser=nf4
MXFP8-storage --set precision.compute=bf16 --set precision.weights.denoiser=mxfp8
NVFP4-storage --set precision.compute=bf16 --set precision.weights.denoiser=nvfp4
LIST
  for name in "$work"/profile-*.md; do
    printf '#### %s\n\n%s\n\n' "$(basename "$name" .md)" "$(<"$name")"
  done >"$work/profile.md"
  return $failed
}

# ---- C ---------------------------------------------------------------------------------------------

# A test of every kernel (EveryMethodHasACase holds that).
sanitized='*/KernelGolden.Fp32*/cuda:*/KernelGolden.Bf16*/cuda:*/KernelParity.*/cuda:*/StepEnd.*/cuda:*/QuantTest.*/cuda:*/ProductOfCodes.*/cuda:*/StatisticsTest.*/cuda:*/OptimKernels.*/cuda:*/Dora.*/cuda'
sanitizer() { # our kernels alone, by their namespace: the libraries' are not ours to check
  local by=--kernel-name
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not on this machine"; return $not_run; }
  compute-sanitizer --help 2>&1 | grep -q -- --kernel-name || by=--kernel-regex # older ones
  tests kernels_tests "$2" compute-sanitizer --tool "$1" $by kns=mantissa --error-exitcode 9 || return 1
  grep -q 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$work/logs/$stage.log"
}
memcheck() { sanitizer memcheck "$sanitized"; }
# Libraries' kernels end racecheck of CUDA 13.0 with an error of its own, also where they are left out.
racecheck() { sanitizer racecheck "$sanitized-*/KernelGolden.*:*/ProductOfCodes.*"; }

matrix() {
  MANTISSA_MATRIX_ROWS=$((small ? 2 : 20)) tests matrix_tests 'Covering/MatrixPart.EveryPair*'
}

fp8() {
  table_of --precisions "${MANTISSA_GPU_PRECISIONS-FP8-storage,FP8-compute,INT8-compute}" --torch "" --warmup 5 --steps 15 \
    --seconds "$(within 90)"
}

# step_rows: the table of the steps in the list that it reads: name, batch, pixels a side, precisions of
# weights and products, and whose products of codes (ours, library; none: the faster).
step_rows() {
  local name batch side weights compute products
  local file row failed=0
  file=$(base_file)
  [ -s "$file" ] || { echo "there is no base model"; return $not_run; }
  echo "| step | ms |" >"$work/$stage.md"
  echo "|---|---|" >>"$work/$stage.md"
  while read -r name batch side weights compute products; do
    row=$(MANTISSA_CUDA_PRODUCTS=$products "$bin/mantissa" bench --step sdxl-lora --steps $((small ? 3 : 20)) --base "$file" --device cuda:0 \
      --batch "$batch" --resolution $((small ? 64 : side)) --set adapter.rank=16 --set adapter.targets=attention \
      --set training.gradient_checkpointing=false --set precision.weights.denoiser="$weights" \
      --set precision.compute="$compute" --json) || failed=1
    row=$(sed -n 's/.*"median_ms":\([0-9.]*\).*/\1/p' <<<"$row" | tail -n 1)
    [ -n "$row" ] || failed=1
    printf '| %s | %.1f |\n' "${name//_/ }" "${row:-0}" | tee -a "$work/$stage.md"
  done
  return $failed
}

sizes() {
  step_rows <<'LIST'
BF16,_1024²,_batch_4 4 1024 bf16 bf16
FP8,_1024²,_batch_4 4 1024 fp8_e4m3 fp8
INT8,_1024²,_batch_4 4 1024 int8 int8
BF16,_1024²,_batch_4,_again 4 1024 bf16 bf16
FP8,_1024²,_batch_4,_again 4 1024 fp8_e4m3 fp8
BF16,_1024²,_batch_1 1 1024 bf16 bf16
FP8,_1024²,_batch_1 1 1024 fp8_e4m3 fp8
BF16,_512²,_batch_1 1 512 bf16 bf16
FP8,_512²,_batch_1 1 512 fp8_e4m3 fp8
LIST
}
products() {
  step_rows <<'LIST'
INT8,_ours 4 1024 int8 int8 ours
INT8,_the_library's 4 1024 int8 int8 library
INT8,_the_faster 4 1024 int8 int8
FP8,_ours 4 1024 fp8_e4m3 fp8 ours
FP8,_the_library's 4 1024 fp8_e4m3 fp8 library
FP8,_the_faster 4 1024 fp8_e4m3 fp8
LIST
}

fp8stream() {
  local file
  file=$(base_file)
  [ -s "$file" ] || { echo "there is no base model"; return $not_run; }
  python3 tests/gpu/streamed.py "$file" "$bin/mantissa" "$work" "$work/$stage.md" ${small:+--small}
}

plans() { # a program of its own: the CUDA library counts no launches
  [ -e "$library_plans" ] || { echo "the package has no program that times plans"; return $not_run; }
  "$library_plans" | tee "$work/$stage.md"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  stage=${1:?usage: stages.sh NAME}
  if [ -n "${MANTISSA_GPU_FAKE:-}" ] && [ "${MANTISSA_GPU_FAKE%%=*}" = "$stage" ]; then
    exec bash -c "${MANTISSA_GPU_FAKE#*=}" # for the rehearsal: another command in a stage's place
  fi
  "$stage"
fi
