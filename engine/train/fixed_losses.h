#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/data/batch_source.h"
#include "engine/programs/step_program.h"
#include "engine/run/run_parts.h"

namespace mantissa {

/// Losses of single images with the current model, at fixed noise levels with fixed noise. Doesn't
/// affect training. Several processes share the images.
class FixedLosses {
 public:
  static constexpr std::size_t kLevels = BatchSource::kValidationDraws;
  /// By noise level, the lowest first.
  using ByLevel = std::array<double, kLevels>;
  /// The inputs of an image at a level.
  using Inputs = std::function<StepInputs(std::size_t image, std::size_t level)>;

  explicit FixedLosses(const RunParts& parts) : parts_(parts) {}

  /// Records the programs of all images that are to be measured, so that no later call waits for
  /// it.
  void prepare();
  /// Then runs each once, without effect: StepProgram::warm_up.
  void warm_up();
  /// After that: StepProgram::record_ahead of each.
  void record_ahead();
  /// Losses of images 0 to `images` - 1 at each level, in the same order as in one process; nothing
  /// if the run is to stop. Progress is reported as `phase`.
  std::optional<std::vector<ByLevel>> of(RunPhase phase, std::int64_t images, const Inputs& inputs);

 private:
  StepProgram& program(const StepShape& shape);
  double loss(const StepInputs& inputs);
  RunContext context() const;

  RunParts parts_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_;
};

}  // namespace mantissa
