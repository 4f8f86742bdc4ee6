# One CMake target per folder. A target can only include what it links, which enforces the layering
# of folders ("gui -> engine -> kernels, never back").

# mantissa_join(<target> [ALONE <files...>]): with MANTISSA_JOIN, the target's files are compiled in
# unity builds of twenty, except ALONE, whose local names clash with others'.
function(mantissa_join target)
  cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
  if(MANTISSA_JOIN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# mantissa_headers(<target> STATIC|EXECUTABLE [QUICK] LINKS <targets...> HEADERS <headers...>): with
# MANTISSA_JOIN, the owner of a precompiled header for the targets given to mantissa_use_headers: those
# of its kind, as GCC has other position-independent code for programs than for libraries, and of its
# optimisation, QUICK for those of mantissa_quick_build: GCC compiles a file as its precompiled header
# was, whatever -O it is given. GCC alone: Clang and MSVC refuse a header that was compiled with other
# options.
function(mantissa_headers target kind)
  cmake_parse_arguments(ARG "QUICK" "" "LINKS;HEADERS" ${ARGN})
  if(NOT MANTISSA_JOIN OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  if(kind STREQUAL EXECUTABLE)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    add_executable(${target} ${source})
  else()
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${target} ${kind} ${source})
  endif()
  # -pthread defines a macro, which has to be the same in whatever uses the header.
  target_compile_options(${target} PRIVATE -pthread)
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
  target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
  if(ARG_QUICK)
    mantissa_quick_build(${target})
  endif()
  set_target_properties(${target} PROPERTIES MANTISSA_LINKS "${ARG_LINKS}")
endfunction()

# mantissa_use_headers(<target> <owner>): compiles <target> with the header of mantissa_headers, if
# there is one.
function(mantissa_use_headers target owner)
  if(TARGET ${owner})
    target_compile_options(${target} PRIVATE -pthread)
    get_target_property(links ${owner} MANTISSA_LINKS)
    target_link_libraries(${target} PRIVATE ${links})
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # False alarms on string concatenation, as its headers are no system headers any more.
      target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# What most files of the engine include of the standard library.
set(mantissa_common_headers <algorithm> <array> <cmath> <filesystem> <fstream> <functional> <map>
  <memory> <optional> <set> <sstream> <string> <string_view> <thread> <unordered_map> <utility>
  <variant> <vector> <nlohmann/json.hpp>)

# mantissa_module(<target> [DEEP] [QUICK] [FAST <files...>] [LINKS <targets...>] [PRIVATE <libraries...>]
# [ALONE <files...>]) creates <target> from every .cpp of the current folder, with DEEP also of its
# subfolders; QUICK as by mantissa_quick_build but for the files of FAST, whose loops go over values.
# LINKS is public, PRIVATE is not. ALONE as for mantissa_join.
function(mantissa_module target)
  cmake_parse_arguments(ARG "DEEP;QUICK" "" "LINKS;PRIVATE;ALONE;FAST" ${ARGN})
  if(ARG_DEEP)
    set(glob GLOB_RECURSE)
  else()
    set(glob GLOB)
  endif()
  file(${glob} sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(ARG_FAST)
    # A target of its own, as a precompiled header brings its level of optimisation.
    list(TRANSFORM ARG_FAST PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE fast)
    list(REMOVE_ITEM sources ${fast})
    add_library(${target}_fast OBJECT ${fast})
    # Not its links: static libraries may depend on each other, objects may not.
    target_include_directories(${target}_fast PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${target}_fast PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    mantissa_join(${target}_fast ALONE ${ARG_ALONE})
    mantissa_use_headers(${target}_fast mantissa_engine_headers)
    list(APPEND sources $<TARGET_OBJECTS:${target}_fast>)
  endif()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE})
    mantissa_join(${target} ALONE ${ARG_ALONE})
    if(ARG_QUICK)
      mantissa_quick_build(${target})
      mantissa_use_headers(${target} mantissa_quick_headers)
    else()
      mantissa_use_headers(${target} mantissa_engine_headers)
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} INTERFACE ${ARG_LINKS})
  endif()
endfunction()

