// Adafactor, CAME and Automagic: second moments of a matrix as a row and a column. Nothing of a
// tensor's size is kept between passes: the update u is recomputed from gradient, rows and columns.
#include "kernels/check_optim.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/optim_tile.cuh"
#include "kernels/update_rule.h"

namespace mantissa::cuda {
namespace {

/// A factored second moment: its running means, this step's sums, and factors with
/// row_factor·col_factor = 1/√(RCᵀ/mean(R)).
struct Factored {
  float *row = nullptr, *col = nullptr;
  double* row_sums = nullptr;  ///< [rows]
  double* col_sums = nullptr;  ///< [bands, cols]
  float *row_factor = nullptr, *col_factor = nullptr;
};

/// A FactoredUpdate in device memory.
struct FactoredRow {
  Buffer parameter, gradient;
  bfloat16* compensation = nullptr;
  Moment m;
  Factored update, residual;  ///< of a matrix
  float* square = nullptr;    ///< of a vector
  double* squares = nullptr;  ///< [chunks]: Σu² of each chunk
  Exact* limit = nullptr;     ///< [1]: the factor that limits RMS(u)
  double rate_ratio = 1;
  std::int64_t count = 0, rows = 0, cols = 0, first = 0;
  std::int64_t band_rows = 0, bands = 0;  ///< a band is summed by one block; 0 for a vector
  std::int64_t first_chunk = 0, first_band = 0;
  __device__ bool matrix() const { return bands > 0; }
  __device__ std::int64_t chunks() const { return ceil_div(count, kChunk); }
};

/// FactoredOptions for the kernels.
struct FactoredConstants {
  explicit FactoredConstants(const FactoredOptions& o)
      : grad_scale(static_cast<float>(o.grad_scale)),
        beta1(static_cast<float>(o.beta1)),
        rest1(static_cast<float>(1.0 - o.beta1)),
        beta2(static_cast<float>(o.beta2)),
        rest2(static_cast<float>(1.0 - o.beta2)),
        beta3(static_cast<float>(o.beta3)),
        rest3(static_cast<float>(1.0 - o.beta3)),
        decay(static_cast<float>(o.weight_decay)),
        eps(o.eps),
        residual_eps(o.residual_eps),
        threshold(o.threshold),
        start(o.start),
        rounding(o.rounding),
        key(o.key),
        learning_rate(o.learning_rate),
        cell(o.cell.as<GroupCell>()) {}
  /// Applies the step's cell; false if nothing is updated.
  __device__ bool take_cell() {
    if (cell == nullptr) {
      return true;
    }
    learning_rate = cell->learning_rate;
    grad_scale = Exact(static_cast<float>(cell->grad_scale));
    beta2 = Exact(static_cast<float>(cell->averaging));
    rest2 = Exact(static_cast<float>(1.0 - cell->averaging));
    key.step = static_cast<std::uint32_t>(cell->update);
    return cell->steps != 0;
  }
  Exact grad_scale, beta1, rest1, beta2, rest2, beta3, rest3, decay;
  double eps, residual_eps, threshold, start;
  Rounding rounding;
  RandomKey key;
  double learning_rate;
  const GroupCell* cell;
};

/// Row and column of a lane's elements, one after the other.
class Place {
 public:
  __device__ Place(const FactoredRow& t, const Piece& piece)
      : cols_(t.cols),
        row_step_(kWarp / t.cols),
        col_step_(kWarp % t.cols),
        row_((piece.begin + piece.lane) / t.cols),
        col_((piece.begin + piece.lane) % t.cols) {}
  __device__ Exact factor(const Factored& f) const {
    return Exact(f.row_factor[row_]) * Exact(f.col_factor[col_]);
  }
  __device__ void advance() {
    row_ += row_step_;
    col_ += col_step_;
    if (col_ >= cols_) {
      col_ -= cols_;
      ++row_;
    }
  }

