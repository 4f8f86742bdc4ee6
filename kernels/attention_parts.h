#pragma once
// How attention without cuDNN is parted, so that its scores fit into bounded scratch.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/check_attention.h"

namespace mantissa {

/// Elements from one row of scores to the next: whole packs for the GEMMs.
inline std::int64_t score_stride(const Heads& h) {
  return (h.keys + 7) / 8 * 8;
}

/// What is computed at a time.
struct AttentionParts {
  std::int64_t samples = 1, heads = 1, queries = 1;
  std::int64_t together = 1;  ///< heads that may be in one part: those that share keys, else all

  /// Within `bytes` of scores, of `bytes_a_score` each.
  AttentionParts(const Heads& h, std::size_t bytes_a_score, std::size_t bytes)
      : together(h.group == 1 ? h.heads : h.group) {
    const std::int64_t row_bytes = score_stride(h) * static_cast<std::int64_t>(bytes_a_score);
    const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes) / row_bytes);
    queries = std::min(h.queries, most);
    heads = std::min(together, most / queries);
    if (heads == together) {
      samples = std::clamp<std::int64_t>(most / (queries * heads), 1, h.batch);
    }
  }
  /// Rows of the largest part: samples · heads · queries.
  std::int64_t rows() const { return samples * heads * queries; }
};

}  // namespace mantissa
