#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "kernels/cuda/device.cuh"

#include "host_backend.h"

// The backend's own memory, its recordings and refusals.

namespace mantissa::cuda {
namespace {

using ::testing::HasSubstr;

class Device : public ::testing::Test {
 protected:
  void TearDown() override {
    for (void* data : blocks_) {
      kernels_->release(data);
    }
    cuda_on_host::set_memory_limit(std::size_t{4} << 30);
    cuda_on_host::set_pinned_limit(std::numeric_limits<std::size_t>::max());
    cuda_on_host::set_copies_late(false);
  }
  template <typename T>
  View put(DType dtype, const Shape& shape, const std::vector<T>& values) {
    blocks_.push_back(kernels_->allocate(values.size() * sizeof(T)));
    const View view(blocks_.back(), dtype, shape);
    kernels_->upload(values.data(), view);
    return view;
  }
  View floats(const std::vector<float>& values) {
    return put(DType::f32, {static_cast<std::int64_t>(values.size())}, values);
  }
  std::vector<float> read(const View& view) {
    std::vector<float> values(static_cast<std::size_t>(view.count()));
    kernels_->download(view, values.data());
    return values;
  }
  template <typename F>
  std::string error_of(F&& f) {
    try {
      f();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing was thrown";
  }

  std::unique_ptr<CudaKernels> kernels_ = testing::make_cuda_on_host();
  std::vector<void*> blocks_;
};

TEST_F(Device, NamesCardAndLibraries) {
  EXPECT_EQ(kernels_->name(),
            "cuda:0 (CUDA on the host, compute capability 7.5, cuBLASLt 13.1.0, no cuDNN)");
  EXPECT_FALSE(kernels_->host_memory());
  EXPECT_THROW(Context(1), std::runtime_error);
}

TEST_F(Device, AllocatesAlignedZeros) {
  for (std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    void* p = kernels_->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
    std::vector<unsigned char> got(bytes, 1);
    kernels_->download(View(p, DType::u8, {static_cast<std::int64_t>(bytes)}), got.data());
    EXPECT_EQ(got, std::vector<unsigned char>(bytes, 0));
    kernels_->release(p);
  }
  kernels_->release(nullptr);
  kernels_->synchronize();
}

TEST_F(Device, CountsHowOftenItTakesMemory) {
  const std::uint64_t before = kernels_->allocations();
  void* p = kernels_->allocate(1000);
  EXPECT_EQ(kernels_->allocations(), before + 1);
  kernels_->release(p);
  kernels_->settle_scratch();
  EXPECT_EQ(kernels_->allocations(), before + 1);
}

TEST_F(Device, SaysHowMuchMemoryIsMissing) {
  const std::size_t used = kernels_->memory().total - kernels_->memory().free;
  cuda_on_host::set_memory_limit(used + 5000);
  EXPECT_EQ(kernels_->memory().free, 5000u);
  EXPECT_THAT(error_of([&] { kernels_->allocate(6000); }),
              AllOf(HasSubstr("no room for 6000 bytes"), HasSubstr("5000 bytes of")));
  // The failure is reported once; the next launch must not see it.
  kernels_->fill(floats({1, 2}), 3.0F);
}

TEST_F(Device, ReplaysWhatItRecorded) {
  const View x = floats({1, 2, 3}), y = floats({10, 20, 30});
  const auto recording = kernels_->record([&] {
    kernels_->add(x, y, x);
    kernels_->copy(x, y);
  });
  EXPECT_EQ(read(x), (std::vector<float>{1, 2, 3}));
  EXPECT_TRUE(recording->replay());
  EXPECT_EQ(read(x), (std::vector<float>{11, 22, 33}));
  EXPECT_TRUE(recording->replay());
  EXPECT_EQ(read(y), (std::vector<float>{22, 44, 66}));
}

TEST_F(Device, ReplaysReadTheRunsSeedAndStep) {
  const std::vector<float> ones(100, 1.0F);
  const View in = floats(ones), out = floats(ones), expected = floats(ones);
  const RandomKey key{77, 3, 5, 1};
  kernels_->begin_run(77, 5);
  const auto recording = kernels_->record([&] { kernels_->dropout(in, 0.5F, key, out); });
  const auto own = kernels_->record([&] { kernels_->dropout(in, 0.5F, {78, 3, 5, 1}, out); });
  for (std::uint32_t step : {5u, 6u, 1000u}) {
    kernels_->begin_run(77, step);
    recording->replay();
    kernels_->dropout(in, 0.5F, {77, 3, step, 1}, expected);
    EXPECT_EQ(read(out), read(expected)) << step;
    own->replay();  // not a run key: stays as recorded
    kernels_->dropout(in, 0.5F, {78, 3, 5, 1}, expected);
    EXPECT_EQ(read(out), read(expected)) << step;
  }
}

TEST_F(Device, OnAWatchedCardARecordingIsManyShortLaunches) {
  constexpr int kCalls = 100, kBegun = 50, kUsed = 80;  // transfers: a cut lies between
  for (const bool watched : {false, true}) {
    const auto kernels = testing::make_cuda_on_host({.watched = watched});
    auto* host = static_cast<float*>(kernels->allocate_host(sizeof(float)));
    *host = 0.5F;
    const std::size_t bytes = sizeof(float);
    const View sum(kernels->allocate(bytes), DType::f32, {1});
    const View slot(kernels->allocate(bytes), DType::f32, {1});
    const View one(kernels->allocate(bytes), DType::f32, {1});
    kernels->fill(one, 1);
    const std::vector<Transfer> transfers{{host, slot.data, bytes}};
    cuda_on_host::set_copies_late(true);
    const auto work = [&] {
      for (int i = 0; i < kCalls; ++i) {
        if (i == kBegun) {
          kernels->prefetch(1, transfers);
        }
        if (i == kUsed) {
          kernels->await_prefetch(1);
        }
        kernels->add(sum, i == kUsed ? slot : one, sum);
        kernels->call_done();
      }
    };
    const std::int64_t before = cuda_on_host::graphs_instantiated();
    const auto recording = kernels->record(work);
    EXPECT_EQ(cuda_on_host::graphs_instantiated() - before, watched ? 4 : 1);
    float value = 0;
    for (int run = 1; run <= 3; ++run) {
      EXPECT_TRUE(recording->replay());
      kernels->download(sum, &value);
      EXPECT_EQ(value, static_cast<float>(run) * (kCalls - 0.5F)) << watched;
    }
    work();  // and without a recording
    kernels->download(sum, &value);
    EXPECT_EQ(value, 4 * (kCalls - 0.5F)) << watched;
    for (const View& view : {sum, slot, one}) {
      kernels->release(view.data);
    }
    kernels->release_host(host);
  }
}

TEST_F(Device, RecordingsKeepTheirScratchWhenItGrows) {
  const View small = put(DType::f32, {1, 8, 4}, std::vector<float>(32, 1.0F));
  const View out = put(DType::f32, {1, 4}, std::vector<float>(4, 0.0F));
  kernels_->sum_per_sample(small, out, false);
  auto recording = kernels_->record([&] { kernels_->sum_per_sample(small, out, true); });
  EXPECT_TRUE(recording->replay());
  EXPECT_EQ(read(out), std::vector<float>(4, 16.0F));
  const View large = put(DType::f32, {1, 4000, 40}, std::vector<float>(160000, 1.0F));
  const View sums = put(DType::f32, {1, 40}, std::vector<float>(40, 0.0F));
  const std::size_t before = kernels_->scratch_bytes();
  kernels_->sum_per_sample(large, sums, false);
  const std::size_t with_both = kernels_->scratch_bytes();
  EXPECT_GT(with_both, before);
  EXPECT_TRUE(recording->replay());
  EXPECT_EQ(read(out), std::vector<float>(4, 24.0F));
  recording.reset();
  EXPECT_EQ(kernels_->scratch_bytes(), with_both - before) << "nobody else used the small one";
}

TEST_F(Device, RecordingsRunAsLongAsTheirMemoryIsThere) {
  const View x = floats({1, 2, 3});
  void* older = kernels_->allocate(1000);
  const auto recording = kernels_->record([&] { kernels_->add(x, x, x); });
  kernels_->release(kernels_->allocate(1000));
  EXPECT_TRUE(recording->replay()) << "a block that came and went later can't be in it";
  kernels_->release(older);
  EXPECT_FALSE(recording->replay()) << "this one may be";
  EXPECT_EQ(read(x), (std::vector<float>{2, 4, 6}));
}

TEST_F(Device, WhatCanNotBeRecordedIsNamed) {
  const View x = put(DType::f32, {1, 8, 4}, std::vector<float>(32, 1.0F));
  const View out = put(DType::f32, {1, 4}, std::vector<float>(4, 0.0F));
  const auto recorded = [&](auto&& work) { return error_of([&] { kernels_->record(work); }); };
  EXPECT_THAT(recorded([&] { kernels_->sum_per_sample(x, out, false); }),
              HasSubstr("run the same work once before it is recorded"));
  EXPECT_THAT(recorded([&] { read(x); }), HasSubstr("[download] can't be recorded"));
  const float zero = 0;
  EXPECT_THAT(recorded([&] { kernels_->upload(&zero, View(x.data, DType::f32, {1})); }),
              HasSubstr("[upload] can't be recorded"));
  EXPECT_THAT(recorded([&] { kernels_->synchronize(); }), HasSubstr("[synchronize]"));
  EXPECT_THAT(recorded([&] { kernels_->begin_run(1, 2); }), HasSubstr("[begin_run]"));
  EXPECT_THAT(recorded([&] { kernels_->add(x, out, x); }), HasSubstr("[add] b must be"));
  // All as before.
  kernels_->sum_per_sample(x, out, false);
  EXPECT_EQ(read(out), std::vector<float>(4, 8.0F));
}

TEST_F(Device, PrefetchesWaitForTheWorkBeforeAndAreWaitedFor) {
  const std::vector<float> first{1, 2, 3}, second{4, 5, 6};
  auto* host = static_cast<float*>(kernels_->allocate_host(6 * sizeof(float)));
  std::copy(first.begin(), first.end(), host);
  std::copy(second.begin(), second.end(), host + 3);
  const View slot = floats({0, 0, 0}), a = floats({0, 0, 0}), b = floats({0, 0, 0});
  const std::vector<Transfer> one{{host, slot.data, 12}}, two{{host + 3, slot.data, 12}};
  const auto work = [&] {
    kernels_->prefetch(0, one);
    kernels_->await_prefetch(0);
    kernels_->copy(slot, a);
    kernels_->prefetch(1, two);  // into the same memory: after the copy
    kernels_->await_prefetch(1);
    kernels_->copy(slot, b);
  };
  for (bool late : {false, true}) {
    cuda_on_host::set_copies_late(late);
    work();
    EXPECT_EQ(read(a), first) << late;
    EXPECT_EQ(read(b), second) << late;
    kernels_->fill(a, 0);
    kernels_->fill(b, 0);
    const auto recording = kernels_->record(work);
    EXPECT_TRUE(recording->replay());
    EXPECT_EQ(read(a), first) << late;
    EXPECT_EQ(read(b), second) << late;
    // Without the wait a late copy is not done.
    kernels_->fill(slot, 0);
    kernels_->prefetch(0, one);
    kernels_->copy(slot, a);
    EXPECT_EQ(read(a) == first, !late);
    kernels_->await_prefetch(0);
  }
  cuda_on_host::set_copies_late(false);
  EXPECT_THAT(error_of([&] { kernels_->record([&] { kernels_->prefetch(0, one); }); }),
              HasSubstr("unjoined"));
  kernels_->fill(slot, 0);  // what failed before isn't reported again
  EXPECT_THROW(kernels_->prefetch(2, one), KernelError);
  kernels_->release_host(host);
}

TEST_F(Device, DrawsAreThoseOfNormalBesideLaunchedWork) {
  const RandomKey key{1, 2, 3, 4};
  const View normals = put(DType::f32, {1003}, std::vector<float>(1003));
  kernels_->normal(normals, key);
  std::vector<float> drawn(1003);
  kernels_->draw_normal(drawn, key);
  EXPECT_EQ(read(normals), drawn);
  EXPECT_THAT(error_of([&] { kernels_->record([&] { kernels_->draw_normal(drawn, key); }); }),
              HasSubstr("can't be recorded"));
}

TEST_F(Device, UploadsWaitOnlyWhereTheirPageLockedMemoryIsFull) {
  constexpr std::int64_t kCount = std::int64_t{3} << 20;  // 12 MB: two fit 32 MB
  std::vector<View> views;
  for (int i = 0; i < 6; ++i) {
    views.push_back(put(DType::f32, {kCount}, std::vector<float>(kCount)));
  }
  read(views[0]);               // which waits for all
  cuda_on_host::set_fault({});  // calls are counted from here
  std::vector<float> values(kCount);
  for (int i = 0; i < 6; ++i) {
    std::ranges::fill(values, static_cast<float>(i + 1));
    kernels_->upload(values.data(), views[static_cast<std::size_t>(i)]);
    EXPECT_EQ(cuda_on_host::calls(cuda_on_host::Api::sync), i / 2) << "with upload " << i;
  }
  std::ranges::fill(values, 0.0F);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(read(views[static_cast<std::size_t>(i)]),
              std::vector<float>(kCount, static_cast<float>(i + 1)));
  }
  const View large = put(DType::f32, {4 * kCount}, std::vector<float>(4 * kCount, 7.0F));
  EXPECT_EQ(read(large).back(), 7.0F) << "past it";
}

/// Weights of 20 MB, more than two buffers hold, and what the card gets of them.
class HostWeights : public Device {
 protected:
  static constexpr std::size_t kBytes = 20'000'003;
  using Bytes = std::vector<std::uint8_t>;

