// Trainer: from the job to the first step.
#include <algorithm>
#include <cstring>

#include "engine/adapters/export.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/start.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/mapped_file.h"
#include "engine/precision/run_findings.h"
#include "engine/train/backend.h"
#include "engine/train/disk_plan.h"
#include "engine/train/memory_plan.h"
#include "engine/train/model_objective.h"
#include "engine/train/run_plan.h"
#include "engine/train/trainer.h"

namespace mantissa {
namespace {

/// What the run trains on, and what of it comes out the same again.
Message device_text(const Kernels& kernels, bool deterministic) {
  if (kernels.host_memory()) {
    return message<"training on {device}; bit-exact from run to run">(kernels.name());
  }
  return deterministic ? message<
                             "training on {device}; deterministic: bit-exact from run to run "
                             "with this driver">(kernels.name())
                       : message<
                             "training on {device}; fastest kernels: runs agree within "
                             "rounding, not to the bit (--deterministic)">(kernels.name());
}

}  // namespace

void Trainer::prepare() {
  log_.progress(RunPhase::loading, 0, 1);
  kernels_ = make_backend(job_.device, job_.deterministic);
  free_at_start_ = free_memory(*kernels_);
  log_.line(1, device_text(*kernels_, job_.deterministic));
  arena_ = std::make_unique<Arena>(*kernels_);
  if (job_.resume) {
    find_checkpoint();
  }
  source_ = WeightSource::open(resolve_base(job_.base));
  for (const std::string& name : source_.unknown()) {
    log_.line(2, message<"the base model's tensor {name} is unknown and not used">(name));
  }
  precision_ = job_precision(job_.preset, source_, job_.device);
  job_.preset = precision_.effective;
  objective_ = model_objective(source_, job_.preset);
  const Preset::Precision& precision = job_.preset.precision;
  scaler_ = LossScaler(precision.loss_scaling, precision.compute, precision.gradients);
  for (const PrecisionFinding& f : precision_.findings) {
    log_.line(f.verdict == Verdict::works ? 0 : 2,
              message<"{id}: {message}">(f.id, with_changes(f.message, f.changes)));
  }
  log_.progress(RunPhase::loading, 1, 1);
  encode_data();
  bind_model();
  make_groups();
  update_meter_.emplace(*kernels_, groups_, job_.preset.precision);
  health_.emplace(*kernels_, *adapters_, job_.health_every);
  if (resume_from_) {
    restore();
  } else if (job_.resume) {
    begin_again();
  }
  PlanReport report = plan_programs();
  report.disk = plan_disk(folder_.checkpoints(), report.checkpoint_bytes, job_.preset.output.keep);
  log_.plan(report);
  if (!report.disk.fits() && !job_.resume) {  // a resumed run's checkpoints are there already
    log_.line(2, disk_warning(report.disk));
  }
  require_memory(report,
                 [this, &report] { return fit_options(job_, report.free_bytes, plan_training); });
  arena_->reserve(arena_bytes_);
  require_intact_files();
  if (health_->on() && step_ == 0) {
    if (HealthRecord weights = health_->weights(*model_); !weights.rows.empty()) {
      log_.health(weights);
    }
  }
}

void Trainer::tell_progress(RunPhase phase, std::int64_t done, std::int64_t total) {
  log_.progress(phase, done, total);
  if (control_.stop_requested() != RunControl::Stop::none) {
    throw Error(ErrorKind::interrupted, message<"stopped while {phase} ({done} of {count})">(
                                            phase_name(phase), done, total));
  }
}

void Trainer::encode_data() {
  const auto plain = DiffusionModel::open(*kernels_, source_, nullptr, precision_.rules);
  DiffusionModel& model = *plain;
  model.set_text_options(TextOptions::of(job_.preset));
  const Progress progress = [this](std::string_view phase, std::int64_t done, std::int64_t total) {
    tell_progress(phase_of(phase), done, total);
  };
  if (job_.replay) {
    replay_.emplace(*job_.replay);
    check_identity();
    plan_memory(model, progress);
    log_.line(1, message<"replaying {steps} steps of {file}">(replay_->micro_steps(),
                                                              path_to_utf8(*job_.replay)));
  } else {
    data_.emplace(
        job_.preset, job_folders(job_), bucket_quantum(model),
        [this](int level, const Message& text) { log_.line(level, text); }, progress);
    check_identity();
    plan_memory(model, progress);
    // What is cached already is not encoded again.
    log_.keep([&] { data_->encode(*kernels_, model, progress); });
    const DatasetReport& report = data_->dataset().report;
    log_.keep([&] {
      atomic_write(folder_.path() / "dataset.txt", report.text() + data_->bucket_report());
      atomic_write(folder_.path() / "dataset.json", report.json());
    });
    log_.line(1, message<"{images} images, {files} files skipped, {batches} batches per epoch">(
                     report.images, report.skipped.size(), data_->batches_per_epoch()));
    if (report.prior > 0 || report.held_out > 0) {
      log_.line(1, message<"{images} images for prior preservation, {held} for validation">(
                       report.prior, report.held_out));
    }
    for (const Message& notice : report.notices) {
      log_.line(1, notice);
    }
    for (const SkippedFile& file : report.skipped) {
      log_.line(2, message<"{path} skipped: {reason}">(path_to_utf8(file.path), file.reason));
    }
  }
  if (replay_ && !trains_text()) {
    encode_prompts(model);
  } else if (!trains_text() && !trains_vae(job_.preset)) {
    for (const SamplePrompt& prompt : job_.preset.samples.prompts) {
      prompts_.push_back(data_->text(prompt.prompt));
      negatives_.push_back(data_->text(prompt.negative));
    }
  }
  kernels_->release_constants();  // the encoders are done; their packed weights with them
}

void Trainer::encode_prompts(DiffusionModel& model) {
  prompts_.clear();
  negatives_.clear();
  if (job_.preset.samples.prompts.empty()) {
    return;
  }
  TextEncoder encoder(*kernels_, model);
  for (const SamplePrompt& prompt : job_.preset.samples.prompts) {
    prompts_.push_back(encoder.encode(prompt.prompt));
    negatives_.push_back(encoder.encode(prompt.negative));
  }
}

RunMemory Trainer::run_memory() const {
  return {free_at_start_, job_.memory_budget, !kernels_->host_memory()};
}

void Trainer::plan_memory(DiffusionModel& model, const Progress& progress) {
  RunShapes steps;
  steps.from_pictures = !replay_;
  steps.keep_tensors = job_.trace.has_value();
  const std::int64_t tokens = model.text_tokens();
  if (replay_) {
    const StepInputs in = replay_->inputs(0, trains_text());
    steps.shapes = {{in.batch, in.height, in.width, tokens}};
    steps.work.texts = !job_.preset.samples.prompts.empty();
  } else {
    steps.shapes = data_->shapes(tokens, model.latent_factor());
    steps.held_out = data_->validation_shapes(tokens, model.latent_factor());
    steps.work = data_->missing(model, TrainingData::Look::whole, progress);
  }
  const RunMemory memory = run_memory();
  if (!memory.may_stream) {
    phases_ = phase_needs(*kernels_, source_, precision_, steps.work, {});
    return;
  }
  const PlannedRun plan = plan_run(*kernels_, source_, precision_, steps, memory);
  require_memory(plan.report, [this, &plan] {
    return fit_options(job_, plan.report.free_bytes, plan_training);
  });
  if (!plan.streamed.empty()) {
    log_.line(1, message<"{count} weights stay in host memory and are copied to the card for each "
                         "use: the run may take {limit} bytes there">(plan.streamed.size(),
                                                                      memory.bytes()));
  }
  phases_ = plan.phases;
  streamed_ = plan.streamed;
  model.weights().stream(streamed_);
}

void Trainer::bind_model() {
  adapters_ = std::make_unique<AdapterSet>(*kernels_, job_.preset);
  model_ = DiffusionModel::open(*kernels_, source_, adapters_.get(), precision_.rules);
  model_->set_text_options(TextOptions::of(job_.preset));
  model_->weights().stream(streamed_);
  const bool live_text = data_ && reads_captions_live(job_.preset);
  model_->bind(live_text ? model_->training_parts(true) : model_->training_parts(job_.preset));
  adapters_->finalize(
      static_cast<std::uint64_t>(job_.preset.training.seed),
      [this](const Tensor& weight, std::span<const float> values) {
        model_->weights().replace(weight, values);
      },
      [this](const std::string& path) { return model_->weights().values(path); });
  if (data_) {
    data_->read_captions_with(*kernels_, *model_, *arena_);
  }
  if (const std::int64_t plain = adapters_->vanishing_channels(); plain > 0) {
    log_.line(2, finding_text(empty_rows(job_.preset, plain, {})));
  }
  if (job_.continue_from && !resume_from_) {
    continue_adapter();
  }
  if (replay_) {
    if (const auto before = replay_->adapters_before(); !before.empty()) {
      adapters_->load(before);
    }
  }
  const bool full = job_.preset.training.method == TrainingMethod::full;
  const std::int64_t values = adapters_->parameter_count();
  log_.line(1, full ? message<"{count} trained weights, {values} trainable values">(
                          adapters_->weights().size(), values)
                    : message<"{count} adapters, {values} trainable values">(
                          adapters_->adapters().size(), values));
}

void Trainer::continue_adapter() {
  const std::string name = path_to_utf8(job_.continue_from->filename());
  if (job_.preset.training.method == TrainingMethod::full) {
    throw Error(message<"{file}: training.method is full; merge the adapter into the base model "
                        "first (`mantissa merge`)">(name));
  }
  LoraFile file = read_lora(*job_.continue_from, adaptable_modules(source_), source_.unet_layout(),
                            job_.dora_axis);
  fit_shapes(file.modules, source_);
  for (const Message& notice : start_from(*adapters_, file.modules, name)) {
    log_.line(2, notice);
  }
  log_.line(1, message<"continues from {file}">(path_to_utf8(*job_.continue_from)));
}

void Trainer::make_groups() {
  groups_ = mantissa::make_groups(*kernels_, job_.preset, *adapters_);
  for (const OptimizerPart& group : groups_) {
    if (job_.preset.training.ema > 0) {
      kernels_->copy(group.parameters, ema_.emplace_back(*kernels_, group.parameters.shape).view());
    }
  }
}

PlanReport Trainer::plan_programs() {
  StepNeeds needs;
  const auto cover = [&](StepProgram& program) { needs.cover(program.graph(), program.plan()); };
  if (replay_) {
    cover(program_for(replay_->inputs(0, trains_text())));
  } else {
    const StepOptions options = StepOptions::of(job_.preset, job_.trace.has_value());
    for (const StepShape& shape :
         largest_shapes(data_->shapes(model_->text_tokens(), model_->latent_factor()))) {
      std::unique_ptr<StepProgram>& program = programs_[shape];
      program = std::make_unique<StepProgram>(*kernels_, *arena_, *model_, shape, options);
      cover(*program);
    }
    for (const StepShape& shape :
         data_->validation_shapes(model_->text_tokens(), model_->latent_factor())) {
      cover(validation_program(shape));
    }
    if (reads_captions_live(job_.preset)) {
      needs.arena = std::max(needs.arena, text_arena_bytes(*model_));
    }
  }
  arena_bytes_ = std::max(needs.arena, phases_.sample_arena);
  return plan_report(*kernels_, precision_, *model_, *adapters_, needs, phases_,
                     run_memory().bytes());
}

}  // namespace mantissa
