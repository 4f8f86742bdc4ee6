#include "engine/models/block_names.h"

#include <algorithm>

namespace mantissa {

namespace {

std::size_t count_of_weights(const FusedRow& row) {
  return row.weights.size() - (row.weights.back().empty() ? 1 : 0);
}

/// Shares of the rows that weight `i` has.
int span_of(const FusedRow& row, std::size_t i) {
  return i + 1 == row.weights.size() ? row.fourth : 1;
}

}  // namespace

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

std::optional<NameMapping> renamed_weight(std::optional<std::string> name) {
  return name ? std::optional(NameMapping{NameTransform::none, {std::move(*name)}, kDenoiser})
              : std::nullopt;
}

std::optional<OriginalTensor> renamed_tensor(std::optional<std::string> name) {
  return name ? std::optional(OriginalTensor{std::move(*name)}) : std::nullopt;
}

std::string norm_factor_name(std::string_view name) {
  constexpr std::string_view kWeight = "_norm.weight";
  const bool norm = name.ends_with(kWeight);
  return norm ? std::string(name.substr(0, name.size() - kWeight.size())) + "_norm.scale"
              : std::string(name);
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
  for (std::size_t i = 0; i < count_of_weights(*row); ++i) {
    mapping.names.push_back(*block + std::string(row->weights[i]));
    mapping.spans.push_back(span_of(*row, i));
  }
  return mapping;
}

std::optional<OriginalTensor> fused_to_original(std::string_view name,
                                                std::span<const NamePair> stacks,
                                                std::span<const FusedRow> rows) {
  const auto block = take_block(name, stacks, false);
  for (const FusedRow& row : rows) {
    const std::size_t count = count_of_weights(row);
    const auto end = row.weights.begin() + static_cast<std::ptrdiff_t>(count);
    const auto weight = std::find(row.weights.begin(), end, name);
    if (block && weight != end) {
      // Those before the fourth have one share each.
      const auto at = static_cast<std::size_t>(weight - row.weights.begin());
      const int shares = static_cast<int>(count) - 1 + span_of(row, count - 1);
      return OriginalTensor{*block + std::string(row.original), NameTransform::split_rows,
                            static_cast<int>(at), shares, span_of(row, at)};
    }
  }
  return std::nullopt;
}

}  // namespace mantissa
