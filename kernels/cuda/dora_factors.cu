// DoRA's factors and their magnitudes' gradients of many layers in a few launches.
//
// Layers with 16-bit and FP8 weights are computed together: one launch prepares the factors of all
// adapters, one computes every norm on the tensor cores. fp32 and fp64 weights go layer by layer.
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/check_dora.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/dora_norm.cuh"
#include "kernels/cuda/tensor_core.cuh"
#include "kernels/weight_codes.h"

namespace mantissa::cuda {
namespace {

/// Three 16-bit numbers that sum to an fp32 number: see kPieces in dora_norm.cu.
constexpr int kCuts = 3;
/// Elements of a factor that a warp multiplies at once, and ranks.
constexpr std::int64_t kDepth = 32;
constexpr int kRankTile = 8;
constexpr int kRankTiles = 4;
/// Channels of a block of the kernels below.
constexpr int kNormThreads = 128;
constexpr std::int64_t kOutputs = 16 * kNormThreads / kWarp;
constexpr std::int64_t kInputs = 64 * kNormThreads / kWarp;

/// What a weight's values are multiplied as: bf16 holds every FP8 number exactly.
template <typename S>
using Multiplied = std::conditional_t<std::is_same_v<S, float16>, float16, bfloat16>;

/// A layer of a launch. Its cut factor is that along which the weight is reduced: down [rank, k],
/// or per input up [out, rank], transposed and times the codes' scales.
struct FactorRow {
  Matrix down, up;
  const void* weight;
  const float* codes;
  const float *squares, *magnitude;
  float *norm, *factor, *gram;  ///< without a factor the norm alone is wanted
  void* pieces;  ///< [kCuts, ranks, depth] of the multiplied type, zero beyond the factor
  std::int64_t out, k, rank, ranks, depth;
  float scale;
  bool per_input, in_packs;
  std::int64_t first_prepared, first_normed;  ///< blocks of the preceding layers
};

std::int64_t gram_blocks(std::int64_t rank) {
  return ceil_div(rank, kGramTile) * ceil_div(rank, kGramTile);
}

template <typename E>
__global__ void prepare_factors_kernel(const FactorRow* rows, int count) {
  const FactorRow layer = rows[find_row(rows, count, &FactorRow::first_prepared, blockIdx.x)];
  const std::int64_t block = blockIdx.x - layer.first_prepared;
  const std::int64_t side = ceil_div(layer.rank, kGramTile);
  const Matrix& cut = layer.per_input ? layer.up : layer.down;
  if (block < side * side) {
    gram_tile<float>(cut, layer.per_input, block, layer.gram);
    return;
  }
  const std::int64_t i = (block - side * side) * blockDim.x + threadIdx.x;
  const std::int64_t r = i / layer.depth, x = i % layer.depth;
  if (r >= layer.ranks) {
    return;
  }
  float rest = 0.0F;
  if (r < layer.rank && x < (layer.per_input ? layer.out : layer.k)) {
    rest = cut.get<float>(layer.per_input ? x * layer.rank + r : r * layer.k + x);
    rest *= layer.per_input && layer.codes != nullptr ? layer.codes[x] : 1.0F;
  }
  E* to = static_cast<E*>(layer.pieces) + i;
#pragma unroll
  for (int piece = 0; piece < kCuts; ++piece) {
    const E part = rounded<E>(rest);
    rest -= load(&part);
    to[piece * layer.ranks * layer.depth] = part;
  }
}

/// Eight neighbours of a row, as pairs.
struct Eight {
  Pair16 pairs[4];
};

/// W[row][col .. col + 8); zero outside.
template <typename S>
__device__ inline Eight weights_at(const FactorRow& layer, std::int64_t row, std::int64_t col) {
  using E = Multiplied<S>;
  Pack<S, 8> stored;
  E values[8];
  const S* from = static_cast<const S*>(layer.weight) + row * layer.k + col;
  if (row < layer.out && col < layer.k && layer.in_packs) {
    stored = load_pack<8>(from);
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      stored.value[i] = row < layer.out && col + i < layer.k ? from[i] : S{};
    }
  }
  Eight result;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if constexpr (std::is_same_v<S, E>) {
      values[i] = stored.value[i];
    } else {
      values[i] = rounded<E>(load(&stored.value[i]));
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    result.pairs[i] = pair_of(values[2 * i], values[2 * i + 1]);
  }
  return result;
}

/// N pairs of piece `piece` of the cut factor, from rank r and element x.
template <typename E, int N>
__device__ inline Pack<Pair16, N> pieces_at(const FactorRow& layer, int piece, std::int64_t r,
                                            std::int64_t x) {
  const E* from = static_cast<const E*>(layer.pieces);
  return *reinterpret_cast<const Pack<Pair16, N>*>(from + (piece * layer.ranks + r) * layer.depth +
                                                   x);
}

/// The sum of a quad's lanes, in each of them.
__device__ inline float quad_sum(float value) {
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

__device__ inline void finish(const FactorRow& layer, std::int64_t channel, float sum,
                              float least) {
  const float norm = norm_of(layer.squares[channel], layer.scale, sum);
  layer.norm[channel] = norm;
  if (layer.factor != nullptr) {
    layer.factor[channel] =
        divided(layer.magnitude[channel], norm, layer.squares[channel], least, 1.0F);
  }
}

/// Adds Σ_j B∘(2·code·P + s·B·gram) of rows `row` and `row` + 8 for the ranks whose P the lane
/// holds: `rank`, the next, and the same of each further tile.
__device__ inline void add_output_terms(const FactorRow& layer, std::int64_t row, std::int64_t rank,
                                        const float (&p)[kRankTiles][4], float (&total)[2]) {
#pragma unroll
  for (int tile = 0; tile < kRankTiles; ++tile) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::int64_t j = rank + tile * kRankTile + i % 2;
      const std::int64_t at = row + 8 * (i / 2);
      if (j < layer.rank && at < layer.out) {
        const float code = layer.codes != nullptr ? layer.codes[at] : 1.0F;
        float q = 0.0F;
        for (std::int64_t l = 0; l < layer.rank; ++l) {
          q += layer.up.get<float>(at * layer.rank + l) * layer.gram[l * layer.rank + j];
        }
        total[i / 2] +=
            layer.up.get<float>(at * layer.rank + j) * (2.0F * code * p[tile][i] + layer.scale * q);
      }
    }
  }
}

