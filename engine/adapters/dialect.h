#pragma once
// How programs call the modules that an adapter changes. A dialect is a file dialect_<name>.cpp and
// a line in dialects.cpp.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/adapters/tensor_names.h"
#include "engine/io/family.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A module of a base model, for a dialect to name.
struct ModuleToName {
  Part part;
  std::string_view path;  ///< in its part: "down_blocks.0.attentions.0.proj_in"
  const ModelNames& base;

  bool is_denoiser() const { return part == kDenoiser; }
  /// What the family calls the part; null where it has no such part.
  const PartFiles* files() const { return base.family().part(part); }
  std::optional<std::string> original() const { return base.original(part, path); }
};

struct Dialect {
  std::string_view name;
  TensorNames tensors = TensorNames::kohya;  ///< of the files written in it
  bool keeps_alpha = true;                   ///< false: readers take alpha = rank
  bool is_folder = false;                    ///< a folder with one for each part
  /// What a module is called; empty where the dialect has no word for it.
  std::optional<std::string> (*name_of)(const ModuleToName& module) = nullptr;
  /// What it may be called in a file that is read; null: as it is written.
  std::vector<std::string> (*read_names)(const ModuleToName& module) = nullptr;
};

extern const Dialect kDiffusersDialect, kKohyaDialect, kLdmDialect, kLycorisDialect, kBareDialect,
    kProcessorsDialect, kOneTrainerDialect, kPeftDialect;

/// Every dialect, in the order in which a name is looked up.
std::span<const Dialect* const> dialects();

/// How a file for a program looks.
struct FileForm {
  const Dialect* dialect = &kKohyaDialect;
  bool plain = false;  ///< a DoRA is written as the plain LoRA nearest to it
};
/// The form of output.format, for a file whose DoRA, if it holds one, has this axis. ComfyUI and
/// A1111 render a DoRA per input as trained, and one per output not: they get plain LoRA then.
FileForm file_form(OutputFormat format, std::optional<DoraAxis> dora);

/// A module's name in a file. `path` is canonical ("unet.down_blocks.…"), `base` the names of the
/// model it belongs to. Empty where the dialect has no word for it.
std::optional<std::string> module_name(std::string_view path, const Dialect& dialect,
                                       const ModelNames& base);

/// What a module's name means.
struct NamedModule {
  std::string path;
  const Dialect* dialect = &kDiffusersDialect;
};
/// Every name by which a file may call one of `module_paths`. Underscores make names ambiguous, so
/// they are only ever looked up.
class ModuleTable {
 public:
  ModuleTable(std::span<const std::string> module_paths, const ModelNames& base);
  /// `folder`: the part a PEFT folder is for ("unet"), where names lie below base_model.model.
  /// Null for a name that no module has.
  const NamedModule* find(std::string_view name, std::string_view folder = {}) const;

 private:
  std::map<std::string, NamedModule, std::less<>> table_;
};

/// "lora_unet_" and "a.b" as "lora_unet_a_b".
std::string underscored(std::string_view head, std::string_view path);
/// A list of the name, or an empty one.
std::vector<std::string> listed(std::optional<std::string> name);

}  // namespace mantissa
