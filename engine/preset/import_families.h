#pragma once
// Model families by the names that other programs give them: those of offered families are in their
// rows (family_table.h), those of all others here.

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/import_rules.h"

namespace mantissa {

/// Whose names: &ForeignNames::onetrainer.
using FamilyNaming = std::string_view ForeignNames::*;

/// A family that isn't offered.
struct OtherFamily {
  std::string_view name;  ///< in lower case; one that ends in '*' stands for all that begin with it
  std::string_view title;  ///< for display
};
std::span<const OtherFamily> other_families(FamilyNaming naming);

/// The names of a list in ForeignNames.
std::vector<std::string_view> foreign_names(std::string_view names);

/// What a name stands for.
struct NamedFamily {
  ModelFamily family = ModelFamily::automatic;  ///< also for a generation, which a file tells
  std::string title{};                          ///< of a family that isn't offered; else empty
  std::string_view generation{};                ///< the title of one
};
/// By the longest name that stands for it, in any case; nothing if there is none. A variant of an
/// offered family that needs other inputs, such as inpainting, isn't offered.
std::optional<NamedFamily> find_family(FamilyNaming naming, std::string_view name);

/// Takes the named family into model.family. One that isn't offered is an Error that names it and
/// the families that are.
void take_family(ImportContext& context, ImportRow& row, FamilyNaming naming,
                 std::string_view name);
/// The Error alone, for a family of this title.
[[noreturn]] void refuse_family(const ImportContext& context, const ImportRow& row,
                                std::string_view title);
/// Throws as above if the file names a model that isn't offered by its family's name, as `given`
/// tells in the field `naming` of NamesakeModel.
void refuse_namesake(const ImportContext& context, const ImportRow& row,
                     std::string_view NamesakeModel::*naming, std::string_view given);
/// Throws as above if a path or the id of a repository is that of such a model: "FLUX.1-Fill-dev"
/// is none of FLUX.1. Its last part that names the family or such a model counts.
void refuse_other_model(const ImportContext& context, const ImportRow& row, std::string_view path);
/// The Error for a kind of training that isn't offered, such as textual inversion, or for a file of
/// a program whose files aren't read.
[[noreturn]] void refuse_job(const ImportContext& context, const ImportRow& row,
                             const Message& job);
[[noreturn]] void refuse_program(std::string_view source_name, int line, std::string_view key,
                                 std::string_view program);

/// Which layers of the denoiser's main blocks other programs adapt.
enum class BlockLayers { attention, with_mlp, with_modulation };
/// The value of adapter.targets for them: a named set, or patterns where the family has further
/// blocks, which those programs leave out.
nlohmann::json block_targets(ModelFamily family, BlockLayers layers);
/// The layers that a program names for the family (ForeignTraining), else those of the blocks.
nlohmann::json foreign_targets(ModelFamily family, std::string_view ForeignTraining::*layers,
                               BlockLayers otherwise);
/// Layers given as in ForeignTraining, else those of the blocks.
nlohmann::json foreign_targets(ModelFamily family, std::string_view given, BlockLayers otherwise);

}  // namespace mantissa
