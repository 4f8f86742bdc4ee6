#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/added_tokens.h"

namespace mantissa {

/// What any tokenizer folder of transformers says beside its vocabulary: tokenizer_config.json,
/// special_tokens_map.json (which wins), added_tokens.json and the added_tokens of tokenizer.json.
struct TokenizerNotes {
  std::optional<std::string> pad_token;
  std::optional<int> max_length;  ///< ids a text is cut and padded to, where that is limited
  std::vector<AddedToken> added;  ///< a token that is named twice as the last place says
  std::map<std::string, std::string> roles;  ///< "bos_token" and so on: its text
};
/// `file`: the parsed tokenizer.json, or null; `vocab`: an object of token to id. Throws Error
/// naming file and field for values that can't be honoured (padding_side "left", …).
TokenizerNotes tokenizer_notes(const std::filesystem::path& folder, const nlohmann::json& file,
                               const nlohmann::json& vocab);

/// CLIP's byte-pair vocabulary.
struct BpeFiles {
  std::string label;     ///< for errors
  nlohmann::json vocab;  ///< token to id
  std::vector<std::pair<std::string, std::string>> merges;
  TokenizerNotes notes;
};
/// From tokenizer.json where there is one, as transformers prefers it, else from vocab.json and
/// merges.txt. Throws Error naming the file for a folder without either, a damaged file, or one
/// that splits text in another way than CLIP's.
BpeFiles read_bpe_folder(const std::filesystem::path& folder);

/// "a b" on one line as a merge; empty when the line holds anything else.
std::optional<std::pair<std::string, std::string>> merge_of(std::string_view line);

}  // namespace mantissa
