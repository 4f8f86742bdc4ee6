// Trainer: the loss on held-out pictures.
#include <chrono>

#include "engine/train/trainer.h"

namespace mantissa {

StepProgram& Trainer::validation_program(const StepShape& shape) {
  std::unique_ptr<StepProgram>& program = validation_programs_[shape];
  if (!program) {
    const bool training = adapters_->trainable();
    if (training) {
      adapters_->set_training(false);  // dropout is recorded
    }
    program = std::make_unique<StepProgram>(*kernels_, *arena_, *model_, shape,
                                            StepOptions::looking(job_.preset));
    if (training) {
      adapters_->set_training(true);
    }
  }
  return *program;
}

void Trainer::validate() {
  if (!data_ || data_->validation_pictures() == 0 || validated_step_ == step_) {
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  // Looking must not move what delayed FP8 scaling remembers.
  const std::vector<float> fp8_pending = model_->fp8_scales().pending();
  const auto pictures = static_cast<std::size_t>(data_->validation_pictures());
  constexpr std::size_t kDraws = TrainingData::kValidationDraws;
  double sum = 0;
  bool stopped = false;
  for (std::size_t i = 0; i < pictures && !stopped; ++i) {
    for (std::size_t which = 0; which < kDraws; ++which) {
      const StepInputs inputs = data_->validation_inputs(i, which, *kernels_);
      StepProgram& program =
          validation_program({1, inputs.height, inputs.width, model_->text_tokens()});
      sum += program.run(inputs, coefficients(inputs), 0,
                         {static_cast<std::uint64_t>(job_.preset.training.seed), 0});
    }
    log_.progress(RunPhase::validating, static_cast<std::int64_t>(i + 1),
                  data_->validation_pictures());
    stopped = control_.stop_requested() != RunControl::Stop::none;
  }
  model_->fp8_scales().restore_pending(fp8_pending);
  if (stopped) {
    return;
  }
  validated_step_ = step_;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  log_.validation({step_, sum / static_cast<double>(pictures * kDraws),
                   data_->validation_pictures(), took.count()});
}

}  // namespace mantissa
