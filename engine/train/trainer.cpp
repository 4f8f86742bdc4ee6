#include "engine/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/io/mapped_file.h"
#include "engine/preset/preset_io.h"
#include "engine/train/backend.h"
#include "engine/train/memory_plan.h"

namespace mantissa {
namespace fs = std::filesystem;

Trainer::Trainer(const JobSpec& job, const RunFolder& folder, RunLock& lock, RunControl& control,
                 RunLog& log)
    : job_(job),
      folder_(folder),
      lock_(lock),
      control_(control),
      log_(log),
      scaler_(job.preset.precision.loss_scaling, job.preset.precision.compute,
              job.preset.precision.gradients),
      lr_schedule_(job.preset.schedule, job.preset.training.steps),
      checkpoints_(folder.checkpoints()) {}

Trainer::~Trainer() = default;

bool Trainer::trains_text() const {
  return mantissa::trains_text(job_.preset);
}

RunResult Trainer::run() {
  log_.disk().allow_move(folder_.path(), [this](const fs::path& parent) { move_run(parent); });
  log_.state(RunState::preparing);
  prepare();
  log_.state(RunState::training);
  try {
    train();
  } catch (const DiskFull&) {
    save_adapter_alone();
    throw;
  }
  return {folder_.id(), folder_.path(), adapter_file_.value_or(std::filesystem::path{}), step_,
          last_loss_};
}

void Trainer::train() {
  // The number of steps may be raised or lowered while the run goes on.
  const auto steps = [this]() -> std::int64_t {
    return replay_ ? replay_->micro_steps() / job_.preset.training.gradient_accumulation
                   : job_.preset.training.steps;
  };
  saved_at_ = std::chrono::steady_clock::now();
  if (job_.trace) {
    trace_.emplace(*job_.trace);
    trace_->add_adapters("adapter.before.", *adapters_);
  }
  if (job_.preset.samples.every > 0 && step_ == 0) {
    render_samples();
  }
  if (step_ == 0) {
    validate();
  }
  while (step_ < steps()) {
    if (obey()) {
      throw Error(ErrorKind::interrupted,
                  message<"stopped at step {step} of {steps}">(step_, steps()));
    }
    if (step_ >= steps()) {
      break;
    }
    train_step();
    log_.progress(RunPhase::training, step_, steps());
    if (trace_ && step_ >= job_.trace_steps) {
      finish_trace();
    }
  }
  finish_trace();
  if (job_.preset.samples.every > 0) {
    render_samples();
  }
  validate();
  tell_recordings();
  save();
  log_.keep(
      [this] { adapter_file_ = write_result(folder_.path(), job_.preset.output.name, false); });
  log_.saved(*adapter_file_, step_, false);
}

void Trainer::take_settings() {
  const std::optional<Preset> wanted = control_.take_settings();
  if (!wanted) {
    return;
  }
  const Preset changed = with_live_settings(job_.preset, *wanted);
  for (const PresetChange& change : diff_presets(job_.preset, changed)) {
    log_.line(1, message<"{key}: {before} -> {after} after step {step}">(
                     change.key, change.a.dump(), change.b.dump(), step_));
  }
  job_.preset = changed;
  lr_schedule_ = LrSchedule(changed.schedule, changed.training.steps);
}

bool Trainer::obey() {
  while (true) {
    take_settings();
    if (control_.take_save_request()) {
      save();
    }
    if (control_.take_sample_request()) {
      if (job_.preset.samples.prompts.empty() && !trains_vae(job_.preset)) {
        log_.line(2, message<"no sample: the preset has no prompts (samples.prompts)">());
      }
      sampled_step_ = -1;
      render_samples();
    }
    if (control_.stop_requested() != RunControl::Stop::none) {
      log_.state(RunState::stopping);
      if (control_.stop_requested() == RunControl::Stop::save) {
        save();
      }
      return true;
    }
    if (!control_.pause_requested()) {
      return false;
    }
    log_.state(RunState::paused);
    const auto paused_at = std::chrono::steady_clock::now();
    control_.wait_while_paused();
    saved_at_ += std::chrono::steady_clock::now() - paused_at;
    if (!control_.pause_requested()) {
      log_.state(RunState::training);
    }
  }
}

void Trainer::train_step() {
  const auto start = std::chrono::steady_clock::now();
  adapters_->zero_gradients();
  StepRecord record;
  record.step = step_ + 1;
  record.loss_scale = scaler_.scale();
  update_meter_->before();
  const StepOutcome outcome = run_transaction(record);
  ++step_;
  last_loss_ = record.loss;
  record.grad_norm = outcome.grad_norm;
  record.clip_norm = job_.preset.training.max_grad_norm;
  record.clipped = outcome.clipped;
  record.skipped = outcome.skipped;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    PartFigures& part = record.parts[Part(part_name(groups_[i].part))];
    part.lr = outcome.learning_rates[i];
    part.norm = std::hypot(part.norm, outcome.group_norms[i]);
  }
  if (outcome.stepped) {
    ++updates_;
    apply_ema(outcome);
    update_meter_->after(outcome, record);
    if (updates_ == 1) {
      check_reach(outcome);
    }
  }
  if (outcome.skipped) {
    explain_skip(record, outcome);
  }
  model_->fp8_scales().advance();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  log_.step(record);
  skips_in_row_ = outcome.skipped ? skips_in_row_ + 1 : 0;
  constexpr std::int64_t kMaxSkips = 3;
  if (outcome.hopeless && skips_in_row_ >= kMaxSkips) {
    stop_on_skips();
  }
  after_step(record);
}

