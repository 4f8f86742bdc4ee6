#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mantissa {

/// Tokens that a tokenizer puts around every text.
struct FrameTokens {
  std::vector<std::string> before, after;
  bool operator==(const FrameTokens&) const = default;
};

/// Frame tokens of the post_processor of a tokenizer.json, null or an object. ByteLevel only
/// adjusts offsets; a template may add nothing either. Throws Error naming `label` and the field
/// for a kind that isn't known, or for a template without exactly one text.
FrameTokens frame_tokens(const nlohmann::json& post_processor, const std::string& label);

/// Throws Error naming `label` unless a tokenizer.json adds nothing, or just these tokens, which
/// models add by themselves.
void require_frame(const nlohmann::json& file, const FrameTokens& expected,
                   const std::string& label);

}  // namespace mantissa
