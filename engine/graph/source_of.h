#pragma once

#include "engine/graph/graph.h"

namespace mantissa {

/// The value whose memory `id` is in: behind reshapes and other aliases.
inline int source_of(const Graph& graph, int id) {
  while (true) {
    const int producer = graph.values()[static_cast<std::size_t>(id)].producer;
    if (producer < 0 || !graph.nodes()[static_cast<std::size_t>(producer)].op->is_alias()) {
      return id;
    }
    id = graph.nodes()[static_cast<std::size_t>(producer)].inputs[0];
  }
}

}  // namespace mantissa
