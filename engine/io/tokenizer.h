#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/new_words.h"

namespace mantissa {

/// CLIP's byte-pair tokenizer, matching Hugging Face's fast tokenizer: NFC, white space runs to one
/// space, lower case, split, byte-level BPE with `</w>` at word ends. Immutable and safe to share
/// between threads; copies share the tables.
class ClipTokenizer {
 public:
  /// From `tokenizer.json`, or `vocab.json` and `merges.txt`, of a model's tokenizer folder, with
  /// its added tokens; any vocabulary size. A "!" gets OpenCLIP's ids even if it is the padding
  /// token.
  static ClipTokenizer from_folder(const std::filesystem::path& folder);
  /// From the public merges table, plain or gzip, whole or truncated after line 48894; the SHA-256
  /// of the lines in use is checked.
  static ClipTokenizer from_merges(const std::filesystem::path& file);
  /// The table that ships with the program (see resource_path): bpe_simple_vocab_16e6.txt.gz. A
  /// file is read once; later calls share its tables.
  static ClipTokenizer built_in();

  /// This one with words that stand for ids of their own.
  ClipTokenizer with_words(NewWords words) const;

  /// Ids without BOS and EOS. Text must be UTF-8; invalid bytes become U+FFFD.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// [BOS] ids [EOS], truncated to `length` with the last forced to EOS, padded with `pad_id`.
  std::vector<std::int32_t> encode_padded(std::string_view text, int length, int pad_id) const;

  std::int32_t bos_id() const;
  std::int32_t eos_id() const;
  int vocab_size() const;
  /// The symbol of an id ("cat</w>"), empty if out of range.
  std::string token(std::int32_t id) const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
  NewWords words_;
};

}  // namespace mantissa
