# Cross-compiles for Windows x64 with Debian's MinGW-w64 (g++-mingw-w64-x86-64-posix), see the preset
# `windows`. Libraries come from a prefix that packaging/windows/dependencies.sh fills: the folder
# MANTISSA_WINDOWS_PREFIX, a CMake or environment variable, by default build-windows/prefix.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)

set(triplet x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${triplet}-gcc-posix)
set(CMAKE_CXX_COMPILER ${triplet}-g++-posix)
set(CMAKE_RC_COMPILER ${triplet}-windres)
# Joined files and tests have more sections than the classic object format holds.
set(CMAKE_C_FLAGS_INIT -Wa,-mbig-obj)
set(CMAKE_CXX_FLAGS_INIT -Wa,-mbig-obj)

if(NOT MANTISSA_WINDOWS_PREFIX)
  set(MANTISSA_WINDOWS_PREFIX "$ENV{MANTISSA_WINDOWS_PREFIX}")
endif()
if(NOT MANTISSA_WINDOWS_PREFIX)
  get_filename_component(MANTISSA_WINDOWS_PREFIX
    ${CMAKE_CURRENT_LIST_DIR}/../../build-windows/prefix ABSOLUTE)
endif()
set(MANTISSA_WINDOWS_PREFIX ${MANTISSA_WINDOWS_PREFIX} CACHE PATH "Libraries for Windows" FORCE)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MANTISSA_WINDOWS_PREFIX)

# Headers, libraries and packages are never this machine's own: only programs are.
set(CMAKE_FIND_ROOT_PATH ${MANTISSA_WINDOWS_PREFIX} /usr/${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${MANTISSA_WINDOWS_PREFIX}/lib/pkgconfig)
unset(ENV{PKG_CONFIG_PATH})
