#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/new_words.h"
#include "engine/io/post_processor.h"

namespace mantissa {

/// A byte-level BPE tokenizer, such as that of Qwen2 and Qwen3, giving the ids of Hugging Face's
/// tokenizers library: added tokens, NFC, words by regular expressions, merges of bytes. Immutable
/// and safe to share between threads; copies share the tables.
class BpeTokenizer {
 public:
  /// From `tokenizer.json`, or `vocab.json` and `merges.txt`, of a model's tokenizer folder, with
  /// its added tokens. `frame`: what the model's code puts around a text, so that the file may ask
  /// for it. Throws Error naming file and field for what is damaged or not supported (see
  /// read_bpe_definition).
  static BpeTokenizer from_folder(const std::filesystem::path& folder,
                                  const FrameTokens& frame = {});

  /// This one with words that stand for ids of their own.
  BpeTokenizer with_words(NewWords words) const;

  /// The text's ids; no token is put before or after them. Added tokens in the text, special ones
  /// too, become their ids. Text must be UTF-8; each invalid byte becomes U+FFFD.
  std::vector<std::int32_t> encode(std::string_view text) const;

  /// The text of these ids: the reverse of `encode`. Control tokens, such as <|im_end|>, and
  /// unknown ids are left out; bytes that make no UTF-8 become U+FFFD.
  std::string decode(std::span<const std::int32_t> ids) const;

  /// The id of an added token, or of a vocabulary's token in the byte-level alphabet ("Ġcat").
  std::optional<std::int32_t> id_of(std::string_view token) const;
  /// The id of the padding token that the folder names, if it names one.
  std::optional<std::int32_t> pad_id() const;
  /// The highest id, plus one.
  int vocab_size() const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
  NewWords words_;
};

}  // namespace mantissa
