#include "engine/adapters/product_form.h"

#include <algorithm>
#include <cmath>

#include "engine/core/random.h"
#include "engine/graph/device_values.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

using enum AdapterRole;
using enum FactorStart;

std::int64_t area_of(const Shape& weight) {
  return weight.rank() == 4 ? weight[2] * weight[3] : 1;
}

std::vector<ProductFactor> loha_factors(const Shape& weight, int rank) {
  const std::int64_t out = weight[0], in = weight.count() / out;
  return {{hada_w1_a, {out, rank}, small_normal},
          {hada_w1_b, {rank, in}, normal},
          {hada_w2_a, {out, rank}, zero},
          {hada_w2_b, {rank, in}, normal}};
}

std::vector<ProductFactor> lokr_factors(const Shape& weight, int rank, int factor) {
  const DimSplit out = split_dimension(weight[0], factor), in = split_dimension(weight[1], factor);
  std::vector<ProductFactor> list{{lokr_w1, {out.first, in.first}, kaiming}};
  if (2 * rank >= std::max(out.second, in.second)) {
    Shape whole = weight;
    whole[0] = out.second;
    whole[1] = in.second;
    list.push_back({lokr_w2, whole, zero});
  } else {
    list.push_back({lokr_w2_a, {out.second, rank}, kaiming});
    list.push_back({lokr_w2_b, {rank, in.second * area_of(weight)}, zero});
  }
  return list;
}

std::vector<float> uniform_values(std::int64_t count, float bound, const RandomKey& key) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; i += 4) {
    const auto words = random_block(key, static_cast<std::uint32_t>(i / 4));
    for (std::int64_t j = i; j < std::min(i + 4, count); ++j) {
      const float unit = uniform_from_bits(words[static_cast<std::size_t>(j - i)]);
      values[static_cast<std::size_t>(j)] = bound * (2.0F * unit - 1.0F);
    }
  }
  return values;
}

std::vector<float> normal_values(Kernels& kernels, const Shape& shape, float deviation,
                                 const RandomKey& key) {
  std::vector<float> values = normal_values(kernels, shape.count(), key);
  for (float& x : values) {
    x *= deviation;
  }
  return values;
}

}  // namespace

DimSplit split_dimension(std::int64_t dim, int factor) {
  if (factor > 0 && dim % factor == 0) {
    return {std::min<std::int64_t>(factor, dim / factor),
            std::max<std::int64_t>(factor, dim / factor)};
  }
  const std::int64_t most = factor < 0 ? dim : factor;
  std::int64_t first = 1;
  for (std::int64_t m = 2; m * m <= dim && m <= most; ++m) {
    first = dim % m == 0 ? m : first;
  }
  return {first, dim / first};
}

std::vector<ProductFactor> product_factors(AdapterType type, const Shape& weight, int rank,
                                           int factor) {
  return type == AdapterType::loha ? loha_factors(weight, rank)
                                   : lokr_factors(weight, rank, factor);
}

Tensor* ProductAdapter::find(AdapterRole role) {
  const auto it = std::ranges::find(members, role, &Member::role);
  return it == members.end() ? nullptr : &it->tensor;
}

bool ProductAdapter::has_scale() const {
  return std::ranges::find(members, lokr_w2, &Member::role) == members.end();
}

Value product_weight(Graph& graph, ProductAdapter& product, float scale, DType dtype, bool tf32) {
  const auto read = [&](AdapterRole role) {
    const Value values = read_tensor(graph, *product.find(role), dtype);
    const std::int64_t rows = values.shape()[0];
    return reshape(values, {rows, values.shape().count() / rows});
  };
  if (product.type == AdapterType::loha) {
    return loha_weight({.w1_a = read(hada_w1_a),
                        .w1_b = read(hada_w1_b),
                        .w2_a = read(hada_w2_a),
                        .w2_b = read(hada_w2_b)},
                       scale, tf32);
  }
  const Value w2 = product.find(lokr_w2) != nullptr
                       ? read(lokr_w2)
                       : matmul(read(lokr_w2_a), read(lokr_w2_b), {.tf32 = tf32});
  return lokr_weight(read(lokr_w1), w2, scale, tf32);
}

std::vector<float> start_values(Kernels& kernels, const ProductAdapter::Member& member,
                                std::uint64_t seed, int adapter, int number) {
  const Shape& shape = member.tensor.shape;
  const RandomKey key = random_key(seed, RandomStream::init, static_cast<std::uint64_t>(number),
                                   static_cast<std::uint64_t>(adapter));
  switch (member.start) {
    case zero:
      return std::vector<float>(static_cast<std::size_t>(shape.count()), 0.0F);
    case kaiming:
      return uniform_values(shape.count(),
                            1.0F / std::sqrt(static_cast<float>(shape.count() / shape[0])), key);
    case small_normal:
      return normal_values(kernels, shape, 0.1F, key);
    case normal:
      return normal_values(kernels, shape, 1.0F, key);
  }
  return {};
}

}  // namespace mantissa