  void SetUp() override { make_slot(); }
  void make_slot() { slot_ = put(DType::u8, {static_cast<std::int64_t>(kBytes)}, Bytes(kBytes)); }
  std::uint8_t* allocate(int seed) {
    auto* data = static_cast<std::uint8_t*>(kernels_->allocate_host(kBytes));
    EXPECT_EQ(data[kBytes - 1], 0);
    for (std::size_t i = 0; i < kBytes; ++i) {
      data[i] = static_cast<std::uint8_t>((i * 7 + i / 251) % 253 + static_cast<std::size_t>(seed));
    }
    return host_.emplace_back(data);
  }
  void stream(const std::uint8_t* weights) {
    const std::vector<Transfer> transfers{{weights, slot_.data, kBytes}};
    kernels_->prefetch(0, transfers);
    kernels_->await_prefetch(0);
  }
  void expect_arrived(const std::uint8_t* weights, const char* what) {
    Bytes got(kBytes);
    kernels_->download(slot_, got.data());
    EXPECT_TRUE(std::equal(got.begin(), got.end(), weights)) << what;
    kernels_->upload(Bytes(kBytes).data(), slot_);
  }
  void TearDown() override {
    for (std::uint8_t* weights : host_) {
      kernels_->release_host(weights);
    }
    EXPECT_EQ(kernels_->context().pinned_memory().pinned, 0u);
    EXPECT_EQ(kernels_->context().pinned_memory().pageable, 0u);
    Device::TearDown();
  }
  View slot_;
  std::vector<std::uint8_t*> host_;
};

TEST_F(HostWeights, BeyondWhatTheSystemPinsGoThroughABuffer) {
  constexpr std::size_t kStage = std::size_t{32} << 20;  // of uploads
  cuda_on_host::set_pinned_limit(kStage + kBytes + (std::size_t{17} << 20));
  std::uint8_t *const pinned = allocate(0), *const pageable = allocate(1);
  EXPECT_EQ(kernels_->context().pinned_memory().pinned, kBytes);
  EXPECT_EQ(kernels_->context().pinned_memory().pageable, kBytes);
  const std::vector<std::string> notices = kernels_->take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_THAT(notices[0], AllOf(HasSubstr("page-locks no more than 20000003 bytes"),
                                HasSubstr("The card's memory has room")));
  allocate(2);
  EXPECT_TRUE(kernels_->take_notices().empty()) << "told once";
  for (bool late : {false, true}) {
    cuda_on_host::set_copies_late(late);
    for (std::uint8_t* const weights : {pinned, pageable}) {
      stream(weights);
      expect_arrived(weights, "at once");
      const auto recording = kernels_->record([&] { stream(weights); });
      weights[3] += 1;  // a replay reads what is there by then
      EXPECT_TRUE(recording->replay());
      expect_arrived(weights, "replayed");
      EXPECT_TRUE(recording->replay());
      expect_arrived(weights, "again");
    }
  }
}

TEST_F(HostWeights, BeyondTheLimitAreNotPinned) {
  blocks_.clear();
  kernels_ = testing::make_cuda_on_host({}, 0, kBytes + 5000);
  make_slot();
  allocate(0);
  const std::uint8_t* const pageable = allocate(1);
  EXPECT_EQ(kernels_->context().pinned_memory().pinned, kBytes);
  EXPECT_EQ(kernels_->context().pinned_memory().pageable, kBytes);
  kernels_->release_host(host_.front());
  host_.erase(host_.begin());
  allocate(2);
  EXPECT_EQ(kernels_->context().pinned_memory().pinned, kBytes) << "its place is free again";
  stream(pageable);
  expect_arrived(pageable, "through the buffer");
}

TEST_F(HostWeights, ArriveWithoutABufferToo) {
  cuda_on_host::set_pinned_limit(0);
  const std::uint8_t* const weights = allocate(1);
  stream(weights);
  expect_arrived(weights, "from pageable memory");
}

TEST_F(Device, AFailedRecordingLeavesNothingToTheNext) {
  const View x = put(DType::f32, {2, 3}, std::vector<float>(6, 1.0F));
  const View out = put(DType::f32, {2, 3}, std::vector<float>(6));
  auto* host = static_cast<float*>(kernels_->allocate_host(6 * sizeof(float)));
  const std::vector<Transfer> transfers{{host, x.data, 24}};
  const auto table = [&] {
    const std::vector<int> rows{1, 2, 3};
    kernels_->context().table(std::span<const int>(rows));
  };
  const std::size_t used = cuda_on_host::memory_used();
  EXPECT_THAT(error_of([&] {
                kernels_->record([&] {
                  table();
                  kernels_->prefetch(0, transfers);  // which nothing waits for
                });
              }),
              HasSubstr("unjoined"));
  EXPECT_EQ(cuda_on_host::memory_used(), used);
  {
    const auto recording = kernels_->record([&] {
      table();
      kernels_->add(x, x, out);
    });
    EXPECT_TRUE(recording->replay());
  }
  EXPECT_EQ(cuda_on_host::memory_used(), used);
  kernels_->release_host(host);
}

TEST_F(Device, WorkAsideOfARecordingWaitsForWhatWasLaunchedBefore) {
  Context& context = kernels_->context();
  cuda_on_host::set_fault({});
  context.set_recording(true);
  const std::int64_t events = cuda_on_host::calls(cuda_on_host::Api::event);
  context.set_recording(false);
  EXPECT_EQ(events, 2) << "one is recorded and waited for";
  EXPECT_EQ(cuda_on_host::calls(cuda_on_host::Api::event), events);
}

TEST_F(Device, PacksAConstantConvolutionOnce) {
  const View x = put(DType::f32, {1, 4, 4, 2}, std::vector<float>(32, 1.0F));
  View weight = put(DType::f32, {3, 2, 3, 3}, std::vector<float>(54, 0.5F));
  const View out = put(DType::f32, {1, 4, 4, 3}, std::vector<float>(48, 0.0F));
  const ConvOptions same{1, 1, 1, 1, 1};
  const auto launches = [&] {
    const long long before = cuda_on_host::launches();
    kernels_->conv2d(x, weight, {}, out, same, false);
    return cuda_on_host::launches() - before;
  };
  const long long trained = launches();
  const std::vector<float> expected = read(out);
  EXPECT_EQ(launches(), trained) << "what may change is packed again";
  EXPECT_EQ(kernels_->constant_bytes(), 0u);
  weight.constant_id = 77;
  EXPECT_EQ(launches(), trained);
  EXPECT_EQ(kernels_->constant_bytes(), 54 * sizeof(float));
  EXPECT_EQ(launches(), trained - 1);
  EXPECT_EQ(read(out), expected);
  kernels_->fill(View(weight.data, weight.dtype, weight.shape), 0.25F);
  kernels_->release_constants();
  EXPECT_EQ(kernels_->constant_bytes(), 0u);
  // Packing while recording happens now, not in the replay.
  const auto recording =
      kernels_->record([&] { kernels_->conv2d(x, weight, {}, out, same, false); });
  EXPECT_TRUE(recording->replay());
  EXPECT_EQ(read(out)[0], expected[0] / 2);
}

__global__ void add_table_kernel(const int* table, int count, float* out) {
  for (int i = 0; i < count; ++i) {
    out[i] += static_cast<float>(table[i]);
  }
}
TEST_F(Device, TablesOfARecordingStay) {
  Context context(0);
  auto* out = static_cast<float*>(context.allocate(3 * sizeof(float)));
  const auto add = [&](std::vector<int> values) {
    launch<add_table_kernel>(context.stream(), {dim3(1), 1},
                             context.table(std::span<const int>(values)),
                             static_cast<int>(values.size()), out);
  };
  add({1, 2, 3});
  context.set_recording(true);
  ASSERT_EQ(cudaStreamBeginCapture(context.stream(), cudaStreamCaptureModeRelaxed), cudaSuccess);
  add({10, 20, 30});
  add({100, 200, 300});
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(context.stream(), &graph), cudaSuccess);
  context.set_recording(false);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
  add({1000, 2000, 3000});
  ASSERT_EQ(cudaGraphLaunch(exec, context.stream()), cudaSuccess);
  float got[3];
  context.download(out, got, sizeof(got));
  EXPECT_EQ(got[0], 1111.0F);
  EXPECT_EQ(got[2], 3333.0F);
  const std::vector<void*> tables = context.take_recorded_tables();
  EXPECT_EQ(tables.size(), 2u);
  for (void* table : tables) {
    context.release(table);
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  context.release(out);
}

TEST_F(Device, ReplaysShowIndicesOutOfBoundsAsNan) {
  const View table = put(DType::f32, {3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6});
  const View ids = put(DType::i32, {2}, std::vector<std::int32_t>{2, 0});
  const View out = put(DType::f32, {2, 2}, std::vector<float>(4));
  const auto recording = kernels_->record([&] { kernels_->embedding(table, ids, out); });
  recording->replay();
  EXPECT_EQ(read(out), (std::vector<float>{5, 6, 1, 2}));
  const std::int32_t wrong[] = {1, 3};
  kernels_->upload(wrong, ids);
  recording->replay();
  EXPECT_EQ(read(out)[1], 4.0F);
  EXPECT_TRUE(std::isnan(read(out)[2]) && std::isnan(read(out)[3]));
  EXPECT_THAT(error_of([&] { kernels_->embedding(table, ids, out); }),
              HasSubstr("ids[1] is 3, outside of a vocabulary of 3"));
}

}  // namespace
}  // namespace mantissa::cuda
