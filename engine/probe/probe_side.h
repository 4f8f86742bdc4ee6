#pragma once
// The first steps of a run in one precision, recorded for comparison. Private to the probe.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/diffusion/objective.h"
#include "engine/optim/lr_schedule.h"
#include "engine/optim/transaction.h"
#include "engine/precision/health_watch.h"
#include "engine/programs/step_program.h"
#include "engine/train/update_meter.h"

namespace mantissa {

/// Inputs shared by both sides.
struct ProbeSource {
  Kernels& kernels;
  const WeightSource& source;
  const Objective& objective;
  TextOptions text;
  /// Inputs of a micro-step, the same for both sides.
  std::function<StepInputs(std::int64_t)> inputs;
  std::int64_t steps = 1;  ///< of the run, for its learning rates
  std::shared_ptr<const TrainingAdapterFiles> training_adapters{};
  /// Gives fresh adapters, and words, the values that the run starts from.
  std::function<void(TrainedSet&, DiffusionModel&)> start = [](TrainedSet&, DiffusionModel&) {};
};

/// The record of one step.
struct ProbeStep {
  double loss = 0;
  double lost_update = 0;
  bool skipped = false;                               ///< not finite, and no loss scale can fix it
  std::map<std::string, std::vector<float>> outputs;  ///< by module, evenly spread samples
  std::vector<std::vector<float>> gradients;          ///< by adapter tensor, unscaled
  std::vector<double> lost;                           ///< by adapter tensor
};

class ProbeSide {
 public:
  /// `preset` with its precision; `source` must outlive this.
  ProbeSide(const ProbeSource& source, const Preset& preset);
  ~ProbeSide();
  /// The next step, through loss scaling, clipping and optimizer.
  ProbeStep step();
  /// The loss of the next step's inputs with the weights as they are, in place of a step.
  double look();
  /// The next step, recording nothing, with the learning rates times `factor` in place of the
  /// schedule's. The loss before its update; NaN if that or a gradient isn't finite and no loss
  /// scale can fix it.
  double step_at(double factor);
  /// The first tensor that is not finite in step `step` (from 0); gradients are undefined after.
  std::optional<NonFiniteReport> find_non_finite(std::int64_t step);

  const std::vector<AdapterTensor>& adapter_tensors() const { return adapters_->tensors(); }
  /// Module paths in execution order; known after the first step.
  const std::vector<std::string>& paths() const { return paths_; }
  DiffusionModel& model() { return *model_; }
  const TrainedSet& adapters() const { return *adapters_; }

 private:
  double accumulate(ProbeStep* kept);
  StepOutcome update(ProbeStep* kept, double& loss, const RateFactor& rate);
  StepProgram& program_for(const StepInputs& inputs);
  double run(StepProgram& program, const StepInputs& inputs, std::int64_t micro_step, double scale);
  void keep_outputs(StepProgram& program, ProbeStep& kept);

  const ProbeSource& source_;
  Preset preset_;
  std::unique_ptr<TrainedSet> adapters_;
  std::unique_ptr<DiffusionModel> model_;
  std::unique_ptr<Arena> arena_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_;
  std::vector<OptimizerPart> groups_;
  LossScaler scaler_;
  LrSchedule lr_schedule_;
  std::vector<std::string> paths_;
  std::int64_t step_ = 0;
};

}  // namespace mantissa
