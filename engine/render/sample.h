#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/run.h"

namespace mantissa {

/// A request for an image from the command line, or for several from one loaded model.
struct SampleRequest {
  struct Sample {
    std::string prompt;
    std::int64_t seed = 42;
    std::filesystem::path out;  ///< PNG to write
  };
  struct Lora {
    std::filesystem::path file;
    double weight = 1;
  };
  struct Embedding {
    std::filesystem::path file;
    std::string word;  ///< empty: as the file says
  };
  std::filesystem::path base;  ///< file, diffusers folder, or "demo"
  std::vector<Lora> loras;
  std::vector<Embedding> embeddings;  ///< of words that the prompts may hold
  std::string prompt, negative;
  std::string sampler = "euler";  ///< one of sampler_names()
  int steps = 25;
  double guidance = 6.0;
  std::int64_t seed = 42;
  int width = 0, height = 0;  ///< pixels; 0: the model's native size
  /// The axis of a DoRA file's magnitudes, if the file is ambiguous.
  std::optional<DoraAxis> dora_axis;
  bool weighted = false;  ///< "(word:1.2)" in the prompts is a weight
  int clip_skip = 0;      ///< as training.clip_skip
  /// Images to edit, of a model that reads some; without width and height the first one's size.
  std::vector<std::filesystem::path> references;
  std::string device = "cpu";
  std::filesystem::path out;    ///< PNG to write
  std::vector<Sample> samples;  ///< if given, these replace prompt, seed and out
  /// A checkpoint or strength to compare.
  struct Column {
    std::string label;
    std::vector<Lora> loras;  ///< beside those of the request
  };
  /// If given, `out` is one image: a row for each prompt, labelled with it, and these columns.
  std::vector<Column> columns;
};

/// Renders and writes the images; settings go into each PNG's text. An empty negative prompt is
/// encoded as the empty text. With columns the base model is loaded once, unless their adapters
/// have modules of different ranks or change whole weights. Throws Error for bad input and for an
/// adapter that doesn't fit.
void run_sample(const SampleRequest& request, RunObserver& observer);

}  // namespace mantissa
