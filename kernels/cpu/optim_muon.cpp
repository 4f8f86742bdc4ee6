// The direction of a Muon step over any storage.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/optim_tile.h"
#include "kernels/muon_rule.h"

namespace mantissa::MANTISSA_ISA {
namespace {

using V = Vec<float>;

/// Updates the momentum of one range and writes u; returns Σu².
double move_momentum(const MuonUpdate& t, const MuonOptions& o, std::int64_t begin,
                     std::int64_t end, TileBuffers& tile) {
  const MuonConstants<V> c(o);
  double squares = 0;
  for (std::int64_t i = begin; i < end; i += kTile) {
    const int n = static_cast<int>(std::min<std::int64_t>(kTile, end - i));
    const float* g = load_tile(t.gradient, i, n, tile.g);
    float* m = load_moment(t.m, true, i, n, tile.m);
    float* u = t.direction.as<float>() + i;
    for (int j = 0; j < n; j += V::kLanes) {
      const int rest = std::min(V::kLanes, n - j);
      V m1 = load_n(m + j, rest);
      store_n(u + j, muon_direction(c, load_n(g + j, rest), m1), rest);
      store_n(m + j, m1, rest);
    }
    squares += square_sum(u, n);
    store_moment(t.m, true, i, n, m, o.key, RoundedBuffer::m, t.first, tile.random);
  }
  return squares;
}

}  // namespace

void CpuKernels::muon_direction(std::span<const MuonUpdate> tensors, const MuonOptions& options) {
  check_muon_direction(tensors, options);
  MuonOptions o = options;
  if (!take_cell(o)) {
    return;
  }
  for (const MuonUpdate& t : tensors) {
    const std::int64_t n = t.gradient.count(), pieces = ceil_div(n, kElementGrain);
    auto* partial =
        static_cast<double*>(scratch_.shared(static_cast<std::size_t>(pieces) * sizeof(double)));
    for_ranges(pool_, n, kElementGrain, [&](std::int64_t begin, std::int64_t end, int thread) {
      auto& tile = *static_cast<TileBuffers*>(scratch_.of_thread(thread, sizeof(TileBuffers)));
      partial[begin / kElementGrain] = move_momentum(t, o, begin, end, tile);
    });
    const float factor = muon_factor(tree_sum(partial, pieces), o.eps);
    for_ranges(pool_, n, kElementGrain, [&](std::int64_t begin, std::int64_t end, int) {
      float* u = t.direction.as<float>();
      for (std::int64_t i = begin; i < end; ++i) {
        u[i] *= factor;
      }
    });
  }
}

}  // namespace mantissa::MANTISSA_ISA
