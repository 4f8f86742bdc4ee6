#pragma once
// Model families by the names that other programs give them.

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "engine/preset/import_rules.h"

namespace mantissa {

struct ForeignFamily {
  std::string_view name;  ///< in lower case; one that ends in '*' stands for all that begin with it
  ModelFamily family = ModelFamily::automatic;
  std::string_view title{};  ///< for display; given where the family is not offered
};

/// By network_module of sd-scripts, and of musubi-tuner. Modules for every family have no row.
std::span<const ForeignFamily> kohya_networks();
std::span<const ForeignFamily> musubi_networks();
/// By base_model_version in the metadata of an adapter.
std::span<const ForeignFamily> kohya_versions();
/// The same, and by model_version.
std::span<const ForeignFamily> musubi_versions();
std::span<const ForeignFamily> onetrainer_models();
std::span<const ForeignFamily> ai_toolkit_architectures();
std::span<const ForeignFamily> simpletuner_families();

/// The first row that stands for this name, in any case; null if there is none.
const ForeignFamily* find_family(std::span<const ForeignFamily> names, std::string_view name);

/// Takes the named family into model.family. One that isn't offered is an Error that names it and
/// the families that are.
void take_family(ImportContext& context, ImportRow& row, std::span<const ForeignFamily> names,
                 std::string_view name);
/// The Error alone, for a family of this title.
[[noreturn]] void refuse_family(const ImportContext& context, const ImportRow& row,
                                std::string_view title);

/// Which layers of the denoiser's main blocks other programs adapt.
enum class BlockLayers { attention, with_mlp, with_modulation };
/// The value of adapter.targets for them: a named set, or patterns where the family has further
/// blocks, which those programs leave out.
nlohmann::json block_targets(ModelFamily family, BlockLayers layers);

}  // namespace mantissa
