// DoRA: norms of V = W + scale·up·down from the factors; V is never materialized (arXiv
// 2402.09353).
#include "kernels/check_dora.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/dora_norm.cuh"
#include "kernels/weight_codes.h"

namespace mantissa::cuda {
namespace {

/// Calls f<S, T>() with the weight's type and that of the norms: double for double, else float.
template <typename F>
void dispatch_weight(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f64:
      return f.template operator()<double, double>();
    case DType::f16:
      return f.template operator()<float16, float>();
    case DType::bf16:
      return f.template operator()<bfloat16, float>();
    case DType::f32:
      return f.template operator()<float, float>();
    default:
      return dispatch_codes(dtype, [&]<typename C>() { f.template operator()<C, float>(); });
  }
}

// -- ‖W‖² ----------------------------------------------------------------------------------------

/// One block per output channel.
template <typename S, typename T>
__global__ void output_squares_kernel(const S* w, const float* scale, std::int64_t k, T* squares) {
  const std::int64_t row = blockIdx.x;
  double sum = 0.0;
  for (std::int64_t i = threadIdx.x; i < k; i += blockDim.x) {
    const auto x = static_cast<double>(load(w + row * k + i));
    sum += x * x;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    const double code = scale != nullptr ? static_cast<double>(scale[row]) : 1.0;
    squares[row] = static_cast<T>(code * code * sum);
  }
}

/// A block sums over 32 input channels, one per lane; its warps alternate over the output channels.
/// add(row, channel, sum) adds an output channel's terms; write(channel, sum) has all of them.
template <typename Add, typename Write>
__device__ void sum_inputs(std::int64_t out, std::int64_t channels, Add add, Write write) {
  __shared__ double sums[kWarps][kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t channel = static_cast<std::int64_t>(blockIdx.x) * kWarp + lane;
  double sum = 0.0;
  for (std::int64_t row = warp; channel < channels && row < out; row += kWarps) {
    add(row, channel, sum);
  }
  sums[warp][lane] = sum;
  __syncthreads();
  if (warp == 0 && channel < channels) {
    for (int i = 1; i < kWarps; ++i) {
      sum += sums[i][lane];
    }
    write(channel, sum);
  }
}

template <typename S, typename T>
__global__ void input_squares_kernel(const S* w, const float* scale, std::int64_t out,
                                     std::int64_t channels, std::int64_t area, T* squares) {
  sum_inputs(
      out, channels,
      [&](std::int64_t row, std::int64_t channel, double& sum) {
        const double code = scale != nullptr ? static_cast<double>(scale[row]) : 1.0;
        double here = 0.0;
        for (std::int64_t i = 0; i < area; ++i) {
          const auto x = static_cast<double>(load(w + (row * channels + channel) * area + i));
          here += x * x;
        }
        sum += code * code * here;
      },
      [&](std::int64_t channel, double sum) { squares[channel] = static_cast<T>(sum); });
}

// -- ‖W + change‖ of a whole change --------------------------------------------------------------

/// An element of V, and what it adds to its channel's square.
template <typename S, typename T>
struct ChangedWeight {
  const S* w;
  const float* codes;
  Matrix change;
  T scale;

  __device__ double square(std::int64_t row, std::int64_t i) const {
    const T code = codes != nullptr ? static_cast<T>(codes[row]) : T(1);
    const T x = code * static_cast<T>(load(w + i)) + scale * change.get<T>(i);
    return static_cast<double>(x) * static_cast<double>(x);
  }
};

/// One block per output channel.
template <typename S, typename T>
__global__ void changed_output_kernel(ChangedWeight<S, T> v, std::int64_t k, T* norm) {
  const std::int64_t row = blockIdx.x;
  double sum = 0.0;
  for (std::int64_t i = threadIdx.x; i < k; i += blockDim.x) {
    sum += v.square(row, row * k + i);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    norm[row] = static_cast<T>(std::sqrt(sum));
  }
}

template <typename S, typename T>
__global__ void changed_input_kernel(ChangedWeight<S, T> v, std::int64_t out, std::int64_t channels,
                                     std::int64_t area, T* norm) {
  sum_inputs(
      out, channels,
      [&](std::int64_t row, std::int64_t channel, double& sum) {
        for (std::int64_t i = 0; i < area; ++i) {
          sum += v.square(row, (row * channels + channel) * area + i);
        }
      },
      [&](std::int64_t channel, double sum) { norm[channel] = static_cast<T>(std::sqrt(sum)); });
}

void changed_norm(cudaStream_t stream, const DoraNormArgs& args, const View& norm) {
  const std::int64_t out = args.weight.shape[0], k = args.weight.count() / out;
  const std::int64_t channels = norm.count();
  dispatch_weight(args.weight.dtype, [&]<typename S, typename T>() {
    const ChangedWeight<S, T> v{args.weight.as<S>(), args.weight_scale.as<float>(),
                                matrix_of(args.down, out), static_cast<T>(args.scale)};
    if (args.per_input) {
      launch<changed_input_kernel<S, T>>(
          stream, {dim3(static_cast<unsigned>(ceil_div(channels, kWarp))), kThreads, 0}, v, out,
          channels, k / channels, norm.as<T>());
    } else {
      launch<changed_output_kernel<S, T>>(stream, {dim3(static_cast<unsigned>(out)), kThreads, 0},
                                          v, k, norm.as<T>());
    }
  });
}

// -- the factors ---------------------------------------------------------------------------------

/// Splits T into pieces of S that sum to it: three of bf16 hold all bits of fp32. So a 16-bit W is
/// multiplied by an fp32 factor in one 16-bit GEMM that reads W once.
template <typename S, typename T>
constexpr int kPieces = std::is_same_v<S, T> ? 1 : 3;

/// Layout of the pieces of a [rows, cols] factor: stacked, or side by side.
enum class PieceOrder : std::uint8_t { below, beside };

template <typename S, typename T>
__device__ void cut(const Matrix& from, const float* row_scale, PieceOrder order, std::int64_t i,
                    S* to) {
  constexpr int kN = kPieces<S, T>;
  const std::int64_t n = from.rows * from.cols;
  const std::int64_t row = i / from.cols, col = i - row * from.cols;
  T rest = from.get<T>(i) * (row_scale != nullptr ? static_cast<T>(row_scale[row]) : T(1));
#pragma unroll
  for (int piece = 0; piece < kN; ++piece) {
    const S part = rounded<S>(rest);
    rest -= static_cast<T>(load(&part));
    to[order == PieceOrder::below ? piece * n + i : (row * kN + piece) * from.cols + col] = part;
  }
}

/// Both in one launch: the first `gram_blocks` blocks compute the Gram matrix, the others the
/// pieces.
template <typename S, typename T>
__global__ void prepare_factor_kernel(Matrix factor, const float* row_scale, PieceOrder order,
                                      std::int64_t gram_blocks, S* pieces, T* gram) {
  if (blockIdx.x < gram_blocks) {
    gram_tile<T>(factor, order == PieceOrder::beside, blockIdx.x, gram);
    return;
  }
  const std::int64_t i = (blockIdx.x - gram_blocks) * blockDim.x + threadIdx.x;
  if (i < factor.rows * factor.cols) {
    cut<S, T>(factor, row_scale, order, i, pieces);
  }
}

/// n² = ‖W‖² + s·Σ_j B∘(2·code·W·Aᵀ + s·B·(A·Aᵀ)); one warp per output channel. `cross` is
/// W·Aᵀ by pieces, [out, pieces·rank].
template <typename T>
__global__ void output_norm_kernel(Matrix up, const T* cross, int pieces, const T* gram,
                                   const float* codes, const T* squares, T scale, T* norm) {
  const std::int64_t rank = up.cols, row = global_thread() / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const T code = row < up.rows && codes != nullptr ? static_cast<T>(codes[row]) : T(1);
  T sum = T(0);
  for (std::int64_t j = lane; row < up.rows && j < rank; j += kWarp) {
    T p = T(0), q = T(0);
    for (int piece = pieces - 1; piece >= 0; --piece) {
      p += cross[(row * pieces + piece) * rank + j];
    }
    for (std::int64_t l = 0; l < rank; ++l) {
      q += up.get<T>(row * rank + l) * gram[l * rank + j];
    }
    sum += up.get<T>(row * rank + j) * (T(2) * code * p + scale * q);
  }
  sum = warp_reduce(sum, [](T a, T b) { return a + b; });
  if (lane == 0 && row < up.rows) {
    norm[row] = norm_of(squares[row], scale, sum);
  }
}

/// sums[c] = Σ_m A∘(2·Bᵀ·W + s·(Bᵀ·B)·A) of each column c of W; one lane per column; the warps of a
/// block alternate over the ranks. `cross` is Bᵀ·W by pieces, [pieces·rank, k].
template <typename T>
__global__ void input_sums_kernel(Matrix down, const T* cross, int pieces, const T* gram, T scale,
                                  T* sums) {
  __shared__ T parts[kWarps][kWarp];
  const std::int64_t rank = down.rows, k = down.cols;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t col = static_cast<std::int64_t>(blockIdx.x) * kWarp + lane;
  T sum = T(0);
  for (std::int64_t m = warp; col < k && m < rank; m += kWarps) {
    T p = T(0), q = T(0);
    for (int piece = pieces - 1; piece >= 0; --piece) {
      p += cross[(piece * rank + m) * k + col];
    }
    for (std::int64_t l = 0; l < rank; ++l) {
      q += gram[m * rank + l] * down.get<T>(l * k + col);
    }
    sum += down.get<T>(m * k + col) * (T(2) * p + scale * q);
  }
  parts[warp][lane] = sum;
  __syncthreads();
  if (warp == 0 && col < k) {
    for (int i = 1; i < kWarps; ++i) {
      sum += parts[i][lane];
    }
    sums[col] = sum;
  }
}

/// Combines a channel's kernel elements.
template <typename T>
__global__ void input_norm_kernel(const T* sums, const T* squares, T scale, std::int64_t channels,
                                  std::int64_t area, T* norm) {
  for (std::int64_t c = global_thread(); c < channels; c += global_threads()) {
    T sum = T(0);
    for (std::int64_t i = 0; i < area; ++i) {
      sum += sums[c * area + i];
    }
    norm[c] = norm_of(squares[c], scale, sum);
  }
}

template <typename T>
__global__ void divide_kernel(const T* numerator, const T* norm, const T* squares, T least,
                              T otherwise, T* out, std::int64_t count) {
  for (std::int64_t i = global_thread(); i < count; i += global_threads()) {
    out[i] = divided(numerator[i], norm[i], squares[i], least, otherwise);
  }
}

constexpr DType dtype_of(double) {
  return DType::f64;
}
constexpr DType dtype_of(float) {
  return DType::f32;
}
constexpr DType dtype_of(float16) {
  return DType::f16;
}
constexpr DType dtype_of(bfloat16) {
  return DType::bf16;
}

}  // namespace

void CudaKernels::weight_squares(const DoraNormArgs& args, const View& squares) {
  check_norm_args(args, squares, "weight_squares");
  const std::int64_t out = args.weight.shape[0], k = args.weight.count() / out;
  const std::int64_t channels = squares.count();
  dispatch_weight(args.weight.dtype, [&]<typename S, typename T>() {
    const S* w = args.weight.as<S>();
    const auto* scale = args.weight_scale.as<float>();
    if (args.per_input) {
      launch<input_squares_kernel<S, T>>(
          stream(), {dim3(static_cast<unsigned>(ceil_div(channels, kWarp))), kThreads, 0}, w, scale,
          out, channels, k / channels, squares.as<T>());
    } else {
      launch<output_squares_kernel<S, T>>(stream(), {dim3(static_cast<unsigned>(out)), kThreads, 0},
                                          w, scale, k, squares.as<T>());
    }
  });
}

void CudaKernels::dora_norm(const DoraNormArgs& args, const View& norm) {
  check_dora_norm(args, norm);
  if (!args.up) {
    return changed_norm(stream(), args, norm);
  }
  if (in_batches(args)) {
    return norm_of_batch(args, norm);
  }
  // Rows of FP8 weights are widened and multiplied a few at a time, while they are in the cache.
  constexpr std::int64_t kWidened = std::int64_t{8} << 20;
  const std::int64_t out = args.weight.shape[0], k = args.weight.count() / out;
  const std::int64_t rank = args.down.shape[0];
  const Matrix down = matrix_of(args.down, rank), up = matrix_of(args.up, out);
  const auto* codes = args.weight_scale.as<float>();
  const bool narrow = dtype_size(args.weight.dtype) == 1;
  const auto run = [&]<typename S, typename T>() {
    constexpr int kN = kPieces<S, T>;
    const bool by_input = args.per_input;
    const std::int64_t wide = kN * rank;
    const auto scale = static_cast<T>(args.scale);
    const Matrix& factor = by_input ? up : down;
    const std::int64_t factor_count = factor.rows * factor.cols;
    S* pieces = context_->scratch<S>(Scratch::operand_a, kN * factor_count);
    T* cross = context_->scratch<T>(Scratch::gemm_result, wide * (by_input ? k : out));
    T* gram = context_->scratch<T>(Scratch::operand_c, rank * rank + (by_input ? k : 0));
    const std::int64_t gram_blocks = ceil_div(rank, kGramTile) * ceil_div(rank, kGramTile);
    launch<prepare_factor_kernel<S, T>>(
        stream(),
        {dim3(static_cast<unsigned>(gram_blocks + ceil_div(factor_count, kThreads))), kThreads, 0},
        factor, by_input ? codes : nullptr, by_input ? PieceOrder::beside : PieceOrder::below,
        gram_blocks, pieces, gram);

    const std::int64_t step = narrow ? std::clamp<std::int64_t>(kWidened / k, 1, out) : out;
    for (std::int64_t begin = 0; begin < out; begin += step) {
      const std::int64_t rows = std::min(step, out - begin);
      const void* w = args.weight.data;
      if (narrow) {
        const View part(args.weight.as<std::uint8_t>() + begin * k, args.weight.dtype, {rows, k});
        const View widened(context_->scratch<S>(Scratch::operand_b, step * k), dtype_of(S{}),
                           part.shape);
        dequantize(part, View(const_cast<float*>(context_->ones(1)), DType::f32, {1}), widened);
        w = widened.data;
      }
      if (by_input) {  // [wide, k] = piecesᵀ·W, over the rows so far
        GemmCall call = gemm_call(wide, k, rows, dtype_of(S{}), {pieces + begin * wide, wide, true},
                                  {w, k}, View(cross, dtype_of(T{}), {wide, k}));
        call.beta = begin == 0 ? 0.0F : 1.0F;
        gemm_->run(call);
      } else {  // [rows, wide] = W·piecesᵀ
        gemm_->run(gemm_call(rows, wide, k, dtype_of(S{}), {w, k}, {pieces, k, true},
                             View(cross + begin * wide, dtype_of(T{}), {rows, wide})));
      }
    }

    if (by_input) {
      T* sums = gram + rank * rank;
      launch<input_sums_kernel<T>>(stream(),
                                   {dim3(static_cast<unsigned>(ceil_div(k, kWarp))), kThreads, 0},
                                   down, cross, kN, gram, scale, sums);
      launch<input_norm_kernel<T>>(stream(), grid_for(norm.count()), sums, args.squares.as<T>(),
                                   scale, norm.count(), k / norm.count(), norm.as<T>());
    } else {
      launch<output_norm_kernel<T>>(
          stream(), {dim3(static_cast<unsigned>(ceil_div(out, kWarps))), kThreads, 0}, up, cross,
          kN, gram, codes, args.squares.as<T>(), scale, norm.as<T>());
    }
  };
  switch (args.weight.dtype) {
    case DType::f64:
      return run.operator()<double, double>();
    case DType::f32:
      return run.operator()<float, float>();
    case DType::f16:
      return run.operator()<float16, float>();
    default:  // bf16 holds every FP8 number exactly
      return run.operator()<bfloat16, float>();
  }
}

void CudaKernels::divide_by_norm(const View& numerator, const View& norm, const View& squares,
                                 float least, float otherwise, const View& out) {
  check_divide_by_norm(numerator, norm, squares, out);
  const auto run = [&]<typename T>() {
    launch<divide_kernel<T>>(stream(), grid_for(out.count()), numerator.as<T>(), norm.as<T>(),
                             squares.as<T>(), static_cast<T>(least), static_cast<T>(otherwise),
                             out.as<T>(), out.count());
  };
  if (numerator.dtype == DType::f64) {
    run.operator()<double>();
  } else {
    run.operator()<float>();
  }
}

}  // namespace mantissa::cuda
