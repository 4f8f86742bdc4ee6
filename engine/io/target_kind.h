#pragma once
// What the named sets of adapter.targets choose between.

#include <span>
#include <string_view>

namespace mantissa {

enum class TargetKind {
  attention,  ///< q, k, v and output projections
  mlp,        ///< every other Linear and 1x1 convolution of a transformer
  residual,   ///< convolutions outside transformers, and what belongs to them
  other,      ///< in no set: inputs, outputs, embeddings
};

/// The kind of the modules whose path within their part matches a glob such as "*.mlp.fc1".
struct TargetRow {
  std::string_view pattern;
  TargetKind kind;
};

/// By the first row that matches; `other` if none does. `path` is relative to the part:
/// "mid_block.attentions.0.proj_in".
TargetKind target_kind(std::span<const TargetRow> rows, std::string_view path);

}  // namespace mantissa
