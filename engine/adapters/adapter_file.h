#pragma once
// An adapter's tensors as stored in a file, by module and role.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/adapters/dialect.h"
#include "engine/io/safetensors.h"

namespace mantissa {

/// The tensors of one adapted module.
struct ModuleTensors {
  std::string name;  ///< the module's name in the file
  std::map<AdapterRole, const TensorInfo*> by_role;
  std::vector<std::string> slices;  ///< of a fused module: NamedModule::slices

  const TensorInfo* find(AdapterRole role) const {
    const auto it = by_role.find(role);
    return it == by_role.end() ? nullptr : it->second;
  }
  bool has(AdapterRole role) const { return find(role) != nullptr; }
};

/// An adapter as read: one .safetensors, or PEFT's folders (adapter_model.safetensors beside
/// adapter_config.json, in the folder itself or in one for each part).
struct AdapterFile {
  std::string label;  ///< for messages
  std::vector<SafetensorsFile> files;
  std::map<std::string, ModuleTensors> modules;  ///< by NamedModule::path
  const Dialect* dialect = &kDiffusersDialect;   ///< of its denoiser's modules, if any
  TensorNames tensors = TensorNames::peft;
  std::map<std::string, std::string> metadata;  ///< PEFT's config as lora_adapter_metadata

  AdapterFile() = default;
  AdapterFile(AdapterFile&&) = default;
  AdapterFile& operator=(AdapterFile&&) = default;
  /// Throws Error naming the file and key for modules the base model lacks, non-adapter tensors,
  /// duplicate tensors, and a fused module beside one of its slices.
  static AdapterFile open(const std::filesystem::path& path, const ModuleTable& table);
};

}  // namespace mantissa
