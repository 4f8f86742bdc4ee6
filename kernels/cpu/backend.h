#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/backend.h"
#include "kernels/check.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd.h"

namespace mantissa::MANTISSA_ISA {

/// One packed copy of a constant: its id, address and layout name it.
struct PackKey {
  std::uint64_t id = 0;
  const void* data = nullptr;
  std::int64_t row_stride = 0, k = 0, n = 0;
  int layout = 0;  ///< 0 [k, n] matrix, 1 [n, k] matrix, 2 and up: convolution, see conv.cpp
  bool operator<(const PackKey& o) const {
    return std::tie(id, data, row_stride, k, n, layout) <
           std::tie(o.id, o.data, o.row_stride, o.k, o.n, o.layout);
  }
};

/// The CPU backend; used by one thread at a time. Every op splits its work into chunks by shape
/// alone, so results don't depend on the number of threads.
class CpuKernels final : public Backend {
 public:
  explicit CpuKernels(int threads) : pool_(threads), scratch_(pool_.threads()) {}

  std::string name() const override;
  void* allocate(std::size_t bytes) override;
  void release(void* data) override;
  std::size_t constant_bytes() const override { return constant_total_.load(); }
  std::size_t scratch_bytes() const override { return scratch_.bytes(); }
  std::uint64_t allocations() const override { return allocations_ + scratch_.growths(); }
  void settle_scratch() override { scratch_.settle(); }
  void release_constants() override { packs_.clear(); }
  void synchronize() override {}
  DeviceMemory memory() const override { return {}; }
  std::vector<std::string> take_notices() override { return {}; }
  bool host_memory() const override { return true; }
  bool decodes_weights() const override { return true; }
  void upload(const void* host, const View& out) override;
  void download(const View& in, void* host) override;
  void draw_normal(std::span<float> out, const RandomKey& key) override;
  void* allocate_host(std::size_t bytes) override { return allocate(bytes); }
  void release_host(void* data) override { release(data); }
  void prefetch(int slot, std::span<const Transfer> transfers) override;
  void await_prefetch(int) override {}
  void begin_run(std::uint64_t, std::uint32_t) override {}
  std::unique_ptr<Recording> record(const std::function<void()>&) override { return nullptr; }

#include "kernels/ops.inc"

 private:
  /// `x` (fp32) rounded to TF32's 10-bit mantissa in shared scratch `slot`, packed; other dtypes as
  /// they are.
  View rounded_tf32(const View& x, int slot);
  std::vector<float> rotated_fp32(const View& in);
  /// The packed constant cached under `key`; on a miss, `make(void*)` fills a new buffer of
  /// `bytes`.
  template <typename Make>
  const void* constant(const PackKey& key, std::size_t bytes, Make&& make) {
    auto it = packs_.find(key);
    if (it == packs_.end()) {
      Buffer buffer(bytes, &constant_total_);
      ++allocations_;
      make(buffer.data());
      it = packs_.emplace(key, std::move(buffer)).first;
    }
    return it->second.data();
  }

  std::atomic<std::size_t> constant_total_{0};
  std::uint64_t allocations_ = 0;  ///< apart from scratch
  std::vector<TensorStatistics> queued_statistics_;
  ThreadPool pool_;
  Scratch scratch_;
  std::map<PackKey, Buffer> packs_;
};

std::unique_ptr<Kernels> make_backend(int threads);

// -- loops ---------------------------------------------------------------------------------------

/// Elements per chunk of an elementwise op.
inline constexpr std::int64_t kElementGrain = 16384;

/// Rows per chunk, for about kElementGrain elements.
inline std::int64_t row_grain(std::int64_t cols, std::int64_t elements = kElementGrain) {
  return std::max<std::int64_t>(1, elements / std::max<std::int64_t>(1, cols));
}

/// f(begin, end, thread) over [0, n) in pieces of `grain`.
template <typename F>
void for_ranges(ThreadPool& pool, std::int64_t n, std::int64_t grain, F&& f) {
  pool.run(ceil_div(n, grain), [&](std::int64_t chunk, int thread) {
    f(chunk * grain, std::min(n, (chunk + 1) * grain), thread);
  });
}

/// Calls f(row, column, count) over pieces of rows x cols; if every view is contiguous, f gets the
/// whole as one long row 0.
template <typename F>
void for_elements(ThreadPool& pool, std::initializer_list<const View*> views, F&& f) {
  bool flat = true;
  for (const View* v : views) {
    flat = flat && v->contiguous();
  }
  const View& first = **views.begin();
  if (flat) {
    for_ranges(pool, first.count(), kElementGrain,
               [&](std::int64_t begin, std::int64_t end, int) { f(0, begin, end - begin); });
    return;
  }
  for_ranges(pool, first.rows(), row_grain(first.cols()),
             [&](std::int64_t begin, std::int64_t end, int) {
               for (std::int64_t r = begin; r < end; ++r) {
                 f(r, 0, first.cols());
               }
             });
}

/// load_n for tails, load for whole registers.
template <typename S>
MANTISSA_INLINE Vec<accumulator_t<S>> load_some(const S* p, int n) {
  return n == Vec<accumulator_t<S>>::kLanes ? load(p) : load_n(p, n);
}
template <typename S>
MANTISSA_INLINE void store_some(S* p, Vec<accumulator_t<S>> x, int n) {
  if (n == Vec<accumulator_t<S>>::kLanes) {
    store(p, x);
  } else {
    store_n(p, x, n);
  }
}

/// Applies f to registers of n elements: out[i] = f(in0[i], in1[i], …). S storage, math in
/// accumulator_t<S>. In place ok.
template <typename S, typename F, typename... In>
MANTISSA_INLINE void map_elements(std::int64_t n, S* out, F&& f, const In*... in) {
  constexpr int kLanes = Vec<accumulator_t<S>>::kLanes;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    store(out + i, f(load(in + i)...));
  }
  if (i < n) {
    const int rest = static_cast<int>(n - i);
    store_n(out + i, f(load_n(in + i, rest)...), rest);
  }
}

}  // namespace mantissa::MANTISSA_ISA
