#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/io/model_names.h"
#include "engine/io/safetensors.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The change of a weight that no adapter multiplies: of a norm, a bias, an embedding table.
struct WeightChange {
  std::string path;           ///< with its part: "denoiser.conv_norm_out.weight"
  std::vector<float> values;  ///< W' - W, in the order of the base model's
};

/// A weight of the base model.
struct BaseTensor {
  Shape shape;
  std::vector<float> values;
};

/// Options for writing an adapter.
struct AdapterExport {
  OutputFormat format = OutputFormat::kohya;
  std::shared_ptr<const ModelNames> base;        ///< WeightSource::model_names; must be set
  const FamilyGeneration* generation = nullptr;  ///< of the base model: generation_of
  MasterType dtype = MasterType::fp32;
  std::string title;       ///< modelspec.title
  std::string resolution;  ///< "1024x1024"
  std::string date;        ///< ISO 8601; omitted if empty
  std::string author, description;
  std::string prediction;   ///< as in modelspec.prediction_type; what needs it is left out if empty
  std::string preset_json;  ///< embedded as "mantissa.preset"
  /// More metadata (ss_steps, ss_seed …); overrides the generated values.
  std::map<std::string, std::string> metadata;
  /// plain_lora: W of a DoRA module, fp32 [out, in·kh·kw], and the rank of the result (0: see
  /// plain_lora in resize.h).
  std::function<std::vector<float>(std::string_view path)> base_weight;
  int plain_rank = 0;
  /// How a file's changes of full rank get one that holds them all (`mantissa resize …`), for the
  /// refusal of them; empty: unknown.
  std::string resize_command;
  std::int64_t sufficient_rank = 0;  ///< which it gives them
  int lokr_factor = -1;              ///< adapter.factor, which PEFT's config repeats
  /// Written as .diff and .diff_b, as LyCORIS does, in kohya's and OneTrainer's layouts; in PEFT's
  /// folders as the changed weights themselves (modules_to_save, biases), which needs
  /// `base_tensor`.
  std::vector<WeightChange> changes;
  /// The base model's weight of a path, fp32.
  std::function<BaseTensor(std::string_view path)> base_tensor;
  /// Tensors of other kinds that go into the file as they are.
  std::vector<const TensorInfo*> extras;
};

/// What rounding to a file's dtype loses (finding D8).
struct ValueLosses {
  std::int64_t values = 0;
  std::int64_t to_zero = 0;  ///< nonzero, but written as zero
};

}  // namespace mantissa