StepOutcome Trainer::run_transaction(StepRecord& record) {
  const RateFactor rate = [this](std::int64_t updates) { return lr_schedule_.factor(updates); };
  if (!job_.preset.optimizer.fused_back_pass) {
    if (!transaction_) {
      transaction_.emplace(*kernels_, scaler_, groups_);
    }
    transaction_->prepare(job_.preset.training.max_grad_norm, rate);
    record.loss = accumulate_gradients();
    return transaction_->finish();
  }
  FusedTransaction transaction(*kernels_, scaler_, groups_, rate);
  std::vector<std::size_t> next(groups_.size(), 0);
  for (const AdapterTensor& entry : adapters_->tensors()) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].holds(entry)) {
        entry.tensor->gradient_ready = [&transaction, g, index = next[g]++] {
          transaction.tensor_ready(g, index);
        };
      }
    }
  }
  const auto disconnect = [this] {
    for (const AdapterTensor& entry : adapters_->tensors()) {
      entry.tensor->gradient_ready = nullptr;
    }
  };
  try {
    record.loss = accumulate_gradients();
  } catch (...) {
    disconnect();
    throw;
  }
  disconnect();
  return transaction.finish();
}

void Trainer::after_step(const StepRecord& record) {
  const Preset& p = job_.preset;
  if (save_is_due() && step_ < p.training.steps) {
    save();
  }
  if (p.samples.every > 0 && step_ % p.samples.every == 0) {
    render_samples();
  }
  if (step_ % p.training.validate_every == 0) {
    validate();
  }
}

bool Trainer::save_is_due() const {
  const Preset::Output& output = job_.preset.output;
  const std::chrono::duration<double, std::ratio<60>> unsaved =
      std::chrono::steady_clock::now() - saved_at_;
  return (output.save_every > 0 && step_ % output.save_every == 0) ||
         (output.save_minutes > 0 && unsaved.count() >= output.save_minutes);
}

BatchCoefficients Trainer::coefficients(const StepInputs& inputs) const {
  LossWeight weight;
  if (job_.preset.training.min_snr_gamma > 0) {
    weight = {LossWeighting::min_snr, job_.preset.training.min_snr_gamma};
  }
  return batch_coefficients(*objective_, weight, inputs.timesteps);
}

double Trainer::run_micro_step(StepProgram& program, const StepInputs& inputs,
                               std::int64_t micro_step, double loss_scale, const Tail& tail) {
  const double loss = program.run(inputs, coefficients(inputs),
                                  loss_scale / job_.preset.training.gradient_accumulation,
                                  {static_cast<std::uint64_t>(job_.preset.training.seed),
                                   static_cast<std::uint32_t>(micro_step)},
                                  tail);
  require_intact_files();  // weights may be read from their file in every step
  return loss;
}

double Trainer::accumulate_gradients() {
  const int accumulation = job_.preset.training.gradient_accumulation;
  double total = 0;
  for (int i = 0; i < accumulation; ++i) {
    const std::int64_t micro_step = step_ * accumulation + i;
    const StepInputs inputs = inputs_for(micro_step);
    StepProgram& program = program_for(inputs);
    const bool last = i + 1 == accumulation;
    const bool look = health_->due(step_ + 1) && last;
    // The update belongs to the recorded step; a look sees what was there before it.
    Tail update;
    if (transaction_ && last) {
      update = [this, &program] { transaction_->launch(program.loss()); };
    }
    if (look) {
      health_->start(program);
    }
    const double loss =
        run_micro_step(program, inputs, micro_step, scaler_.scale(), look ? Tail{} : update);
    if (look) {
      log_.health(health_->finish(program, step_ + 1));
    }
    if (!std::isfinite(loss)) {
      stop_on_loss(inputs, micro_step);
    }
    if (look && update) {
      update();
    }
    tell_replay(program.executor(), micro_step);
    total += loss / accumulation;
    if (trace_ && step_ < job_.trace_steps) {
      trace_->add_step(micro_step, inputs, program, loss);
    }
  }
  if (trace_ && step_ < job_.trace_steps) {
    trace_->add_gradients(step_ * accumulation + accumulation - 1, *adapters_, scaler_.inverse());
  }
  return total;
}

void Trainer::tell_replay(const Executor& executor, std::int64_t micro_step) {
  constexpr std::int64_t kRecordedBy = 4;
  if (kernels_->host_memory() || micro_step != kRecordedBy) {
    return;
  }
  if (executor.replayed()) {
    log_.line(1, message<"steps run as one CUDA graph">());
  } else if (!executor.why_not_recorded().empty()) {  // else a shape that came too seldom yet
    log_.line(1, message<"steps run kernel by kernel: {reason}">(executor.why_not_recorded()));
  }
}