 private:
  std::int64_t cols_, row_step_, col_step_, row_, col_;
};

/// u of a piece, before its RMS is limited.
__device__ inline Values update_of(const FactoredRow& t, const FactoredConstants& c,
                                   const Piece& piece) {
  Values u = load_values(t.gradient, piece);
  Place place(t, piece);
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    if (!piece.has(j)) {
      continue;
    }
    u[j] = u[j] * c.grad_scale;
    if (t.matrix()) {
      u[j] = u[j] * place.factor(t.update);
      place.advance();
    } else {
      u[j] = u[j] / vsqrt(Exact(t.square[piece.begin + piece.at(j)]));
    }
  }
  return u;
}

/// Σ over rows and columns of g² + eps, or with kResidual of (u-m)² + residual_eps as m will be;
/// one block per band of rows.
template <bool kResidual>
__global__ void factored_sums_kernel(const FactoredRow* table, int count, FactoredConstants c) {
  if (!c.take_cell()) {
    return;
  }
  __shared__ double groups[kThreads];
  const FactoredRow t = table[find_row(table, count, &FactoredRow::first_band, blockIdx.x)];
  const std::int64_t band = blockIdx.x - t.first_band, begin = band * t.band_rows;
  const std::int64_t end = begin + t.band_rows < t.rows ? begin + t.band_rows : t.rows;
  const Factored& sums = kResidual ? t.residual : t.update;
  const double eps = kResidual ? c.residual_eps : c.eps;
  const int thread = static_cast<int>(threadIdx.x);
  const auto square = [&](std::int64_t row, std::int64_t col) {
    const std::int64_t i = row * t.cols + col;
    Exact x = Exact(load_one(t.gradient, i)) * c.grad_scale;
    if constexpr (kResidual) {
      x = x * (Exact(t.update.row_factor[row]) * Exact(t.update.col_factor[col])) * *t.limit;
      x = x - fma(c.beta1, Exact(load_moment_one(t.m, i)), c.rest1 * x);
    }
    const auto v = static_cast<double>(x.value);
    return v * v;
  };

  // Columns: with fewer of them than threads, several groups of threads alternate over the rows.
  const int width = t.cols < kThreads ? static_cast<int>(t.cols) : kThreads;
  const int group_count = kThreads / width, group = thread / width;
  for (std::int64_t first = 0; first < t.cols; first += width) {
    const std::int64_t col = first + thread % width;
    double sum = 0.0;
    if (group < group_count && col < t.cols) {
      for (std::int64_t row = begin + group; row < end; row += group_count) {
        sum += square(row, col) + eps;
      }
    }
    groups[thread] = sum;  // several groups mean a single round: no earlier values are still read
    __syncthreads();
    if (group == 0 && col < t.cols) {
      for (int g = 1; g < group_count; ++g) {
        sum += groups[g * width + thread];
      }
      sums.col_sums[band * t.cols + col] = sum;
    }
  }

  // Rows: as many lanes each as there are columns, up to a warp.
  int lanes = 1;
  while (lanes < kWarp && lanes < t.cols) {
    lanes *= 2;
  }
  for (std::int64_t first = begin; first < end; first += kThreads / lanes) {
    const std::int64_t row = first + thread / lanes;
    double sum = 0.0;
    for (std::int64_t col = thread % lanes; row < end && col < t.cols; col += lanes) {
      sum += square(row, col);
    }
    for (int step = lanes / 2; step > 0; step /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    if (row < end && thread % lanes == 0) {
      sums.row_sums[row] = sum + static_cast<double>(t.cols) * eps;
    }
  }
}

/// Running means from the sums, then the factors; a block takes a tensor.
template <bool kResidual>
__global__ void factored_average_kernel(const FactoredRow* table, FactoredConstants c) {
  if (!c.take_cell()) {
    return;
  }
  const FactoredRow t = table[blockIdx.x];
  if (!t.matrix()) {
    return;
  }
  const Factored& f = kResidual ? t.residual : t.update;
  const Exact keep = kResidual ? c.beta3 : c.beta2, rest = kResidual ? c.rest3 : c.rest2;
  const auto rows = static_cast<double>(t.rows), cols = static_cast<double>(t.cols);
  double mean = 0.0;
  for (std::int64_t i = threadIdx.x; i < t.rows; i += blockDim.x) {
    const Exact now(static_cast<float>(f.row_sums[i] / cols));
    f.row[i] = fma(keep, Exact(f.row[i]), rest * now).value;
    mean += static_cast<double>(f.row[i]);
  }
  mean = block_sum(mean) / rows;
  for (std::int64_t i = threadIdx.x; i < t.rows; i += blockDim.x) {
    f.row_factor[i] = static_cast<float>(std::sqrt(mean / static_cast<double>(f.row[i])));
  }
  for (std::int64_t i = threadIdx.x; i < t.cols; i += blockDim.x) {
    double sum = 0.0;
    for (std::int64_t band = 0; band < t.bands; ++band) {
      sum += f.col_sums[band * t.cols + i];
    }
    const Exact now(static_cast<float>(sum / rows));
    f.col[i] = fma(keep, Exact(f.col[i]), rest * now).value;
    f.col_factor[i] = static_cast<float>(1.0 / std::sqrt(static_cast<double>(f.col[i])));
  }
}

/// Σu² of each chunk; updates the second moment of vectors.
__global__ void factored_squares_kernel(const FactoredRow* table, int count, FactoredConstants c) {
  if (!c.take_cell()) {
    return;
  }
  const FactoredRow t = table[find_row(table, count, &FactoredRow::first_chunk, blockIdx.x)];
  const std::int64_t chunk = blockIdx.x - t.first_chunk;
  const Piece piece = piece_of(chunk, t.count);
  if (!t.matrix()) {
    const Values g = load_values(t.gradient, piece);
    const Exact eps(static_cast<float>(c.eps));
    for (int j = 0; j < kPerLane; ++j) {
      if (piece.has(j)) {
        const Exact x = g[j] * c.grad_scale;
        float& square = t.square[piece.begin + piece.at(j)];
        square = fma(c.beta2, Exact(square), c.rest2 * fma(x, x, eps)).value;
      }
    }
  }
  const Values u = update_of(t, c, piece);
  double sum = 0.0;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    const auto v = static_cast<double>(u[j].value);
    sum += v * v;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    t.squares[chunk] = sum;
  }
}

/// The factor that limits RMS(u); a block takes a tensor.
__global__ void factored_limit_kernel(const FactoredRow* table, FactoredConstants c) {
  if (!c.take_cell()) {
    return;
  }
  const FactoredRow t = table[blockIdx.x];
  const std::int64_t chunks = t.chunks();
  double sum = 0.0;
  for (std::int64_t i = threadIdx.x; i < chunks; i += blockDim.x) {
    sum += t.squares[i];
  }
  const double rms = std::sqrt(block_sum(sum) / static_cast<double>(t.count));
  if (threadIdx.x != 0) {
    return;
  }
  const double over = rms / c.threshold;
  // An infinite or NaN RMS must propagate.
  *t.limit = std::isfinite(rms) ? Exact(static_cast<float>(1.0 / (over > 1.0 ? over : 1.0)))
                                : Exact(__uint_as_float(0x7fc00000u));
}

template <FactoredRule kRule>
__global__ void factored_move_kernel(const FactoredRow* table, int count, FactoredConstants c) {
  if (!c.take_cell()) {
    return;
  }
  __shared__ RoundingBits bits[kWarps];
  RoundingBits& mine = bits[threadIdx.x / kWarp];
  const FactoredRow t = table[find_row(table, count, &FactoredRow::first_chunk, blockIdx.x)];
  const Piece piece = piece_of(blockIdx.x - t.first_chunk, t.count);
  const Exact limit = *t.limit, downhill(-static_cast<float>(c.learning_rate * t.rate_ratio));
  Values u = update_of(t, c, piece);
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    u[j] = u[j] * limit;
  }
  if constexpr (kRule == FactoredRule::came) {
    Values m = load_moment(t.m, true, piece);
#pragma unroll
    for (int j = 0; j < kPerLane; ++j) {
      m[j] = fma(c.beta1, m[j], c.rest1 * u[j]);
    }
    store_moment(t.m, true, piece, m, c.key, RoundedBuffer::m, t.first, mine);
    u = m;
    if (t.matrix()) {
      Place place(t, piece);
#pragma unroll
      for (int j = 0; j < kPerLane; ++j) {
        if (piece.has(j)) {
          u[j] = u[j] * place.factor(t.residual);
          place.advance();
        }
      }
    }
  }
  const Values p = load_values(t.parameter, piece);
  Values delta;
  if constexpr (kRule == FactoredRule::automagic) {
    const Exact start(static_cast<float>(c.start)),
        by_rate(-static_cast<float>(c.learning_rate * t.rate_ratio / c.start));
    Values rate = load_moment(t.m, true, piece);
#pragma unroll
    for (int j = 0; j < kPerLane; ++j) {
      rate[j] = move_rate(rate[j], u[j], start);
      const Exact size = select_negative(rate[j], Exact(0.0F) - rate[j], rate[j]);
      delta[j] = by_rate * size * fma(c.decay, p[j], u[j]);
    }
    store_moment(t.m, true, piece, rate, c.key, RoundedBuffer::m, t.first, mine);
  } else {
#pragma unroll
    for (int j = 0; j < kPerLane; ++j) {
      delta[j] = downhill * fma(c.decay, p[j], u[j]);
    }
  }
  store_parameter(t.parameter, t.compensation, c.rounding, piece, p, delta, c.key, t.first, mine);
}

