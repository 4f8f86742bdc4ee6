#pragma once
// One run's inputs and results, for an independent implementation.
//
// Names: step.NNNN.{latents,noise,timesteps,context,pooled,time_ids,target,prediction,loss},
// step.NNNN.{loss_mask,sample_weight} if the loss is weighted,
// step.NNNN.{preserved.context,…,preservation_weight} if the base's predictions are preserved,
// step.NNNN.{positive.context,negative.context,anchor.context,…} of a slider, whose target and
// prediction are those at weight 1,
// step.NNNN.reference_1 and so on, of images with references, or the negative images of a slider of
// pairs, whose target and prediction are those at weight 1,
// step.NNNN.{te1_ids,te2_ids} if text is trained, step.NNNN.grad.<adapter tensor>,
// adapter.before.<tensor>, adapter.after.<tensor>. Adapter tensors have the heads "unet." and
// "text_encoder.". NNNN counts micro-steps from 0001; gradients are
// under the last micro-step of their optimizer step, unscaled, before clipping. Images are [batch,
// channels, height, width] here, as in other programs.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "engine/io/safetensors.h"
#include "engine/programs/step_program.h"

namespace mantissa {

class TraceWriter {
 public:
  explicit TraceWriter(std::filesystem::path file) : file_(std::move(file)) {}
  void add_adapters(const std::string& prefix, const TrainedSet& adapters);
  /// Call after the program ran; it must have been recorded with keep_tensors.
  void add_step(std::int64_t micro_step, const StepInputs& inputs, StepProgram& program,
                double loss);
  void add_gradients(std::int64_t micro_step, const TrainedSet& adapters, double unscale);
  void write(const std::map<std::string, std::string>& metadata);

 private:
  void add(const std::string& name, DType dtype, const Shape& shape, std::vector<std::byte> bytes);
  void add_floats(const std::string& name, const Shape& shape, const std::vector<float>& values);
  struct Entry {
    DType dtype;
    Shape shape;
    std::vector<std::byte> bytes;
  };
  std::filesystem::path file_;
  std::map<std::string, Entry> tensors_;
};

/// Feeds a run from a trace instead of a data set.
class TraceReader {
 public:
  /// Throws Error naming file and tensor if something is missing or of another type.
  explicit TraceReader(const std::filesystem::path& file);
  std::int64_t micro_steps() const { return micro_steps_; }
  /// DiffusionModel::text_tokens of the traced run; 0 in the traces of earlier versions, where it
  /// was the most that the model reads.
  std::int64_t text_tokens() const;
  /// Reference images of a step, at most.
  std::size_t most_references() const;
  StepInputs inputs(std::int64_t micro_step, bool train_text) const;
  /// The adapter tensors at the start of the trace, by their paths.
  std::map<std::string, std::vector<float>> adapters_before() const;

 private:
  const TensorInfo& require(const std::string& name, DType dtype) const;
  std::vector<float> floats(const std::string& name) const;
  std::vector<ReferenceLatents> references(std::int64_t micro_step, const StepInputs& in) const;
  std::map<std::string, std::vector<float>> texts(const std::string& step) const;
  std::vector<TokenIds> tokens(const std::string& step, std::int64_t batch) const;
  SafetensorsFile file_;
  std::int64_t micro_steps_ = 0;
};

}  // namespace mantissa
