#pragma once

#include <optional>
#include <string_view>

namespace mantissa {

/// Before the names of embeddings that an adapter's file has in it, as A1111's and OneTrainer's do.
inline constexpr std::string_view kBundledEmbedding = "bundle_emb.";

/// "bundle_emb.WORD.clip_l": a word, which may have dots, and its vectors' name in a file of their
/// own.
struct BundledName {
  std::string_view word, key;
};
/// Empty for other tensors.
std::optional<BundledName> bundled_name(std::string_view tensor);

}  // namespace mantissa
