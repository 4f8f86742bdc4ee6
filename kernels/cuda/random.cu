#include <cmath>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

namespace mantissa::cuda {

namespace {

/// One Philox block, two pairs of normals, for four neighbours.
template <typename S>
__global__ void __launch_bounds__(kThreads)
    normal_kernel(std::int64_t count, RandomKey key, const RunCell* run, S* out) {
  key = run_key(key, run);
  for (std::int64_t block = global_thread(); block < (count + 3) / 4; block += global_threads()) {
    const auto words = random_block(key, static_cast<std::uint32_t>(block));
    const auto low = normal_pair(words[0], words[1]);
    const auto high = normal_pair(words[2], words[3]);
    const float values[4] = {low[0], low[1], high[0], high[1]};
    for (int i = 0; i < 4 && 4 * block + i < count; ++i) {
      store(out + 4 * block + i, static_cast<accumulator_t<S>>(values[i]));
    }
  }
}

/// a[b]·x + s[b]·noise for the elements of sample b.
template <typename T>
struct AddNoise {
  struct Sample {
    T scale, sigma;
    __device__ T operator()(T x, T noise) const { return std::fma(scale, x, sigma * noise); }
  };
  const T *a, *s;
  __device__ Sample at(std::int64_t sample) const { return {a[sample], s[sample]}; }
};

}  // namespace

void CudaKernels::normal(const View& out, const RandomKey& key) {
  check_float(out, "normal", "out");
  check_packed(out, "normal", "out");
  check_stream_length(out, "normal");
  if (out.count() == 0) {
    return;
  }
  dispatch_float(out.dtype, [&]<typename S>() {
    launch<normal_kernel<S>>(stream(), grid_for(ceil_div(out.count(), 4), kThreads, kMaxBlocks),
                             out.count(), key, context_->run_cell(key), out.as<S>());
  });
}

void CudaKernels::draw_normal(std::span<float> out, const RandomKey& key) {
  const auto count = static_cast<std::int64_t>(out.size());
  if (count == 0) {
    return;
  }
  auto* drawn = context_->scratch<float>(Scratch::draws, count);
  check_stream_length(View(drawn, DType::f32, {count}), "draw_normal");
  launch<normal_kernel<float>>(context_->beside(),
                               grid_for(ceil_div(count, 4), kThreads, kMaxBlocks), count, key,
                               static_cast<const RunCell*>(nullptr), drawn);
  context_->download_beside(drawn, out.data(), out.size_bytes());
}

void CudaKernels::add_noise(const View& x, const View& noise, const View& a, const View& s,
                            const View& out) {
  check_add_noise(x, noise, a, s, out);
  if (x.count() == 0) {
    return;
  }
  const std::int64_t batch = x.shape[0], each = x.count() / batch;
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    map_rows(stream(), {batch, each}, AddNoise<T>{a.as<const T>(), s.as<const T>()},
             Rows<S>{out.as<S>(), each}, Rows<const S>{x.as<const S>(), each},
             Rows<const S>{noise.as<const S>(), each});
  });
}

}  // namespace mantissa::cuda
