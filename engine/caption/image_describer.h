#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "engine/caption/caption_images.h"
#include "engine/caption/caption_text.h"
#include "engine/caption/token_choice.h"
#include "engine/caption/vision_language.h"
#include "engine/io/bpe_tokenizer.h"

namespace mantissa {

/// How a model in this engine is asked.
struct QuestionOptions {
  std::string prompt{kUsualPrompt};
  int largest_side = 1024;  ///< of a square of as many pixels as an image is shown with
  int most_tokens = 512;    ///< of an answer
  TokenChoice choice;
};

/// A Qwen3-VL that is asked about images.
class ImageDescriber {
 public:
  /// `path` as open_qwen3_vl takes it; the rest as VisionLanguage. Throws Error, too, if its
  /// tokenizer isn't one of its kind.
  ImageDescriber(Kernels& kernels, const std::filesystem::path& path, ComputeType type,
                 const Progress& progress = {});

  /// An answer's tokens, without the one that ends it.
  struct Answer {
    std::vector<std::int32_t> ids;
    bool cut = false;  ///< it didn't end within QuestionOptions::most_tokens
  };
  /// Throws CaptionError if the image can't be shown, Error(interrupted) once `set_stop` tells so.
  Answer ask(const Image& image, const QuestionOptions& options);
  std::string text_of(const Answer& answer) const { return tokenizer_.decode(answer.ids); }
  /// What is asked, as tokens.
  ImageQuestion question(const Image& image, const QuestionOptions& options) const;
  /// As VisionLanguage::set_stop.
  void set_stop(std::function<bool()> stop) { model_.set_stop(std::move(stop)); }

  VisionLanguage& model() { return model_; }

 private:
  WeightSource source_;
  VisionLanguage model_;
  BpeTokenizer tokenizer_;
  Qwen3ImageRule rule_;
  std::set<std::int32_t> ends_;  ///< tokens that end an answer
};

/// One caption for each image, from `describer`, which must outlive it.
Describe describe_by_model(ImageDescriber& describer, const QuestionOptions& options);

}  // namespace mantissa