/// The rows of a step, and the scratch of each.
struct FactoredTable {
  std::vector<FactoredRow> rows;
  std::int64_t chunks = 0, bands = 0;
};

FactoredTable table_of(std::span<const FactoredUpdate> tensors, bool residual, Context& context) {
  constexpr std::int64_t kBandElements = 16384, kMostBands = 256;
  FactoredTable table;
  table.rows.reserve(tensors.size());
  std::int64_t sums = 0, factors = 0;
  for (const FactoredUpdate& t : tensors) {
    if (t.parameter.count() == 0) {
      continue;
    }
    FactoredRow row;
    row.parameter = buffer_of(t.parameter);
    row.gradient = buffer_of(t.gradient);
    row.compensation = t.compensation.as<bfloat16>();
    row.m = moment_of(t.m);
    row.update.row = t.row.as<float>();
    row.update.col = t.col.as<float>();
    row.residual.row = t.residual_row.as<float>();
    row.residual.col = t.residual_col.as<float>();
    row.square = t.square.as<float>();
    row.rate_ratio = t.rate_ratio;
    row.count = t.parameter.count();
    row.rows = t.parameter.rows();
    row.cols = t.parameter.cols();
    row.first = t.first;
    row.first_chunk = table.chunks;
    row.first_band = table.bands;
    if (t.row.data != nullptr) {
      row.band_rows = std::max(ceil_div(kBandElements, row.cols), ceil_div(row.rows, kMostBands));
      row.bands = ceil_div(row.rows, row.band_rows);
      sums += row.rows + row.bands * row.cols;
      factors += (residual ? 2 : 1) * (row.rows + row.cols);
    }
    const std::int64_t chunks = ceil_div(row.count, kChunk);
    sums += chunks;
    factors += 1;
    table.chunks += chunks;
    table.bands += row.bands;
    table.rows.push_back(row);
  }
  auto* sum = context.scratch<double>(Scratch::partial, sums);
  auto* factor = context.scratch<float>(Scratch::operand_a, factors);
  const auto take = [](auto*& from, std::int64_t n) {
    auto* taken = from;
    from += n;
    return taken;
  };
  for (FactoredRow& row : table.rows) {
    if (row.bands > 0) {
      row.update.row_sums = row.residual.row_sums = take(sum, row.rows);
      row.update.col_sums = row.residual.col_sums = take(sum, row.bands * row.cols);
      row.update.row_factor = take(factor, row.rows);
      row.update.col_factor = take(factor, row.cols);
      if (residual) {
        row.residual.row_factor = take(factor, row.rows);
        row.residual.col_factor = take(factor, row.cols);
      }
    }
    row.squares = take(sum, ceil_div(row.count, kChunk));
    row.limit = reinterpret_cast<Exact*>(take(factor, 1));
  }
  return table;
}

}  // namespace

