#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/adapter_file.h"
#include "engine/adapters/adapter_module.h"
#include "engine/adapters/export_options.h"
#include "engine/core/message.h"
#include "engine/io/weights.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The content of an adapter file.
struct AdapterContents {
  std::vector<AdapterModule> modules;  ///< by path
  std::map<std::string, std::string> metadata;
  std::vector<WeightChange> changes;
  std::vector<Message> notices;  ///< what the file doesn't say, and is assumed
};

/// Reshapes factors that a file stores flat (LoHa and LoKr of convolutions) to their weights'
/// shapes. Modules that don't fit are unchanged.
void fit_shapes(std::vector<AdapterModule>& modules, const WeightSource& base);

/// What becomes of embeddings in an adapter's file.
enum class EmbeddingsBeside {
  refused,
  read_apart,  ///< by read_bundled; others than bundled ones are refused
};

/// Reads LoRA, DoRA, LoCon, LoHa, LoKr and whole differences (of norms and biases too) in any of
/// the dialects, by lookup in the modules of `base`, in the shapes of its weights. A missing alpha
/// means alpha = rank, unless PEFT's config says otherwise. What PEFT took out of the base weights
/// at the start (PiSSA, OLoRA) is subtracted, from their values in `base`. DoRA's axis follows from
/// the shape of dora_scale or lora_magnitude_vector; if that fits both, from `axis` (the user's
/// choice), the metadata or the file's other modules. Throws Error naming the file and key for
/// unknown modules, unpaired matrices, inconsistent shapes, a DoRA with ambiguous axis, embeddings,
/// and other forms.
AdapterContents read_adapter(const std::filesystem::path& path, const WeightSource& base,
                             std::optional<DoraAxis> axis = {},
                             EmbeddingsBeside embeddings = EmbeddingsBeside::refused);
/// The modules of a file that is already open, without its embeddings; throws as read_adapter does.
AdapterContents adapter_modules(const AdapterFile& file, const WeightSource& base,
                                std::optional<DoraAxis> axis = {});

}  // namespace mantissa
