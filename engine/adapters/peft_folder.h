#pragma once
// An adapter as the folders that PEFT's save_pretrained writes.

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "engine/adapters/file_tensors.h"

namespace mantissa {

/// The rank and alpha that files name for a module: of a LoHa or LoKr those of its factors.
int file_rank(const AdapterModule& m);
double file_alpha(const AdapterModule& m);

/// Writes a folder for each part below `path`. Tensors for CLIPTextModel have both of its names:
/// PEFT uses those that the model has. Changes of other weights are written as the changed weights
/// (options.base_tensor). Throws Error for what PEFT has no place for.
void write_peft_folders(const std::filesystem::path& path, std::span<const AdapterModule> modules,
                        const AdapterExport& options, const FileForm& form, ValueLosses& losses,
                        const std::map<std::string, std::string>& metadata);

}  // namespace mantissa
