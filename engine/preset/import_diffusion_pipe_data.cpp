// Facts about diffusion-pipe's files of data sets behind this one: a key outside of the list of
// directories holds for those that lack it, but for masks and references, which only directories
// have, and subsample_ratio, which they don't. Every image is used at each of resolutions, a side
// or the area of a pair; with size_buckets at the one of those sizes that is nearest in shape.
// Without enable_ar_bucket images are cropped to squares. caption_prefix stands before a caption
// without a space of its own. cache_shuffle_num makes so many orders of each caption's tags, all of
// which an epoch uses; shuffle_tags makes one. Images without a caption are skipped unless
// skip_empty_caption is false.

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>

#include "engine/preset/import_diffusion_pipe_rules.h"
#include "engine/preset/import_sets.h"
#include "engine/preset/import_values.h"
#include "engine/preset/value_io.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;
using enum ImportKind;

constexpr std::string_view kDirectories = "directory", kShuffles = "cache_shuffle_num",
                           kMasks = "mask_path";

std::optional<std::pair<double, double>> pair_of(const Json& value) {
  if (!value.is_array() || value.size() < 2) {
    return std::nullopt;
  }
  const auto width = as_number(value[0]), height = as_number(value[1]);
  return width && height && *width > 0 && *height > 0 ? std::optional(std::pair{*width, *height})
                                                      : std::nullopt;
}

void resolutions(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.find("size_buckets") != nullptr) {
    d.ignore(row, message<"{key} counts instead.">(std::string("size_buckets")));
    return;
  }
  std::set<double, std::greater<>> sides;
  Message note;
  for (const Json& item : value.is_array() ? value : Json::array({value})) {
    const auto size = pair_of(item);
    if (size && size->first != size->second) {
      note = same_area_note(size->first, size->second);
    }
    sides.insert(size ? std::round(std::sqrt(size->first * size->second))
                      : as_number(item).value_or(0));
  }
  if (sides.empty() || *sides.rbegin() <= 0) {
    d.refuse(row, message<"Not taken: not a list of sides and of pairs.">());
    return;
  }
  if (!d.take(row, "data.resolution", *sides.begin())) {
    return;
  }
  if (sides.size() > 1) {
    d.take(row, "data.further_resolutions",
           std::vector<double>(std::next(sides.begin()), sides.end()));
  }
  if (!note.empty() && row.fate != ImportFate::changed) {
    d.change(row, note);
  }
}

void size_buckets(DiffusionPipe& d, ImportRow& row, const Json& value) {
  double side = 0;
  for (const Json& item : value.is_array() ? value : Json::array()) {
    const auto size = pair_of(item).value_or(std::pair{0.0, 0.0});
    side = std::max(side, std::round(std::sqrt(size.first * size.second)));
  }
  if (side == 0) {
    d.refuse(row, message<"Not taken: not a list of widths and heights.">());
    return;
  }
  d.take_changed(row, "data.resolution", side,
                 message<"Sizes are given there; buckets here have the area of the largest.">());
}

void buckets(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.find("size_buckets") != nullptr) {
    d.ignore(row, message<"{key} counts instead.">(std::string("size_buckets")));
  } else {
    d.take(row, "data.buckets", value);
  }
}

void repeats(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const auto number = as_number(value);
  if (number && *number > 1 && *number != std::round(*number)) {
    d.take_changed(
        row, "data.repeats", std::round(*number),
        message<"Not offered here: {given}; the nearest is {value}.">(
            short_value(value), short_value(value_io::number_to_json(std::round(*number)))));
  } else {
    d.take(row, "data.repeats", value);
  }
}

void shuffles(DiffusionPipe& d, ImportRow& row, const Json& value) {
  const auto count = as_number(value);
  if (!count || *count <= 0) {
    d.ignore(row, message<"Not used there.">());
  } else if (*count == 1) {
    d.take_changed(row, "data.shuffle_captions", true,
                   message<"Tags are shuffled again in every epoch here.">());
  } else {
    d.take_changed(row, "data.shuffle_captions", true,
                   message<"{count} orders of a caption's tags are made once there, and an epoch "
                           "uses them all; here images are used as often, in orders that change.">(
                       short_value(value)));
  }
}

void shuffled_once(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (is_off(value) || d.number(kShuffles, 0) > 0) {
    d.ignore(row, message<"Not used there.">());
  } else {
    d.take_changed(row, "data.shuffle_captions", true,
                   message<"Tags are shuffled again in every epoch here.">());
  }
}

void delimiter(DiffusionPipe& d, ImportRow& row, const Json& value) {
  if (d.number(kShuffles, 0) <= 0 && !d.flag("shuffle_tags")) {
    d.ignore(row, message<"Not used there.">());
  } else if (value == ", " || value == ",") {
    d.ignore(row, message<"The same here.">());
  } else {
    d.change(row, message<"Not offered here: {what}.">(message<"caption separators">()));
  }
}

