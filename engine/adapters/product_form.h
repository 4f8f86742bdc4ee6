#pragma once
// LoHa and LoKr: changes of a weight that are products of small factors other than B·A. The names
// and shapes of the factors are LyCORIS's, without its Tucker forms: a convolution's weight
// [out, in, kh, kw] counts as [out, in·kh·kw].

#include <cstdint>
#include <string>
#include <vector>

#include "engine/adapters/tensor_names.h"
#include "engine/graph/graph.h"
#include "engine/graph/tensor.h"
#include "engine/preset/names.h"
#include "kernels/kernels.h"

namespace mantissa {

/// A dimension as a product, first <= second.
struct DimSplit {
  std::int64_t first = 1, second = 1;
};
/// By LyCORIS's rule: `factor` and the rest if it divides `dim`, else the largest divisor up to it
/// that isn't above the rest; -1 is the most square product.
DimSplit split_dimension(std::int64_t dim, int factor);

/// How a factor starts: the change is zero, its gradient is not.
enum class FactorStart {
  zero,
  kaiming,       ///< uniform in ±1/sqrt(fan_in)
  small_normal,  ///< standard deviation 0.1
  normal,
};

struct ProductFactor {
  AdapterRole role = AdapterRole::hada_w1_a;
  Shape shape;
  FactorStart start = FactorStart::zero;
};
/// The factors of an adapter on `weight` in the order of files. LoHa: w1_a and w2_a [out, rank],
/// w1_b and w2_b [rank, in·area] (arXiv 2108.06098). LoKr, with out = a·c and in = b·d: w1 [a, b],
/// and w2_a [c, rank] and w2_b [rank, d·area], or from rank max(c, d)/2 on, where these would save
/// nothing, w2 [c, d(, kh, kw)] (arXiv 2309.14859). They start as in LyCORIS.
std::vector<ProductFactor> product_factors(AdapterType type, const Shape& weight, int rank,
                                           int factor);

/// A trained LoHa or LoKr.
struct ProductAdapter {
  struct Member {
    AdapterRole role;
    FactorStart start;
    Tensor tensor;
  };
  AdapterType type = AdapterType::loha;
  std::vector<Member> members;  ///< never resized: graphs point into it

  /// Null if it has no such factor.
  Tensor* find(AdapterRole role);
  /// LyCORIS and its readers know no alpha for a w2 that is whole: its scale is 1.
  bool has_scale() const;
};

/// scale·dW [out, in·area] of the factors read in `dtype`, recorded in `graph`.
Value product_weight(Graph& graph, ProductAdapter& product, float scale, DType dtype, bool tf32);

/// A factor's initial values; `number` is its place among the adapter's.
std::vector<float> start_values(Kernels& kernels, const ProductAdapter::Member& member,
                                std::uint64_t seed, int adapter, int number);

/// A LoHa or LoKr as in files.
struct ProductModule {
  struct Member {
    AdapterRole role = AdapterRole::hada_w1_a;
    Shape shape;
    std::vector<float> values;
  };
  AdapterType type = AdapterType::loha;
  int rank = 0;
  double alpha = 0;  ///< scale = alpha / rank
  std::vector<Member> members;
};

}  // namespace mantissa
