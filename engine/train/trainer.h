#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/core/progress.h"
#include "engine/diffusion/objective.h"
#include "engine/graph/device_values.h"
#include "engine/io/run_lock.h"
#include "engine/optim/lr_schedule.h"
#include "engine/precision/plan.h"
#include "engine/train/checkpoint.h"
#include "engine/train/latent_scale.h"
#include "engine/train/live_health.h"
#include "engine/train/reconstruction.h"
#include "engine/train/renderer.h"
#include "engine/train/run_folder.h"
#include "engine/train/run_identity.h"
#include "engine/train/run_log.h"
#include "engine/train/run_plan.h"
#include "engine/train/step_program.h"
#include "engine/train/text_encoding.h"
#include "engine/train/trace.h"
#include "engine/train/training_data.h"
#include "engine/train/transaction.h"
#include "engine/train/update_meter.h"

namespace mantissa {

/// One training run from a resolved job to its adapter file. Used once, on one thread.
class Trainer {
 public:
  /// `lock` is that of the folder.
  Trainer(const JobSpec& job, const RunFolder& folder, RunLock& lock, RunControl& control,
          RunLog& log);
  ~Trainer();
  /// Prepares, trains, saves. Throws Error(interrupted) after a stop, everything else as it comes;
  /// what can be kept is kept before.
  RunResult run();
  /// Last checkpoint that verifies, for messages.
  std::optional<std::filesystem::path> last_checkpoint() const { return last_checkpoint_; }
  /// Where the run is now.
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void prepare();
  /// Throws Error(interrupted) where a stop is wanted.
  void tell_progress(RunPhase phase, std::int64_t done, std::int64_t total);
  void encode_data();
  void encode_prompts(DiffusionModel& model);
  RunMemory run_memory() const;
  /// What the phases take, and which weights stay in host memory; before anything is loaded.
  void plan_memory(DiffusionModel& model, const Progress& progress);
  void bind_model();
  void continue_adapter();
  void make_groups();
  /// Looks for the checkpoint to go on from. Throws ResumeRefused where all are damaged.
  void find_checkpoint();
  /// Throws ResumeRefused where the run isn't made of what it was.
  void check_identity();
  void begin_again();
  void restore();
  PlanReport plan_programs();

  void train();
  void train_step();
  double accumulate_gradients();
  /// Gradients and the optimizers' step, after the backward pass or inside it.
  StepOutcome run_transaction(StepRecord& record);
  /// After the first update: a part that no gradient reached is told, frozen magnitudes refused.
  void check_reach(const StepOutcome& outcome);
  BatchCoefficients coefficients(const StepInputs& inputs) const;
  double run_micro_step(StepProgram& program, const StepInputs& inputs, std::int64_t micro_step,
                        double loss_scale, const Tail& tail = {});
  std::optional<NonFiniteReport> find_non_finite(std::int64_t first, std::int64_t count,
                                                 double loss_scale);
  void explain_skip(const StepRecord& record, const StepOutcome& outcome);
  [[noreturn]] void stop_on_loss(const StepInputs& inputs, std::int64_t micro_step);
  [[noreturn]] void stop_on_skips();
  void apply_ema(const StepOutcome& outcome);
  void after_step(const StepRecord& record);
  /// By steps or by minutes.
  bool save_is_due() const;
  /// What may change while the run goes on, where the studio asked for it.
  void take_settings();
  /// Answers pause, save, sample and stop requests. True when training must end now.
  bool obey();

