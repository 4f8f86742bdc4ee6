#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/message.h"
#include "engine/io/weights_licence.h"
#include "engine/preset/part.h"

namespace mantissa {

/// The output of `mantissa inspect`.
struct ModelSummary {
  enum class Kind { checkpoint, adapter, embedding, unknown } kind = Kind::unknown;
  std::string family;                          ///< its model.family name, or "unknown"
  std::string layout;                          ///< "ldm", "diffusers", "kohya", "peft" or empty
  std::map<std::string, std::int64_t> dtypes;  ///< tensors by file dtype
  std::map<std::string, std::int64_t> parts;   ///< tensors by part
  std::int64_t tensors = 0;
  std::int64_t parameters = 0;
  std::uint64_t bytes = 0;
  std::int64_t modules = 0;                    ///< adapter: adapted modules
  std::map<std::int64_t, std::int64_t> ranks;  ///< adapter: modules by rank
  std::map<double, std::int64_t> alphas;       ///< adapter: modules by alpha
  std::int64_t vectors = 0;                    ///< embedding: of its word
  std::map<std::string, std::int64_t> words;   ///< adapter: vectors of words bundled with it
  std::string form;                            ///< adapter: "LoRA", "LoHa" or "LoKr"
  bool dora = false;
  std::string variant;       ///< base model: "base", "Turbo" or "unknown"; empty if it has none
  bool distilled = false;    ///< by its variant
  Message variant_evidence;  ///< what tells the variant
  std::map<std::string, std::string> metadata;
  std::optional<WeightsLicence> licence;  ///< as its own files state it
};

/// The part that a tensor of an adapter is for: kohya's names have its number, diffusers' its
/// folder, ComfyUI's its encoder ("lora_te_" is a sole text encoder). The denoiser for any other
/// name.
Part part_of_adapter_tensor(std::string_view name);

/// Describes a file or a diffusers folder from headers alone (and adapters' alpha scalars).
ModelSummary inspect(const std::filesystem::path& path);

}  // namespace mantissa
