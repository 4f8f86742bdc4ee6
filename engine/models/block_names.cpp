#include "engine/models/block_names.h"

#include <algorithm>

namespace mantissa {

std::optional<std::string> take_block(std::string_view& rest, std::span<const NamePair> stacks,
                                      bool forward) {
  for (const auto& [original, diffusers] : stacks) {
    std::string_view tail = rest;
    if (!take(tail, forward ? original : diffusers)) {
      continue;
    }
    const auto index = take_index(tail);
    if (!index || tail.empty()) {
      return std::nullopt;
    }
    rest = tail;
    return std::string(forward ? diffusers : original) + std::to_string(*index) + ".";
  }
  return std::nullopt;
}

std::optional<std::string> rename_in_block(std::string_view name, std::span<const NamePair> stacks,
                                           std::span<const NamePair> table, bool forward) {
  const auto block = take_block(name, stacks, forward);
  const auto tail = block ? rename_head(name, table, forward) : std::nullopt;
  return tail ? std::optional(*block + *tail) : std::nullopt;
}

std::optional<NameMapping> fused_to_diffusers(std::string_view name,
                                              std::span<const NamePair> stacks,
                                              std::span<const FusedRow> rows) {
  const auto block = take_block(name, stacks, true);
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const FusedRow& r) { return r.original == name; });
  if (!block || row == rows.end()) {
    return std::nullopt;
  }
  NameMapping mapping{NameTransform::split_rows, {}, kDenoiser};
  for (const std::string_view weight : row->weights) {
    mapping.names.push_back(*block + std::string(weight));
  }
  return mapping;
}

std::optional<OriginalTensor> fused_to_original(std::string_view name,
                                                std::span<const NamePair> stacks,
                                                std::span<const FusedRow> rows) {
  const auto block = take_block(name, stacks, false);
  for (const FusedRow& row : rows) {
    const auto weight = std::find(row.weights.begin(), row.weights.end(), name);
    if (block && weight != row.weights.end()) {
      return OriginalTensor{*block + std::string(row.original), NameTransform::split_rows,
                            static_cast<int>(weight - row.weights.begin()),
                            static_cast<int>(row.weights.size())};
    }
  }
  return std::nullopt;
}

}  // namespace mantissa