/// n² = ‖W‖² + s·Σ_j B∘(2·code·W·Aᵀ + s·B·(A·Aᵀ)); a warp processes 16 rows of W and reads 8
/// elements of a row at once: which of them meet in one product makes no difference to the sum.
template <typename S>
__global__ void __launch_bounds__(kNormThreads)
    output_factors_kernel(const FactorRow* rows, int count, float least) {
  using E = Multiplied<S>;
  const FactorRow layer = rows[find_row(rows, count, &FactorRow::first_normed, blockIdx.x)];
  const int lane = static_cast<int>(threadIdx.x) % kWarp, group = lane / 4, quad = lane % 4;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t row = (blockIdx.x - layer.first_normed) * kOutputs + warp * 16 + group;
  float total[2] = {};  // of rows row and row + 8
  for (std::int64_t rank = 0; rank < layer.rank; rank += kRankTiles * kRankTile) {
    float sums[kRankTiles][4] = {};
    for (std::int64_t x = 8 * quad; x < layer.depth; x += kDepth) {
      const Eight low = weights_at<S>(layer, row, x), high = weights_at<S>(layer, row + 8, x);
#pragma unroll
      for (int tile = 0; tile < kRankTiles; ++tile) {
        const std::int64_t r = rank + tile * kRankTile;
        if (r < layer.ranks) {
#pragma unroll
          for (int piece = kCuts - 1; piece >= 0; --piece) {
            const Pack<Pair16, 4> b = pieces_at<E, 4>(layer, piece, r + group, x);
            multiply_tile<E>(sums[tile], {low.pairs[0], high.pairs[0], low.pairs[1], high.pairs[1]},
                             {b.value[0], b.value[1]});
            multiply_tile<E>(sums[tile], {low.pairs[2], high.pairs[2], low.pairs[3], high.pairs[3]},
                             {b.value[2], b.value[3]});
          }
        }
      }
    }
    add_output_terms(layer, row, rank + 2 * quad, sums, total);
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const float sum = quad_sum(total[i]);
    if (quad == 0 && row + 8 * i < layer.out) {
      finish(layer, row + 8 * i, sum, least);
    }
  }
}

