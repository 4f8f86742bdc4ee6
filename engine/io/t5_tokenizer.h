#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// The unigram tokenizer of a T5 (Kudo, arXiv 1804.10959): SentencePiece itself where the folder
/// has its model, else what the tokenizers library makes of tokenizer.json. The two differ in rare
/// strings only, such as combining marks that the normaliser knows no composition of. Immutable;
/// copies share the model.
class T5Tokenizer {
 public:
  /// From `spiece.model` or `tokenizer.json` in a model's tokenizer folder. Throws Error naming the
  /// file when both are missing, or it is of another kind.
  static T5Tokenizer from_folder(const std::filesystem::path& folder);

  /// Pieces of the text, without the end. Text must be UTF-8.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// Pieces and the end, cut to `length` with the last forced to the end, padded with `pad_id`.
  std::vector<std::int32_t> encode_padded(std::string_view text, int length, int pad_id,
                                          int eos_id) const;
  int vocab_size() const;

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

/// Lower case by code point, without white space at the ends; broken UTF-8 counts as U+FFFD.
std::string lower_trimmed(std::string_view text);

}  // namespace mantissa
