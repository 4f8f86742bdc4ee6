#!/usr/bin/env bash
# From a bare Debian 12 or Ubuntu 24.04 to a built Mantissa.
#
#   bash packaging/bootstrap.sh demo    installs what is missing, builds, trains the demo, shows the result
#   bash packaging/bootstrap.sh test    builds all and runs every quick test; none needs a GPU
#   bash packaging/bootstrap.sh long    the tests that take long, for changes that touch what they test
#   bash packaging/bootstrap.sh build   only builds: programs in build/bin and, with an NVIDIA card and its
#                                       driver, the CUDA library in build/lib, for this machine's processor
#                                       and cards (package: for any)
#   bash packaging/bootstrap.sh package builds and packs for Linux: .deb and .tar.gz in dist (Debian 12 alone)
#   bash packaging/bootstrap.sh windows cross-builds for Windows x64, tests it under Wine and packs it:
#                                       dist/mantissa-VERSION-windows-x64.zip and .exe (Debian 12 alone)
#   bash packaging/bootstrap.sh release package, then windows, with the CUDA library for every card, and what
#                                       belongs to a release beside them: checksums, bills of materials, notes
#
# Installs with apt, and only what is missing: nothing is asked, a second run installs nothing.
# Environment: MANTISSA_BUILD_DIR (default build; for Windows build-windows/build), JOBS,
# MANTISSA_DEMO_OUT (default demo-out), MANTISSA_WINDOWS_PREFIX (default build-windows/prefix),
# MANTISSA_CUDA_ARCHITECTURES (the cards that the CUDA library is built for; default of build: those of
# this machine; of tests one, of packages every one since the RTX 20 series), MANTISSA_CUDA_WHEELS (a
# folder: the packages of package and windows, named -cuda, bring NVIDIA's libraries, from the wheels
# that are there or are downloaded to it).
set -euo pipefail

say() { printf 'bootstrap: %s\n' "$*"; }
die() { printf 'bootstrap: %s\n' "$*" >&2; exit 1; }
now() { date +%s; }
# Steps with their seconds, told at the end, so that a slower one is seen in a log.
steps=()
timed() { # timed NAME COMMAND...
  local name=$1 begun
  begun=$(now)
  shift
  "$@"
  steps+=("$name $(($(now) - begun)) s")
}

[ $# -eq 1 ] || die "expects one of demo, test, long, build, package, windows or release, for example: bash packaging/bootstrap.sh demo"
mode=$1
case $mode in
  demo | test | long | build | package | windows | release) ;;
  *) die "'$mode' is none of demo, test, long, build, package, windows or release." ;;
esac
tests() { [ "$mode" = test ] || [ "$mode" = long ]; }
cards_here() { # the compute capabilities of this machine's cards: "86;89"
  nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . |
    grep -xE '7[5-9]|[89][0-9]|[1-9][0-9]{2}' | sort -nu | paste -sd ';' - # no older ones
}
case $mode in
  package | windows) : "${MANTISSA_CUDA_ARCHITECTURES:=75;80;86;89;90;120}" ;;
  build)
    : "${MANTISSA_CUDA_ARCHITECTURES:=$(cards_here)}"
    : "${MANTISSA_CUDA_ARCHITECTURES:=80}" # without a card: RTX 30 and 40, and compiled for later ones
    ;;
  test | long) : "${MANTISSA_CUDA_ARCHITECTURES:=90}" ;; # every kernel compiles, in half the time of two
esac

cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -f CMakeLists.txt ] || die "no CMakeLists.txt in $PWD; run it from a checkout of Mantissa."
build_dir=${MANTISSA_BUILD_DIR:-build}
if [ "$mode" = windows ]; then build_dir=${MANTISSA_BUILD_DIR:-build-windows/build}; fi
demo_out=${MANTISSA_DEMO_OUT:-demo-out}
started=$(now)
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

