// The elementwise rules of update_rule.h over any storage, all tensors in one launch.
#include "kernels/check_optim.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/optim_tile.cuh"
#include "kernels/update_rule.h"

namespace mantissa::cuda {
namespace {

/// A ParameterUpdate in device memory.
struct UpdateRow {
  Buffer parameter, gradient, start;
  bfloat16* compensation = nullptr;
  Moment m, v, s;
  std::int64_t count = 0, first = 0;
  std::int64_t first_chunk = 0;  ///< chunks of preceding tensors
  double rate_ratio = 1, factor = 1;
};

struct UpdateTable {
  std::vector<UpdateRow> rows;
  std::int64_t chunks = 0;
};

UpdateTable table_of(std::span<const ParameterUpdate> tensors) {
  UpdateTable table;
  table.rows.reserve(tensors.size());
  for (const ParameterUpdate& t : tensors) {
    if (t.parameter.count() == 0) {
      continue;
    }
    UpdateRow row;
    row.parameter = buffer_of(t.parameter);
    row.gradient = buffer_of(t.gradient);
    row.start = buffer_of(t.start);
    row.compensation = t.compensation.as<bfloat16>();
    row.m = moment_of(t.m);
    row.v = moment_of(t.v);
    row.s = moment_of(t.s);
    row.count = t.parameter.count();
    row.first = t.first;
    row.first_chunk = table.chunks;
    row.rate_ratio = t.rate_ratio;
    row.factor = t.factor;
    table.chunks += ceil_div(row.count, kChunk);
    table.rows.push_back(row);
  }
  return table;
}

template <UpdateRule kRule>
__global__ void optimizer_step_kernel(const UpdateRow* rows, int count,
                                      UpdateConstants<Exact> constants, double learning_rate,
                                      const GroupCell* cell, Rounding rounding, RandomKey key) {
  constexpr bool kFirst = has_first_moment(kRule), kSecond = has_second_moment(kRule);
  __shared__ RoundingBits bits[kWarps];
  RoundingBits& mine = bits[threadIdx.x / kWarp];
  const UpdateRow t = rows[find_row(rows, count, &UpdateRow::first_chunk, blockIdx.x)];
  if (cell != nullptr) {
    if (cell->steps == 0) {
      return;
    }
    constants.take(*cell);
    learning_rate = cell->learning_rate;
    key.step = static_cast<std::uint32_t>(cell->update);
  }
  constants.take_tensor(learning_rate * t.rate_ratio, t.factor);
  const Piece piece = piece_of(blockIdx.x - t.first_chunk, t.count);
  const Values p = load_values(t.parameter, piece), g = load_values(t.gradient, piece);
  Values m{}, v{}, change;
  if constexpr (kFirst) {
    m = load_moment(t.m, true, piece);
  }
  if constexpr (kSecond) {
    v = load_moment(t.v, false, piece);
  }
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    change[j] = apply_rule<kRule>(constants, p[j], g[j], m[j], v[j]);
  }
  store_parameter(t.parameter, t.compensation, rounding, piece, p, change, key, t.first, mine);
  if constexpr (moves_first(kRule)) {
    store_moment(t.m, true, piece, m, key, RoundedBuffer::m, t.first, mine);
  }
  if constexpr (moves_second(kRule)) {
    store_moment(t.v, false, piece, v, key, RoundedBuffer::v, t.first, mine);
  }
}

/// partial[chunk] = Σ g·(p₀-p), partial[gridDim.x + chunk] = Σ |s|, schedule-free
/// partial[2·gridDim.x
/// + chunk] = Σu²; updating moments and s.
template <bool kScheduleFree>
__global__ void prodigy_observe_kernel(const UpdateRow* rows, int count,
                                       ObserveConstants<Exact> constants, RandomKey key,
                                       double* partial) {
  __shared__ RoundingBits bits[kWarps];
  RoundingBits& mine = bits[threadIdx.x / kWarp];
  const UpdateRow t = rows[find_row(rows, count, &UpdateRow::first_chunk, blockIdx.x)];
  const Piece piece = piece_of(blockIdx.x - t.first_chunk, t.count);
  const Values p = load_values(t.parameter, piece), g = load_values(t.gradient, piece),
               start = load_values(t.start, piece);
  Values m = load_moment(t.m, true, piece), v = load_moment(t.v, false, piece),
         s = load_moment(t.s, true, piece);
  double agreement = 0.0, path = 0.0, squares = 0.0;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    Exact at = p[j];  // the path's point
    if constexpr (kScheduleFree) {
      const Exact u = observe_schedule_free(constants, g[j], v[j], s[j]);
      at = schedule_free_z(constants, p[j], m[j]);
      squares += piece.has(j) ? static_cast<double>(u.value) * static_cast<double>(u.value) : 0.0;
    } else {
      observe(constants, g[j], m[j], v[j], s[j]);
    }
    if (piece.has(j)) {
      agreement += static_cast<double>((g[j] * constants.grad_scale).value) *
                   static_cast<double>((start[j] - at).value);
      path += static_cast<double>(std::fabs(s[j].value));
    }
  }
  agreement = block_sum(agreement);
  path = block_sum(path);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = agreement;
    partial[gridDim.x + blockIdx.x] = path;
  }
  if constexpr (kScheduleFree) {
    squares = block_sum(squares);
    if (threadIdx.x == 0) {
      partial[2 * gridDim.x + blockIdx.x] = squares;
    }
  } else {
    store_moment(t.m, true, piece, m, key, RoundedBuffer::m, t.first, mine);
  }
  store_moment(t.v, false, piece, v, key, RoundedBuffer::v, t.first, mine);
  store_moment(t.s, true, piece, s, key, RoundedBuffer::s, t.first, mine);
}

