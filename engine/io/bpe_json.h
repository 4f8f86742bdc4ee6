#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mantissa {

struct TokenHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
/// Tokens' ids by their text.
using TokenIds = std::unordered_map<std::string, std::int32_t, TokenHash, std::equal_to<>>;

/// A tokenizer.json. Its two long lists are not kept as JSON, which would take longer than all the
/// rest of loading a vocabulary of 150,000 tokens.
struct BpeJson {
  nlohmann::json rest;  ///< with empty model.vocab and model.merges, if those are object and list
  TokenIds vocab;       ///< model.vocab
  std::vector<std::pair<std::string, std::string>> merges;  ///< of model.merges, in order of rank
};

/// Reads a tokenizer.json: at most 64 MiB and 64 levels deep. Throws Error naming the file and the
/// place for invalid JSON, a key or token twice, an id that is no whole number in range, or a merge
/// other than "a b" and ["a", "b"].
BpeJson read_bpe_json(const std::filesystem::path& path);
/// Tokens of a vocab.json, an object of token to id.
TokenIds read_vocab_json(const std::filesystem::path& path);

}  // namespace mantissa
