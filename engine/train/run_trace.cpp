#include "engine/train/run_trace.h"

#include "engine/core/paths.h"
#include "engine/preset/preset_io.h"

namespace mantissa {

void RunTrace::begin() {
  if (parts_.plan.job.trace) {
    writer_.emplace(*parts_.plan.job.trace);
    writer_->add_adapters("adapter.before.", parts_.adapters);
  }
}

void RunTrace::add_micro_step(std::int64_t step, std::int64_t micro_step, const StepInputs& inputs,
                              StepProgram& program, double loss) {
  if (covers(step)) {
    writer_->add_step(micro_step, inputs, program, loss);
  }
}

void RunTrace::add_gradients(std::int64_t step, std::int64_t micro_step, double unscale) {
  if (covers(step)) {
    writer_->add_gradients(micro_step, parts_.adapters, unscale);
  }
}

void RunTrace::finish_at(std::int64_t steps) {
  if (steps >= parts_.plan.job.trace_steps) {
    finish();
  }
}

void RunTrace::finish() {
  if (!writer_) {
    return;
  }
  writer_->add_adapters("adapter.after.", parts_.adapters);
  parts_.log.keep([this] {
    writer_->write({{"mantissa.job", to_json(parts_.preset(), WriteMode::full)},
                    {"mantissa.plan", parts_.plan.precision.json()},
                    {"mantissa.text_tokens", std::to_string(parts_.model.text_tokens())}});
  });
  parts_.log.line(LogLevel::info,
                  message<"trace written to {file}">(path_to_utf8(*parts_.plan.job.trace)));
  writer_.reset();
}

}  // namespace mantissa
