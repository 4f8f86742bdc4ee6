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

double squared(std::span<const float> values) {
  double sum = 0;
  for (float x : values) {
    sum += static_cast<double>(x) * static_cast<double>(x);
  }
  return sum;
}

}  // namespace

std::vector<float> weight_delta(const LoraModule& module, std::span<const float> weight) {
  const auto rank = static_cast<std::size_t>(module.rank);
  const std::size_t rows = module.up.size() / rank, cols = module.down.size() / rank;
  if (weight.size() != rows * cols) {
    throw Error(module.path + ": the adapter is for a weight of " + std::to_string(rows) + " by " +
                std::to_string(cols) + "; the base model's holds " + std::to_string(weight.size()) +
                " values. Was it made for another base model?");
  }
  const auto scale = static_cast<float>(module.alpha / module.rank);
  if (!module.dora_axis) {
    std::vector<float> delta(weight.size(), 0.0F);
    subtract_product(delta, module.down, module.up, module.rank, -scale);
    return delta;
  }
  std::vector<float> v(weight.begin(), weight.end());
  subtract_product(v, module.down, module.up, module.rank, -scale);
  const bool per_input = *module.dora_axis == DoraAxis::input;
  const auto in = static_cast<std::size_t>(module.down_shape[1]);
  const Channels channels{per_input, in, cols / in};
  const std::size_t count = per_input ? in : rows;
  if (module.magnitude.size() != count) {
    throw Error(module.path + ": the DoRA holds " + std::to_string(module.magnitude.size()) +
                " magnitudes for " + std::to_string(count) + " channels");
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

void merge_into(std::span<float> weight, const LoraModule& module, double strength) {
  const std::vector<float> delta = weight_delta(module, weight);
  for (std::size_t i = 0; i < delta.size(); ++i) {
    weight[i] += static_cast<float>(strength) * delta[i];
  }
}

PlainLora plain_lora(const LoraModule& module, std::span<const float> weight, int rank) {
  if (!module.dora_axis) {
    return {module, 0};
  }
  std::vector<float> delta = weight_delta(module, weight);
  const std::size_t rows = module.up.size() / static_cast<std::size_t>(module.rank);
  const std::size_t cols = delta.size() / rows;
  const LowRank svd =
      truncated_svd(delta, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols),
                    rank > 0 ? rank : 2 * module.rank);
  int kept = svd.rank;
  if (rank == 0) {
    double energy = 0;
    for (kept = 0; kept < svd.rank && energy < 0.99 * svd.energy; ++kept) {
      const double s = static_cast<double>(svd.s[static_cast<std::size_t>(kept)]);
      energy += s * s;
    }
    kept = std::max(kept, 1);
  }
  PlainLora plain;
  LoraModule& m = plain.module;
  m.path = module.path;
  m.rank = kept;
  m.alpha = kept;
  m.down_shape = module.down_shape;
  m.up_shape = module.up_shape;
  m.down_shape[0] = m.up_shape[1] = kept;
  const auto k = static_cast<std::size_t>(kept), all = static_cast<std::size_t>(svd.rank);
  m.down.resize(k * cols);
  m.up.resize(rows * k);
  for (std::size_t r = 0; r < k; ++r) {
    const float root = std::sqrt(svd.s[r]);
    for (std::size_t j = 0; j < cols; ++j) {
      m.down[r * cols + j] = root * svd.v[r * cols + j];
    }
    for (std::size_t i = 0; i < rows; ++i) {
      m.up[i * k + r] = root * svd.u[i * all + r];
    }
  }
  subtract_product(delta, m.down, m.up, kept, 1.0F);
  plain.error = svd.energy > 0 ? std::sqrt(squared(delta) / svd.energy) : 0;
  return plain;
}

}  // namespace mantissa
