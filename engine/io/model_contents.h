#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/coded_tensors.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"

namespace mantissa {

/// One weight of a model to be written, under its canonical name.
struct ModelTensor {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  /// Produces the bytes on demand: the whole model is never in memory.
  std::function<void(std::span<std::byte>)> fill;
  /// A linear layer's weight that a single file holds as codes of this type, with their scales.
  std::optional<DType> codes = {};
};

/// A base model to be written, from any source.
struct ModelContents {
  const Family* family = nullptr;  ///< set by whoever fills this in
  std::map<Part, std::vector<ModelTensor>> parts;
  std::map<Part, nlohmann::json> configs;  ///< as config.json has them
  std::optional<nlohmann::json> scheduler;
  nlohmann::json pipeline;  ///< settings that model_index.json has beside the parts, if any
  /// A tensor that is no weight, kept byte for byte under its name: EMA copies, position_ids,
  /// unknown ones.
  struct Extra {
    TensorToWrite tensor;
    /// The part in whose folder it is; empty: of a single file, which has these alone.
    std::optional<Part> part = {};
    /// Its type as files name it, where the engine lacks it, instead of the tensor's dtype.
    std::string other_type = {};
  };
  std::vector<Extra> extras;
  /// Tensors of a single file that mark its type for other programs: "v_pred", "ztsnr". Those of
  /// the source's own file are as there, others empty.
  std::vector<std::string> markers;
  std::map<std::string, Extra> source_markers;
  std::map<Part, std::filesystem::path> tokenizers;  ///< folders to copy
  /// Others that the pipeline names in model_index.json, by their names.
  std::map<std::string, std::filesystem::path> folders;
  CodesWritten codes_written;  ///< may be empty
};

/// Everything `source` holds, in `dtype` or, without one, in the types of its files; FP8 codes with
/// scales, and blocks, as BF16 values. What isn't a weight of the model stays as it is, where it is
/// written in the layout that it came in. `source` is read while the model is written.
ModelContents model_contents(const WeightSource& source, std::optional<DType> dtype = {});

/// The model's schedule, else its family's.
nlohmann::json scheduler_of(const ModelContents& model);

/// Bytes that the model takes on disk at least: of codes and blocks four bits a value.
std::uint64_t least_bytes(const ModelContents& model);

/// The metadata of `source` that holds of whatever is made of it too: all but hashes and the forms
/// of its codes.
std::map<std::string, std::string> carried_metadata(const WeightSource& source);

/// Family::complete for one part: adds its config, which `read` takes from `source`, if it lacks
/// it.
template <typename Read>
void complete_config(ModelContents& model, const WeightSource& source, Part part, Read&& read) {
  if (source.has_part(part)) {
    model.configs.try_emplace(part, to_json(read(source)));
  }
}

/// Family::complete by what reads the configs of its denoiser and its VAE.
template <auto kReadDenoiser, auto kReadVae>
void complete_by(ModelContents& model, const WeightSource& source) {
  complete_config(model, source, kDenoiser, kReadDenoiser);
  complete_config(model, source, kVae, kReadVae);
}

/// Records the prediction type and schedule in all forms that programs read.
void set_prediction(ModelContents& model, bool v, bool zero_terminal_snr);

/// Replaces the values of a weight; throws Error if the model has no such weight. `values` is
/// called on demand and returns fp32.
void replace_values(ModelContents& model, Part part, std::string_view name,
                    std::function<std::vector<float>()> values);

}  // namespace mantissa
