#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/added_tokens.h"

namespace mantissa {

/// The settings of a transformers tokenizer folder, apart from its vocabulary:
/// tokenizer_config.json, special_tokens_map.json (which wins), added_tokens.json and the
/// added_tokens of tokenizer.json.
struct TokenizerNotes {
  std::optional<std::string> pad_token;
  std::optional<int> max_length;  ///< length that a text is truncated and padded to, if any
  std::vector<AddedToken> added;  ///< of a token named twice, the last entry
  /// A special token's text, and the file that names it.
  struct Role {
    std::string text, label;
  };
  std::map<std::string, Role> roles;  ///< by "bos_token" and so on
};
/// `file`: the parsed tokenizer.json, or null; `id_of`: the id of a token of the vocabulary, empty
/// if it has none. Throws Error naming file and field for unsupported values (padding_side "left",
/// …) and for added tokens without text, id, or with flags that are neither true nor false.
TokenizerNotes tokenizer_notes(
    const std::filesystem::path& folder, const nlohmann::json& file,
    const std::function<std::optional<std::int32_t>(const std::string&)>& id_of);

/// CLIP's byte-pair vocabulary.
struct BpeFiles {
  std::string label;     ///< for errors
  nlohmann::json vocab;  ///< token to id
  std::vector<std::pair<std::string, std::string>> merges;
  TokenizerNotes notes;
};
/// From tokenizer.json if present, which transformers prefers, else from vocab.json and merges.txt.
/// Throws Error naming the file for a folder with neither, a damaged file, or one that splits text
/// differently from CLIP's.
BpeFiles read_bpe_folder(const std::filesystem::path& folder);

/// "a b" on one line as a merge; empty if the line isn't one.
std::optional<std::pair<std::string, std::string>> merge_of(std::string_view line);
/// The merges of a merges.txt, in order of rank. Throws Error naming file and line.
std::vector<std::pair<std::string, std::string>> read_merges_text(
    const std::filesystem::path& path);
/// A token's id as read from `label`. Throws Error unless it is a whole number below 4,194,304.
std::int32_t token_id_of(const nlohmann::json& value, const std::string& label,
                         const std::string& token);

}  // namespace mantissa
