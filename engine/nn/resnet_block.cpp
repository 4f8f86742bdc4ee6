#include "engine/nn/resnet_block.h"

#include "engine/graph/ops.h"

namespace mantissa {

ResnetBlock::ResnetBlock(const Scope& scope, const ResnetShape& shape)
    : norm1_(scope / "norm1", shape.in, shape.groups, shape.eps),
      conv1_(Conv2d::same3x3(scope / "conv1", shape.in, shape.out)),
      norm2_(scope / "norm2", shape.out, shape.groups, shape.eps),
      conv2_(Conv2d::same3x3(scope / "conv2", shape.out, shape.out)) {
  if (shape.time_width > 0) {
    time_.emplace(scope / "time_emb_proj", shape.time_width, shape.out);
  }
  if (shape.in != shape.out) {
    shortcut_.emplace(Conv2d::pointwise(scope / "conv_shortcut", shape.in, shape.out));
  }
}

Value ResnetBlock::operator()(Value x, Value silu_time) const {
  const Segment segment(x.graph());
  Value h = conv1_(norm1_.with_silu(x));  // [b, h, w, out]
  if (time_) {
    h = add_per_sample(h, (*time_)(silu_time));
  }
  return conv2_(norm2_.with_silu(h), shortcut_ ? (*shortcut_)(x) : x);
}

}  // namespace mantissa