__device__ inline Pair16 low_halves(Pair16 first, Pair16 second) {
  return (first & 0xffffu) | second << 16;
}
__device__ inline Pair16 high_halves(Pair16 first, Pair16 second) {
  return first >> 16 | (second & 0xffff0000u);
}

/// Adds Σ_m A∘(2·P + s·gram·A) of eight columns from `col` for the ranks whose P the lane holds, as
/// above.
__device__ inline void add_input_terms(const FactorRow& layer, std::int64_t col, std::int64_t rank,
                                       const float (&p)[4][kRankTiles][4], float (&total)[8]) {
  const auto a = [&](std::int64_t r, int c) {
    return col + c < layer.k ? layer.down.get<float>(r * layer.k + col + c) : 0.0F;
  };
#pragma unroll
  for (int tile = 0; tile < kRankTiles; ++tile) {
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const std::int64_t m = rank + tile * kRankTile + e;
      if (m < layer.rank) {
        float q[8] = {};
        for (std::int64_t l = 0; l < layer.rank; ++l) {
          const float g = layer.gram[m * layer.rank + l];
#pragma unroll
          for (int c = 0; c < 8; ++c) {
            q[c] += g * a(l, c);
          }
        }
#pragma unroll
        for (int c = 0; c < 8; ++c) {
          total[c] += a(m, c) * (2.0F * p[c / 2][tile][2 * (c % 2) + e] + layer.scale * q[c]);
        }
      }
    }
  }
}

/// n² = ‖W‖² + s·Σ_m A∘(2·Bᵀ·W + s·(Bᵀ·B)·A) of W's columns; a warp processes 64 of them, a lane
/// eight neighbours in four rows of W.
template <typename S>
__global__ void __launch_bounds__(kNormThreads)
    input_factors_kernel(const FactorRow* rows, int count, float least) {
  using E = Multiplied<S>;
  const FactorRow layer = rows[find_row(rows, count, &FactorRow::first_normed, blockIdx.x)];
  const int lane = static_cast<int>(threadIdx.x) % kWarp, group = lane / 4, quad = lane % 4;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t col = (blockIdx.x - layer.first_normed) * kInputs + warp * 64 + group * 8;
  float total[8] = {};  // of the lane's columns
  for (std::int64_t rank = 0; rank < layer.rank; rank += kRankTiles * kRankTile) {
    float sums[4][kRankTiles][4] = {};  // by pairs of columns
    for (std::int64_t x = 4 * quad; x < layer.depth; x += kDepth / 2) {
      Eight w[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        w[i] = weights_at<S>(layer, x + i, col);
      }
#pragma unroll
      for (int tile = 0; tile < kRankTiles; ++tile) {
        const std::int64_t r = rank + tile * kRankTile;
        if (r < layer.ranks) {
#pragma unroll
          for (int piece = kCuts - 1; piece >= 0; --piece) {
            const Pack<Pair16, 2> b = pieces_at<E, 2>(layer, piece, r + group, x);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
              multiply_tile<E>(sums[i][tile],
                               {low_halves(w[0].pairs[i], w[1].pairs[i]),
                                high_halves(w[0].pairs[i], w[1].pairs[i]),
                                low_halves(w[2].pairs[i], w[3].pairs[i]),
                                high_halves(w[2].pairs[i], w[3].pairs[i])},
                               {b.value[0], b.value[1]});
            }
          }
        }
      }
    }
    add_input_terms(layer, col, rank + 2 * quad, sums, total);
  }
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const float sum = quad_sum(total[c]);
    if (quad == c % 4 && col + c < layer.k) {
      finish(layer, col + c, sum, least);
    }
  }
}

