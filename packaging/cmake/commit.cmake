# cmake -DSOURCE=<checkout> -DOUT=<header> -P commit.cmake: a header with the commit that is built,
# "+" after it if files differ from it, "" outside a checkout. Only written when it changes.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
else()
  execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD RESULT_VARIABLE differs ERROR_QUIET)
  if(differs)
    string(APPEND commit "+")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define MANTISSA_COMMIT \"@commit@\"\n" @ONLY)
