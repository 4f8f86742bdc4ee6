#include "engine/nn/transformer.h"

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

constexpr double kLayerNormEps = 1e-5;
constexpr double kEntryNormEps = 1e-6;

}  // namespace

TransformerBlock::TransformerBlock(const Scope& scope, std::int64_t width, std::int64_t context,
                                   int heads)
    : norm1_(scope / "norm1", width, kLayerNormEps),
      norm2_(scope / "norm2", width, kLayerNormEps),
      norm3_(scope / "norm3", width, kLayerNormEps),
      attn1_(scope / "attn1", {width, width, heads}),
      attn2_(scope / "attn2", {width, context, heads}),
      ff_in_(scope / "ff.net.0.proj", width, 8 * width),
      ff_out_(scope / "ff.net.2", 4 * width, width) {}

Value TransformerBlock::operator()(Value x, Value context) const {
  const Segment segment(x.graph());
  const Value self = norm1_(x);
  x = attn1_(self, self, x);
  x = attn2_(norm2_(x), context, x);
  const Segment feed_forward(x.graph(), SegmentScope::feed_forward);
  return ff_out_(geglu(ff_in_(norm3_(x))), x);
}

SpatialTransformer::SpatialTransformer(const Scope& scope, const TransformerShape& shape)
    : norm_(scope / "norm", shape.channels, shape.groups, kEntryNormEps),
      proj_in_(scope / "proj_in", shape.channels, shape.channels, true, shape.projection),
      proj_out_(scope / "proj_out", shape.channels, shape.channels, true, shape.projection) {
  for (int i = 0; i < shape.blocks; ++i) {
    blocks_.emplace_back(scope / "transformer_blocks" / i, shape.channels, shape.context,
                         shape.heads);
  }
}

Value SpatialTransformer::operator()(Value x, Value context) const {
  const Shape image = x.shape();  // [b, h, w, c]
  const Shape tokens{image[0], image[1] * image[2], image[3]};
  Value h = proj_in_(reshape(norm_(x), tokens));
  for (const TransformerBlock& block : blocks_) {
    h = block(h, context);
  }
  return reshape(proj_out_(h, reshape(x, tokens)), image);
}

}  // namespace mantissa
