#include <cmath>
#include <vector>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

namespace mantissa::cuda {

namespace {

/// The indices on the host, for checks. Empty while recording: the preceding run checked them, and
/// in a replay out-of-bounds ones give NaN.
std::vector<std::int32_t> indices_on_host(Context& context, const View& index) {
  std::vector<std::int32_t> host;
  if (!context.recording()) {
    host.resize(static_cast<std::size_t>(index.count()));
    context.download(index.data, host.data(), host.size() * sizeof(std::int32_t));
  }
  return host;
}

struct GatheredRow {
  const std::int32_t* index;
  std::int64_t tokens;
  __device__ std::int64_t operator()(std::int64_t sample) const {
    const std::int64_t i = index[sample];
    return i >= 0 && i < tokens ? sample * tokens + i : kNanRow;
  }
};

struct ScatteredRow {
  const std::int32_t* index;
  std::int64_t tokens;
  __device__ std::int64_t operator()(std::int64_t row) const {
    const std::int64_t sample = row / tokens, i = index[sample];
    return i < 0 || i >= tokens ? kNanRow : i == row % tokens ? sample : kZeroRow;
  }
};

struct TableRow {
  const std::int32_t* ids;
  std::int64_t vocabulary;
  __device__ std::int64_t operator()(std::int64_t row) const {
    const std::int64_t id = ids[row];
    return id >= 0 && id < vocabulary ? id : kNanRow;
  }
};

/// The block of an id's first occurrence adds all of them, in order. Blocks: ids x column tiles.
template <typename S, typename To>
__global__ void __launch_bounds__(kThreads)
    embedding_backward_kernel(std::int64_t count, std::int64_t vocabulary, std::int64_t cols,
                              const std::int32_t* ids, Rows<const S> d_out, Rows<To> d_table) {
  const std::int64_t col = static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
  const std::int64_t first = blockIdx.x;
  const std::int32_t id = ids[first];
  if (id < 0 || id >= vocabulary || col >= cols) {
    return;
  }
  for (std::int64_t i = 0; i < first; ++i) {
    if (ids[i] == id) {
      return;
    }
  }
  To* to = d_table.data + id * d_table.stride + col;
  accumulator_t<To> sum = load(to);
  for (std::int64_t i = first; i < count; ++i) {
    if (ids[i] == id) {
      sum += load(d_out.data + i * d_out.stride + col);
    }
  }
  store(to, sum);
}

/// fp32 rounds where the reference models round: exponent, frequency, angle (see the CPU's).
template <typename S>
__global__ void __launch_bounds__(kThreads)
    timestep_embedding_kernel(std::int64_t count, std::int64_t half, const accumulator_t<S>* t,
                              Rows<S> out) {
  using T = accumulator_t<S>;
  for (std::int64_t k = global_thread(); k < count * half; k += global_threads()) {
    const std::int64_t n = k / half, i = k - n * half;
    const T exponent =
        static_cast<T>(-9.210340371976184) * static_cast<T>(i) / static_cast<T>(half);
    const T frequency = static_cast<T>(std::exp(static_cast<double>(exponent)));
    const double angle = static_cast<double>(t[n] * frequency);
    store(out.data + n * out.stride + i, static_cast<T>(std::cos(angle)));
    store(out.data + n * out.stride + half + i, static_cast<T>(std::sin(angle)));
  }
}

}  // namespace

void CudaKernels::gather_tokens(const View& in, const View& index, const View& out) {
  check_tokens(in, index, out, "gather_tokens", "in", "out");
  check_token_range(indices_on_host(*context_, index), in.shape[1], "gather_tokens");
  copy_rows(stream(), in, out, GatheredRow{index.as<const std::int32_t>(), in.shape[1]});
}

void CudaKernels::scatter_tokens(const View& d_out, const View& index, const View& d_in) {
  check_tokens(d_in, index, d_out, "scatter_tokens", "d_in", "d_out");
  check_token_range(indices_on_host(*context_, index), d_in.shape[1], "scatter_tokens");
  copy_rows(stream(), d_out, d_in, ScatteredRow{index.as<const std::int32_t>(), d_in.shape[1]});
}

void CudaKernels::embedding(const View& table, const View& ids, const View& out) {
  check_embedding(table, ids, out, "embedding", "table", "out");
  check_dtype(out, table.dtype, "embedding", "out");
  check_id_range(indices_on_host(*context_, ids), table.shape[0], "embedding");
  copy_rows(stream(), table, out, TableRow{ids.as<const std::int32_t>(), table.shape[0]});
}

void CudaKernels::embedding_backward(const View& d_out, const View& ids, const View& d_table) {
  check_embedding_backward(d_out, ids, d_table);
  check_id_range(indices_on_host(*context_, ids), d_table.shape[0], "embedding_backward");
  if (d_out.count() == 0) {
    return;
  }
  Grid grid;
  grid.threads = kThreads;
  grid.blocks = dim3(static_cast<unsigned>(ids.count()),
                     static_cast<unsigned>(ceil_div(d_out.cols(), kThreads)));
  dispatch_float(d_out.dtype, [&]<typename S>() {
    dispatch_float(d_table.dtype, [&]<typename To>() {
      if constexpr (std::is_same_v<accumulator_t<S>, accumulator_t<To>>) {
        launch<embedding_backward_kernel<S, To>>(stream(), grid, ids.count(), d_table.shape[0],
                                                 d_out.cols(), ids.as<const std::int32_t>(),
                                                 rows_of<const S>(d_out), rows_of<To>(d_table));
      }
    });
  });
}

void CudaKernels::timestep_embedding(const View& t, const View& out) {
  check_timestep_embedding(t, out);
  if (out.count() == 0) {
    return;
  }
  const std::int64_t half = out.cols() / 2;
  dispatch_float(out.dtype, [&]<typename S>() {
    launch<timestep_embedding_kernel<S>>(stream(), grid_for(t.count() * half, kThreads, kMaxBlocks),
                                         t.count(), half, t.as<const accumulator_t<S>>(),
                                         rows_of<S>(out));
  });
}

}  // namespace mantissa::cuda
