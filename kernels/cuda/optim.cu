// Norms, the search for non-finite values, and the moving average of parameters.
#include "kernels/check_optim.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/optim_tile.cuh"

namespace mantissa::cuda {
namespace {

/// 16-byte packs of a run read by one thread.
constexpr int kPacksPerThread = 8;
template <typename T>
constexpr std::int64_t kRun = std::int64_t{kThreads} * kPack<T>* kPacksPerThread;

/// partial[block] = Σ f(x) over the block's run of x[0..n). The assignment to threads depends on n
/// alone.
template <typename T, typename F>
__global__ void reduce_kernel(const T* x, std::int64_t n, bool aligned, F f, double* partial) {
  constexpr int kN = kPack<T>;
  double sum = 0.0;
#pragma unroll
  for (int k = 0; k < kPacksPerThread; ++k) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kRun<T> +
                           (static_cast<std::int64_t>(k) * kThreads + threadIdx.x) * kN;
    if (aligned && i + kN <= n) {
      const Pack<T, kN> pack = load_pack<kN>(x + i);
#pragma unroll
      for (int j = 0; j < kN; ++j) {
        sum += f(pack.value[j]);
      }
    } else {
      for (int j = 0; j < kN && i + j < n; ++j) {
        sum += f(x[i + j]);
      }
    }
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
  }
}

__global__ void sum_partials_kernel(const double* partial, std::int64_t count, double* out) {
  const double* mine = partial + static_cast<std::int64_t>(blockIdx.x) * count;
  double sum = 0.0;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    sum += mine[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    out[blockIdx.x] = sum;
  }
}

struct Square {
  template <typename T>
  __device__ double operator()(const T& x) const {
    const auto v = static_cast<double>(load(&x));
    return v * v;
  }
};

/// 1 where all exponent bits are ones.
struct NonFinite {
  __device__ double operator()(double x) const { return std::isfinite(x) ? 0.0 : 1.0; }
  __device__ double operator()(float x) const {
    return (__float_as_uint(x) & 0x7f800000u) == 0x7f800000u ? 1.0 : 0.0;
  }
  __device__ double operator()(float16 x) const {
    return (x.bits & 0x7c00u) == 0x7c00u ? 1.0 : 0.0;
  }
  __device__ double operator()(bfloat16 x) const {
    return (x.bits & 0x7f80u) == 0x7f80u ? 1.0 : 0.0;
  }
};

/// Enqueues *result = Σ f(x).
template <typename F>
void reduce(Context& context, const View& x, F f, double* result) {
  dispatch_float(x.dtype, [&]<typename T>() {
    const std::int64_t blocks = std::max<std::int64_t>(1, ceil_div(x.count(), kRun<T>));
    auto* partial = context.scratch<double>(Scratch::partial, blocks);
    const bool aligned = reinterpret_cast<std::uintptr_t>(x.data) % 16 == 0;
    launch<reduce_kernel<T, F>>(context.stream(), {dim3(static_cast<unsigned>(blocks)), kThreads},
                                x.as<T>(), x.count(), aligned, f, partial);
    sum_partials(context, partial, blocks, 1, result);
  });
}

/// Σ f(x), on the host.
template <typename F>
double reduced(Context& context, const View& x, F f) {
  auto* result = context.scratch<double>(Scratch::result, 1);
  reduce(context, x, f, result);
  return context.read(result);
}

/// One thread: the decision is sequential.
__global__ void decide_kernel(StepCell* step, GroupCell* groups, int count, const float* loss) {
  step->loss_finite = loss == nullptr || std::isfinite(*loss) ? 1 : 0;
  decide(*step, groups, count);
}

/// One tensor of a flat buffer.
struct MovedRow {
  std::int64_t begin = 0, end = 0;
  std::int64_t first_chunk = 0, chunks = 0;
};

/// Sums over one chunk of a tensor.
template <typename G>
__global__ void measure_kernel(const MovedRow* rows, int count, const float* before,
                               const float* after, const G* gradient, Movement* partial) {
  const MovedRow t = rows[find_row(rows, count, &MovedRow::first_chunk, blockIdx.x)];
  const std::int64_t begin = t.begin + (blockIdx.x - t.first_chunk) * kChunk;
  const std::int64_t end = begin + kChunk < t.end ? begin + kChunk : t.end;
  double moved = 0.0, size = 0.0;
  std::int64_t with_gradient = 0, unmoved = 0;
  for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
    const double now = after[i], delta = now - before[i];
    const bool pulled = load(gradient + i) != 0;
    moved += delta * delta;
    size += now * now;
    with_gradient += pulled ? 1 : 0;
    unmoved += pulled && delta == 0 ? 1 : 0;
  }
  moved = block_sum(moved);
  size = block_sum(size);
  with_gradient = block_sum(with_gradient);
  unmoved = block_sum(unmoved);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = {moved, size, with_gradient, unmoved};
  }
}

