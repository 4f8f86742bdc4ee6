#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/image.h"
#include "engine/programs/reconstruction.h"
#include "engine/programs/renderer.h"
#include "engine/render/image_distances.h"
#include "engine/run/minute_clock.h"
#include "engine/run/run_home.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"

namespace mantissa {

/// The encoded prompts of a preset, in its order.
struct SampleTexts {
  std::vector<TextEncoding> prompts, negatives;
};
/// Encodes them all, with the model's adapters if any. `arena` as of TextEncoder.
SampleTexts encode_prompts(Kernels& kernels, DiffusionModel& model, const Preset& preset,
                           Arena* arena = nullptr);

/// The sample images of a run, with the current model. They don't affect training; a failed one
/// only adds a line to the log. Several processes share them, and make all calls together.
class SampleMaker {
 public:
  /// `texts`: the encoded prompts; empty if the run trains text and encodes them for each sample.
  SampleMaker(const RunParts& parts, TrainingState& state, const RunHome& home, SampleTexts texts)
      : parts_(parts), state_(state), home_(home), texts_(std::move(texts)) {}

  /// Call it when the first step begins: minutes count from here, later from the samples before.
  void start_clock() { clock_.start(); }
  /// Excludes a pause.
  void leave_out(std::chrono::steady_clock::duration pause) { clock_.leave_out(pause); }
  /// By steps, epochs or minutes.
  bool is_due() const;

  /// One image per prompt of the preset; with VAE training the first images, each next to its
  /// reconstruction. Once per step.
  void make();
  /// Takes the memory for it without making any: a run that resumes makes none before its steps.
  void warm_up();
  /// Records what the samples so far ran, so that no later one does: Executor::record_ahead.
  void record_ahead();
  /// Renders the samples on request, even if this step already has them.
  void make_again();

 private:
  /// What is shown of one image.
  struct Sample {
    std::string prompt;
    std::map<std::string, std::string> text;
  };
  std::size_t count() const;
  /// Encodes the prompts again if the run trains text.
  void prepare();
  /// An image, and how far it is from those of the data set.
  struct Rendered {
    Image image;
    SampleDistance distance;
  };
  Rendered render(std::size_t index);
  RenderOptions options_of(std::size_t prompt) const;
  Rendered render_prompt(std::size_t index);
  Sample sample(std::size_t index) const;
  /// Renders the images with the others; the first failure of any of them.
  Message share();
  /// Images of all processes, by rank.
  std::vector<Rendered> exchange(Rendered mine);
  void keep(const Rendered& rendered, std::size_t index);

  RunParts parts_;
  TrainingState& state_;
  const RunHome& home_;
  SampleTexts texts_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<Reconstructor> reconstructor_;
  std::unique_ptr<ImageDistances> distances_;
  std::int64_t made_at_ = -1;  ///< step
  MinuteClock clock_;
};

}  // namespace mantissa
