#pragma once
// An adapter's tensors as stored in a file, by module and role.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/adapters/adapter_names.h"
#include "engine/adapters/dialect.h"
#include "engine/adapters/peft_config.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"

namespace mantissa {

/// The tensors of one adapted module.
struct ModuleTensors {
  std::string name;  ///< the module's name in the file
  std::map<AdapterRole, const TensorInfo*> by_role;
  std::map<BesideRole, const TensorInfo*> beside;
  std::vector<std::string> slices;  ///< of a fused module: NamedModule::slices
  bool swapped = false;             ///< as NamedModule::swapped

  const TensorInfo* find(AdapterRole role) const {
    const auto it = by_role.find(role);
    return it == by_role.end() ? nullptr : it->second;
  }
  const TensorInfo* find(BesideRole role) const {
    const auto it = beside.find(role);
    return it == beside.end() ? nullptr : it->second;
  }
  bool has(AdapterRole role) const { return find(role) != nullptr; }
};

/// An adapter as read: one .safetensors, or PEFT's folders (adapter_model.safetensors beside
/// adapter_config.json, in the folder itself or in one for each part).
struct AdapterFile {
  std::string label;  ///< for messages
  std::vector<SafetensorsFile> files;
  std::map<std::string, ModuleTensors> modules;  ///< by NamedModule::path
  /// PEFT's modules_to_save and trained biases, by path ("denoiser.conv_in.weight"): the weights
  /// that replace the base model's.
  std::map<std::string, const TensorInfo*> whole;
  std::vector<const TensorInfo*> embeddings;    ///< textual inversions beside the adapter
  const Dialect* dialect = &kDiffusersDialect;  ///< of its denoiser's modules, if any
  TensorNames tensors = TensorNames::peft;
  std::map<std::string, std::string> metadata;  ///< PEFT's config as lora_adapter_metadata
  PeftConfig peft;                              ///< the same, parsed
  std::vector<Message> notices;                 ///< what the file doesn't say, and is assumed

  AdapterFile() = default;
  AdapterFile(AdapterFile&&) = default;
  AdapterFile& operator=(AdapterFile&&) = default;
  /// An adapter_model.safetensors is read with the adapter_config.json beside it. Throws Error
  /// naming the file and key for modules the base model lacks, other forms of adapters, non-adapter
  /// tensors, duplicate tensors, two adapters in one file, values that aren't finite, and a fused
  /// module beside one of its slices.
  static AdapterFile open(const std::filesystem::path& path, const WeightSource& base);
};

/// The files that AdapterFile::open reads: that of `adapter`, and PEFT's configuration beside it,
/// or those in PEFT's folders. With their names in the folder (a file's own is ""), in their order.
std::vector<std::pair<std::string, std::filesystem::path>> files_of_adapter(
    const std::filesystem::path& adapter);

/// Canonical path of every module a LoRA file may name: Linear and Conv2d of the denoiser and text
/// encoders.
std::vector<std::string> adaptable_modules(const WeightSource& base);

}  // namespace mantissa
