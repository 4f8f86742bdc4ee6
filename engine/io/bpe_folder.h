#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/io/bpe_json.h"
#include "engine/io/post_processor.h"
#include "engine/io/tokenizer_folder.h"

namespace mantissa {

/// A byte-level BPE tokenizer as its folder describes it.
struct BpeDefinition {
  std::string label;  ///< the file with the vocabulary, for errors
  TokenIds vocab;     ///< without added tokens; ids are distinct
  std::vector<std::pair<std::string, std::string>> merges;  ///< in order of rank
  std::vector<std::string> expressions;                     ///< for WordSplitter
  bool compose = true;                                      ///< text is normalised to NFC
  bool ignore_merges = false;  ///< a word that is a token is not merged
  TokenizerNotes notes;        ///< ids of added tokens don't clash with the vocabulary's
};

/// From tokenizer.json if present, which transformers prefers; else from vocab.json and merges.txt,
/// split as Qwen2's tokenizer class does; with the added tokens of tokenizer_config.json and its
/// companions (tokenizer_notes). Throws Error naming file, field, what was found and what is
/// expected for everything else than NFC, Split and ByteLevel before a BPE model, and for tokens
/// around a text other than `frame`.
BpeDefinition read_bpe_definition(const std::filesystem::path& folder,
                                  const FrameTokens& frame = {});

}  // namespace mantissa