# mantissa_quick_build(<target>): less optimised in release builds, as its run time is negligible,
# but its compile time isn't.
function(mantissa_quick_build target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()

# Seconds a test may take. Sanitizers make programs several times slower.
set(MANTISSA_TEST_SECONDS 300)
if(MANTISSA_SANITIZE)
  set(MANTISSA_TEST_SECONDS 1800)
endif()

# mantissa_discover(<target> <label> [TIMEOUT <seconds>] [LONG <patterns...>] [SLOW <patterns...>]
# [SANITIZED_SLOW <patterns...>] [NIGHTLY]) registers each case of a test program with ctest under <label>.
# Those whose names match a pattern of LONG go under <label>_long: ctest -L long, on every change, apart
# from the quick ones. Those of SLOW, which aren't run on every change, go under <label>_slow; built with
# sanitizers, those of SANITIZED_SLOW too. With NIGHTLY, cases whose name begins with Nightly go under
# `nightly`, with a limit of hours each.
function(mantissa_discover target label)
  cmake_parse_arguments(ARG "NIGHTLY" "TIMEOUT" "LONG;SLOW;SANITIZED_SLOW" ${ARGN})
  if(MANTISSA_SANITIZE)
    list(APPEND ARG_SLOW ${ARG_SANITIZED_SLOW})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT ${MANTISSA_TEST_SECONDS})
  endif()
  set(nightly "")
  if(ARG_NIGHTLY)
    set(nightly "*.Nightly*")
  endif()
  # Each is without those before it, the quick ones are without all of them.
  mantissa_discover_some(${target} nightly "${nightly}" "" 14400)
  mantissa_discover_some(${target} ${label}_slow "${ARG_SLOW}" "${nightly}" ${ARG_TIMEOUT})
  mantissa_discover_some(${target} ${label}_long "${ARG_LONG}" "${nightly};${ARG_SLOW}" ${ARG_TIMEOUT})
  mantissa_discover_some(${target} ${label} "*" "${nightly};${ARG_SLOW};${ARG_LONG}" ${ARG_TIMEOUT})
endfunction()

function(mantissa_discover_some target label patterns others timeout)
  if(NOT patterns)
    return()
  endif()
  list(REMOVE_ITEM others "")
  list(JOIN patterns ":" filter)
  if(others)
    list(JOIN others ":" others)
    string(APPEND filter "-${others}")
  endif()
  # Wine's first program of a session starts others, which take seconds.
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
    TEST_FILTER "${filter}" PROPERTIES LABELS "${label}" TIMEOUT ${timeout})
endfunction()

# mantissa_test(<folder> LINKS <targets...> [ALONE <files...>] [TIMEOUT <seconds>] [LONG <patterns...>]
# [SLOW <patterns...>] [SANITIZED_SLOW <patterns...>] [NIGHTLY]) creates <folder>_tests from tests/<folder>/*_test.cpp
# (and other .cpp there) and registers each case with ctest under the label <folder>. ALONE as for
# mantissa_join, the rest as for mantissa_discover.
function(mantissa_test folder)
  cmake_parse_arguments(ARG "NIGHTLY" "TIMEOUT" "LINKS;ALONE;LONG;SLOW;SANITIZED_SLOW" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/fuzz_[^/]*$")
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_tests ${sources})
  target_include_directories(${name}_tests PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(${name}_tests PRIVATE
    MANTISSA_TEST_DATA="${MANTISSA_TEST_DATA}"
    MANTISSA_SOURCE_DIR="${MANTISSA_TEST_ROOT}"
    MANTISSA_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name}_tests PRIVATE ${ARG_LINKS} GTest::gtest GTest::gmock GTest::gtest_main
    mantissa_test_process)
  add_dependencies(${name}_tests mantissa_test_data)
  mantissa_quick_build(${name}_tests)
  mantissa_use_headers(${name}_tests mantissa_test_headers)
  list(TRANSFORM ARG_ALONE PREPEND ${CMAKE_SOURCE_DIR}/tests/${folder}/)
  mantissa_join(${name}_tests ALONE ${ARG_ALONE})
  set(more "")
  if(ARG_NIGHTLY)
    list(APPEND more NIGHTLY)
  endif()
  if(ARG_TIMEOUT)
    list(APPEND more TIMEOUT ${ARG_TIMEOUT})
  endif()
  mantissa_discover(${name}_tests ${name} LONG ${ARG_LONG} SLOW ${ARG_SLOW} SANITIZED_SLOW ${ARG_SANITIZED_SLOW} ${more})
endfunction()

# mantissa_fuzz(<folder> <name> NIGHTLY <runs> [LONGEST <bytes>] LINKS <targets...>) creates the
# libFuzzer program <name> from tests/<folder>/<name>.cpp, a short run of it for ctest under the label fuzz, and one
# of <runs> inputs under the label nightly. No input, of at most 4 KB or LONGEST, may take more than
# five seconds, or 64 MB at once.
function(mantissa_fuzz folder name)
  cmake_parse_arguments(ARG "" "NIGHTLY;LONGEST" "LINKS" ${ARGN})
  if(NOT ARG_LONGEST)
    set(ARG_LONGEST 4096)
  endif()
  add_executable(${name} ${CMAKE_SOURCE_DIR}/tests/${folder}/${name}.cpp)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set(limits -max_len=${ARG_LONGEST} -timeout=5 -malloc_limit_mb=64)
  add_test(NAME ${name} COMMAND ${name} -runs=100000 -max_total_time=500 -seed=1 ${limits})
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 600)
  add_test(NAME ${name}_nightly COMMAND ${name} -runs=${ARG_NIGHTLY} -seed=2 ${limits})
  set_tests_properties(${name}_nightly PROPERTIES LABELS nightly TIMEOUT 14400)
endfunction()
