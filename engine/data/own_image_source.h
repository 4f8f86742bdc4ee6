#pragma once
// Inputs of steps on the base model's own images: a slider's, or those of a training adapter.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/programs/renderer.h"
#include "engine/programs/step_inputs.h"

namespace mantissa {

/// The prompts of such steps, encoded.
struct OwnTexts {
  using ByHead = std::map<std::string, TextEncoding>;
  std::vector<ByHead> of;  ///< each prompt's, by the heads of StepInputs::text; "": itself
  TextEncoding empty;      ///< for guidance of its images
};
OwnTexts encode_own_prompts(Kernels& kernels, DiffusionModel& model, const Preset& preset);

/// The inputs of such steps: latents of images that the base model makes of its prompts in turn,
/// with noise and timesteps as of any run. Not thread-safe.
class OwnImageSource {
 public:
  /// `shape` of a step. References must outlive this.
  OwnImageSource(const Preset& preset, const StepShape& shape,
                 std::shared_ptr<const Objective> objective, Kernels& kernels,
                 DiffusionModel& model, OwnTexts texts);

  /// Makes the images' latents with the base model, whatever its adapters are, and writes them to
  /// `file`, where the run keeps them: a resumed run has the same.
  void make(const std::filesystem::path& file, Arena& arena, const Progress& progress) const;
  /// Reads them from there. Throws Error naming the file.
  void read(const std::filesystem::path& file);
  /// Pure functions of the latents, the preset and the micro-step.
  StepInputs inputs(std::int64_t micro_step);

 private:
  RenderOptions options() const;
  std::vector<float> draw(RandomStream stream, std::int64_t micro_step, std::size_t sample,
                          std::int64_t count);
  std::vector<float> noise(std::int64_t micro_step, std::size_t sample);
  std::int64_t values() const;

  const Preset& preset_;
  StepShape shape_;
  std::shared_ptr<const Objective> objective_;
  Kernels& kernels_;
  DiffusionModel& model_;
  const std::vector<std::string> prompts_;
  const int images_;
  OwnTexts texts_;
  std::vector<float> latents_;  ///< [images, height, width, channels], scaled
};

}  // namespace mantissa
