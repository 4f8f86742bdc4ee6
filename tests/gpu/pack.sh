#!/usr/bin/env bash
# The package of tests/gpu.sh: pack.sh FILE. 64 MiB may travel: the package, the wheel, the checkout.
set -euo pipefail
file=${1:?usage: pack.sh FILE}
most=$((64 << 20)) most_package=$((40 << 20))
folder=$(dirname "$file")
mkdir -p "$folder"

# diffusers is all that a machine for PyTorch lacks.
if [ -z "${MANTISSA_PACK_BUILD:-}" ]; then
  echo "diffusers==0.42.1 --hash=sha256:9154faa704ce00e0b77f568e0d64786064368528aab5fc14eeea92f87d788014" >"$folder/wheels.txt"
  "${PYTHON:-python3}" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --require-hashes --requirement "$folder/wheels.txt" --dest "$folder"
  rm "$folder/wheels.txt"
  toolkit=$(dirname "$(dirname "$(realpath "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")")
  if [ -e "$toolkit/include/cupti.h" ]; then # PyTorch's packages have CUPTI too
    "${CXX:-c++}" -std=c++20 -O2 -shared -fPIC -I"$toolkit/include" -o "$folder/kernel_times.so" \
      tests/gpu/kernel_times.cpp -L"$toolkit/lib64" -L"$toolkit/lib" -lcupti
  fi
fi

build=${MANTISSA_PACK_BUILD:-build-gpu}
programs=(draw_goldens kernels_tests engine_cuda_tests engine_train_tests matrix_tests)
if [ -z "${MANTISSA_PACK_BUILD:-}" ]; then
  bash packaging/fetch_cuda.sh $build/cuda
  bash packaging/fetch_vocab.sh $build/share/mantissa/bpe_simple_vocab_16e6.txt.gz
  bash packaging/fetch_qwen.sh $build/share/mantissa/qwen3
  if [ -e "$toolkit/include/cublasLt.h" ] && [ -e "$toolkit/include/cudnn.h" ]; then # PyTorch's packages have the libraries
    "${CXX:-c++}" -std=c++20 -O1 -I. -isystem $build/cuda/include -isystem "$toolkit/include" -o "$folder/library_plans" \
      tests/gpu/library_plans.cpp kernels/cuda/cudnn_graphs.cpp -L"$toolkit/lib64" -L"$toolkit/lib" \
      -lcudart -lcublasLt -lcudnn -lpthread -ldl
  fi
  # Test data is found relative to the checkout that the programs are started in.
  cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMANTISSA_JOIN=ON -DMANTISSA_GUI=OFF \
    -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DMANTISSA_TEST_ROOT=. -DMANTISSA_TEST_DATA=gpu/test_data \
    -DMANTISSA_CUDA_ARCHITECTURES="${MANTISSA_CUDA_ARCHITECTURES:-90}"
  cmake --build $build ${JOBS:+-j "$JOBS"} --target mantissa mantissa_shell mantissa_cuda "${programs[@]}"
fi

# The programs are mostly the same code: packed with a dictionary that holds them all, its copies
# cost nothing. The demo's model and images are in the checkout, and the tests read PNG alone: what libvips needs
# for SVG, HDF5 and the like is half of all libraries.
if [ ! -e "$build/lib/libmantissa_cuda.so" ]; then # only in a rehearsal
  export COMPONENT=app
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bash tests/gpu/stand_ins.sh "$build/bin/mantissa" "$scratch/stand-ins"
git rev-parse --short HEAD >"$scratch/COMMIT" 2>/dev/null || echo "no commit" >"$scratch/COMMIT"
LD_LIBRARY_PATH=$scratch/stand-ins${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
  XZ_OPTIONS=${XZ_OPTIONS:---lzma2=preset=6,dict=128MiB} LEAVE_OUT="bin/mantissa-studio share/mantissa/demo share/applications share/mime" \
  ADD="$scratch/COMMIT:share/doc/mantissa/COMMIT" bash packaging/tarball.sh "$build" "$file" "${programs[@]/#/$build/bin/}"

# Of the checkout a run needs this alone; where no more than 64 MiB may travel, a sparse checkout of it.
needed=(presets resources/demo/images resources/demo/mini-sdxl.safetensors tests ':!tests/golden/reference'
  ':!tests/engine' ':!tests/gui' ':!tests/cases' ':!tests/mutation' ':!tests/reliability' ':!tests/packaging')
checkout=$({ git ls-files -z "${needed[@]}" && git ls-files -z 'tests/golden/reference/precision_*'; } | xargs -0 stat --format %s | awk '{sum += $1} END {print sum}')
package=$(stat --format %s "$file")
wheels=$(find "$folder" \( -name '*.whl' -o -name '*.so' -o -name library_plans \) -printf '%s\n' | awk '{sum += $1} END {print sum + 0}')
awk -v p="$package" -v w="$wheels" -v c="$checkout" \
  'BEGIN {printf "gpu.sh: package %.1f MiB, wheel %.1f MiB, checkout %.1f MiB, together %.1f MiB\n", p/2^20, w/2^20, c/2^20, (p+w+c)/2^20}'
[ -z "${MANTISSA_PACK_BUILD:-}" ] || exit 0 # for a rehearsal, neither small nor for a card
[ "$package" -le $most_package ] || { echo "gpu.sh: the package is larger than 40 MiB" >&2; exit 1; }
[ $((package + wheels + checkout)) -le $most ] || { echo "gpu.sh: more than 64 MiB would travel" >&2; exit 1; }
