#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/optim/lr_schedule.h"
#include "engine/optim/transaction.h"
#include "engine/render/sample_maker.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/train/first_steps_recorder.h"
#include "engine/train/fixed_losses.h"
#include "engine/train/gradient_exchange.h"
#include "engine/train/gradient_sum.h"
#include "engine/train/health_monitor.h"
#include "engine/train/image_losses.h"
#include "engine/train/micro_steps.h"
#include "engine/train/paging_watch.h"
#include "engine/train/rank_rates.h"
#include "engine/train/run_saver.h"
#include "engine/train/run_trace.h"
#include "engine/train/steady_memory.h"
#include "engine/train/update_meter.h"
#include "engine/train/validation.h"

namespace mantissa {

/// The loop of a prepared run: steps, and between them whatever is due or requested. Used once, on
/// one thread.
class Trainer {
 public:
  /// `settings` are those of `parts`, which change on request. References must outlive this.
  Trainer(const RunParts& parts, LiveSettings& settings, TrainingState& state, RunHome& home,
          RunStart& start, SampleTexts texts);

  /// Trains from `state` and returns the result's file. Throws Error(interrupted) after a stop,
  /// other errors unchanged; saves what it can before.
  std::filesystem::path run();
  /// Takes only the first `steps` and returns their trace, without the inputs. Writes nothing,
  /// makes no samples and no validation. Throws Error(interrupted) after a stop.
  FirstSteps run_first_steps(std::int64_t steps);

 private:
  std::filesystem::path train();
  /// Does all that the steps, samples and validation need once: in earnest what is due before the
  /// first step, the rest without effect. Nothing takes memory after it.
  void warm_up();
  void warm_up_update();
  void record_ahead();
  /// Requests to any of the run's processes, for all of them.
  struct Asked {
    RunControl::Stop stop = RunControl::Stop::none;
    bool pause = false, save = false, sample = false;
    std::optional<Preset> settings;
  };
  Asked asked_of_any();
  /// Handles them. True when training must end now.
  bool apply_control();
  void apply_settings(const Preset& wanted);
  /// `wanted` with a length that the run doesn't exceed: it couldn't be resumed.
  Preset no_shorter(Preset wanted) const;
  /// Until a request; noted in the log once, whatever is saved or sampled meanwhile.
  void pause();

  /// A step and what is due after it.
  void train_step();
  void take_step();
  /// Gradients and the optimizer step, after the backward pass or fused into it.
  StepOutcome run_transaction(StepRecord& record);
  /// Backward pass of all micro-steps of a step; the mean of their losses.
  double accumulate_gradients();
  double run_micro_step(std::int64_t micro_step);
  /// Index of the current step's first micro-step.
  std::int64_t first_micro_step() const;
  /// As accumulate_gradients, the micro-steps shared out over the processes.
  double share_micro_steps();
  /// Statistics and update, where they follow the sum rather than the last backward pass.
  void finish_sum();
  /// Samples, checkpoints and validation that are due.
  void after_step();

  RunParts parts_;
  LiveSettings& settings_;
  TrainingState& state_;
  LrSchedule lr_schedule_;
  UpdateMeter update_meter_;
  MicroSteps steps_;
  GradientSum gradients_;
  GradientExchange exchange_;
  RankRates rates_;
  HealthMonitor health_;
  FixedLosses fixed_losses_;
  Validation validation_;
  ImageLosses image_losses_;
  SampleMaker samples_;
  RunHome& home_;
  RunStart& start_;
  RunSaver saver_;
  RunTrace trace_;
  FirstStepsRecorder first_steps_;
  SteadyMemory steady_memory_;
  PagingWatch paging_;
  /// Absent with a fused backward pass.
  std::optional<StepTransaction> transaction_;
  bool pause_noted_ = false;
};

}  // namespace mantissa