if [ "$mode" = release ]; then
  if [ -n "${MANTISSA_CUDA_WHEELS-}" ]; then
    die "a release's packages don't bring NVIDIA's libraries: unset MANTISSA_CUDA_WHEELS, or make those that do with package and windows"
  fi
  timed linux bash packaging/bootstrap.sh package
  timed windows bash packaging/bootstrap.sh windows
  timed release python3 packaging/release.py dist
  say "release done in $(($(now) - started)) s: $(printf '%s, ' "${steps[@]}" | sed 's/, $//')"
  exit 0
fi

# ---- packages ------------------------------------------------------------------------------------
compilers=(g++ cmake ninja-build ccache mold pkg-config)
libraries=(libsqlite3-dev nlohmann-json3-dev libtomlplusplus-dev libyaml-dev libcli11-dev
  libfmt-dev libvips-dev libutf8proc-dev libpcre2-dev libsentencepiece-dev
  libssl-dev libeigen3-dev zlib1g-dev libcurl4-openssl-dev libarchive-dev)
vocabulary=(ca-certificates python3 python3-pip)
window=(qt6-base-dev qt6-l10n-tools libgl1-mesa-dev fonts-dejavu-core fonts-inter)
drawings=(libqt6svg6-dev qt6-svg-dev) # the module's names; without it plots aren't saved as SVG
checks=(libgtest-dev libgmock-dev libbenchmark-dev git)
screens=(xvfb fonts-droid-fallback)
processes=(openmpi-bin libopenmpi-dev iproute2) # iproute2: two hosts in tests
for_windows=(g++-mingw-w64-x86-64-posix mingw-w64-tools libz-mingw-w64-dev nsis wine64 tcl make patch git
  xz-utils xauth x11-utils)
packing=(patchelf dpkg-dev file git)
lint=(clang-format-14 clang-tidy-14)

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
missing() {
  local package
  for package in "$@"; do
    installed "$package" || printf '%s\n' "$package"
  done
}

# Shows apt's own percentage: in place on a terminal, every quarter in a pipe.
show_percent() {
  local kind package percent rest shown=-1
  while IFS=: read -r kind package percent rest; do
    percent=${percent%%.*}
    [[ $kind == pmstatus && $percent =~ ^[0-9]+$ ]] || continue
    if [ -t 1 ]; then
      printf '\rbootstrap: installing %3d %%  %-40.40s' "$percent" "$package"
    elif ((percent / 25 > shown)); then
      shown=$((percent / 25))
      say "installing $percent %"
    fi
  done
  if [ -t 1 ]; then printf '\n'; fi
}

apt_run() { # apt_run LOG ARGUMENTS...
  local log=$1 as_root=()
  shift
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -E env DEBIAN_FRONTEND=noninteractive); fi
  "${as_root[@]}" apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
    -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1
}