void Trainer::tell_recordings() {
  int recordings = 0;
  for (const auto& [shape, program] : programs_) {
    recordings += program->recordings();
  }
  if (recordings > 0) {
    log_.line(0, message<"training steps: {shapes} shapes, {recordings} recordings">(
                     programs_.size(), recordings));
  }
}

void Trainer::finish_trace() {
  if (!trace_) {
    return;
  }
  trace_->add_adapters("adapter.after.", *adapters_);
  log_.keep([this] {
    trace_->write({{"mantissa.job", to_json(job_.preset, WriteMode::full)},
                   {"mantissa.plan", precision_.json()}});
  });
  log_.line(1, message<"trace written to {file}">(path_to_utf8(*job_.trace)));
  trace_.reset();
}

void Trainer::apply_ema(const StepOutcome& outcome) {
  for (std::size_t i = 0; i < ema_.size(); ++i) {
    if (outcome.group_stepped[i]) {
      kernels_->ema(groups_[i].parameters, job_.preset.training.ema, ema_[i].view());
    }
  }
}

StepInputs Trainer::inputs_for(std::int64_t micro_step) {
  return replay_ ? replay_->inputs(micro_step, trains_text())
                 : data_->inputs(micro_step, *kernels_);
}

StepProgram& Trainer::program_for(const StepInputs& in) {
  const StepShape shape{in.batch, in.height, in.width, model_->text_tokens()};
  std::unique_ptr<StepProgram>& program = programs_[shape];
  if (!program) {
    program = std::make_unique<StepProgram>(*kernels_, *arena_, *model_, shape,
                                            StepOptions::of(job_.preset, job_.trace.has_value()));
  }
  return *program;
}

std::vector<NamedBuffer> Trainer::state_buffers() {
  std::vector<NamedBuffer> buffers;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const std::string part = groups_[i].name();
    buffers.push_back({part + ".parameters", groups_[i].parameters, kernels_.get()});
    for (const OptimizerState& s : groups_[i].optimizer->state()) {
      buffers.push_back({part + "." + s.name, s.view, kernels_.get()});
    }
    if (!ema_.empty()) {
      buffers.push_back({part + ".ema", ema_[i].view(), kernels_.get()});
    }
  }
  for (const Fp8Scales::State& state : model_->fp8_scales().states()) {
    buffers.push_back({state.name, state.view});
  }
  return buffers;
}

CheckpointState Trainer::checkpoint_state() const {
  CheckpointState s;
  s.step = step_;
  s.updates = updates_;
  s.skips_in_row = skips_in_row_;
  s.loss_scale = scaler_.scale();
  s.growth_counter = scaler_.growth_counter();
  s.seed = job_.preset.training.seed;
  for (const OptimizerPart& g : groups_) {
    s.optimizer_updates[g.name()] = g.optimizer->updates();
  }
  s.dataset = data_ ? data_->dataset().fingerprint() : "replay";
  s.plan = precision_.json();
  s.preset = to_json(job_.preset, WriteMode::full);
  s.identity = identity_;
  s.accepted = accepted_;
  return s;
}

void Trainer::save() {
  if ((moved_lock_ ? *moved_lock_ : lock_).renew()) {
    log_.line(2, message<"{file} was deleted: it is made and locked again">(
                     path_to_utf8(folder_.lock())));
  }
  log_.sync();  // a checkpoint is never newer than the log of the steps it stands on
  const std::vector<NamedBuffer> buffers = state_buffers();
  const CheckpointState state = checkpoint_state();
  log_.keep([&] {
    last_checkpoint_ = checkpoints_.save(state, buffers, [this](const fs::path& folder) {
      atomic_write(folder / "job.json", folder_.job_text());
      write_result(folder, checkpoint_result_name(job_.preset.output.name), true);
    });
  });
  log_.saved(*last_checkpoint_, step_, true);
  std::erase_if(left_, [this](const RunFolder& left) { return left.note_move(folder_); });
  saved_at_ = std::chrono::steady_clock::now();
  checkpoints_.prune(job_.preset.output.keep);
}

void Trainer::save_adapter_alone() {
  if (!log_.disk().gave_up() || control_.stop_requested() != RunControl::Stop::save) {
    return;
  }
  try {
    const std::string name = fmt::format("{}-step-{}", job_.preset.output.name, step_);
    log_.saved(write_result(folder_.path(), name, false), step_, false);
  } catch (const Error& e) {
    log_.last_line(2, e.message());
  }
}

void Trainer::move_run(const fs::path& parent) {
  const RunFolder moved = folder_.moved_below(parent);
  moved_lock_.emplace(moved.lock());
  left_.push_back(folder_);
  folder_ = moved;
  checkpoints_ = CheckpointFolder(folder_.checkpoints());
  log_.move_to(folder_);
  log_.disk().allow_move(folder_.path(), [this](const fs::path& next) { move_run(next); });
}

}  // namespace mantissa