template <typename T>
struct GradientRow {
  const T *d_factor, *norm, *squares;
  T* d_magnitude;
  std::int64_t count, first_block;
};

template <typename T>
__global__ void add_magnitude_gradients_kernel(const GradientRow<T>* rows, int count, T least) {
  const GradientRow<T> layer =
      rows[find_row(rows, count, &GradientRow<T>::first_block, blockIdx.x)];
  const std::int64_t i = (blockIdx.x - layer.first_block) * blockDim.x + threadIdx.x;
  if (i < layer.count) {
    layer.d_magnitude[i] +=
        divided(layer.d_factor[i], layer.norm[i], layer.squares[i], least, T(0));
  }
}

/// Layers that are computed in the same launches, and what they need of the scratch.
struct FactorBatch {
  std::vector<FactorRow> rows;
  std::int64_t piece_count = 0, gram_count = 0, prepared = 0, normed = 0;
};

/// The layer's row at the end of `batch`; its scratch is counted from 0.
FactorRow row_of(const DoraFactorArgs& args, FactorBatch& batch) {
  const DoraNormArgs& l = args.layer;
  FactorRow row{};
  row.out = l.weight.shape[0];
  row.k = l.weight.count() / row.out;
  row.rank = l.down.shape[0];
  row.ranks = ceil_div(row.rank, kRankTile) * kRankTile;
  row.per_input = l.per_input;
  row.depth = ceil_div(row.per_input ? row.out : row.k, kDepth) * kDepth;
  row.down = matrix_of(l.down, row.rank);
  row.up = matrix_of(l.up, row.out);
  row.weight = l.weight.data;
  row.codes = l.weight_scale.as<float>();
  row.squares = l.squares.as<float>();
  row.magnitude = args.magnitude.as<float>();
  row.norm = args.norm.as<float>();
  row.factor = args.factor.as<float>();
  row.scale = l.scale;
  row.in_packs =
      row.k % 8 == 0 &&
      reinterpret_cast<std::uintptr_t>(row.weight) % (8 * dtype_size(l.weight.dtype)) == 0;
  row.first_prepared = batch.prepared;
  row.first_normed = batch.normed;
  batch.piece_count += kCuts * row.ranks * row.depth;
  batch.gram_count += row.rank * row.rank;
  batch.prepared += gram_blocks(row.rank) + ceil_div(row.ranks * row.depth, kThreads);
  batch.normed += row.per_input ? ceil_div(row.k, kInputs) : ceil_div(row.out, kOutputs);
  return row;
}

template <typename S>
void run_batch(Context& context, FactorBatch& batch, bool per_input, float least) {
  using E = Multiplied<S>;
  E* pieces = context.scratch<E>(Scratch::operand_a, batch.piece_count);
  auto* gram = context.scratch<float>(Scratch::operand_c, batch.gram_count);
  for (FactorRow& row : batch.rows) {
    row.pieces = pieces;
    row.gram = gram;
    pieces += kCuts * row.ranks * row.depth;
    gram += row.rank * row.rank;
  }
  const FactorRow* rows = context.table(std::span<const FactorRow>(batch.rows));
  const int count = static_cast<int>(batch.rows.size());
  launch<prepare_factors_kernel<E>>(
      context.stream(), {dim3(static_cast<unsigned>(batch.prepared)), kThreads, 0}, rows, count);
  const Grid normed{dim3(static_cast<unsigned>(batch.normed)), kNormThreads, 0};
  if (per_input) {
    launch<input_factors_kernel<S>>(context.stream(), normed, rows, count, least);
  } else {
    launch<output_factors_kernel<S>>(context.stream(), normed, rows, count, least);
  }
}

