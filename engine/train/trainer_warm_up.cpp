// Trainer: what it does once before its first step, so that no later one takes memory.
#include <limits>

#include "engine/graph/device_values.h"
#include "engine/train/trainer.h"

namespace mantissa {

void Trainer::warm_up() {
  // First what may load weights: packed copies of others are dropped then.
  if (state_.step == 0) {
    if (parts_.preset().samples.wanted()) {
      samples_.make();
    }
    validation_.run();
    image_losses_.run(ImageLosses::Captions::own);
  } else {
    samples_.warm_up();
  }
  const std::vector<float> fp8_pending = parts_.model.fp8_scales().pending();
  fixed_losses_.warm_up();
  steps_.warm_up();
  health_.warm_up();
  warm_up_update();
  parts_.model.fp8_scales().restore_pending(fp8_pending);
  record_ahead();
  steady_memory_.begin();
}

void Trainer::warm_up_update() {
  gradients_.begin();
  gradients_.next();
  gradients_.add();
  if (!parts_.ranks.alone()) {
    exchange_.begin();
  }
  update_meter_.before();
  if (transaction_) {
    const float never = std::numeric_limits<float>::quiet_NaN();
    const DeviceArray loss(parts_.last_kernels(), {&never, 1}, Shape{});
    transaction_->prepare(0, [](std::int64_t) { return 0.0; });
    transaction_->launch(loss.view());  // the verdict: nothing moves
  }
  update_meter_.warm_up();
  parts_.adapters.zero_gradients();
}

void Trainer::record_ahead() {
  samples_.record_ahead();
  fixed_losses_.record_ahead();
  if (parts_.batches != nullptr) {
    parts_.batches->record_ahead();
  }
  const bool alone = transaction_ && !gradients_.separate();
  const bool before_the_last = !alone || parts_.preset().training.gradient_accumulation > 1;
  const RunContext context{static_cast<std::uint64_t>(parts_.preset().training.seed), 0};
  steps_.each([&](StepProgram& program) {
    if (alone) {
      program.record_ahead(context, [&] { transaction_->launch(program.loss()); });
    }
    if (before_the_last) {
      program.record_ahead(context, {});
    }
  });
}

}  // namespace mantissa
