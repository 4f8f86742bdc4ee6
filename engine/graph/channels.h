#pragma once
// Slices of channels inside wider tensors.

#include <vector>

#include "engine/graph/graph.h"

namespace mantissa {

/// The channels [begin, begin+count) of a view, without copying.
inline View channels_of(const View& v, std::int64_t begin, std::int64_t count) {
  View part = v;
  part.data =
      static_cast<std::byte*>(v.data) + static_cast<std::size_t>(begin) * dtype_size(v.dtype);
  part.shape[part.shape.rank() - 1] = count;
  part.constant_id = 0;
  return part;
}

/// Whether `parts` are all outputs of one split_channels, in its order and none missing.
bool is_whole_split(const std::vector<Value>& parts);

}  // namespace mantissa
