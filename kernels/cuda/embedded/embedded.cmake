# nvcc refuses MinGW as its host compiler. So device code is compiled on its own, for all architectures
# in one fatbin for each .cu file, and embedded; MinGW compiles the host side of the same files, which
# launches kernels by name (named_kernel.h). CUDA's libraries are those of the user's installation.
file(GLOB embedded_sources CONFIGURE_DEPENDS embedded/*.cpp)
file(GLOB kernel_sources CONFIGURE_DEPENDS *.cu)
set_source_files_properties(${kernel_sources} PROPERTIES LANGUAGE CXX)
target_compile_definitions(mantissa_cuda PRIVATE MANTISSA_CUDA_EMBEDDED)
target_compile_definitions(mantissa_cudnn_graphs PRIVATE MANTISSA_CUDA_EMBEDDED)
target_compile_options(mantissa_cuda PRIVATE -Wno-unknown-pragmas)
mantissa_quick_build(mantissa_cuda)  # it computes nothing

# -- device code
set(device_options -std=c++20 ${kernel_options})
foreach(architecture IN LISTS MANTISSA_CUDA_ARCHITECTURES)
  list(APPEND device_options
    "-gencode=arch=compute_${architecture},code=[compute_${architecture},sm_${architecture}]")
endforeach()
set(fatbins)
set(declarations)
set(names)
foreach(source IN LISTS kernel_sources)
  get_filename_component(name ${source} NAME_WE)
  set(fatbin ${CMAKE_CURRENT_BINARY_DIR}/${name}.fatbin)
  add_custom_command(OUTPUT ${fatbin} DEPENDS ${source} DEPFILE ${fatbin}.d VERBATIM
    COMMENT "Compiling device code of ${name}.cu"
    COMMAND ${MANTISSA_NVCC} ${device_options} -I${CMAKE_SOURCE_DIR} -MD -MF ${fatbin}.d
      -fatbin ${source} -o ${fatbin})
  list(APPEND fatbins ${fatbin})
  string(APPEND declarations "extern \"C\" const char fatbin_${name}[];
asm(\".section .rdata,\\\"dr\\\"\\n.balign 16\\nfatbin_${name}:\\n.incbin \\\"${fatbin}\\\"\\n.text\");
")
  list(APPEND names fatbin_${name})
endforeach()
list(JOIN names ", " names)
set(device_code ${CMAKE_CURRENT_BINARY_DIR}/device_code.cpp)
file(CONFIGURE OUTPUT ${device_code} @ONLY CONTENT "// Written by embedded.cmake.
#include \"kernels/cuda/embedded/device_code.h\"

@declarations@
namespace mantissa::cuda {
std::span<const void* const> device_code() {
  static const void* const all[] = {@names@};
  return all;
}
}  // namespace mantissa::cuda
")
set_source_files_properties(${device_code} PROPERTIES OBJECT_DEPENDS "${fatbins}")
target_sources(mantissa_cuda PRIVATE ${embedded_sources} ${device_code})

# -- CUDA's libraries, found at run time by kernels/load.cpp: NVIDIA's own import libraries are for
# other linkers, so these are made from the functions in the headers.
find_program(MANTISSA_DLLTOOL x86_64-w64-mingw32-dlltool dlltool REQUIRED)
function(mantissa_import_library dll)
  set(functions)
  foreach(header IN LISTS ARGN)
    file(READ ${header} text)
    string(REGEX MATCHALL "API[ \n]+cu[A-Za-z0-9_]+\\(" found "${text}")
    list(TRANSFORM found REPLACE "API[ \n]+(.*)\\(" "\\1")
    list(APPEND functions ${found})
  endforeach()
  list(REMOVE_DUPLICATES functions)
  list(JOIN functions "\n" functions)
  set(library ${CMAKE_CURRENT_BINARY_DIR}/${dll}.a)
  file(WRITE ${library}.def "LIBRARY ${dll}.dll\nEXPORTS\n${functions}\n")
  execute_process(COMMAND ${MANTISSA_DLLTOOL} -d ${library}.def -l ${library}
    COMMAND_ERROR_IS_FATAL ANY)
  target_link_libraries(mantissa_cuda PRIVATE ${library})
endfunction()
file(GLOB cudnn_headers ${MANTISSA_CUDNN_INCLUDE}/cudnn*.h)
list(FILTER cudnn_headers EXCLUDE REGEX "cudnn_frontend")
mantissa_import_library(cudart64_13 ${MANTISSA_CUBLAS_INCLUDE}/cuda_runtime_api.h)
mantissa_import_library(cublasLt64_13 ${MANTISSA_CUBLAS_INCLUDE}/cublasLt.h)
mantissa_import_library(cudnn64_9 ${cudnn_headers})

set_target_properties(mantissa_cuda PROPERTIES PREFIX "")
target_link_libraries(mantissa_cuda PRIVATE Threads::Threads)
