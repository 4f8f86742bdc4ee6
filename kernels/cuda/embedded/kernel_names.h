#pragma once

#include <string>

namespace mantissa::cuda {

/// One text for one kernel, whichever compiler mangled its name: nvcc on Linux or MinGW's.
/// `mangled` is a kernel's own name.
std::string kernel_named(const char* mangled);
/// Name of the kernel that a KernelName is for; `mangled`: the type's name.
std::string kernel_of_type(const char* mangled);

}  // namespace mantissa::cuda
