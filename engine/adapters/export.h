#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/adapter_module.h"
#include "engine/adapters/export_options.h"
#include "engine/core/message.h"
#include "engine/preset/preset.h"

namespace mantissa {

struct WrittenAdapter {
  ValueLosses losses;
  double plain_error = 0;  ///< plain_lora: the largest relative error of a module
  int plain_rank = 0;      ///< and the largest rank used
  /// What the user must know before loading the file elsewhere.
  std::vector<Message> notices;
};

/// Writes a LoRA, DoRA, LoHa or LoKr atomically.
///  - kohya, comfyui, a1111: <name>.lora_down.weight, .lora_up.weight, .alpha; UNet names are LDM
///    paths for SDXL. DoRA adds .dora_scale, as LyCORIS and OneTrainer do: [out, 1(, 1, 1)] or
///    [1, in(, 1, 1)]. onetrainer: the same with diffusers' paths.
///  - diffusers: <path>.lora_A.weight and .lora_B.weight; alpha is folded into B, because without
///    adapter metadata readers assume alpha = rank. DoRA adds .lora_magnitude_vector, as PEFT does:
///    [out], convolutions [1, out, 1, 1]; per input, which PEFT doesn't support, [1, in(, 1, 1)].
///  - peft: `path` is a folder with a subfolder per part, containing adapter_model.safetensors and
///    adapter_config.json, which stores ranks and alphas. text_encoder has every tensor twice, with
///    and without the level text_model, which transformers 5 removed from CLIPTextModel.
///  - plain_lora: kohya's names; DoRA becomes the nearest plain LoRA, LoHa and LoKr an equal one
///    where its rank saves something over the whole change.
/// LoHa and LoKr have LyCORIS's tensors (.hada_w1_a …, .lokr_w1 …) under the format's names, and
/// lycoris_<diffusers path> for modules without one; PEFT's folder has a LoHaConfig or LoKrConfig.
/// Throws Error with format diffusers, whose readers know neither. Changes of norms and biases have
/// names in kohya's and OneTrainer's layouts and in PEFT's folders; elsewhere they are an Error.
/// For a family without names in kohya's layouts, those formats are written as for diffusers, which
/// ComfyUI reads too, with a notice.
/// Magnitudes are fp32 in every file. Metadata: a minimal ss_* set with sshs hashes, modelspec.*,
/// the DoRA axis, and the preset. Throws Error naming the tensor if the dtype can't hold a value.
WrittenAdapter write_adapter_file(const std::filesystem::path& path,
                                  std::span<const AdapterModule> modules,
                                  const AdapterExport& options);

}  // namespace mantissa
