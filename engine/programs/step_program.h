#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/diffusion/objective.h"
#include "engine/models/diffusion_model.h"
#include "engine/programs/base_targets.h"
#include "engine/programs/program.h"
#include "engine/programs/step_inputs.h"

namespace mantissa {

struct StepOptions {
  bool train_text = false;                          ///< text encoders are part of the step
  std::optional<CheckpointingScope> checkpointing;  ///< absent: all activations are kept
  bool keep_tensors = false;  ///< prediction, target, context readable afterwards (for a trace)
  bool train_vae = false;     ///< the step is an autoencoder's: see vae_loss
  double vae_kl_weight = 0;
  bool masked = false;   ///< the squared error of each position is weighted
  bool huber = false;    ///< the error is huber_loss's; a mask then scales its difference
  bool backward = true;  ///< false: only the loss, no training
  /// The base model's prediction for the texts of kPreserved is a second target.
  bool preserves = false;
  std::optional<SliderOptions> slider;  ///< in place of the loss on the images
  bool pairs = false;                   ///< see record_pair_loss

  static StepOptions of(const Preset& preset, bool keep_tensors = false);
  /// For a step that only computes the loss.
  static StepOptions looking(const Preset& preset) {
    StepOptions options = of(preset);
    options.checkpointing.reset();
    options.backward = false;
    options.preserves = false;
    return options;
  }
};

/// What stands before the names of each of a step's texts (StepInputs::text), "" first.
std::vector<std::string> text_heads(const Preset& preset);

/// Forward and backward of one micro-step for one shape, recorded once. Gradients are accumulated
/// into the adapters' buffers.
class StepProgram {
 public:
  StepProgram(Kernels& kernels, Arena& arena, DiffusionModel& model, const StepShape& shape,
              const StepOptions& options);
  /// `loss_seed` is d_loss: loss scale / accumulation. Returns the unscaled loss. `tail` as in
  /// Executor::run; `meanwhile` is called once the work is launched, before the loss is read.
  double run(const StepInputs& inputs, const BatchCoefficients& coefficients, double loss_seed,
             const RunContext& context, const Tail& tail = {},
             const std::function<void()>& meanwhile = {});
  /// As those of Executor.
  void warm_up(const RunContext& context) { program_.executor().warm_up(context); }
  void record_ahead(const RunContext& context, const Tail& tail) {
    program_.executor().record_ahead(context, tail);
  }
  /// [] fp32 in the backend's memory, for a tail.
  View loss() { return program_.executor().output("loss"); }
  const Plan& plan() const { return program_.plan(); }
  /// After a run: "prediction", "target" and the denoiser's text inputs (see text_names); only with
  /// keep_tensors.
  View tensor(const std::string& name) { return program_.executor().output(name); }
  Executor& executor() { return program_.executor(); }
  int recordings() const { return program_.recordings(); }
  const std::vector<std::string>& text_names() const { return text_names_; }
  const Graph& graph() { return program_.graph(); }

 private:
  Value record_denoising();
  Value noised(Value latents, Value noise);
  /// The loss on the step's own captions.
  Value record_image_loss(Value latents, Value noise, Value noised, Value timesteps,
                          std::span<const Value> references);
  /// The mean of that of the images with the adapter at weight 1 and of that of their partners,
  /// the step's only references, at -1: with the same noise, timesteps and captions.
  Value record_pair_loss(Value latents, Value noise, Value timesteps);
  Value record_slider_loss(Value noised, Value timesteps);
  /// The step's texts, or those whose names begin with `head`.
  TextValues record_texts(const std::string& head = {});
  Value factor(const char* name);
  Value record_autoencoding();
  void feed_denoising(const StepInputs& inputs, const BatchCoefficients& coefficients);
  DiffusionModel& model_;
  std::vector<std::string> text_names_;
  StepShape shape_;
  StepOptions options_;
  Program program_;
};

}  // namespace mantissa