  void save();
  /// For a stop where there is no room for a checkpoint: its result alone takes a part of that.
  void save_adapter_alone();
  /// What follows goes to a folder of the run's own below `parent`.
  void move_run(const std::filesystem::path& parent);
  /// The adapter, or with training.method full the model: in a checkpoint always as one file.
  std::filesystem::path write_result(const std::filesystem::path& folder, const std::string& name,
                                     bool checkpoint);
  std::filesystem::path write_adapter(const std::filesystem::path& folder, const std::string& name,
                                      bool checkpoint);
  std::filesystem::path write_weights(const std::filesystem::path& folder, const std::string& name,
                                      bool one_file);
  /// The averaged parameters by part, empty without training.ema: of the matrices or weights, or of
  /// the magnitudes.
  std::map<Part, View> averaged(bool magnitudes);
  void render_samples();
  void render_prompts();
  /// Of a run that trains the VAE: the first pictures, each beside what becomes of it.
  void render_reconstructions();
  void keep_sample(const Image& image, std::size_t index, const std::string& prompt,
                   std::map<std::string, std::string> text);
  /// Latents of the data set under the weights that are written.
  LatentStatistics measure_latents();
  /// By name, the VAE's weights that give its latents their scale; empty where they keep it.
  std::map<std::string, std::vector<float>> settled_latents(const std::map<Part, View>& flat);
  /// The loss on held-out pictures, once a step; changes nothing of the training.
  void validate();
  StepProgram& validation_program(const StepShape& shape);
  void finish_trace();
  /// Says once whether the steps on a GPU are replays of a recording.
  void tell_replay(const Executor& executor, std::int64_t micro_step);
  /// At the end, for those who look for lost time: how often the steps were recorded.
  void tell_recordings();

  StepProgram& program_for(const StepInputs& inputs);
  StepInputs inputs_for(std::int64_t micro_step);
  std::vector<NamedBuffer> state_buffers();
  CheckpointState checkpoint_state() const;
  bool trains_text() const;

  JobSpec job_;
  RunFolder folder_;
  std::vector<RunFolder> left_;        ///< hold no note yet that the run moved
  RunLock& lock_;                      ///< of the folder that the run began in
  std::optional<RunLock> moved_lock_;  ///< of the one that it moved to
  RunControl& control_;
  RunLog& log_;
  std::unique_ptr<Kernels> kernels_;
  std::uint64_t free_at_start_ = 0;
  WeightSource source_;
  std::shared_ptr<const Objective> objective_;
  PrecisionPlan precision_;
  std::optional<TraceReader> replay_;
  std::optional<TraceWriter> trace_;
  std::unique_ptr<AdapterSet> adapters_;
  std::unique_ptr<DiffusionModel> model_;
  std::unique_ptr<Arena> arena_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_, validation_programs_;
  std::optional<TrainingData> data_;  ///< may read captions with the model above
  std::vector<OptimizerPart> groups_;
  std::optional<StepTransaction>
      transaction_;               ///< absent where the step is inside the backward pass
  std::set<std::string> told_;    ///< what was said of adapter files already
  std::vector<DeviceArray> ema_;  ///< by group
  LossScaler scaler_;
  std::optional<LiveHealth> health_;
  std::optional<UpdateMeter> update_meter_;
  std::optional<NonFiniteReport> non_finite_;  ///< the newest found
  LrSchedule lr_schedule_;
  CheckpointFolder checkpoints_;
  PhaseNeeds phases_;
  std::size_t arena_bytes_ = 0;                    ///< of the largest step or sample
  std::set<std::string> streamed_;                 ///< weights in host memory, by path
  std::vector<TextEncoding> prompts_, negatives_;  ///< of the samples, when text isn't trained
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<Reconstructor> reconstructor_;
  std::optional<std::filesystem::path> resume_from_, last_checkpoint_, adapter_file_;
  RunIdentity identity_;
  std::vector<std::string> accepted_;               ///< changes of it, since the run began
  std::chrono::steady_clock::time_point saved_at_;  ///< of training time: pauses are not counted
  std::int64_t step_ = 0, updates_ = 0, skips_in_row_ = 0;
  std::int64_t sampled_step_ = -1, validated_step_ = -1;
  double last_loss_ = 0;
};

}  // namespace mantissa