/// squares[i] = Σ over the chunks of row i; a block takes a row.
__global__ void sum_rows_kernel(const UpdateRow* rows, const double* partial, double* squares) {
  const double sum = sum_of_chunks(rows[blockIdx.x], partial);
  if (threadIdx.x == 0) {
    squares[blockIdx.x] = sum;
  }
}

}  // namespace

void CudaKernels::optimizer_step(std::span<const ParameterUpdate> tensors, const UpdateOptions& o) {
  check_optimizer_step(tensors, o);
  const UpdateTable table = table_of(tensors);
  if (table.chunks == 0) {
    return;
  }
  const UpdateRow* rows = context_->table(std::span<const UpdateRow>(table.rows));
  dispatch_rule(o.rule, [&]<UpdateRule kRule>() {
    launch<optimizer_step_kernel<kRule>>(
        stream(), {dim3(static_cast<unsigned>(table.chunks)), kThreads}, rows,
        static_cast<int>(table.rows.size()), UpdateConstants<Exact>(o, 1.0, 1.0), o.learning_rate,
        o.cell.as<GroupCell>(), o.rounding, o.key);
  });
}

ProdigySums CudaKernels::prodigy_observe(std::span<const ParameterUpdate> tensors,
                                         const ProdigyOptions& o, std::span<double> squares) {
  check_prodigy_observe(tensors, o, squares);
  context_->refuse_recording("prodigy_observe");
  const UpdateTable table = table_of(tensors);
  std::ranges::fill(squares, 0.0);
  if (table.chunks == 0) {
    return {};
  }
  const int count = static_cast<int>(table.rows.size());
  const UpdateRow* rows = context_->table(std::span<const UpdateRow>(table.rows));
  auto* partial = context_->scratch<double>(Scratch::partial, 3 * table.chunks);
  auto* result = context_->scratch<double>(Scratch::result, 2 + count);
  const Grid grid{dim3(static_cast<unsigned>(table.chunks)), kThreads};
  const ObserveConstants<Exact> constants(o);
  if (o.schedule_free) {
    launch<prodigy_observe_kernel<true>>(stream(), grid, rows, count, constants, o.key, partial);
    launch<sum_rows_kernel>(stream(), {dim3(static_cast<unsigned>(count)), kThreads}, rows,
                            partial + 2 * table.chunks, result + 2);
  } else {
    launch<prodigy_observe_kernel<false>>(stream(), grid, rows, count, constants, o.key, partial);
  }
  sum_partials(*context_, partial, table.chunks, 2, result);
  std::vector<double> sums(o.schedule_free ? 2 + table.rows.size() : 2);
  context_->download(result, sums.data(), sums.size() * sizeof(double));
  for (std::size_t i = 0, row = 2; i < squares.size(); ++i) {
    if (tensors[i].parameter.count() > 0) {
      squares[i] = sums[row++];
    }
  }
  return {sums[0], sums[1]};
}

}  // namespace mantissa::cuda
