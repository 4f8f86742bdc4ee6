// The direction of a Muon step over any storage, all matrices in one launch per pass.
#include "kernels/check_optim.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/optim_tile.cuh"
#include "kernels/muon_rule.h"

namespace mantissa::cuda {
namespace {

/// A MuonUpdate in device memory.
struct MuonRow {
  Buffer gradient;
  Moment m;
  float* direction = nullptr;
  std::int64_t count = 0, first = 0, first_chunk = 0;
};

/// Updates the momentum, writes u and the Σu² of each chunk.
__global__ void muon_momentum_kernel(const MuonRow* rows, int count, MuonConstants<Exact> constants,
                                     const GroupCell* cell, RandomKey key, double* partial) {
  __shared__ RoundingBits bits[kWarps];
  RoundingBits& mine = bits[threadIdx.x / kWarp];
  const MuonRow t = rows[find_row(rows, count, &MuonRow::first_chunk, blockIdx.x)];
  if (cell != nullptr) {
    if (cell->steps == 0) {
      return;
    }
    constants.grad_scale = Exact(static_cast<float>(cell->grad_scale));
    key.step = static_cast<std::uint32_t>(cell->update);
  }
  const Piece piece = piece_of(blockIdx.x - t.first_chunk, t.count);
  const Values g = load_values(t.gradient, piece);
  Values m = load_moment(t.m, true, piece), u;
  double squares = 0.0;
#pragma unroll
  for (int j = 0; j < kPerLane; ++j) {
    u[j] = muon_direction(constants, g[j], m[j]);
    const auto value = static_cast<double>(u[j].value);
    squares += piece.has(j) ? value * value : 0.0;
  }
  store_as<float>(t.direction, piece, u);
  squares = block_sum(squares);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = squares;
  }
  store_moment(t.m, true, piece, m, key, RoundedBuffer::m, t.first, mine);
}

/// factors[i] = 1/max(‖u‖, ε) of row i; a block takes a row.
__global__ void muon_norm_kernel(const MuonRow* rows, const double* partial, const GroupCell* cell,
                                 double eps, float* factors) {
  if (cell != nullptr && cell->steps == 0) {
    return;
  }
  const double sum = sum_of_chunks(rows[blockIdx.x], partial);
  if (threadIdx.x == 0) {
    factors[blockIdx.x] = muon_factor(sum, eps);
  }
}

__global__ void muon_scale_kernel(const MuonRow* rows, int count, const GroupCell* cell,
                                  const float* factors) {
  if (cell != nullptr && cell->steps == 0) {
    return;
  }
  const int row = find_row(rows, count, &MuonRow::first_chunk, blockIdx.x);
  const MuonRow t = rows[row];
  const std::int64_t begin = (blockIdx.x - t.first_chunk) * kChunk;
  const std::int64_t end = begin + kChunk < t.count ? begin + kChunk : t.count;
  for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
    t.direction[i] *= factors[row];
  }
}

}  // namespace

void CudaKernels::muon_direction(std::span<const MuonUpdate> tensors, const MuonOptions& o) {
  check_muon_direction(tensors, o);
  std::vector<MuonRow> table;
  std::int64_t chunks = 0;
  for (const MuonUpdate& t : tensors) {
    if (t.gradient.count() > 0) {
      table.push_back({buffer_of(t.gradient), moment_of(t.m), t.direction.as<float>(),
                       t.gradient.count(), t.first, chunks});
      chunks += ceil_div(t.gradient.count(), kChunk);
    }
  }
  if (chunks == 0) {
    return;
  }
  const int count = static_cast<int>(table.size());
  const MuonRow* rows = context_->table(std::span<const MuonRow>(table));
  const auto* cell = o.cell.as<const GroupCell>();
  auto* partial = context_->scratch<double>(Scratch::partial, chunks);
  auto* factors = context_->scratch<float>(Scratch::operand_a, count);
  const Grid by_chunk{dim3(static_cast<unsigned>(chunks)), kThreads};
  launch<muon_momentum_kernel>(stream(), by_chunk, rows, count, MuonConstants<Exact>(o), cell,
                               o.key, partial);
  launch<muon_norm_kernel>(stream(), {dim3(static_cast<unsigned>(count)), kThreads}, rows, partial,
                           cell, o.eps, factors);
  launch<muon_scale_kernel>(stream(), by_chunk, rows, count, cell, factors);
}

}  // namespace mantissa::cuda
