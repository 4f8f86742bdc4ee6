// Facts about sd-scripts and musubi-tuner behind this file: a subset's option is its own, else its
// data set's, else that of the general section, else the training's; each folder and each data set
// may have another one. Here one value holds for all images: that of the first set.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/preset/import_kohya_rules.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// An option that becomes a setting for all images, with the value of a set that isn't given one.
struct SetOption {
  std::string_view key;
  double usual = 0;
};
constexpr SetOption kSetOptions[] = {
    {"shuffle_caption"}, {"keep_tokens"},          {"flip_aug"},
    {"color_aug"},       {"random_crop"},          {"caption_dropout_rate"},
    {"alpha_mask"},      {"validation_split"},     {"train_batch_size", 1},
    {"enable_bucket"},   {"min_bucket_reso", 256}, {"max_bucket_reso", 1024},
};

constexpr std::string_view kGeneral = "general";
constexpr std::string_view kTraining;   ///< keys outside of data sets
constexpr std::size_t kMostSets = 256;  ///< that are compared: a file may list thousands

std::string_view around(std::string_view place) {
  const std::size_t dot = place.rfind('.');
  return place.substr(0, dot == std::string_view::npos ? 0 : dot);
}

/// The place of an entry: that of its set, with the name of the file it is in.
std::string_view set_of(const SourceEntry& entry) {
  const std::string_view place = around(entry.path);
  return place.find('[') != std::string_view::npos           ? place
         : place == kGeneral || place.ends_with(": general") ? kGeneral
                                                             : kTraining;
}

/// The values of an option in the sets that are trained.
class SetOptions {
 public:
  explicit SetOptions(const Kohya& k) : k_(k) {
    static constexpr std::string_view kFolders[] = {"image_dir", "metadata_file", "image_directory",
                                                    "image_jsonl_file"};
    for (std::size_t i = 0; i < k.entries().size(); ++i) {
      const SourceEntry& entry = k.entries()[i];
      const std::string_view place = set_of(entry);
      if (is_unset(entry.value) || !entry.passed_over.empty()) {
        continue;
      }
      index_[{place, entry.key}] = i;  // the last of equal keys counts
      const bool folder = std::ranges::find(kFolders, entry.key) != std::end(kFolders);
      if (folder && place.find('[') != std::string_view::npos && sets_.size() <= kMostSets) {
        sets_.insert(place);
      }
    }
    std::erase_if(sets_, [&](std::string_view place) { return is_left_out(place); });
  }

  /// The entries that give the sets different values; empty if all have the same.
  std::set<std::size_t> differing(const SetOption& option) const {
    std::set<std::size_t> given;
    std::set<std::string> values;
    for (const std::string_view place : sets_) {
      const std::optional<std::size_t> at = find(place, option.key);
      double value = option.usual;
      if (at) {
        given.insert(*at);
        const Json& json = k_.entries()[*at].value;
        const auto number = as_number(json);
        value = number ? *number : is_off(json) ? 0 : json.is_boolean() ? 1 : value;
      }
      if (option.key == "keep_tokens" && !is_shuffled(place)) {
        value = 0;  // it has no effect
      }
      values.insert(std::to_string(value));
    }
    return values.size() > 1 ? given : std::set<std::size_t>();
  }

 private:
  std::optional<std::size_t> find(std::string_view place, std::string_view key) const {
    for (const std::string_view at : {place, around(place), kGeneral, kTraining}) {
      const auto found = index_.find({at, key});
      if (found != index_.end()) {
        return found->second;
      }
    }
    return std::nullopt;
  }
  bool is_shuffled(std::string_view place) const {
    const std::optional<std::size_t> at = find(place, "shuffle_caption");
    return at && !is_off(k_.entries()[*at].value);
  }
  /// sd-scripts has no use for a folder without repeats.
  bool is_left_out(std::string_view place) const {
    const std::optional<std::size_t> at = find(place, "dataset_repeats");
    return at && !k_.musubi && as_number(k_.entries()[*at].value).value_or(1) < 1;
  }

  const Kohya& k_;
  std::set<std::string_view> sets_;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> index_;
};

/// What is true of a row that no rule has read, because the first set's counts.
void answer_unread(Kohya& k, std::size_t i) {
  const SourceEntry& entry = k.entries()[i];
  ImportRow& row = k.row_at(i);
  const KohyaRule* rule = kohya_rule(entry.key);
  if (rule == nullptr || row.fate != ImportFate::ignored || is_unset(entry.value) ||
      entry.key == "caption_prefix") {  // which finish_sets takes
    return;
  }
  const bool used =
      !is_off(entry.value) && (rule->neutral.empty() || entry.value != Json::parse(rule->neutral));
  if (rule->kind == ImportKind::path) {
    k.ignore(row, kPathNote.said());
  } else if (rule->kind == ImportKind::ignored) {
    k.ignore(row, rule->text.said());
  } else if (rule->kind == ImportKind::unsupported && used) {
    k.ignore(row, message<"Not offered here: {what}.">(rule->text.said()));
  }
}

}  // namespace

void finish_kohya_sets(Kohya& k) {
  for (std::size_t i = 0; i < k.entries().size(); ++i) {
    const SourceEntry& entry = k.entries()[i];
    if (!entry.superseded_by.empty() && entry.passed_over.empty() &&
        set_of(entry).find('[') != std::string_view::npos) {
      answer_unread(k, i);
    }
  }
  const SetOptions options(k);
  for (const SetOption& option : kSetOptions) {
    for (const std::size_t i : options.differing(option)) {
      ImportRow& row = k.row_at(i);
      const std::optional<std::size_t> first = k.index_of(option.key);
      if (first && *first == i && row.fate == ImportFate::ignored) {
        continue;  // it has no effect here
      }
      if (first && *first == i) {
        const Message all = message<"Holds for some of the folders there, for all images here.">();
        k.change(row, row.fate == ImportFate::changed ? joined<" ">({row.note, all}) : all);
      } else if (first) {
        k.change(row, message<"Holds for some of the folders there. Here one value holds for all "
                              "images: that of {key}.">(k.entries()[*first].path));
      } else {
        k.change(row, message<"Holds for some of the folders there. Here one value holds for all "
                              "images, and the first folder has none.">());
      }
    }
  }
}

}  // namespace mantissa
