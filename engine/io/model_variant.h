#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"

namespace mantissa {

class WeightSource;

/// Which of a family's variants a base model is. All have the same network, so that only names and
/// configs tell them apart.
struct ModelVariant {
  std::string_view name;   ///< "Turbo"; empty: nothing in the files tells
  bool distilled = false;  ///< made for a few steps without guidance, by training on another model
  Message evidence;        ///< what tells: "it is called 'z_image_turbo.safetensors'"
};

/// model_index.json of a folder; an object without fields where there is none. Throws Error naming
/// it if it isn't JSON.
nlohmann::json model_index(const WeightSource& source);

/// What a base model is called: its file (of several, the denoiser's) or folder, its repository in
/// Hugging Face's cache, `_name_or_path` of its configs, modelspec.title. Throws what model_index
/// throws.
std::vector<std::string> model_titles(const WeightSource& source);

/// Whether a title has this word (lowercase letters), whatever its case and what surrounds it:
/// "Z-Image-Turbo", "zImageTurbo_v1". Behind `negation` it doesn't count: "De-Turbo", "deturbo".
bool title_says(std::string_view title, std::string_view word, std::string_view negation = {});

}  // namespace mantissa
