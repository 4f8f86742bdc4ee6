#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/optim/transaction.h"
#include "engine/programs/step_program.h"

namespace mantissa::bench {

/// One thing to time: a LoRA training step (forward, backward, clipping, AdamW) and an inference
/// forward of the same network, FP32, on seeded inputs and weights. `dump` passes all of them to an
/// independent implementation.
class Workload {
 public:
  virtual ~Workload() = default;
  /// One whole optimizer step. Returns the loss.
  double train_step();
  /// Forward and backward only: gradients of this one batch. Returns the loss.
  double gradients();
  virtual void infer() = 0;
  /// The training program's executor, for Executor::set_timer.
  virtual Executor& executor() = 0;
  /// Writes input.*, adapter.*, grad.*, loss, and weight.* if there is no base model file.
  void dump(const std::filesystem::path& file);

 protected:
  Workload(Kernels& kernels, const WeightSource& source, const Preset::Adapter& adapter = {},
           const Preset::Precision& precision = {});
  void finish_binding();
  virtual double forward_backward() = 0;
  struct Input {
    std::string name;
    Shape shape;
    std::vector<float> values;
  };
  virtual std::vector<Input> inputs() const = 0;
  /// Standard normals times `scale` from a separate stream.
  std::vector<float> random(std::uint32_t stream, std::int64_t count, float scale) const;

  Kernels& kernels_;
  WeightSource source_;
  Preset preset_;
  TrainedSet adapters_;
  bool dump_weights_ = false;

 private:
  std::vector<OptimizerPart> groups_;
  LossScaler scaler_;
};

/// Names for make_workload: "unet2", "unet4" (the mini UNet at the demo's resolution, batch 2 and
/// 4), "block" (one transformer block of SDXL's middle width); with "_dora" and "_dora_input" the
/// same with DoRA, by its axis; with "_bf16", "_fp8_weights" and "_fp8" in BF16 with BF16 and FP8
/// weights, and in FP8; with "_int8_weights" and "_int8" the same in INT8; with
/// "_nf4_weights" in BF16 with NF4 weights.
std::vector<std::string> workload_names();
/// `base` is the mini model's file. Throws Error for an unknown name.
std::unique_ptr<Workload> make_workload(const std::string& name, Kernels& kernels,
                                        const std::filesystem::path& base);

}  // namespace mantissa::bench
