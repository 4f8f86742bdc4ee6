#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/new_words.h"

namespace mantissa {

/// The unigram tokenizer of a T5 (Kudo, arXiv 1804.10959): SentencePiece itself if the folder has
/// its model, as in T5's training, else tokenizer.json as the tokenizers library reads it. The two
/// differ in rare strings, such as combining marks without a composition, and so do versions 4 and
/// 5 of transformers: each folder is read as the program that wrote it reads it. Immutable; copies
/// share the model.
class T5Tokenizer {
 public:
  /// From `spiece.model` or `tokenizer.json` in a model's tokenizer folder. Throws Error naming the
  /// file if both are missing or it is of another kind.
  static T5Tokenizer from_folder(const std::filesystem::path& folder);
  /// This one with words that stand for ids of their own.
  T5Tokenizer with_words(NewWords words) const;

  /// The text's pieces, without EOS. Text must be UTF-8.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// Pieces and EOS, truncated to `length` with the last forced to EOS, padded with `pad_id`.
  std::vector<std::int32_t> encode_padded(std::string_view text, int length, int pad_id,
                                          int eos_id) const;
  int vocab_size() const;

 private:
  struct Model;
  void encode_text(std::string_view text, std::vector<std::int32_t>& ids) const;

  std::shared_ptr<const Model> model_;
  NewWords words_;
};

/// Lowercase by code point, trimmed; invalid UTF-8 becomes U+FFFD.
std::string lower_trimmed(std::string_view text);

}  // namespace mantissa
