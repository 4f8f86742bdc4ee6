#include "engine/models/flux1/flux1_variant.h"

#include <algorithm>
#include <array>

#include "engine/io/model_titles.h"
#include "engine/io/weights.h"
#include "engine/models/flux1/flux1_keys.h"

namespace mantissa {

namespace {

/// Models of schnell's network that were trained until they needed many steps again, and what
/// others of the kind are called.
constexpr std::array<std::string_view, 5> kManySteps{"openflux", "libreflux", "dedistill",
                                                     "de-distill", "de_distill"};

}  // namespace

ModelVariant flux1_variant(const WeightSource& source) {
  const std::vector<std::string> titles = model_titles(source);
  if (source.contains(kDenoiser, kFlux1Guidance)) {
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
