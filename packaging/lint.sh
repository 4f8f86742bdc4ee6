#!/usr/bin/env bash
# Checks the form of the sources; changes nothing.
#
#   bash packaging/lint.sh                shell syntax, JSON, structure, formatting, clang-tidy on what
#                                         changed last
#   bash packaging/lint.sh tidy [FILES]   clang-tidy on FILES, on every source without them
#   bash packaging/lint.sh fix            rewrites the formatting
#
# clang-format and clang-tidy are pinned to 14: other versions differ in details and are not
# accepted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build_dir=${MANTISSA_BUILD_DIR:-build}
failed=0
say() { printf 'lint: %s\n' "$*"; }

list() { # list PATTERN...: tracked files, or all without git
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -- "$@"
  else
    local pattern
    for pattern in "$@"; do find .ci kernels engine gui tests packaging presets resources -name "$pattern"; done
  fi
}

pinned() { # pinned clang-format: prints the command of version 14, fails if there is none
  local candidate
  for candidate in "$1-14" "$1"; do
    if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

check_shell() {
  local file
  while read -r file; do
    bash -n "$file" || failed=1
  done < <(list '*.sh' .ci/run)
}

check_json() {
  local file
  while read -r file; do
    python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$file" 2>/dev/null ||
      { say "$file is not valid JSON"; failed=1; }
  done < <(list 'presets/*.json' CMakePresets.json)
}

check_structure() {
  python3 packaging/check_structure.py || { say "structure differs"; failed=1; }
}

check_format() {
  local format
  if ! format=$(pinned clang-format); then
    say "clang-format 14 is not here: formatting not checked"
    return
  fi
  list '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -r -P "$(nproc)" -n 64 "$format" --dry-run --Werror || {
    say "formatting differs; bash packaging/lint.sh fix rewrites it"
    failed=1
  }
}

changed_sources() { # at most eight, so that the check stays quick
  git diff --name-only --diff-filter=d HEAD~1 -- '*.cpp' 2>/dev/null | grep -v '^tests/' | head -n 8 || true
}

check_tidy() { # check_tidy FILES...
  local tidy
  [ $# -gt 0 ] || return 0
  if ! tidy=$(pinned clang-tidy); then
    say "clang-tidy 14 is not here: not checked"
    return
  fi
  if [ ! -f "$build_dir/compile_commands.json" ]; then
    say "no $build_dir/compile_commands.json: clang-tidy not run"
    return
  fi
  say "clang-tidy: $*"
  local database=$build_dir/tidy
  mkdir -p "$database"
  python3 packaging/tidy_database.py "$build_dir/compile_commands.json" >"$database/compile_commands.json"
  # Only files that CMake compiles have a command line; the rest (fuzz targets) is skipped.
  printf '%s\n' "$@" | while read -r file; do
    if grep -qF "/$file\"" "$database/compile_commands.json"; then printf '%s\n' "$file"; fi
  done | xargs -r -P "$(nproc)" -n 1 "$tidy" --quiet --warnings-as-errors='*' -p "$database" 2>/dev/null ||
    failed=1
}

case ${1:-all} in
  fix)
    format=$(pinned clang-format) || { say "clang-format 14 is not here"; exit 1; }
    list '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -r "$format" -i
    ;;
  tidy)
    shift
    if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(list 'kernels/*.cpp' 'engine/*.cpp' 'gui/*.cpp'); fi
    check_tidy "${files[@]}"
    ;;
  all)
    check_shell
    check_json
    check_structure
    check_format
    mapfile -t files < <(changed_sources)
    check_tidy "${files[@]}"
    ;;
  *)
    say "'$1' is none of tidy or fix"
    exit 2
    ;;
esac
if [ "$failed" -ne 0 ]; then
  say "failed"
  exit 1
fi
say "clean"
