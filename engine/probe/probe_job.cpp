#include "engine/probe/probe_job.h"

#include <algorithm>

#include "engine/adapters/start.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/run_inputs.h"
#include "engine/plan/word_embeddings.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

const JobSpec& on_one_device(const JobSpec& job) {
  if (!job.split.empty()) {
    throw Error(message<"a probe runs on one device: give --device in place of --split-cards">());
  }
  return job;
}

}  // namespace

ProbeJob::ProbeJob(const JobSpec& job, RunControl& control, RunObserver& observer)
    : control_(control), observer_(observer), told_(observer), run_(open_run(on_one_device(job))) {
  refuse_conflicts(run_.precision);
  kernels_ = make_backend(job.device);
  run_.job.preset.data.cache = CacheMode::none;
  run_.job.preset.data.shuffle_captions = false;  // their order is irrelevant to a few steps
  read_data();
  shared_.emplace(
      ProbeSource{*kernels_, run_.source, *run_.objective, run_.text,
                  [this](std::int64_t micro_step) { return inputs(micro_step); },
                  run_length(run_).steps, run_.training_adapters,
                  [this](TrainedSet& adapters, DiffusionModel& model) { start(adapters, model); }});
}

void ProbeJob::start(TrainedSet& adapters, DiffusionModel& model) const {
  if (continues_adapter(run_.job)) {
    start_from(adapters, continued_adapter(run_).modules,
               path_to_utf8(run_.job.continue_from->filename()));
  }
  start_words(adapters, model, run_.job.preset, continued_words(run_.job, run_.source));
}

void ProbeJob::tell() {
  observer_.on_progress(RunPhase::probing, done_, std::max(total_, done_));
  if (control_.stop_requested() != RunControl::Stop::none) {
    throw Error(ErrorKind::interrupted, message<"stopped while probing; nothing was changed">());
  }
}

void ProbeJob::advance() {
  ++done_;
  tell();
}

void ProbeJob::read_data() {
  if (trains_own_images(preset()) && !run_.job.replay) {
    throw Error(message<"training.purpose {purpose} can't be probed: it trains on images that its "
                        "run makes. Probe with training.purpose images">(
        enum_name(preset().training.purpose)));
  }
  scan_images(run_, told_);
  if (!run_.data) {
    return;
  }
  const auto encoder = DiffusionModel::open(*kernels_, run_.source, nullptr, run_.precision.rules);
  encoder->set_text_options(run_.text);
  run_.data->encode(*kernels_, *encoder, told_.progress());
  kernels_->release_constants();
  batches_.emplace(*run_.data, run_.objective, *kernels_);
}

StepInputs ProbeJob::inputs(std::int64_t micro_step) {
  if (micro_step % preset().training.gradient_accumulation != 0) {
    tell();  // between micro-steps too: a step may have many
  }
  return run_.replay ? run_.replay->inputs(micro_step, trains_text(preset()))
                     : batches_->inputs(micro_step);
}

}  // namespace mantissa
