#include "engine/adapters/delta.h"

#include <algorithm>
#include <cmath>

#include "engine/adapters/low_rank.h"
#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Channel of element `i` of a weight [out, in, area], flattened.
struct Channels {
  bool per_input;
  std::size_t in, area;
  std::size_t of(std::size_t i) const { return per_input ? i / area % in : i / (in * area); }
};

}  // namespace

std::vector<float> weight_delta(const AdapterModule& module, std::span<const float> weight) {
  const auto rows = static_cast<std::size_t>(module.up_shape[0]);
  const std::size_t cols = module.rank > 0
                               ? module.down.size() / static_cast<std::size_t>(module.rank)
                               : module.dense.size() / rows;
  if (weight.size() != rows * cols) {
    throw Error(message<"{module}: the adapter is for a weight of {rows} by {columns}; the base "
                        "model's holds {count} values. Was it made for another base model?">(
        module.path, rows, cols, weight.size()));
  }
  std::vector<float> v(weight.size(), 0.0F);
  if (module.dora_axis) {
    v.assign(weight.begin(), weight.end());
  }
  if (module.rank > 0) {
    subtract_product(v, module.down, module.up, module.rank,
                     -static_cast<float>(module.alpha / module.rank));
  } else {
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] += module.dense[i];
    }
  }
  if (!module.dora_axis) {
    return v;
  }
  const bool per_input = *module.dora_axis == DoraAxis::input;
  const auto in = static_cast<std::size_t>(module.down_shape[1]);
  const Channels channels{per_input, in, cols / in};
  const std::size_t count = per_input ? in : rows;
  if (module.magnitude.size() != count) {
    throw Error(message<"{module}: the DoRA holds {count} magnitudes for {channels} channels">(
        module.path, module.magnitude.size(), count));
  }
  std::vector<double> norms(count, 0.0), base(count, 0.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const std::size_t c = channels.of(i);
    norms[c] += static_cast<double>(v[i]) * static_cast<double>(v[i]);
    base[c] += static_cast<double>(weight[i]) * static_cast<double>(weight[i]);
  }
  std::vector<float> factors(count, 1.0F);
  constexpr double kLeast = static_cast<double>(kDoraLeastNorm);
  for (std::size_t c = 0; c < count; ++c) {
    if (std::sqrt(norms[c]) >= kLeast && std::sqrt(base[c]) >= kLeast) {
      factors[c] =
          static_cast<float>(static_cast<double>(module.magnitude[c]) / std::sqrt(norms[c]));
    }
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = factors[channels.of(i)] * v[i] - weight[i];
  }
  return v;
}

void append_factors(AdapterModule& module, const std::vector<float>& down,
                    const std::vector<float>& up, int rank, float sign) {
  const std::size_t rows = up.size() / static_cast<std::size_t>(rank);
  const auto had = static_cast<std::size_t>(module.rank), more = static_cast<std::size_t>(rank);
  std::vector<float> wide(rows * (had + more));
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(module.up.data() + i * had, had, wide.data() + i * (had + more));
    for (std::size_t j = 0; j < more; ++j) {
      wide[i * (had + more) + had + j] = sign * up[i * more + j];
    }
  }
  module.up = std::move(wide);
  module.down.insert(module.down.end(), down.begin(), down.end());
  module.rank += rank;
  module.down_shape[0] = module.rank;
  module.up_shape[1] = module.rank;
}

}  // namespace mantissa
