// OneTrainer's concepts: each has its folder, its own changes of images, of which image_variations
// are cached, and its own captions. A key that is missing has OneTrainer's default. balancing is a
// number of repeats unless the strategy is SAMPLES; old files call it repeats, and have
// validation_concept in place of a type.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/preset/import_onetrainer.h"
#include "engine/preset/import_onetrainer_rules.h"
#include "engine/preset/import_sets.h"
#include "engine/preset/import_values.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// What a concept does with its images.
struct ConceptImages {
  bool jitter = true, flip = false;
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

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json& section_of(const Json& entry, const char* key) {
  static const Json kNone = Json::object();
  const auto found = entry.find(key);
  return found == entry.end() || !found->is_object() ? kNone : *found;
}

ConceptImages images_of(const Json& entry, bool cached) {
  const Json& image = section_of(entry, "image");
  const auto amount = [&](const char* enabled, const char* most) {
    return flag_of(image, enabled, false) ? number_of(image, most, 0) : 0.0;
  };
  ConceptImages images;
  images.jitter = flag_of(image, "enable_crop_jitter", true);
  images.flip = flag_of(image, "enable_random_flip", false);
  images.rotation = amount("enable_random_rotate", "random_rotate_max_angle");
  images.brightness = amount("enable_random_brightness", "random_brightness_max_strength");
  images.contrast = amount("enable_random_contrast", "random_contrast_max_strength");
  images.saturation = amount("enable_random_saturation", "random_saturation_max_strength");
  images.hue = amount("enable_random_hue", "random_hue_max_strength");
  images.variations =
      cached ? static_cast<int>(number_of(entry, "image_variations", 1)) : kDrawnVersions;
  return images;
}

/// Those that are trained on as they are. `special`: whether others serve as a prior.
std::vector<Json> used_concepts(const Json& list, bool& special) {
  std::vector<Json> used;
  for (const Json& entry : list) {
    if (!entry.is_object() || !flag_of(entry, "enabled", true) ||
        flag_of(entry, "validation_concept", false) || text_of(entry, "type") == "VALIDATION") {
      continue;
    }
    if (text_of(entry, "type") == "PRIOR_PREDICTION") {
      special = true;
    } else {
      used.push_back(entry);
    }
  }
  return used;
}

/// What a concept does with its captions.
struct ConceptCaptions {
  bool shuffles = false, drops = false, capitals = false, elsewhere = false,
       other_delimiter = false;
  double kept = 1;
  bool operator==(const ConceptCaptions&) const = default;
};

ConceptCaptions captions_of(const Json& entry) {
  const Json& text = section_of(entry, "text");
  const std::string source = text_of(text, "prompt_source");
  const std::string delimiter = text_of(text, "tag_delimiter");
  ConceptCaptions captions;
  captions.shuffles = flag_of(text, "enable_tag_shuffling", false);
  captions.kept = captions.shuffles ? number_of(text, "keep_tags_count", 1) : 1;
  captions.drops = flag_of(text, "tag_dropout_enable", false) &&
                   number_of(text, "tag_dropout_probability", 0) > 0;
  captions.capitals = flag_of(text, "caps_randomize_enable", false);
  captions.elsewhere = !source.empty() && source != "sample";
  captions.other_delimiter = captions.shuffles && !delimiter.empty() && delimiter != ",";
  return captions;
}

void take_captions(OneTrainer& o, ImportRow& row, const ConceptCaptions& captions,
                   std::vector<Message>& notes) {
  const auto missing = [&](const Message& what) {
    notes.push_back(message<"Not offered here: {what}.">(what));
  };
  if (captions.shuffles) {
    o.take(row, "data.shuffle_captions", true);
    o.take(row, "data.keep_tokens", captions.kept);
  }
  if (captions.drops) {
    missing(message<"dropout of single tags">());
  }
  if (captions.capitals) {
    missing(message<"captions with random capitals">());
  }
  if (captions.elsewhere) {
    missing(message<"captions from file names or from one file for all">());
  }
  if (captions.other_delimiter) {
    missing(message<"caption separators">());
  }
}

/// Empty: that of all concepts.
std::string own_resolution(const Json& entry) {
  const Json& image = section_of(entry, "image");
  return flag_of(image, "enable_resolution_override", false) ? text_of(image, "resolution_override")
                                                             : std::string();
}

bool differ_in_resolution(const std::vector<Json>& used) {
  return std::ranges::any_of(used, [&](const Json& entry) {
    return own_resolution(entry) != own_resolution(used.front());
  });
}

/// A concept's own resolution where those of concepts differ.
void take_own_resolution(FolderRule& rule, const Json& entry, bool differ,
                         std::vector<Message>& notes) {
  const std::string own = own_resolution(entry);
  const auto side = as_number(Json(own));
  const Setting& setting = require_setting("data.resolution");
  if (side && (*side < setting.min || *side > setting.max || *side != std::round(*side))) {
    notes.push_back(message<"Not taken: a resolution of {value} for {folder}.">(own, rule.folder));
  } else if (side) {
    rule.resolution = differ ? static_cast<int>(*side) : 0;
  } else if (!own.empty()) {
    notes.push_back(message<"Not offered here: {what}.">(
        message<"more than the side of a square as one folder's resolution ({folder}: {value})">(
            rule.folder, own)));
  }
}

/// A concept's repeats, weight and resolution; a note for what is not as there. Empty if the
/// concept is left out there.
std::optional<FolderRule> folder_rule(const Json& entry, bool resolutions_differ,
                                      std::vector<Message>& notes) {
  FolderRule rule{last_folder(text_of(entry, "path")), 1};
  const auto figure = [&](const char* key, double otherwise) {
    const auto found = entry.find(key);
    if (found != entry.end() && !is_unset(*found) && !as_number(*found)) {
      notes.push_back(message<"Not taken: {key} of {folder} is not a number.">(key, rule.folder));
    }
    return number_of(entry, key, otherwise);
  };
  rule.weight = figure("loss_weight", 1);
  take_own_resolution(rule, entry, resolutions_differ, notes);
  if (text_of(entry, "balancing_strategy") == "SAMPLES") {
    return rule;
  }
  const double repeats =
      entry.contains("balancing") ? figure("balancing", 1) : figure("repeats", 1);
  if (repeats <= 0) {
    notes.push_back(left_out_there(rule.folder, repeats));
    return std::nullopt;
  }
  Message note;
  rule.repeats = offered_repeats(rule.folder, repeats, note);
  if (!note.empty()) {
    notes.push_back(std::move(note));
  }
  return rule;
}

/// data.folders of concepts that are repeated or weighted, or have another resolution.
void take_folders(OneTrainer& o, ImportRow& row, const std::vector<Json>& used,
                  std::vector<Message>& notes) {
  std::vector<FolderRule> folders;
  const bool differ = differ_in_resolution(used);
  for (const Json& entry : used) {
    if (auto rule = folder_rule(entry, differ, notes)) {
      folders.push_back(std::move(*rule));
    }
  }
  while (const auto shared = shared_name(folders)) {
    std::erase_if(folders, [&](const FolderRule& rule) { return rule.folder == *shared; });
    notes.push_back(
        message<"Several folders are called {folder}, with other repeats, weights or resolutions "
                "each: one name has one rule here, so they have none.">(*shared));
  }
  const Json list = folder_list(folders);
  if (!list.empty() && !o.take(row, "data.folders", list)) {
    notes.push_back(row.note);
  }
  if (std::ranges::any_of(used, [](const Json& entry) {
        return text_of(entry, "balancing_strategy") == "SAMPLES";
      })) {
    notes.push_back(
        message<"Not offered here: {what}.">(message<"a number of images in place of repeats">()));
  }
}

/// One resolution for all, where every concept has that of its own.
void take_resolution(OneTrainer& o, ImportRow& row, const std::vector<Json>& used) {
  const std::string first = own_resolution(used.front());
  const auto side = as_number(Json(first));
  if (!side || differ_in_resolution(used)) {
    return;  // folder_rule has it
  }
  o.own_resolution = o.take(row, "data.resolution", *side);
  if (ImportRow* general = o.row("resolution")) {
    general->targets.clear();
    o.ignore(*general, message<"The concepts' own resolution counts instead.">());
  }
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

/// Notes whatever isn't as there.
void take_concepts(OneTrainer& o, ImportRow& row, const std::vector<Json>& used, bool cached,
                   std::vector<Message>& notes) {
  const ConceptImages images = images_of(used.front(), cached);
  const ConceptCaptions captions = captions_of(used.front());
  if (images.changes() && take_amounts(o, row, images)) {
    notes.push_back(message<"Larger amounts than here are cut.">());
  }
  take_captions(o, row, captions, notes);
  take_folders(o, row, used, notes);
  take_resolution(o, row, used);
  if (std::any_of(used.begin(), used.end(), [&](const Json& entry) {
        return images_of(entry, cached) != images || captions_of(entry) != captions;
      })) {
    notes.push_back(message<"One for all images here: the first concept's.">());
  }
  if (images.rotation > 0) {
    notes.push_back(message<"Corners are black there; here the image is enlarged instead.">());
  }
  if (o.chosen().data.crop_jitter > 0) {
    notes.push_back(message<"Crops are enlarged by up to 1% more.">());
  }
}

}  // namespace

void take_onetrainer_concepts(OneTrainer& o, ImportRow& row, const Json& value) {
  const bool cached = o.find("latent_caching") == nullptr || o.flag("latent_caching");
  bool special = false;
  const std::vector<Json> used =
      value.is_array() ? used_concepts(value, special) : std::vector<Json>{};
  std::vector<Message> notes;
  if (special) {
    notes.push_back(message<"Not offered here: {what}.">(
        message<"concepts that keep the base model's own predictions">()));
  }
  if (!used.empty()) {
    take_concepts(o, row, used, cached, notes);
  }
  if (row.targets.empty() && notes.empty()) {
    o.ignore(row, kImagesNote.said());
    return;
  }
  notes.push_back(message<"Folders are chosen for each run.">());
  o.change(row, joined<" ">(std::move(notes)));
}

void note_concept_file(OneTrainer& o, ImportRow& row, const Json&) {
  if (o.find("concepts") == nullptr) {
    o.change(row, kOtherFileNote.said());
  } else {
    o.ignore(row, kPathNote.said());
  }
}

bool looks_like_onetrainer_concepts(const JsonNode& root) {
  const auto is_concept = [](const JsonNode& item) {
    const auto is_section = [&](std::string_view key) {
      const JsonNode* section = find_member(item, key);
      return section != nullptr && section->is_object;
    };
    return find_member(item, "path") != nullptr && is_section("image") && is_section("text");
  };
  return root.is_array && std::any_of(root.items.begin(), root.items.end(), is_concept);
}

ImportResult import_onetrainer_concepts(const JsonNode& root, std::string_view source_name) {
  OneTrainer o({{"concepts", "concepts", root.value(), root.line}}, ImportFormat::onetrainer,
               source_name);
  take_onetrainer_concepts(o, o.row_at(0), o.entries().front().value);
  return o.finish();
}

}  // namespace mantissa
