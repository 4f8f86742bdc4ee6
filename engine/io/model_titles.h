#pragma once
// What a base model is called, and what that tells about it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// By is_distilled of model_index.json, with the names of the two variants; empty without it.
/// Throws Error if it is neither true nor false.
std::optional<ModelVariant> distilled_by_index(const WeightSource& source, std::string_view usual,
                                               std::string_view distilled);

/// What a base model is called: its file (of several, the denoiser's) or folder, its repository in
/// Hugging Face's cache, `_name_or_path` of its configs, modelspec.title.
std::vector<std::string> model_titles(const WeightSource& source);

/// "FLUX.1 schnell": the family's title with the variant, where there are several and the files
/// tell.
std::string full_title(const WeightSource& source);

/// Whether a title has this word (lowercase letters), whatever its case and what surrounds it:
/// "Z-Image-Turbo", "zImageTurbo_v1". Behind `negation` it doesn't count: "De-Turbo", "deturbo".
bool title_says(std::string_view title, std::string_view word, std::string_view negation = {});

}  // namespace mantissa
