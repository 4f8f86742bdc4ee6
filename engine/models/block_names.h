#pragma once
// Names inside a transformer's numbered blocks, in two namings: the authors' and that of diffusers.
// `forward` is from the former to the latter.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/name_parts.h"

namespace mantissa {

/// Takes "blocks.7." off `rest` and returns it in the other naming, for any of these stacks of
/// blocks. Empty, and `rest` is unchanged, without a block or without anything behind it.
std::optional<std::string> take_block(std::string_view& rest, std::span<const NamePair> stacks,
                                      bool forward);
/// The name, or a module's path, of `table` in a block of one of these stacks.
std::optional<std::string> rename_in_block(std::string_view name, std::span<const NamePair> stacks,
                                           std::span<const NamePair> table, bool forward);

/// A row of a table whose name is the same in both.
constexpr NamePair same_name(std::string_view name) {
  return {name, name};
}

/// What a weight of the denoiser and a tensor of an original file become that only have another
/// name; empty without one.
std::optional<NameMapping> renamed_weight(std::optional<std::string> name);
std::optional<OriginalTensor> renamed_tensor(std::optional<std::string> name);

/// A name in its authors' naming, where a norm's factor is its scale: ComfyUI saves it as a weight.
std::string norm_factor_name(std::string_view name);

/// A tensor of a block that holds q, k and v in its authors' naming, and perhaps a fourth weight
/// behind them.
struct FusedRow {
  std::string_view original;
  std::array<std::string_view, 4> weights;  ///< the last may be empty
  int fourth = 4;                           ///< as many shares of the rows as q, k or v has one
};
/// The weights of such a tensor, and the tensor of such a weight; empty for others.
std::optional<NameMapping> fused_to_diffusers(std::string_view name,
                                              std::span<const NamePair> stacks,
                                              std::span<const FusedRow> rows);
std::optional<OriginalTensor> fused_to_original(std::string_view name,
                                                std::span<const NamePair> stacks,
                                                std::span<const FusedRow> rows);

}  // namespace mantissa
