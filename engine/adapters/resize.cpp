#include "engine/adapters/resize.h"

#include <algorithm>
#include <cmath>

#include "engine/adapters/delta.h"
#include "engine/adapters/low_rank.h"

namespace mantissa {
namespace {

/// How many of the descending values `s` are kept.
int kept_rank(const LowRank& svd, int rank, double energy) {
  int kept = std::min(rank, svd.rank);
  if (energy < 1) {
    double sum = 0;
    int enough = 0;
    for (; enough < kept && sum < energy * svd.energy; ++enough) {
      const auto s = static_cast<double>(svd.s[static_cast<std::size_t>(enough)]);
      sum += s * s;
    }
    kept = enough;
  }
  return std::max(kept, 1);
}

PlainLora from_svd(const std::string& path, const LowRank& svd, const Shape& weight, int rank,
                   double energy) {
  PlainLora result;
  AdapterModule& m = result.module;
  const auto rows = static_cast<std::size_t>(weight[0]);
  const std::size_t cols = static_cast<std::size_t>(weight.count()) / rows;
  m.path = path;
  m.rank = kept_rank(svd, rank, energy);
  m.alpha = m.rank;
  const auto k = static_cast<std::size_t>(m.rank), all = static_cast<std::size_t>(svd.rank);
  m.down_shape = weight;
  m.down_shape[0] = m.rank;
  m.up_shape = weight.rank() == 4 ? Shape{weight[0], m.rank, 1, 1} : Shape{weight[0], m.rank};
  m.down.resize(k * cols);
  m.up.resize(rows * k);
  for (std::size_t r = 0; r < std::min(k, all); ++r) {
    const float root = std::sqrt(svd.s[r]);
    for (std::size_t j = 0; j < cols; ++j) {
      m.down[r * cols + j] = root * svd.v[r * cols + j];
    }
    for (std::size_t i = 0; i < rows; ++i) {
      m.up[i * k + r] = root * svd.u[i * all + r];
    }
  }
  return result;
}

double squared(std::span<const float> values) {
  double sum = 0;
  for (float x : values) {
    sum += static_cast<double>(x) * static_cast<double>(x);
  }
  return sum;
}

}  // namespace

PlainLora low_rank_module(const std::string& path, const Shape& weight,
                          std::span<const float> delta, int rank, double energy) {
  const std::int64_t rows = weight[0], cols = weight.count() / rows;
  const LowRank svd = truncated_svd(delta, rows, cols, rank);
  PlainLora result = from_svd(path, svd, weight, rank, energy);
  std::vector<float> rest(delta.begin(), delta.end());
  subtract_product(rest, result.module.down, result.module.up, result.module.rank, 1.0F);
  result.error = svd.energy > 0 ? std::sqrt(squared(rest) / svd.energy) : 0;
  return result;
}

PlainLora resized(const AdapterModule& module, int rank, double energy) {
  Shape weight = module.down_shape;
  weight[0] = module.up_shape[0];
  PlainLora result;
  if (module.rank == 0) {
    result = low_rank_module(module.path, weight, module.dense, rank, energy);
  } else {
    LowRank svd = product_svd(module.up, module.down, module.rank);
    const double scale = module.alpha / module.rank;
    for (float& s : svd.s) {
      s = static_cast<float>(std::fabs(scale) * static_cast<double>(s));
    }
    if (scale < 0) {
      for (float& u : svd.u) {
        u = -u;
      }
    }
    svd.energy *= scale * scale;
    result = from_svd(module.path, svd, weight, rank, energy);
    // All singular values are known: those beyond the rank are dropped.
    const auto kept = std::min(svd.s.size(), static_cast<std::size_t>(result.module.rank));
    const double rest = squared(std::span(svd.s).subspan(kept));
    result.error = svd.energy > 0 ? std::sqrt(rest / svd.energy) : 0;
  }
  result.module.dora_axis = module.dora_axis;
  result.module.magnitude = module.magnitude;
  return result;
}

PlainLora plain_lora(const AdapterModule& module, std::span<const float> weight, int rank) {
  if (!module.dora_axis && module.rank > 0) {
    return {module, 0};
  }
  Shape shape = module.down_shape;
  shape[0] = module.up_shape[0];
  const auto side = static_cast<int>(std::min(shape[0], shape.count() / shape[0]));
  const int most = rank > 0 ? rank : module.rank > 0 ? 2 * module.rank : side;
  return low_rank_module(module.path, shape, weight_delta(module, weight), most,
                         rank > 0 ? 1 : 0.99);
}

}  // namespace mantissa