void run_batch(Context& context, FactorBatch& batch, DType weight, bool per_input, float least) {
  switch (weight) {
    case DType::f16:
      return run_batch<float16>(context, batch, per_input, least);
    case DType::bf16:
      return run_batch<bfloat16>(context, batch, per_input, least);
    default:
      return dispatch_codes(weight,
                            [&]<typename F>() { run_batch<F>(context, batch, per_input, least); });
  }
}

}  // namespace

/// The rule for computing a layer with others. A convolution's inputs have several columns each.
bool CudaKernels::in_batches(const DoraNormArgs& layer) const {
  const Shape& w = layer.weight.shape;
  return context_->code_capability() >= kTensorCoreCapability &&
         dtype_size(layer.weight.dtype) <= 2 && !(layer.per_input && w.count() != w[0] * w[1]);
}

/// A layer by itself, as among others: a streamed weight's norm is that of a resident one to the
/// bit.
void CudaKernels::norm_of_batch(const DoraNormArgs& layer, const View& norm) {
  FactorBatch batch;
  batch.rows.push_back(row_of({layer, {}, norm, {}}, batch));
  run_batch(*context_, batch, layer.weight.dtype, layer.per_input, 0.0F);
}

void CudaKernels::dora_factors(std::span<const DoraFactorArgs> layers, float least) {
  check_dora_factors(layers);
  // Pieces of the factors are read again from the cache; more layers at once gain nothing.
  constexpr std::int64_t kPieceCount = std::int64_t{16} << 20;
  std::map<std::pair<DType, bool>, FactorBatch> batches;  // by weight and axis
  const auto run = [&](const std::pair<DType, bool>& kind, FactorBatch& batch) {
    run_batch(*context_, batch, kind.first, kind.second, least);
    batch = {};
  };
  for (const DoraFactorArgs& l : layers) {
    if (!in_batches(l.layer)) {
      dora_norm(l.layer, l.norm);
      divide_by_norm(l.magnitude, l.norm, l.layer.squares, least, 1.0F, l.factor);
      continue;
    }
    const std::pair kind{l.layer.weight.dtype, l.layer.per_input};
    FactorBatch& batch = batches[kind];
    batch.rows.push_back(row_of(l, batch));
    if (batch.piece_count >= kPieceCount) {
      run(kind, batch);
    }
  }
  for (auto& [kind, batch] : batches) {
    if (!batch.rows.empty()) {
      run(kind, batch);
    }
  }
}

void CudaKernels::add_magnitude_gradients(std::span<const MagnitudeGradient> layers, float least) {
  check_magnitude_gradients(layers);
  const auto run = [&]<typename T>(DType dtype) {
    std::vector<GradientRow<T>> rows;
    std::int64_t blocks = 0;
    for (const MagnitudeGradient& l : layers) {
      if (l.norm.dtype == dtype) {
        rows.push_back({l.d_factor.as<T>(), l.norm.as<T>(), l.squares.as<T>(),
                        l.d_magnitude.as<T>(), l.norm.count(), blocks});
        blocks += ceil_div(l.norm.count(), kThreads);
      }
    }
    if (!rows.empty()) {
      launch<add_magnitude_gradients_kernel<T>>(
          stream(), {dim3(static_cast<unsigned>(blocks)), kThreads, 0},
          context_->table(std::span<const GradientRow<T>>(rows)), static_cast<int>(rows.size()),
          static_cast<T>(least));
    }
  };
  run.operator()<float>(DType::f32);
  run.operator()<double>(DType::f64);
}

}  // namespace mantissa::cuda
