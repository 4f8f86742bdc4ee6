#include "engine/models/qwen3/vision_parts.h"

#include <cmath>

#include "engine/graph/ops.h"
#include "engine/nn/tokens.h"

namespace mantissa {

PatchEntry::PatchEntry(const QwenVisionConfig& config, const Scope& scope, bool bias)
    : path_(scope.path()),
      precision_(scope.precision(ModuleKind::linear)),
      matrix_{config.hidden, config.patch_values()},
      weight_(&scope.weight("weight", {config.hidden, 3, config.frames, config.patch, config.patch},
                            ModuleKind::linear)),
      bias_(bias ? &scope.weight("bias", {config.hidden}, ModuleKind::vector) : nullptr) {}

Value PatchEntry::operator()(Graph& graph, Value patches) const {
  graph.set_path(path_);
  const DType compute = precision_.compute;
  const Value weight = reshape(read_tensor(graph, *weight_, compute), matrix_);
  const Value bias = bias_ != nullptr ? read_tensor(graph, *bias_, compute) : Value{};
  return linear(cast(patches, compute), weight, bias);
}

Value vision_attention(const std::vector<Value>& qkv, Value cos, Value sin,
                       const QwenVisionConfig& config, std::span<const PatchGroups> groups) {
  const auto rotated = [&](Value v) {
    return rope(v, cos, sin, {.heads = config.heads, .pairs = RopePairs::halves});
  };
  const AttentionOptions options{
      .heads = config.heads,
      .scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config.head_dim())))};
  const Value q = rotated(qkv[0]), k = rotated(qkv[1]);
  if (groups.empty()) {
    return attention(q, k, qkv[2], options);
  }
  const Value v = packed(qkv[2]);
  Value all;
  std::int64_t begin = 0;
  for (const PatchGroups& group : groups) {
    const std::int64_t count = group.count * group.patches;
    const auto apart = [&](Value x) {
      return reshape(take_tokens(x, begin, count), {group.count, group.patches, x.shape()[2]});
    };
    const Value mixed = attention(apart(q), apart(k), apart(v), options);
    const Value row = reshape(mixed, {1, count, mixed.shape()[2]});
    all = all ? join_tokens(all, row) : row;
    begin += count;
  }
  return all;
}

}  // namespace mantissa
