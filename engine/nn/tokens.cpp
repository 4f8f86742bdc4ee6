#include "engine/nn/tokens.h"

#include <string>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {

namespace {

/// All tokens of a sample as one row.
Value as_rows(Value x) {
  return reshape(x, {x.shape()[0], x.shape()[1] * x.shape()[2]});
}

}  // namespace

Value take_tokens(Value x, std::int64_t begin, std::int64_t count) {
  const Shape s = x.shape();
  if (count == s[1]) {
    return x;
  }
  return reshape(slice_channels(as_rows(x), begin * s[2], count * s[2]), {s[0], count, s[2]});
}

Value take_rows(Value x, std::int64_t begin, std::int64_t count) {
  const Shape s = x.shape();
  return reshape(take_tokens(reshape(x, {1, s[0], s[1]}), begin, count), {count, s[1]});
}

Value join_tokens(Value a, Value b) {
  return reshape(concat_channels(as_rows(a), as_rows(b)),
                 {a.shape()[0], a.shape()[1] + b.shape()[1], a.shape()[2]});
}

Value packed(Value x) {
  const bool slice = x.graph().values()[static_cast<std::size_t>(x.id())].row_stride > 0;
  return slice ? join_channels({x}) : x;
}

Value to_patches(Value x, std::int64_t side) {
  const Shape s = x.shape();
  check_op(s.rank() == 4 && s[1] % side == 0 && s[2] % side == 0, "to_patches", x, [&] {
    return "the sides must be multiples of " + std::to_string(side) + "; got " + describe(x);
  });
  const std::int64_t rows = s[0] * s[1] / side, columns = s[2] / side, count = side * side;
  const Value pixels = swap_middle(reshape(x, {rows, side, columns, side * s[3]}));
  const Value channels = swap_middle(reshape(pixels, {rows * columns, count, s[3], 1}));
  return reshape(channels, {s[0], s[1] / side, columns, count * s[3]});
}

Value from_patches(Value x, std::int64_t side) {
  const Shape s = x.shape();
  const std::int64_t count = side * side, width = s[3] / count;
  const Value pixels = swap_middle(reshape(x, {s[0] * s[1] * s[2], width, count, 1}));
  return from_pixels(reshape(pixels, s), side);
}

Value from_pixels(Value x, std::int64_t side) {
  const Shape s = x.shape();
  const std::int64_t width = s[3] / (side * side);
  const Value lines = swap_middle(reshape(x, {s[0] * s[1], s[2], side, side * width}));
  return reshape(lines, {s[0], s[1] * side, s[2] * side, width});
}

}  // namespace mantissa
