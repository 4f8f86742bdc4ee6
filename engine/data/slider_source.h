#pragma once
// Inputs of a slider's steps: the base model's own images of the target, and four prompts.

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

/// A slider's prompts, encoded.
struct SliderTexts {
  std::map<std::string, TextEncoding> of;  ///< by the heads of StepInputs::text; "": the target
  TextEncoding empty;                      ///< for guidance of the target's images
};
SliderTexts encode_slider(Kernels& kernels, DiffusionModel& model, const Preset& preset);

/// The inputs of a slider's steps: latents of `slider.samples` images that the base model makes of
/// the target, in turn, with noise and timesteps as of any run. Not thread-safe.
class SliderSource {
 public:
  /// `shape` of a step. References must outlive this.
  SliderSource(const Preset& preset, const StepShape& shape,
               std::shared_ptr<const Objective> objective, Kernels& kernels, DiffusionModel& model,
               SliderTexts texts);

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
  SliderTexts texts_;
  std::vector<float> latents_;  ///< [samples, height, width, channels], scaled
  NormalDraws draws_;
};

}  // namespace mantissa
