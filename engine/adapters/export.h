#pragma once
// defines: LoraExport, write_lora, read_lora, LoraFile, adaptable_modules

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_set.h"
#include "engine/io/key_map.h"
#include "engine/io/weights.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// How a LoRA is written.
struct LoraExport {
  OutputFormat format = OutputFormat::kohya;  ///< plain_lora is written as kohya
  MasterType dtype = MasterType::fp32;
  KohyaStyle style = KohyaStyle::sdxl;
  UnetLayout layout;       ///< of the base model, for LDM names
  std::string title;       ///< modelspec.title
  std::string resolution;  ///< "1024x1024"
  std::string date;        ///< ISO 8601; left out when empty
  std::string author, description;
  Prediction prediction = Prediction::epsilon;
  std::string preset_json;  ///< embedded as "mantissa.preset"
  /// More metadata (ss_steps, ss_seed …); values of these names replace those made here.
  std::map<std::string, std::string> metadata;
};

/// Writes a LoRA atomically.
///  - kohya: <name>.lora_down.weight, .lora_up.weight, .alpha; UNet names are LDM paths for SDXL.
///  - diffusers: <path>.lora_A.weight and .lora_B.weight; alpha is folded into B, because without
///    adapter metadata readers take alpha = rank.
/// Metadata: ss_* minimal set with sshs hashes, modelspec.*, and the preset. Throws Error naming
/// the tensor if fp16 can't hold a value.
void write_lora(const std::filesystem::path& path, std::span<const LoraModule> modules,
                const LoraExport& options);

/// A LoRA file as read.
struct LoraFile {
  std::vector<LoraModule> modules;  ///< by path
  std::map<std::string, std::string> metadata;
};

/// Canonical path of every module a LoRA file may name: Linear and Conv2d of UNet and text
/// encoders.
std::vector<std::string> adaptable_modules(const WeightSource& base);

/// Reads kohya names (LDM or diffusers blocks) and PEFT names (lora_A/lora_B, lora.down/lora.up),
/// by look-up among `module_paths`. A missing alpha means alpha = rank. Throws Error naming the
/// file and key for unknown modules, halves without partner, shapes that don't fit each other,
/// DoRA and other forms than plain LoRA.
LoraFile read_lora(const std::filesystem::path& path, std::span<const std::string> module_paths,
                   const UnetLayout& layout);

}  // namespace mantissa
