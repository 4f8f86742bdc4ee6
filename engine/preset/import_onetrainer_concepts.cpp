// OneTrainer's concepts: each has its folder and its own changes of images, of which
// image_variations are cached. A key that is missing has OneTrainer's default.
#include <algorithm>
#include <vector>

#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_values.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// What a concept does with its images.
struct ConceptImages {
  bool jitter = true, flip = true;
  double rotation = 0, brightness = 0, contrast = 0, saturation = 0, hue = 0;
  int variations = 1;
  bool operator==(const ConceptImages&) const = default;
  bool changes() const {
    return flip || rotation > 0 || brightness > 0 || contrast > 0 || saturation > 0 || hue > 0 ||
           (jitter && variations > 1);
  }
};

bool flag_of(const Json& object, const char* key, bool otherwise) {
  const auto found = object.find(key);
  return found == object.end() || is_unset(*found) ? otherwise : !is_off(*found);
}

double number_of(const Json& object, const char* key, double otherwise) {
  const auto found = object.find(key);
  return found == object.end() ? otherwise : as_number(*found).value_or(otherwise);
}

ConceptImages images_of(const Json& entry, bool cached) {
  const Json image = entry.value("image", Json::object());
  const auto amount = [&](const char* enabled, const char* most) {
    return flag_of(image, enabled, false) ? number_of(image, most, 0) : 0.0;
  };
  ConceptImages images;
  images.jitter = flag_of(image, "enable_crop_jitter", true);
  images.flip = flag_of(image, "enable_random_flip", true);
  images.rotation = amount("enable_random_rotate", "random_rotate_max_angle");
  images.brightness = amount("enable_random_brightness", "random_brightness_max_strength");
  images.contrast = amount("enable_random_contrast", "random_contrast_max_strength");
  images.saturation = amount("enable_random_saturation", "random_saturation_max_strength");
  images.hue = amount("enable_random_hue", "random_hue_max_strength");
  images.variations =
      cached ? static_cast<int>(number_of(entry, "image_variations", 1)) : kDrawnVersions;
  return images;
}

/// Those that are trained on.
std::vector<ConceptImages> used_concepts(const Json& list, bool cached) {
  std::vector<ConceptImages> used;
  for (const Json& entry : list) {
    if (entry.is_object() && flag_of(entry, "enabled", true) &&
        !flag_of(entry, "validation_concept", false) &&
        entry.value("image", Json::object()).is_object()) {
      used.push_back(images_of(entry, cached));
    }
  }
  return used;
}

/// True if an amount is larger than any here.
bool take_amounts(OneTrainer& o, ImportRow& row, const ConceptImages& images) {
  const std::pair<const char*, double> amounts[] = {
      {"data.crop_jitter", images.jitter && images.variations > 1 ? kLeastJitter : 0},
      {"data.rotation", images.rotation},
      {"data.brightness", images.brightness},
      {"data.contrast", images.contrast},
      {"data.saturation", images.saturation},
      {"data.hue", images.hue}};
  bool any = false, cut = false;
  for (const auto& [setting, amount] : amounts) {
    const double most = require_setting(setting).max;
    any = (amount > 0 && o.take(row, setting, std::min(amount, most))) || any;
    cut = cut || amount > most;
  }
  if (any) {
    take_versions(o, row, images.variations);
  }
  if (images.flip) {
    o.take(row, "data.flip", true);
  }
  return cut;
}

}  // namespace

void take_onetrainer_concepts(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool cached = o.find("latent_caching") == nullptr || o.flag("latent_caching");
  const std::vector<ConceptImages> used =
      value.is_array() ? used_concepts(value, cached) : std::vector<ConceptImages>{};
  const auto changes = [](const ConceptImages& c) { return c.changes(); };
  if (std::none_of(used.begin(), used.end(), changes)) {
    o.ignore(row, kImagesNote.said());
    return;
  }
  const bool cut = take_amounts(o, row, used.front());
  if (row.targets.empty()) {
    return;  // the row says why
  }
  std::vector<Message> notes;
  if (std::any_of(used.begin(), used.end(), [&](const auto& c) { return c != used.front(); })) {
    notes.push_back(message<"One for all images here: the first concept's.">());
  }
  if (used.front().rotation > 0) {
    notes.push_back(message<"Corners are black there; here the image is enlarged instead.">());
  }
  if (o.chosen().data.crop_jitter > 0) {
    notes.push_back(message<"Crops are enlarged by up to 1% more.">());
  }
  if (cut) {
    notes.push_back(message<"Larger amounts than here are cut.">());
  }
  notes.push_back(message<"Folders are chosen for each run.">());
  o.change(row, joined<" ">(std::move(notes)));
}

}  // namespace mantissa
