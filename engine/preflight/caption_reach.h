#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

class DiffusionModel;

/// How much of a caption a tokenizer of a base model has room for.
struct CaptionReach {
  std::string part;         ///< "te1": the text encoder that reads its tokens
  std::int64_t tokens = 0;  ///< of the caption
  std::int64_t most = 0;    ///< that are read; the others are cut
  std::size_t read = 0;     ///< bytes of the caption that are read: all, unless it is cut
  bool cuts() const { return tokens > most; }
};

/// Counts the tokens of captions, by each tokenizer of a base model.
class CaptionReader {
 public:
  /// With the text options of `preset`. Throws Error if the base can't be opened.
  CaptionReader(const std::filesystem::path& base, const Preset& preset);
  ~CaptionReader();

  /// Throws Error if the tokenizers can't be read.
  std::vector<CaptionReach> reach(const std::string& caption);

 private:
  std::unique_ptr<DiffusionModel> model_;
};

}  // namespace mantissa
