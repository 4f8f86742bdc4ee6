#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_file.h"
#include "engine/adapters/adapter_set.h"
#include "engine/core/message.h"
#include "engine/io/weights.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// How a LoRA is written.
struct LoraExport {
  OutputFormat format = OutputFormat::kohya;
  std::shared_ptr<const ModelNames> base;  ///< WeightSource::model_names; must be set
  MasterType dtype = MasterType::fp32;
  std::string title;       ///< modelspec.title
  std::string resolution;  ///< "1024x1024"
  std::string date;        ///< ISO 8601; left out when empty
  std::string author, description;
  std::string prediction = "epsilon";  ///< as modelspec.prediction_type has it
  std::string preset_json;             ///< embedded as "mantissa.preset"
  /// More metadata (ss_steps, ss_seed …); values of these names replace those made here.
  std::map<std::string, std::string> metadata;
  /// plain_lora: W of a module that is DoRA, fp32 [out, in·kh·kw], and the rank of the result (0:
  /// see plain_lora in delta.h).
  std::function<std::vector<float>(std::string_view path)> base_weight;
  int plain_rank = 0;
};

/// What rounding to a file's dtype loses (finding D8).
struct ValueLosses {
  std::int64_t values = 0;
  std::int64_t to_zero = 0;   ///< not zero, but written as zero
  std::int64_t overflow = 0;  ///< finite, but beyond the dtype
};
ValueLosses count_losses(std::span<const LoraModule> modules, MasterType dtype);

struct LoraWritten {
  ValueLosses losses;
  double plain_error = 0;  ///< plain_lora: the largest relative error of a module
  int plain_rank = 0;      ///< and the largest rank used
  /// What a user must know before another program loads the file.
  std::vector<Message> notices;
};

/// Writes a LoRA or DoRA atomically.
///  - kohya, comfyui, a1111: <name>.lora_down.weight, .lora_up.weight, .alpha; UNet names are LDM
///    paths for SDXL. DoRA adds .dora_scale, as LyCORIS and OneTrainer do: [out, 1(, 1, 1)] or
///    [1, in(, 1, 1)]. onetrainer: the same with diffusers' paths.
///  - diffusers: <path>.lora_A.weight and .lora_B.weight; alpha is folded into B, because without
///    adapter metadata readers take alpha = rank. DoRA adds .lora_magnitude_vector, as PEFT does:
///    [out], convolutions [1, out, 1, 1]; per input, which PEFT doesn't know, [1, in(, 1, 1)].
///  - peft: `path` is a folder with one for each part, adapter_model.safetensors and
///    adapter_config.json in it, which keeps ranks and alphas. text_encoder has every tensor twice,
///    with and without the level text_model, which CLIPTextModel lost in transformers 5.
///  - plain_lora: kohya's names; DoRA becomes the plain LoRA that is nearest to it.
/// For a family that has no names in kohya's layouts, what would have them is written as for
/// diffusers, which ComfyUI reads too, with a notice.
/// Magnitudes are fp32 in every file. Metadata: ss_* minimal set with sshs hashes, modelspec.*, the
/// DoRA axis, and the preset. Throws Error naming the tensor if the dtype can't hold a value.
LoraWritten write_lora(const std::filesystem::path& path, std::span<const LoraModule> modules,
                       const LoraExport& options);

/// A LoRA file as read.
struct LoraFile {
  std::vector<LoraModule> modules;  ///< by path
  std::map<std::string, std::string> metadata;
};

/// Canonical path of every module a LoRA file may name: Linear and Conv2d of UNet and text
/// encoders.
std::vector<std::string> adaptable_modules(const WeightSource& base);

/// Reads LoRA, DoRA, LoCon, LoHa and LoKr in any of the dialects, by look-up among
/// `module_paths` of `base`. A missing alpha means alpha = rank. DoRA's axis follows from the shape
/// of dora_scale or lora_magnitude_vector; where that fits both, from `axis` (what the user
/// answered), the metadata or the file's other modules. Throws Error naming the file and key for
/// unknown modules, halves without partner, shapes that don't fit each other, a DoRA whose axis
/// stays open, and other forms.
LoraFile read_lora(const std::filesystem::path& path, std::span<const std::string> module_paths,
                   const ModelNames& base, std::optional<DoraAxis> axis = {});
/// The same of a file that is open already.
LoraFile lora_modules(const AdapterFile& file, std::optional<DoraAxis> axis = {});

}  // namespace mantissa