install_packages() {
  local wanted log begun
  mapfile -t wanted < <(missing "$@")
  if [ ${#wanted[@]} -eq 0 ]; then
    say "every package needed is installed"
    return
  fi
  command -v apt-get >/dev/null ||
    die "apt-get is not here (made for Debian 12 and Ubuntu 24.04); install by other means: ${wanted[*]}"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    die "needs root to install packages and sudo is not here; as root run: apt-get install -y --no-install-recommends ${wanted[*]}"
  fi
  mkdir -p "$build_dir"
  log=$build_dir/bootstrap-apt.log
  begun=$(now)
  if [ -z "${lists_read-}" ]; then
    say "reading the package lists"
    : >"$log"
    apt_run "$log" update || die "apt-get update failed: $(tail -n 1 "$log") (all of it: $log)"
    lists_read=yes
  fi
  say "installing ${#wanted[@]} packages and what they need: ${wanted[*]}"
  { apt_run "$log" install --no-install-recommends -o APT::Status-Fd=3 "${wanted[@]}" 3>&1 1>&4 |
    show_percent; } 4>&1 ||
    die "apt-get install failed: $(grep -m 1 '^E:' "$log" || tail -n 1 "$log") (all of it: $log)"
  say "packages installed in $(($(now) - begun)) s"
}

# clang-format and clang-tidy of another version would disagree; where 14 can't be had, lint says so.
available() { command -v apt-cache >/dev/null && [ -n "$(apt-cache pkgnames "$1" 2>/dev/null | grep -x "$1")" ]; }

packages=("${compilers[@]}" "${libraries[@]}" "${vocabulary[@]}")
if [ "$mode" != demo ]; then packages+=("${window[@]}"); fi
if tests; then packages+=("${checks[@]}" "${screens[@]}" "${processes[@]}"); fi
if [ "$mode" = package ]; then packages+=("${packing[@]}"); fi
if [ "$mode" = windows ]; then packages+=("${for_windows[@]}" "${screens[@]}"); fi
install_all() {
  local package present=()
  install_packages "${packages[@]}"
  if [ "$mode" != demo ]; then
    for package in "${drawings[@]}"; do
      if available "$package"; then
        install_packages "$package"
        break
      fi
    done
  fi
  if [ "$mode" = test ]; then
    for package in "${lint[@]}"; do
      if available "$package"; then present+=("$package"); fi
    done
    if [ ${#present[@]} -gt 0 ]; then install_packages "${present[@]}"; fi
  fi
}
timed packages install_all

# ---- build ---------------------------------------------------------------------------------------
jobs_for_this_machine() { # one job per core, and 1.5 GB for each
  local cores memory_kb by_memory
  cores=$(nproc)
  memory_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
  by_memory=$((memory_kb / 1500000))
  if ((by_memory < 1)); then by_memory=1; fi
  echo $((cores < by_memory ? cores : by_memory))
}
jobs=${JOBS:-$(jobs_for_this_machine)}

switch() { if "$@"; then echo ON; else echo OFF; fi; }
all_installed() { [ -z "$(missing "$@")" ]; }

build() { # build ISA [TARGETS...]: everything if none is named; ISA as MANTISSA_CPU_ISA
  local isa=$1 log=$build_dir/bootstrap-build.log
  shift
  mkdir -p "$build_dir"
  say "configuring $build_dir (Release)"
  cmake -S . -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMANTISSA_JOIN=ON \
    ${MANTISSA_CUDA_ARCHITECTURES:+"-DMANTISSA_CUDA_ARCHITECTURES=$MANTISSA_CUDA_ARCHITECTURES"} \
    -DMANTISSA_CPU_ISA="$isa" -DMANTISSA_GUI="$(switch all_installed "${window[@]}")" \
    -DMANTISSA_TESTS="$(switch all_installed "${checks[@]}")" >"$log" 2>&1 ||
    die "cmake failed: $(grep -m 1 -A 2 'CMake Error' "$log" | tr '\n' ' ') (all of it: $log)"
  say "building with $jobs jobs"
  cmake --build "$build_dir" -j "$jobs" ${1+--target "$@"} || die "the build failed; the compiler's message stands above."
}

build_windows() {
  local log=$build_dir/bootstrap-build.log
  mkdir -p "$build_dir"
  say "configuring $build_dir (Release, Windows x64)"
  cmake --preset windows -B "$build_dir" -DMANTISSA_TEST_DATA="Z:$PWD/$build_dir/test_data" \
    ${MANTISSA_CUDA_ARCHITECTURES:+"-DMANTISSA_CUDA_ARCHITECTURES=$MANTISSA_CUDA_ARCHITECTURES"} >"$log" 2>&1 ||
    die "cmake failed: $(grep -m 1 -A 2 'CMake Error' "$log" | tr '\n' ' ') (all of it: $log)"
  say "building with $jobs jobs"
  cmake --build "$build_dir" -j "$jobs" || die "the build failed; the compiler's message stands above."
}

run_tests() { # run_tests FOLDER CHOICE...: FOLDER for what they would write to the user's data and cache folders
  local home=$1
  shift
  # One more than the build: windows, processes and full disks wait more than they compute.
  MANTISSA_HOME=$home ctest --test-dir "$build_dir" "$@" --output-on-failure -j "$((jobs + 1))" --no-tests=error
}
of_other_runs='slow|nightly|bench|gpu|screens'
quick=(-LE "$of_other_runs|long")
long=(-L long -LE "$of_other_runs")

fetch_vocabulary() {
  { bash packaging/fetch_vocab.sh "$build_dir/share/mantissa/bpe_simple_vocab_16e6.txt.gz" &&
    bash packaging/fetch_qwen.sh "$build_dir/share/mantissa/qwen3"; } ||
    die "the tokenizers' vocabularies could not be fetched; the reason stands above."
}

# With an installed toolkit only cuDNN's headers are missing. Where there is none, a compiler comes from
# PyPI: for `build` if there is a card, for `test`, `package` and `windows` always, so that every test
# run and every package has the CUDA library.
fetch_cuda() {
  local all=()
  if ! has_nvcc; then
    if [ "$mode" = build ] && [ -z "$(cards_here)" ]; then return; fi
    all=(all)
    [ -x "$build_dir/cuda/bin/nvcc" ] || say "getting NVIDIA's compiler and libraries from PyPI (about 1 GB)"
  fi
  bash packaging/fetch_cuda.sh "$build_dir/cuda" "${all[@]}" ||
    say "what the CUDA library is built with could not be fetched; it is left out"
}
has_nvcc() { command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; }
note_cuda() {
  if has_nvcc || [ -x "$build_dir/cuda/bin/nvcc" ]; then return; fi
  say "nvcc is not here: the CUDA library is left out, everything runs on the CPU (where nvidia-smi lists a card, build gets the compiler by itself; elsewhere install the CUDA Toolkit 13 from https://developer.nvidia.com/cuda-downloads and build again)"
}

fetch_all() {
  fetch_vocabulary
  if [ "$mode" != demo ]; then fetch_cuda; fi
}
timed downloads fetch_all
case $mode in
  demo)
    timed build build native mantissa # a program for this machine alone: a third of the kernels to compile
    note_cuda
    timed training "$build_dir/bin/mantissa" demo --out "$demo_out"
    say "the demo's adapter, samples and log are in $PWD/$demo_out"
    say "for the window: bash packaging/bootstrap.sh build, then $build_dir/bin/mantissa-studio"
    ;;
  build)
    timed build build native mantissa_user_programs # as for the demo
    note_cuda
    say "programs: $build_dir/bin/mantissa and $build_dir/bin/mantissa-studio"
    ;;
  package)
    timed build build all mantissa_user_programs
    note_cuda
    timed package bash packaging/linux/package.sh "$build_dir" dist
    ;;
  test | long)
    # Copies of the kernels for older processors are among the long tests: they take minutes to compile.
    timed build build "$([ "$mode" = test ] && echo native || echo testable)"
    note_cuda
    if [ "$mode" = test ]; then timed lint bash packaging/lint.sh; fi
    say "testing"
    export QT_QPA_PLATFORM=offscreen # opens no window
    chosen=("${quick[@]}")
    if [ "$mode" = long ]; then chosen=("${long[@]}"); fi
    timed tests run_tests "$PWD/$build_dir/test-home" "${chosen[@]}"
    ;;
  windows)
    export MANTISSA_WINDOWS_PREFIX=${MANTISSA_WINDOWS_PREFIX:-$PWD/build-windows/prefix}
    JOBS=$jobs timed libraries bash packaging/windows/dependencies.sh all
    timed build build_windows
    say "testing under Wine"
    timed tests run_tests "Z:$PWD/$build_dir/test-home" -LE "$of_other_runs"
    version=$(sed -n 's/^project(mantissa VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
    package=dist/mantissa-$version-windows-x64${MANTISSA_CUDA_WHEELS:+-cuda}
    timed package bash packaging/windows/package.sh "$build_dir" "$package.zip" "$package.exe"
    ;;
esac
say "$mode done in $(($(now) - started)) s: $(printf '%s, ' "${steps[@]}" | sed 's/, $//')"
