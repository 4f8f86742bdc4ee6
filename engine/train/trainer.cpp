#include "engine/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "engine/core/disk_full.h"
#include "engine/core/error.h"
#include "engine/io/part_names.h"
#include "engine/optim/make_optimizer.h"
#include "engine/preset/preset_io.h"
#include "engine/run/live_settings.h"
#include "engine/run/run_notes.h"
#include "engine/store/setting_changes.h"
#include "engine/train/rank_checks.h"

namespace mantissa {
namespace {

/// Between comparisons of several processes' states, which processors that round differently would
/// drive apart.
constexpr std::int64_t kStepsBetweenComparisons = 100;

template <typename Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Trainer::Trainer(const RunParts& parts, LiveSettings& settings, TrainingState& state, RunHome& home,
                 RunStart& start, SampleTexts texts)
    : parts_(parts),
      settings_(settings),
      state_(state),
      lr_schedule_(parts.preset().schedule, parts.length().steps),
      update_meter_(state.groups, parts.preset().precision),
      steps_(parts),
      gradients_(parts),
      exchange_(parts),
      rates_(parts),
      health_(parts, state, steps_),
      fixed_losses_(parts),
      validation_(parts, state, fixed_losses_),
      image_losses_(parts, state, fixed_losses_),
      samples_(parts, state, home, std::move(texts)),
      home_(home),
      start_(start),
      saver_(parts, state, home, start),
      trace_(parts),
      first_steps_(parts, state, home, start),
      steady_memory_(parts),
      paging_(parts) {
  if (!parts.preset().optimizer.fused_back_pass) {
    transaction_.emplace(parts.last_kernels(), state.scaler, state.groups);
  }
}

std::filesystem::path Trainer::run() {
  steps_.prepare();
  fixed_losses_.prepare();
  health_.record_weights();
  parts_.log.state(RunState::training);
  try {
    return train();
  } catch (const DiskFull&) {
    saver_.save_result_alone();
    throw;
  } catch (const EncodingGone&) {
    saver_.save();  // the last step is whole
    throw;
  }
}

FirstSteps Trainer::run_first_steps(std::int64_t steps) {
  parts_.log.state(RunState::training);
  while (state_.step < std::min(steps, steps_.steps())) {
    if (parts_.control.stop_requested() != RunControl::Stop::none) {
      throw Error(ErrorKind::interrupted,
                  message<"stopped before the verification was complete; nothing was changed">());
    }
    take_step();
    parts_.log.progress(RunPhase::training, state_.step, steps);
  }
  return first_steps_.take();
}

std::filesystem::path Trainer::train() {
  saver_.start_clock();
  samples_.start_clock();
  trace_.begin();
  warm_up();
  while (state_.step < steps_.steps()) {
    if (apply_control()) {
      throw Error(ErrorKind::interrupted,
                  message<"stopped at step {step} of {steps}">(state_.step, steps_.steps()));
    }
    if (state_.step >= steps_.steps()) {
      break;  // the number may have decreased
    }
    train_step();
    parts_.log.progress(RunPhase::training, state_.step, steps_.steps());
    trace_.finish_at(state_.step);
  }
  trace_.finish();
  if (parts_.preset().samples.wanted()) {
    samples_.make();
  }
  validation_.run();
  image_losses_.run(ImageLosses::Captions::own_and_others);
  require_same_state(parts_, state_);
  rates_.tell();
  steps_.tell_recordings();
  steady_memory_.tell();
  first_steps_.keep();
  saver_.save();
  return saver_.save_result();
}

Trainer::Asked Trainer::asked_of_any() {
  RunControl& control = parts_.control;
  std::optional<Preset> settings = control.take_settings();
  for (const std::string& change : control.take_changes()) {
    settings = settings.value_or(parts_.preset());
    apply_set(*settings, change);
  }
  const RunControl::Stop stop = control.stop_requested();
  enum Wish { stop_and_save = 1, stop_at_once = 2, pause = 4, save = 8, sample = 16, change = 32 };
  const int mine = (stop == RunControl::Stop::save ? stop_and_save : 0) |
                   (stop == RunControl::Stop::discard ? stop_at_once : 0) |
                   (control.pause_requested() ? pause : 0) |
                   (control.take_save_request() ? save : 0) |
                   (control.take_sample_request() ? sample : 0) | (settings ? change : 0);
  int all = 0;
  for (const double of_one : parts_.ranks.gather(mine)) {
    all |= static_cast<int>(of_one);
  }
  const auto asked = [all](Wish wish) { return (all & wish) != 0; };
  if (asked(change) && !parts_.ranks.alone()) {
    settings = parse_preset(
        parts_.ranks.of_writer(to_json(settings.value_or(parts_.preset()), WriteMode::full)),
        "settings");
  }
  return {.stop = asked(stop_and_save)  ? RunControl::Stop::save
                  : asked(stop_at_once) ? RunControl::Stop::discard
                                        : RunControl::Stop::none,
          .pause = asked(pause),
          .save = asked(save),
          .sample = asked(sample),
          .settings = std::move(settings)};
}

bool Trainer::apply_control() {
  while (true) {
    const Asked asked = asked_of_any();
    if (asked.settings) {
      apply_settings(*asked.settings);
    }
    if (asked.save) {
      saver_.save();
    }
    if (asked.sample) {
      samples_.make_again();
    }
    if (asked.save || asked.sample) {
      continue;  // more may be asked by now
    }
    if (asked.stop != RunControl::Stop::none) {
      parts_.log.state(RunState::stopping);
      if (asked.stop == RunControl::Stop::save) {
        saver_.save();
        first_steps_.keep();
      }
      return true;
    }
    if (!asked.pause) {
      return false;
    }
    pause();
  }
}

Preset Trainer::no_shorter(Preset wanted) const {
  const RunLength length = run_length(parts_.plan, with_live_settings(settings_.preset(), wanted));
  if (length.steps == 0 || length.steps >= state_.step) {
    return wanted;
  }
  parts_.log.line(LogLevel::warning,
                  message<"the run has {done} steps already and can't be shortened to {steps}: it "
                          "ends as early as it can">(state_.step, length.steps));
  return no_shorter_than(state_.step, std::move(wanted), length);
}

void Trainer::apply_settings(const Preset& wanted) {
  first_steps_.end();
  steps_.drop_inputs();
  steady_memory_.allow();
  for (const PresetChange& change : settings_.take(no_shorter(wanted))) {
    parts_.log.line(LogLevel::info, setting_changed({change.key, change.a, change.b, state_.step}));
  }
  if (home_.writes()) {
    home_.record_settings(parts_.preset(), parts_.log);
  }
  lr_schedule_ = LrSchedule(parts_.preset().schedule, steps_.steps());
  for (OptimizerPart& group : state_.groups) {
    group.learning_rate = optimizer_settings(parts_.preset(), group.part).learning_rate;
  }
}

void Trainer::pause() {
  parts_.log.state(RunState::paused);
  if (!std::exchange(pause_noted_, true)) {
    parts_.log.pause({state_.step, false}, pause_note(state_.step));
  }
  const auto paused_at = std::chrono::steady_clock::now();
  parts_.control.wait_while_paused();
  parts_.ranks.meet();  // only the process that was asked waits for its answer
  const auto pause = std::chrono::steady_clock::now() - paused_at;
  saver_.leave_out(pause);
  samples_.leave_out(pause);
  if (!parts_.control.pause_requested()) {
    pause_noted_ = false;
    parts_.log.line(LogLevel::info, message<"Resumed">());
    parts_.log.state(RunState::training);
  }
}

void Trainer::train_step() {
  take_step();
  after_step();
}

void Trainer::take_step() {
  const auto start = std::chrono::steady_clock::now();
  StepRecord record;
  record.step = state_.step + 1;
  record.loss_scale = state_.scaler.scale();
  update_meter_.before();
  const StepOutcome outcome = run_transaction(record);
  ++state_.step;
  state_.last_loss = record.loss;
  record.grad_norm = outcome.grad_norm;
  record.clip_norm = parts_.preset().training.max_grad_norm;
  record.clipped = outcome.clipped;
  record.skipped = outcome.skipped;
  for (const OptimizerPart& group : state_.groups) {
    if (group.begin == 0) {
      PartFigures& part = record.parts[Part(part_name(group.part))];
      part.lr = outcome.learning_rates[group.group];
      part.norm = std::hypot(part.norm, outcome.group_norms[group.group]);
    }
  }
  if (outcome.stepped) {
    ++state_.updates;
    state_.average(outcome);
    update_meter_.after(outcome, record);
    if (state_.updates == 1) {
      health_.check_reach(outcome);
    }
  }
  if (outcome.skipped) {
    health_.explain_skip(record, outcome);
  }
  parts_.model.fp8_scales().advance();
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  parts_.log.step(record);
  paging_.add(record.seconds);
  rates_.end_step(record);
  state_.skips_in_row = outcome.skipped ? state_.skips_in_row + 1 : 0;
  health_.check_skips(outcome);
  first_steps_.add(record);
}

StepOutcome Trainer::run_transaction(StepRecord& record) {
  const RateFactor rate = [this](std::int64_t updates) { return lr_schedule_.factor(updates); };
  if (transaction_) {
    transaction_->prepare(parts_.preset().training.max_grad_norm, rate);
    record.loss = parts_.ranks.alone() ? accumulate_gradients() : share_micro_steps();
    return transaction_->finish();
  }
  FusedTransaction transaction(parts_.kernels, state_.scaler, state_.groups, rate);
  {
    const FusedUpdates hooks(parts_.adapters, state_.groups, transaction);
    record.loss = accumulate_gradients();
  }
  return transaction.finish();
}

std::int64_t Trainer::first_micro_step() const {
  return state_.step * parts_.preset().training.gradient_accumulation;
}

double Trainer::accumulate_gradients() {
  const int accumulation = parts_.preset().training.gradient_accumulation;
  const std::int64_t first = first_micro_step();
  double total = 0;
  gradients_.begin();
  for (int i = 0; i < accumulation; ++i) {
    if (i > 0) {
      gradients_.next();
    }
    total += run_micro_step(first + i) / accumulation;
    gradients_.add();
  }
  if (gradients_.separate()) {
    finish_sum();
  }
  trace_.add_gradients(state_.step, first + accumulation - 1, state_.scaler.inverse());
  return total;
}

double Trainer::run_micro_step(std::int64_t micro_step) {
  const StepInputs inputs = steps_.take_inputs(micro_step);
  StepProgram& program = steps_.program(inputs);
  const int accumulation = parts_.preset().training.gradient_accumulation;
  const bool sums_here = !gradients_.separate() && (micro_step + 1) % accumulation == 0;
  const bool measures = health_.due(state_.step + 1) &&
                        (gradients_.separate() ? micro_step % accumulation == 0 : sums_here);
  // The update belongs to the recorded step; layer statistics are measured before it.
  Tail update;
  if (transaction_ && sums_here) {
    update = [this, &program] { transaction_->launch(program.loss()); };
  }
  if (measures) {
    health_.start(program);
  }
  const double loss =
      steps_.run(program, inputs, micro_step, state_.scaler.scale(), measures ? Tail{} : update,
                 [&] { steps_.make_inputs_after(micro_step); });
  if (measures) {
    health_.stop(program);
  }
  if (measures && sums_here) {
    health_.finish(state_.step + 1);
  }
  if (!std::isfinite(loss) && parts_.ranks.alone()) {
    health_.stop_on_loss(inputs, micro_step);
  }
  if (measures && update) {
    update();
  }
  steps_.tell_replay(program.executor(), micro_step);
  steps_.tell_notices();
  trace_.add_micro_step(state_.step, micro_step, inputs, program, loss);
  return loss;
}

double Trainer::share_micro_steps() {
  const int accumulation = parts_.preset().training.gradient_accumulation;
  const std::int64_t first = first_micro_step();
  double total = 0;
  exchange_.begin();
  for (int begin = 0; begin < accumulation; begin += parts_.ranks.size()) {
    const int end = std::min(begin + parts_.ranks.size(), accumulation);
    const int mine = begin + parts_.ranks.rank();
    double own = 0;
    if (mine < end) {
      rates_.computed(seconds_of([&] { own = run_micro_step(first + mine); }));
    }
    const std::vector<double> losses = parts_.ranks.gather(own);
    for (int i = begin; i < end; ++i) {
      const double loss = losses[static_cast<std::size_t>(i - begin)];
      if (!std::isfinite(loss)) {
        health_.stop_on_loss(steps_.inputs(first + i), first + i);
      }
      total += loss / accumulation;
    }
    rates_.exchanged(seconds_of([&] { exchange_.add(end - begin); }));
  }
  rates_.exchanged(seconds_of([&] { exchange_.finish(); }));
  std::vector<float> largest = parts_.model.fp8_scales().pending();
  parts_.ranks.take_largest(largest);
  parts_.model.fp8_scales().restore_pending(largest);
  finish_sum();
  return total;
}

void Trainer::finish_sum() {
  if (health_.due(state_.step + 1)) {
    health_.finish(state_.step + 1);
  }
  if (transaction_) {
    transaction_->launch({});
  }
}

void Trainer::after_step() {
  const std::int64_t step = state_.step;
  start_.notice_changed_files();
  first_steps_.keep_when_ready();
  const bool saves = saver_.is_due() && step < steps_.steps();
  if (saves) {
    saver_.save();
  }
  if (samples_.is_due()) {
    samples_.make();
  }
  // Each checkpoint is validated, so that they can be compared; only one process knows of it.
  if (step % parts_.preset().training.validate_every == 0 ||
      (validation_.has_images() && parts_.ranks.any(saves))) {
    validation_.run();
  }
  if (step % kStepsBetweenComparisons == 0) {
    require_same_state(parts_, state_);
  }
}

}  // namespace mantissa
