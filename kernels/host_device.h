#pragma once
// What both the host and the kernels of a device call.

#if defined(__CUDACC__)
#define MANTISSA_HD __host__ __device__
#else
#define MANTISSA_HD
#endif
