# What makes a mistake in a parser of foreign files harder to abuse, for every program and library of
# the project. Sanitizers come without: they check the same and more.
#   Linux: stack protector, checked calls of the C library (_FORTIFY_SOURCE), control-flow enforcement
#     on x86, position-independent programs, relocations resolved at start and then read-only, no
#     executable stack.
#   Windows: random addresses, no executable data. GCC for Windows has no control-flow guard, and its
#     stack protector needs a library of its own.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
if(NOT MANTISSA_SANITIZE AND NOT MANTISSA_FUZZ)
  if(MSVC)
    add_compile_options(/guard:cf)
    add_link_options(/guard:cf /DYNAMICBASE /NXCOMPAT /HIGHENTROPYVA)
  elseif(WIN32)
    add_link_options(-Wl,--dynamicbase,--nxcompat,--high-entropy-va)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # Of code for cards the host's part only starts kernels: it is left as it is.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong>)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fcf-protection>)
    endif()
    # Needs an optimising build.
    add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE>
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-D_FORTIFY_SOURCE=2>)
    add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endif()
endif()