/// Sums each tensor's chunks, one thread per tensor.
__global__ void add_movements_kernel(const MovedRow* rows, int count, const Movement* partial,
                                     Movement* result) {
  const std::int64_t i = global_thread();
  if (i >= count) {
    return;
  }
  Movement sum;
  for (std::int64_t c = 0; c < rows[i].chunks; ++c) {
    const Movement& p = partial[rows[i].first_chunk + c];
    sum.moved += p.moved;
    sum.size += p.size;
    sum.with_gradient += p.with_gradient;
    sum.unmoved += p.unmoved;
  }
  result[i] = sum;
}

template <typename T>
__global__ void ema_kernel(const T* x, float keep, float rest, float* average, std::int64_t n) {
  for (std::int64_t i = global_thread(); i < n; i += global_threads()) {
    average[i] = std::fma(keep, average[i], rest * load(x + i));
  }
}

}  // namespace

void sum_partials(Context& context, const double* partial, std::int64_t count, int sums,
                  double* out) {
  constexpr int kMost = 1024;
  launch<sum_partials_kernel>(context.stream(), {dim3(static_cast<unsigned>(sums)), kMost}, partial,
                              count, out);
}

double CudaKernels::sum_of_squares(const View& x) {
  check_float(x, "sum_of_squares", "x");
  check_packed(x, "sum_of_squares", "x");
  context_->refuse_recording("sum_of_squares");
  return reduced(*context_, x, Square{});
}

void CudaKernels::decide_step(std::span<const View> gradients, const View& loss,
                              const View& cells) {
  check_decide_step(gradients, loss, cells);
  GroupCell* groups = group_cells(cells);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    reduce(*context_, gradients[i], Square{}, &groups[i].norm);
  }
  launch<decide_kernel>(stream(), {dim3(1), 1}, step_cell(cells), groups,
                        static_cast<int>(gradients.size()), loss.as<float>());
}

std::int64_t CudaKernels::count_non_finite(const View& x) {
  check_float(x, "count_non_finite", "x");
  check_packed(x, "count_non_finite", "x");
  context_->refuse_recording("count_non_finite");
  return static_cast<std::int64_t>(reduced(*context_, x, NonFinite{}));
}

void CudaKernels::measure_update(const View& before, const View& after, const View& gradient,
                                 std::span<const std::int64_t> ends, std::span<Movement> result) {
  check_measure_update(before, after, gradient, ends, result);
  context_->refuse_recording("measure_update");
  std::vector<MovedRow> rows;
  std::int64_t chunks = 0, begin = 0;
  for (std::int64_t end : ends) {
    rows.push_back({begin, end, chunks, ceil_div(std::max<std::int64_t>(0, end - begin), kChunk)});
    chunks += rows.back().chunks;
    begin = end;
  }
  if (rows.empty()) {
    return;
  }
  const int count = static_cast<int>(rows.size());
  const MovedRow* table = context_->table(std::span<const MovedRow>(rows));
  auto* partial = context_->scratch<Movement>(Scratch::partial, std::max<std::int64_t>(1, chunks));
  auto* sums = context_->scratch<Movement>(Scratch::result, count);
  if (chunks > 0) {
    dispatch_float(gradient.dtype, [&]<typename G>() {
      launch<measure_kernel<G>>(stream(), {dim3(static_cast<unsigned>(chunks)), kThreads, 0}, table,
                                count, before.as<float>(), after.as<float>(), gradient.as<G>(),
                                partial);
    });
  }
  launch<add_movements_kernel>(stream(), grid_for(count), table, count, partial, sums);
  context_->download(sums, result.data(), result.size_bytes());
}

void CudaKernels::ema(const View& x, double decay, const View& average) {
  check_ema(x, average);
  const auto run = [&]<typename T>() {
    launch<ema_kernel<T>>(stream(), grid_for(x.count()), x.as<T>(), static_cast<float>(decay),
                          static_cast<float>(1.0 - decay), average.as<float>(), x.count());
  };
  if (x.dtype == DType::bf16) {
    run.operator()<bfloat16>();
  } else {
    run.operator()<float>();
  }
}

}  // namespace mantissa::cuda