void CudaKernels::factored_step(std::span<const FactoredUpdate> tensors, const FactoredOptions& o) {
  check_factored_step(tensors, o);
  const bool came = o.rule == FactoredRule::came;
  const FactoredTable table = table_of(tensors, came, *context_);
  if (table.chunks == 0) {
    return;
  }
  const FactoredRow* rows = context_->table(std::span<const FactoredRow>(table.rows));
  const int count = static_cast<int>(table.rows.size());
  const FactoredConstants constants(o);
  const auto blocks = [](std::int64_t n) {
    return Grid{dim3(static_cast<unsigned>(n)), kThreads, 0};
  };
  if (table.bands > 0) {
    launch<factored_sums_kernel<false>>(stream(), blocks(table.bands), rows, count, constants);
    launch<factored_average_kernel<false>>(stream(), blocks(count), rows, constants);
  }
  launch<factored_squares_kernel>(stream(), blocks(table.chunks), rows, count, constants);
  launch<factored_limit_kernel>(stream(), blocks(count), rows, constants);
  if (came && table.bands > 0) {
    launch<factored_sums_kernel<true>>(stream(), blocks(table.bands), rows, count, constants);
    launch<factored_average_kernel<true>>(stream(), blocks(count), rows, constants);
  }
  const auto move = [&]<FactoredRule kRule>() {
    launch<factored_move_kernel<kRule>>(stream(), blocks(table.chunks), rows, count, constants);
  };
  switch (o.rule) {
    case FactoredRule::adafactor:
      return move.template operator()<FactoredRule::adafactor>();
    case FactoredRule::came:
      return move.template operator()<FactoredRule::came>();
    case FactoredRule::automagic:
      return move.template operator()<FactoredRule::automagic>();
  }
}

}  // namespace mantissa::cuda
