#pragma once
// What the vision towers of Qwen3-VL and Qwen2.5-VL have in common.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/qwen3/qwen3_vision_config.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// Patches of an image to the tower's width: a convolution whose steps are as large as its kernel.
class PatchEntry {
 public:
  PatchEntry(const QwenVisionConfig& config, const Scope& scope, bool bias);
  /// patches [1, patches, 3·frames·side²] -> [1, patches, hidden]
  Value operator()(Graph& graph, Value patches) const;

 private:
  std::string path_;
  ModulePrecision precision_;
  Shape matrix_;
  Tensor* weight_;
  Tensor* bias_;  ///< null: none
};

/// So many groups of so many neighbouring patches, which attend to each other.
struct PatchGroups {
  std::int64_t count = 0, patches = 0;
  bool operator==(const PatchGroups&) const = default;
};

/// Attention of patches, [1, patches, hidden] each of `qkv`, turned by cos and sin: within each of
/// `groups`, which follow each other; without any, of all patches.
Value vision_attention(const std::vector<Value>& qkv, Value cos, Value sin,
                       const QwenVisionConfig& config, std::span<const PatchGroups> groups = {});

}  // namespace mantissa
