#include "machine.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "kernels/cuda/async_copy.cuh"
#include "kernels/cuda/device.cuh"

// The fake card detects the errors it exists for.

namespace cuda_on_host {
namespace {

using mantissa::cuda::await_copies;
using mantissa::cuda::block_sum;
using mantissa::cuda::close_copies;
using mantissa::cuda::copy_async;
using mantissa::cuda::dynamic_shared;
using mantissa::cuda::Grid;
using ::testing::HasSubstr;

/// Device memory with `values`.
template <typename T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_EQ(cudaMalloc(&data_, count_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  explicit OnDevice(std::size_t count) : count_(count) {
    EXPECT_EQ(cudaMalloc(&data_, count_ * sizeof(T)), cudaSuccess);
  }
  ~OnDevice() { cudaFree(data_); }
  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaMemcpyAsync(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

template <typename... Parameters, typename... Arguments>
void run(const Grid& grid, void (*kernel)(Parameters...), Arguments... arguments) {
  mantissa::cuda::launch_kernel(nullptr, grid, kernel, arguments...);
}

template <typename... Parameters, typename... Arguments>
std::string error_of(const Grid& grid, void (*kernel)(Parameters...), Arguments... arguments) {
  try {
    run(grid, kernel, arguments...);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was found";
  return "";
}

class Machine : public ::testing::TestWithParam<Order> {
 protected:
  void SetUp() override { settings().order = GetParam(); }
  void TearDown() override { settings().order = Order::in_turn; }
};
INSTANTIATE_TEST_SUITE_P(Orders, Machine,
                         ::testing::Values(Order::in_turn, Order::by_warp, Order::shuffled));

__global__ void place_kernel(int* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  out[block * blockDim.x + threadIdx.x] = static_cast<int>(block * 1000 + threadIdx.x);
}
TEST_P(Machine, EveryThreadOfTheGridRunsOnce) {
  const OnDevice<int> out(2 * 3 * 2 * 33);
  run({dim3(2, 3, 2), 33}, place_kernel, out.data());
  const std::vector<int> got = out.read();
  for (int i = 0; i < 12 * 33; ++i) {
    ASSERT_EQ(got[static_cast<std::size_t>(i)], i / 33 * 1000 + i % 33);
  }
}

__global__ void sum_kernel(const double* in, double* out) {
  const double sum = block_sum(in[mantissa::cuda::global_thread()]);
  const double twice = block_sum(2 * in[mantissa::cuda::global_thread()]);
  if (threadIdx.x % 64 == 1) {
    out[blockIdx.x * blockDim.x / 64 + threadIdx.x / 64] = sum + twice;
  }
}
TEST_P(Machine, BlockSumsInEveryThread) {
  for (int threads : {32, 64, 256, 1024}) {
    std::vector<double> values(static_cast<std::size_t>(3 * threads));
    std::iota(values.begin(), values.end(), 1.0);
    const OnDevice<double> in(values);
    const OnDevice<double> out(static_cast<std::size_t>(3 * ((threads + 63) / 64)));
    run({dim3(3), threads}, sum_kernel, in.data(), out.data());
    const int each = (threads + 63) / 64;
    for (int i = 0; i < 3 * each && threads >= 64; ++i) {
      const double first = i / each * threads + 1, last = first + threads - 1;
      EXPECT_EQ(out.read()[static_cast<std::size_t>(i)], 3 * (first + last) / 2 * threads);
    }
  }
}

__global__ void shuffle_kernel(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_sync(0xffffffffu, lane, 5);
  out[32 + lane] = __shfl_xor_sync(0xffffffffu, lane, 3);
  out[64 + lane] = __shfl_down_sync(0xffffffffu, lane, 4);
  out[96 + lane] = __shfl_up_sync(0xffffffffu, lane, 4, 8);
  out[128 + lane] = static_cast<int>(__ballot_sync(0xffffffffu, lane % 3 == 0));
  out[160 + lane] = __any_sync(0xffffffffu, lane == 7) + 2 * __all_sync(0xffffffffu, lane < 31);
  if (lane < 16) {
    out[192 + lane] = __shfl_xor_sync(0xffffu, lane, 8);
  }
  out[208 + lane] = __syncthreads_count(lane < 20) + 100 * __syncthreads_or(lane == 2) +
                    1000 * __syncthreads_and(lane != 2);
}
TEST_P(Machine, WarpFunctionsGiveWhatCudaGives) {
  const OnDevice<int> out(240);
  run({dim3(1), 32}, shuffle_kernel, out.data());
  const std::vector<int> got = out.read();
  for (int lane = 0; lane < 32; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    EXPECT_EQ(got[i], 5);
    EXPECT_EQ(got[32 + i], lane ^ 3);
    EXPECT_EQ(got[64 + i], lane < 28 ? lane + 4 : lane);
    EXPECT_EQ(got[96 + i], lane % 8 >= 4 ? lane - 4 : lane);
    EXPECT_EQ(static_cast<unsigned>(got[128 + i]), 0x49249249u);
    EXPECT_EQ(got[160 + i], 1);
    EXPECT_EQ(got[208 + i], 120);
  }
  for (int lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(got[192 + static_cast<std::size_t>(lane)], lane ^ 8);
  }
}

__global__ void count_kernel(int* count, unsigned long long* largest) {
  atomicAdd(count, 1);
  atomicMax(largest, threadIdx.x);
}
TEST_P(Machine, AtomicsCount) {
  const OnDevice<int> count(std::vector<int>{0});
  const OnDevice<unsigned long long> largest(std::vector<unsigned long long>{0});
  run({dim3(7), 100}, count_kernel, count.data(), largest.data());
  EXPECT_EQ(count.read()[0], 700);
  EXPECT_EQ(largest.read()[0], 99u);
}

// -- shared memory -------------------------------------------------------------------------------

template <typename T>
__global__ void stale_shared_kernel(int* nans) {
  __shared__ T values[4];
  T* dynamic = dynamic_shared<T>();
  if (threadIdx.x < 4) {
    atomicAdd(nans, static_cast<int>(values[threadIdx.x] != values[threadIdx.x]) +
                        static_cast<int>(dynamic[threadIdx.x] != dynamic[threadIdx.x]));
    values[threadIdx.x] = dynamic[threadIdx.x] = T(1);
  }
}
TEST_P(Machine, SharedMemoryStartsAsNansInEachBlock) {
  const OnDevice<int> nans(std::vector<int>{0});
  run({dim3(3), 32, 4 * sizeof(float)}, stale_shared_kernel<float>, nans.data());
  EXPECT_EQ(nans.read()[0], 24);
  run({dim3(3), 32, 4 * sizeof(double)}, stale_shared_kernel<double>, nans.data());
  EXPECT_EQ(nans.read()[0], 48);
}

__global__ void forgotten_barrier_kernel(const float* in, float* out) {
  __shared__ float values[64];
  values[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = values[63 - threadIdx.x];
}
TEST_P(Machine, AForgottenBarrierShowsAsNan) {
  const OnDevice<float> in(std::vector<float>(64, 1.0F)), out(64);
#if defined(MANTISSA_UNWATCHED)
  run({dim3(1), 64}, forgotten_barrier_kernel, in.data(), out.data());
#else
  EXPECT_THAT(error_of({dim3(1), 64}, forgotten_barrier_kernel, in.data(), out.data()),
              HasSubstr("race in"));
#endif
  int nans = 0;
  for (float value : out.read()) {
    nans += static_cast<int>(std::isnan(value));
  }
  EXPECT_EQ(nans, 32);
}

#if !defined(MANTISSA_UNWATCHED)
// -- races, which no order of threads hides ------------------------------------------------------

/// Without its first barrier, a warp overwrites values that slower ones have not read yet.
__global__ void overtaking_kernel(bool waits, float* out) {
  __shared__ float parts[4];
  const unsigned warp = threadIdx.x / 32;
  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    if (waits) {
      __syncthreads();
    }
    if (threadIdx.x % 32 == 0) {
      parts[warp] = static_cast<float>(warp + static_cast<unsigned>(round));
    }
    __syncthreads();
    sum += parts[threadIdx.x % 4];
  }
  out[threadIdx.x] = sum;
}
TEST_P(Machine, AWriteThatOvertakesReadersIsARace) {
  const OnDevice<float> out(128);
  const std::string race = error_of({dim3(1), 128}, overtaking_kernel, false, out.data());
  EXPECT_THAT(race, HasSubstr("race in cuda_on_host::(anonymous namespace)::overtaking_kernel"));
  EXPECT_THAT(race, HasSubstr("of the shared variable 'parts', which"));
  run({dim3(1), 128}, overtaking_kernel, true, out.data());
}

__global__ void early_read_kernel(int from) {
  auto* values = dynamic_shared<unsigned short>();
  values[threadIdx.x] = 1;
  if (static_cast<int>(threadIdx.x) == 40) {
    values[threadIdx.x] = values[from];
  }
}
TEST_P(Machine, WhatAnotherWarpHasJustWrittenIsARaceToRead) {
  const std::size_t bytes = 64 * sizeof(unsigned short);
  EXPECT_THAT(error_of({dim3(3), 64, bytes}, early_read_kernel, 3),
              HasSubstr("of the dynamic shared memory, which warp "));
  run({dim3(3), 64, bytes}, early_read_kernel, 39);  // of its own warp
}

__global__ void counting_kernel(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) {
    count = 0;
  }
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
}
TEST_P(Machine, AtomicsAndReadersMayMeet) {
  const OnDevice<int> out(96);
  run({dim3(2), 96}, counting_kernel, out.data());
  EXPECT_EQ(out.read()[95], 96);
}
#endif

__global__ void beyond_shared_kernel(int at) {
  dynamic_shared<unsigned char>()[at] = 1;
}
#if !defined(__SANITIZE_ADDRESS__)
TEST_P(Machine, WritesJustBeyondDynamicSharedMemory) {
  EXPECT_THAT(error_of({dim3(1), 1, 24}, beyond_shared_kernel, 24), HasSubstr("beyond its 24"));
  EXPECT_THAT(error_of({dim3(1), 1, 24}, beyond_shared_kernel, -1), HasSubstr("beyond its 24"));
  run({dim3(1), 1, 24}, beyond_shared_kernel, 23);
}
TEST(MachineDeath, TouchingFarBeyondDynamicSharedMemory) {
  EXPECT_DEATH(run({dim3(1), 1, 24}, beyond_shared_kernel, 32), "beyond its dynamic shared memory");
}
#else
TEST(MachineDeath, TouchingBeyondDynamicSharedMemory) {
  EXPECT_DEATH(run({dim3(1), 1, 24}, beyond_shared_kernel, 24), "use-after-poison");
  EXPECT_DEATH(run({dim3(1), 1, 24}, beyond_shared_kernel, -1), "use-after-poison");
}
#endif
TEST_P(Machine, DynamicSharedMemoryThatNobodyGave) {
  EXPECT_THAT(error_of({dim3(1), 1}, beyond_shared_kernel, 0), HasSubstr("its launch gives none"));
}

// -- deadlocks -----------------------------------------------------------------------------------

__global__ void early_return_kernel(int n) {
  if (static_cast<int>(threadIdx.x) >= n) {
    return;
  }
  __syncthreads();
}
__global__ void early_return_before_shuffle_kernel(int n) {
  if (static_cast<int>(threadIdx.x) >= n) {
    return;
  }
  mantissa::cuda::warp_reduce(1, [](int a, int b) { return a + b; });
}
__global__ void shuffle_and_barrier_kernel() {
  if (threadIdx.x == 3) {
    __syncthreads();
  } else {
    __syncwarp();
  }
}
__global__ void shuffle_kernel_of(unsigned mask, int source) {
  if ((mask >> (threadIdx.x % 32) & 1u) != 0) {
    __shfl_sync(mask, 1.0F, source);
  }
}
__global__ void uninvited_kernel() {
  __syncwarp(0xfffffffeu);
}
TEST_P(Machine, ThreadsThatLeaveBeforeABarrier) {
  EXPECT_THAT(error_of({dim3(2), 64}, early_return_kernel, 40),
              HasSubstr("waits in __syncthreads, but thread 40 has ended"));
  run({dim3(2), 64}, early_return_kernel, 64);
  run({dim3(2), 64}, early_return_kernel, 0);
}
TEST_P(Machine, LanesThatMissAShuffle) {
  EXPECT_THAT(error_of({dim3(1), 64}, early_return_before_shuffle_kernel, 40),
              HasSubstr("but thread 40 has ended"));
  EXPECT_THAT(error_of({dim3(1), 40}, early_return_before_shuffle_kernel, 40),
              HasSubstr("for lane 8, which the block does not have"));
  EXPECT_THAT(error_of({dim3(1), 32}, shuffle_and_barrier_kernel),
              HasSubstr("but thread 3 waits in __syncthreads"));
  run({dim3(1), 64}, early_return_before_shuffle_kernel, 32);
}
TEST_P(Machine, ShufflesFromOutsideOfTheMask) {
  EXPECT_THAT(error_of({dim3(1), 32}, shuffle_kernel_of, 0xffu, 9),
              HasSubstr("reads from lane 9, which its mask leaves out"));
  EXPECT_THAT(error_of({dim3(1), 32}, uninvited_kernel), HasSubstr("leaves it out"));
  run({dim3(1), 32}, shuffle_kernel_of, 0xffu, 7);
}
TEST_P(Machine, RunsOnAfterAnError) {
  for (int i = 0; i < 50; ++i) {
    error_of({dim3(1), 64}, early_return_kernel, 40);
    const OnDevice<double> in(std::vector<double>(64, 1.0)), out(1);
    run({dim3(1), 64}, sum_kernel, in.data(), out.data());
    EXPECT_EQ(out.read()[0], 192.0);
  }
}

// -- launches and memory -------------------------------------------------------------------------

__global__ void nothing_kernel() {}
TEST_P(Machine, LaunchesNoCardWouldTake) {
  EXPECT_THAT(error_of({dim3(1), 1025}, nothing_kernel), HasSubstr("1025 threads"));
  EXPECT_THAT(error_of({dim3(0), 32}, nothing_kernel), HasSubstr("without blocks"));
  EXPECT_THAT(error_of({dim3(1, 65536), 32}, nothing_kernel), HasSubstr("more blocks"));
  EXPECT_THAT(error_of({dim3(1), 32, kSharedBytes + 1}, nothing_kernel), HasSubstr("shared"));
}

__global__ void write_kernel(unsigned char* p, int at) {
  p[at] = 1;
}
__global__ void nan_kernel(const float* p, int* nan) {
  *nan = static_cast<int>(std::isnan(*p));
}
#if !defined(__SANITIZE_ADDRESS__)
TEST_P(Machine, WritesBehindDeviceMemory) {
  const OnDevice<unsigned char> block(100);
  EXPECT_THAT(error_of({dim3(1), 1}, write_kernel, block.data(), 100),
              HasSubstr("behind a block of 100 bytes"));
}
TEST(MachineDeath, KernelsBeyondDeviceMemory) {
  const OnDevice<unsigned char> block(256);
  EXPECT_DEATH(run({dim3(1), 1}, write_kernel, block.data(), 256), "beyond the bounds");
  EXPECT_DEATH(run({dim3(1), 1}, write_kernel, block.data(), -5000), "beyond the bounds");
}
#else
TEST(MachineDeath, KernelsBeyondDeviceMemory) {
  const OnDevice<unsigned char> block(100);
  EXPECT_DEATH(run({dim3(1), 1}, write_kernel, block.data(), 100), "use-after-poison");
  EXPECT_DEATH(run({dim3(1), 1}, write_kernel, block.data(), -1), "use-after-poison");
}
#endif
TEST(MachineDeath, TheHostTouchesDeviceMemory) {
  const OnDevice<int> block(std::vector<int>{5});
  EXPECT_DEATH(*block.data() = 1, "the host touched device memory");
  set_memory_protected(false);
  EXPECT_EQ(*block.data(), 5);
  set_memory_protected(true);
  EXPECT_DEATH(*block.data() = 1, "the host touched device memory");
}
TEST_P(Machine, FreshDeviceMemoryHoldsNans) {
  const OnDevice<float> fresh(1);
  const OnDevice<int> nan(1);
  run({dim3(1), 1}, nan_kernel, fresh.data(), nan.data());
  EXPECT_EQ(nan.read()[0], 1);
}
TEST(DeviceMemory, HasALimit) {
  std::size_t free = 0, total = 0;
  set_memory_limit(1000);
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 600), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, 400u);
  EXPECT_EQ(total, 1000u);
  EXPECT_EQ(cudaMalloc(&second, 401), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_TRUE(is_device_memory(first, 600));
  EXPECT_FALSE(is_device_memory(first, 601));
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaFree(first), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  set_memory_limit(std::size_t{4} << 30);
}
TEST(Fault, OneCallFailsAndTheNextSucceeds) {
  set_fault({.api = Api::allocation, .call = 2, .error = cudaErrorMemoryAllocation});
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 8), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 8), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 8), cudaSuccess);
  EXPECT_EQ(calls(Api::allocation), 3);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  set_fault({});
  EXPECT_EQ(calls(Api::allocation), 0);
}
TEST(Fault, ALostCardDoesNothingAnyMore) {
  for (const bool late : {false, true}) {
    const OnDevice<int> block(std::vector<int>{5});
    const std::size_t used = memory_used();
    set_fault({.api = Api::copy,
               .call = 1,
               .error = cudaErrorLaunchFailure,
               .lost = true,
               .told_late = late});
    int value = 0;
    const cudaError_t now = late ? cudaSuccess : cudaErrorLaunchFailure;
    EXPECT_EQ(cudaMemcpyAsync(&value, block.data(), 4, cudaMemcpyDeviceToHost), now);
    EXPECT_EQ(cudaMemsetAsync(block.data(), 0, 4), now);
    EXPECT_EQ(cudaPeekAtLastError(), now);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaMemsetAsync(block.data(), 0, 4), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure) << "it stays";
    void* more = nullptr;
    EXPECT_EQ(cudaMalloc(&more, 8), cudaErrorLaunchFailure);
    EXPECT_EQ(memory_used(), used);
    set_fault({});
    EXPECT_EQ(block.read()[0], 5) << "the card is another one";
  }
}
TEST(Cards, AndErrorsAreThoseOfEachThread) {
  set_cards(2);
  std::size_t before = 0, after = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  const OnDevice<char> block(4096);
  std::thread([] {
    EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
    EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  }).join();
  EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, 4096U) << "of the card that has the block";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  set_cards(1);
}
TEST(DeviceMemory, CopiesKnowTheirDirection) {
  const OnDevice<int> block(4);
  int host[4] = {1, 2, 3, 4};
  EXPECT_EQ(cudaMemcpyAsync(host, block.data(), 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(block.data(), host, 17, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(host, 0, 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(block.data() + 1, 0, 8), cudaSuccess);
  EXPECT_EQ(block.read()[1], 0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

// -- capture -------------------------------------------------------------------------------------

__global__ void add_kernel(int* p, const int* by) {
  *p += *by;
}
TEST(Capture, ReplaysWhatWasRecorded) {
  const OnDevice<int> sum(std::vector<int>{0}), by(std::vector<int>{3});
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  mantissa::cuda::launch<add_kernel>(stream, Grid{dim3(1), 1}, sum.data(), by.data());
  int* p = sum.data();
  enqueue(stream, [p] { *p *= 2; });
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(sum.read()[0], 0);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(sum.read()[0], 6);
  ASSERT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(sum.read()[0], 18);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_NE(cudaGetLastError(), cudaSuccess);
}

/// Doubles 4·kWarp words by way of shared memory, waiting for the copies or not, and for the
/// others.
template <bool kWaits, bool kBarrier>
__global__ void copied_kernel(const std::uint32_t* in, std::uint32_t* out) {
  auto* shared = dynamic_shared<std::uint32_t>();
  const unsigned thread = threadIdx.x;
  copy_async(shared + 4 * thread, in + 4 * thread, thread != 0);
  close_copies();
  if (kWaits) {
    await_copies<0>();
  } else {
    await_copies<1>();
  }
  if (kBarrier) {
    __syncthreads();
  }
  out[thread] = 2 * shared[(thread + blockDim.x / 2) % blockDim.x * 4];
}
TEST_P(Machine, CopiesArriveNoSoonerThanTheyMust) {
  constexpr int kThreadsOfTwo = 64;
  std::vector<std::uint32_t> numbers(4 * kThreadsOfTwo);
  std::iota(numbers.begin(), numbers.end(), 1u);
  const OnDevice<std::uint32_t> in(numbers), out(kThreadsOfTwo);
  const Grid grid{dim3(1), kThreadsOfTwo, numbers.size() * sizeof(std::uint32_t)};
  run(grid, copied_kernel<true, true>, in.data(), out.data());
  const std::vector<std::uint32_t> values = out.read();
  EXPECT_EQ(values[0], 2 * (4 * 32 + 1u));
  EXPECT_EQ(values[32], 0u) << "zeros instead of what isn't there";
  EXPECT_THAT(error_of(grid, copied_kernel<false, true>, in.data(), out.data()),
              HasSubstr("ended before copies that it had begun"));
#if !defined(MANTISSA_UNWATCHED)
  EXPECT_THAT(error_of(grid, copied_kernel<true, false>, in.data(), out.data()),
              HasSubstr("race in"));
#endif
}

}  // namespace
}  // namespace cuda_on_host
