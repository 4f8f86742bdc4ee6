#pragma once
// Names of an adapter's modules in other programs. A dialect is a file dialect_<name>.cpp and a
// line in dialects.cpp.

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
  bool in_original = false;  ///< `path` is of the original checkpoints: a fused module's

  bool is_denoiser() const { return part == kDenoiser; }
  /// The family's names of the part; null if it has no such part.
  const PartFiles* files() const { return base.family().part(part); }
  std::optional<std::string> original() const {
    return in_original ? std::string(path) : base.original(part, path);
  }
};

struct Dialect {
  std::string_view name;
  TensorNames tensors = TensorNames::kohya;  ///< in files written in this dialect
  bool keeps_alpha = true;                   ///< false: readers assume alpha = rank
  bool is_folder = false;                    ///< a folder with one for each part
  /// A module's name; empty if the dialect has none.
  std::optional<std::string> (*name_of)(const ModuleToName& module) = nullptr;
  /// Its possible names when reading; null: as written.
  std::vector<std::string> (*read_names)(const ModuleToName& module) = nullptr;
};

/// Dialects that code outside of the table asks for.
extern const Dialect kDiffusersDialect, kKohyaDialect, kLycorisDialect, kPeftDialect;

/// Every dialect, in lookup order.
std::span<const Dialect* const> dialects();

/// The form of a file for a program.
struct FileForm {
  const Dialect* dialect = &kKohyaDialect;
  bool plain = false;  ///< a DoRA is written as the plain LoRA nearest to it
};
/// The form of output.format, for a file whose DoRA, if any, has this axis, and for adapters of a
/// family, if known. ComfyUI and A1111 render a per-input DoRA correctly, but not a per-output one:
/// they get plain LoRA then.
FileForm file_form(OutputFormat format, std::optional<DoraAxis> dora,
                   const Family* family = nullptr);

/// A module's name in a file. `path` is canonical ("denoiser.down_blocks.…"), or with `in_original`
/// that of a fused module of the original checkpoints; `base` the names of the model it belongs to.
/// Empty if the dialect has none.
std::optional<std::string> module_name(std::string_view path, const Dialect& dialect,
                                       const ModelNames& base, bool in_original = false);

/// The fused module that a module is written as a share of, with its part's prefix
/// ("denoiser.double_blocks.0.img_attn.qkv"): the dialect has a name for that one alone. Empty if
/// the module has a name of its own.
std::optional<FusedModule> written_within(std::string_view path, const Dialect& dialect,
                                          const ModelNames& base);

/// The original checkpoints' module that a module is written as with its halves of the outputs
/// exchanged, with its part's prefix: the dialect has a name for that one alone. Empty if the
/// module has a name of its own.
std::optional<std::string> written_swapped(std::string_view path, const Dialect& dialect,
                                           const ModelNames& base);

/// The meaning of a module's name.
struct NamedModule {
  std::string path;
  const Dialect* dialect = &kDiffusersDialect;
  /// The base model's modules that have the equal shares of the outputs of a fused module, in
  /// order, whose own path is the original checkpoints'; one with several shares is there for each.
  std::vector<std::string> slices{};
  /// The name is the original checkpoints', whose halves of the outputs are the other way round.
  bool swapped = false;
};
/// Every name by which a file may call one of `module_paths`, or the original checkpoints' module
/// that some of them are fused into. Underscores make names ambiguous, so they are looked up, never
/// parsed.
class ModuleTable {
 public:
  ModuleTable(std::span<const std::string> module_paths, const ModelNames& base);
  /// `folder`: the part a PEFT folder is for ("unet"), where names lie below base_model.model.
  /// Null if no module has the name.
  const NamedModule* find(std::string_view name, std::string_view folder = {}) const;

 private:
  std::map<std::string, NamedModule, std::less<>> table_;
};

/// "lora_unet_" and "a.b" as "lora_unet_a_b".
std::string underscored(std::string_view head, std::string_view path);
/// A list of the name, or an empty one.
std::vector<std::string> listed(std::optional<std::string> name);

}  // namespace mantissa
