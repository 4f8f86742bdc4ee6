#pragma once
// What kernels mention besides C++, declared so that a compiler other than nvcc reads their sources
// and knows their names and parameters. Never called: device code is compiled by nvcc.

#include <cuda_runtime_api.h>
#include <type_traits>

#if !defined(__launch_bounds__)
#define __launch_bounds__(...)
#endif

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;

void __syncthreads();
void __syncwarp(unsigned mask = 0xffffffffu);
void __threadfence();
template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32);
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32);
template <typename T>
T atomicAdd(T* p, std::type_identity_t<T> value);
template <typename T>
T atomicMax(T* p, std::type_identity_t<T> value);
template <typename T>
T atomicExch(T* p, std::type_identity_t<T> value);
unsigned __float_as_uint(float x);
float __uint_as_float(unsigned x);
