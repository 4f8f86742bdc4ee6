#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace mantissa {

struct Family;

/// model_index.json of a diffusers folder, or modular_model_index.json; an object without fields
/// where there is neither. The folder is read as a model of `family`, by its tensors. Throws Error
/// naming file and field for another pipeline, for a part of another class or in another place, for
/// a part that it leaves out but that the folder holds, and for settings whose meaning isn't known.
nlohmann::json read_model_index(const std::filesystem::path& folder, const Family& family);

/// Its entries that are settings which the family honours: what a model written from it keeps.
nlohmann::json pipeline_settings(const nlohmann::json& index, const Family& family);

/// The scheduler's class that it names, which diffusers loads whatever scheduler_config.json says;
/// empty if it names none.
std::string scheduler_class(const nlohmann::json& index);

}  // namespace mantissa