void missing_captions(DiffusionPipe& d, ImportRow& row, const Json& value) {
  d.change(row,
           is_off(value)
               ? message<"Images without a caption have an empty one there, their folder's name "
                         "here.">()
               : message<"Images without a caption are left out there; here they are trained with "
                         "their folder's name.">());
}

void mask_path(DiffusionPipe& d, ImportRow& row, const Json&) {
  d.take_changed(row, "data.masks", "files",
                 message<"Masks stand beside the images here, as <name>-masklabel.png; in a folder "
                         "of their own there.">());
}

constexpr RuleText kPipeBuckets = words<"Buckets follow data.bucket_rule here.">;

constexpr DiffusionPipeRule kPipeDataRules[] = {
    {"path", path},
    {"resolutions", special, {}, resolutions},
    {"size_buckets", special, {}, size_buckets},
    {"enable_ar_bucket", special, {}, buckets},
    {"num_repeats", special, {}, repeats},
    {kShuffles, special, {}, shuffles},
    {"shuffle_tags", special, {}, shuffled_once},
    {"cache_shuffle_delimiter", special, {}, delimiter},
    {"caption_prefix", unsupported, words<"a text before every caption">},  // finish_sets takes it
    {"skip_empty_caption", special, {}, missing_captions},
    {kMasks, special, {}, mask_path},
    {"default_mask_file", unsupported, words<"a mask for images without one">},
    {"control_path", ignored, kReferencesNote},
    {"subsample_ratio", unsupported, words<"training on a share of the batches">, {}, "1.0"},
    {"min_ar", ignored, kPipeBuckets},
    {"max_ar", ignored, kPipeBuckets},
    {"num_ar_buckets", ignored, kPipeBuckets},
    {"ar_buckets", ignored, kPipeBuckets},
    {"frame_buckets", ignored, kVideoNote},
    {"online_captions", ignored, kCaptionFileNote},
    {"shuffle_metadata", ignored, words<"Images come in a new order in every epoch here.">},
};

const DiffusionPipeRule* data_rule(std::string_view key) {
  const auto* found = std::ranges::find(kPipeDataRules, key, &DiffusionPipeRule::key);
  return found == std::end(kPipeDataRules) ? nullptr : found;
}

