#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "engine/data/dataset.h"
#include "engine/models/diffusion_model.h"

namespace mantissa {

/// Finds the texts that a model's tokenizers have no room for, with its text options.
class CutTexts {
 public:
  explicit CutTexts(DiffusionModel& model);
  /// Notes `file` if its text is cut. Throws Error if the model's tokenizers can't be read.
  void add(const std::filesystem::path& file, const std::string& text);
  /// All that were noted: "301 tokens, of which te1 reads 75", of the tokenizer that cuts most.
  DataFinding found;

 private:
  DiffusionModel& model_;
  std::map<std::string, Message> known_;  ///< many images may have one caption
};

/// Notes the prompts of a preset's samples as "samples.prompts[0]", …, and those of a run's own
/// images by their keys.
void add_prompts(CutTexts& cut, const Preset& preset);

/// The finding on all captions that are cut.
DataFinding cut_captions(DiffusionModel& model, std::span<const ImageItem> items);

}  // namespace mantissa
