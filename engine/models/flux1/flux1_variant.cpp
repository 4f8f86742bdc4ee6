#include "engine/models/flux1/flux1_variant.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "engine/io/model_titles.h"
#include "engine/io/weights.h"
#include "engine/models/flux1/flux1_keys.h"

namespace mantissa {

namespace {

/// Models of schnell's network that were trained until they needed many steps again, and what
/// others of the kind are called.
constexpr std::array<std::string_view, 5> kManySteps{"openflux", "libreflux", "dedistill",
                                                     "de-distill", "de_distill"};

/// Kontext has dev's network and configs: the pipeline's class tells it, or a name.
std::optional<ModelVariant> kontext(const WeightSource& source,
                                    std::span<const std::string> titles) {
  constexpr const char* kClass = "_class_name";
  if (const auto pipeline = source.model_index().find(kClass);
      pipeline != source.model_index().end() && pipeline->is_string() &&
      title_says(pipeline->get<std::string>(), "kontext")) {
    return ModelVariant{
        kFlux1Kontext, false,
        message<"model_index.json has {field} {value}">(kClass, pipeline->get<std::string>())};
  }
  for (const std::string& title : titles) {
    if (title_says(title, "kontext")) {
      return ModelVariant{kFlux1Kontext, false, message<"it is called '{name}'">(title)};
    }
  }
  return std::nullopt;
}

}  // namespace

ModelVariant flux1_variant(const WeightSource& source) {
  const std::vector<std::string> titles = model_titles(source);
  if (source.contains(kDenoiser, kFlux1Guidance)) {
    if (const auto edits = kontext(source, titles)) {
      return *edits;
    }
    const bool krea =
        std::ranges::any_of(titles, [](const auto& title) { return title_says(title, "krea"); });
    return {krea ? "Krea dev" : "dev", false,
            message<"it takes a guidance scale; it has '{tensor}'">(kFlux1Guidance)};
  }
  for (const std::string& title : titles) {
    if (std::ranges::any_of(kManySteps, [&](auto word) { return title_says(title, word); })) {
      return {"de-distilled", false, message<"it is called '{name}'">(title)};
    }
  }
  return {"schnell", true,
          message<"it takes no guidance scale; it lacks '{tensor}'">(kFlux1Guidance)};
}

}  // namespace mantissa