/// The number of a directory in the list; none of a key that holds for all.
std::optional<std::size_t> directory_of(const SourceEntry& entry) {
  const std::size_t open = entry.path.rfind("directory[");
  if (open == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t first = open + kDirectories.size() + 1;
  const auto number = as_number(Json(entry.path.substr(first, entry.path.find(']') - first)));
  return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

/// Whether a key is read where it stands.
bool is_read_at(std::string_view key, std::optional<std::size_t> directory) {
  constexpr std::string_view kOfDirectories[] = {kMasks, "default_mask_file", "control_path"};
  const bool needs_directory = std::ranges::find(kOfDirectories, key) != std::end(kOfDirectories);
  return directory ? key != "subsample_ratio" : !needs_directory;
}

Message first_has_none() {
  return message<
      "Holds for some of the folders there. Here one value holds for all images, and the "
      "first folder has none.">();
}

/// The first directory's value counts before the general one, and both before those of others; of
/// masks, which each image has or not, the first that there is.
void settle_data(std::vector<SourceEntry>& entries) {
  std::map<std::string, std::string> counting;  // paths, by key
  for (const std::optional<std::size_t> place :
       {std::optional<std::size_t>(), std::optional<std::size_t>(0)}) {
    for (const SourceEntry& entry : entries) {
      if (directory_of(entry) == place && is_read_at(entry.key, place)) {
        counting[entry.key] = entry.path;
      }
    }
  }
  for (const SourceEntry& entry : entries) {
    if (entry.key == kMasks && directory_of(entry)) {
      counting.try_emplace(entry.key, entry.path);
    }
  }
  for (SourceEntry& entry : entries) {
    const auto found = counting.find(entry.key);
    if (data_rule(entry.key) == nullptr) {
      continue;  // which the report says of each
    }
    if (!is_read_at(entry.key, directory_of(entry))) {
      entry.passed_over = message<"Not used there.">();
    } else if (found == counting.end()) {
      entry.passed_over = first_has_none();
    } else if (found->second != entry.path) {
      entry.superseded_by = found->second;
    }
  }
}

/// Switches that become settings for all images.
constexpr std::string_view kPipeOptions[] = {"enable_ar_bucket", kShuffles, "shuffle_tags"};

/// The entries that give directories different values of an option; empty if all have the same.
std::set<std::size_t> differing(const DiffusionPipe& d, std::string_view key) {
  std::map<std::size_t, std::string> own;
  std::set<std::size_t> given, directories;
  std::string general = "off";
  for (std::size_t i = 0; i < d.entries().size(); ++i) {
    const SourceEntry& entry = d.entries()[i];
    const auto directory = directory_of(entry);
    if (directory) {
      directories.insert(*directory);
    }
    if (entry.key != key) {
      continue;
    }
    given.insert(i);
    (directory ? own[*directory] : general) =
        is_off(entry.value) ? "off" : short_value(entry.value);
  }
  std::set<std::string> values;
  for (const std::size_t directory : directories) {
    const auto found = own.find(directory);
    values.insert(found == own.end() ? general : found->second);
  }
  return values.size() > 1 ? given : std::set<std::size_t>();
}

void mark_differing(DiffusionPipe& d, std::string_view key) {
  for (const std::size_t i : differing(d, key)) {
    ImportRow& row = d.row_at(i);
    const std::optional<std::size_t> counting = d.index_of(key);
    if (counting && *counting == i) {
      const Message all = message<"Holds for some of the folders there, for all images here.">();
      d.change(row, row.fate == ImportFate::changed ? joined<" ">({row.note, all}) : all);
    } else if (counting) {
      d.change(row, message<"Holds for some of the folders there. Here one value holds for all "
                            "images: that of {key}.">(d.entries()[*counting].path));
    } else {
      d.change(row, first_has_none());
    }
  }
}

/// What is true of rows that no rule has read, because the first directory's count.
void answer_others(DiffusionPipe& d) {
  for (std::size_t i = 0; i < d.entries().size(); ++i) {
    const SourceEntry& entry = d.entries()[i];
    const DiffusionPipeRule* rule = data_rule(entry.key);
    ImportRow& row = d.row_at(i);
    const bool unread = !entry.superseded_by.empty() || !entry.passed_over.empty();
    if (rule == nullptr || !unread || row.fate != ImportFate::ignored || is_unset(entry.value) ||
        !is_read_at(entry.key, directory_of(entry))) {
      continue;
    }
    if (rule->kind == path) {
      d.ignore(row, kPathNote.said());
    } else if (rule->kind == ignored) {
      d.ignore(row, rule->text.said());
    } else if (rule->kind == unsupported && entry.key != "caption_prefix") {
      d.ignore(row, is_off(entry.value) ? message<"Not used there.">()
                                        : message<"Not offered here: {what}.">(rule->text.said()));
    }
  }
}

}  // namespace

bool is_diffusion_pipe_data(const JsonNode& root) {
  const JsonNode* list = find_member(root, kDirectories);
  return list != nullptr && list->is_array &&
         std::ranges::any_of(list->items, [](const JsonNode& directory) {
           return find_member(directory, "path") != nullptr;
         });
}

std::vector<SourceEntry> diffusion_pipe_data(const JsonNode& root, const std::string& file) {
  const std::string before = file.empty() ? "" : file + ": ";
  std::vector<SourceEntry> entries;
  const auto add = [&](const std::string& place, const JsonNode::Member& m) {
    entries.push_back({place, data_rule(m.key) != nullptr ? m.key : place, m.node.value(), m.line});
  };
  for (const JsonNode::Member& m : root.members) {
    if (m.key != kDirectories || !m.node.is_array) {
      add(before + m.key, m);
      continue;
    }
    for (std::size_t i = 0; i < m.node.items.size(); ++i) {
      for (const JsonNode::Member& own : m.node.items[i].members) {
        add(fmt::format("{}directory[{}].{}", before, i, own.key), own);
      }
    }
  }
  settle_data(entries);
  return entries;
}

void finish_diffusion_pipe_data(DiffusionPipe& d, const Message& not_given) {
  answer_others(d);
  finish_sets(d, {.folder = "path",
                  .repeats = "num_repeats",
                  .prefix = "caption_prefix",
                  .weight = {},
                  .resolution = "resolutions",
                  .lists_sides = true,
                  .general_keys = true,
                  .spaced_prefix = true});
  for (const std::string_view key : kPipeOptions) {
    mark_differing(d, key);
  }
  const double orders = d.number(kShuffles, 0);
  if (orders > 1) {
    d.take(*d.row(kShuffles), "data.repeats", orders * d.chosen().data.repeats);
  }
  if (d.find("size_buckets") == nullptr) {
    d.assume("enable_ar_bucket", "data.buckets", false, not_given);
  }
  d.differ(
      "skip_empty_caption", true,
      joined<" ">({not_given, message<"Images without a caption are left out there; here they are "
                                      "trained with their folder's name.">()}));
}

std::span<const DiffusionPipeRule> diffusion_pipe_data_rules() {
  return kPipeDataRules;
}

}  // namespace mantissa
