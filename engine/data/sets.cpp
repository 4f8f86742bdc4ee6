#include "engine/data/sets.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/duplicates.h"
#include "engine/data/folder_overlap.h"
#include "engine/data/folder_repeats.h"
#include "engine/data/folder_rules.h"
#include "engine/data/preserved_caption.h"
#include "engine/data/tags.h"
#include "engine/io/composed_name.h"

namespace mantissa {
namespace {

/// The first 32 bits of the hash as a fraction of 1.
double fraction(const ImageItem& item) {
  return static_cast<double>(std::stoul(item.content_hash.substr(0, 8), nullptr, 16)) /
         4294967296.0;
}

template <typename Items>
std::set<std::string> contents(const Items& items) {
  std::set<std::string> hashes;
  for (const ImageItem& item : items) {
    hashes.insert(item.content_hash);
  }
  return hashes;
}

void append(DatasetReport& to, const DatasetReport& from) {
  to.folders.insert(to.folders.end(), from.folders.begin(), from.folders.end());
  to.skipped.insert(to.skipped.end(), from.skipped.begin(), from.skipped.end());
  to.notices.insert(to.notices.end(), from.notices.begin(), from.notices.end());
  add_findings(to.findings, from.findings);
  to.files += from.files;
  to.captions += from.captions;
  to.masks += from.masks;
  to.references += from.references;
  to.hidden_folders += from.hidden_folders;
  to.hidden_files += from.hidden_files;
}

/// Removes the items for which `leaves` is true.
template <typename Leaves>
std::vector<ImageItem> take_out(std::vector<ImageItem>& items, Leaves&& leaves) {
  std::vector<ImageItem> taken;
  const auto kept = std::stable_partition(items.begin(), items.end(),
                                          [&](const ImageItem& item) { return !leaves(item); });
  std::move(kept, items.end(), std::back_inserter(taken));
  items.erase(kept, items.end());
  return taken;
}

void drop_known(std::vector<ImageItem>& items, const std::set<std::string>& known,
                DatasetReport& report, const Message& where) {
  for (const ImageItem& item :
       take_out(items, [&](const ImageItem& i) { return known.contains(i.content_hash); })) {
    report.notices.push_back(message<"{path} is also {place}">(path_to_utf8(item.path), where));
  }
}

void hold_out_share(ImageSets& sets, double share) {
  std::vector<ImageItem>& items = sets.train.items;
  if (share <= 0 || items.empty()) {
    return;
  }
  std::vector<ImageItem> held =
      take_out(items, [&](const ImageItem& item) { return held_out_by_content(item, share); });
  if (held.empty()) {
    // The share is at least one image.
    const auto least = std::min_element(
        items.begin(), items.end(),
        [](const ImageItem& a, const ImageItem& b) { return a.content_hash < b.content_hash; });
    const std::string hash = least->content_hash;
    held = take_out(items, [&](const ImageItem& item) { return item.content_hash == hash; });
  }
  if (items.empty()) {
    throw Error(message<"data.validation_share puts all {count} images into the validation set; "
                        "add images, or set it to 0">(held.size()));
  }
  std::move(held.begin(), held.end(), std::back_inserter(sets.validation));
}

/// Images that are trained without a caption of their own, or with an empty one.
void find_bare(std::span<const ImageItem> items, std::vector<DataFinding>& findings) {
  for (const ImageItem& item : items) {
    if (item.caption_source == "folder") {
      finding_of(findings, DataFindingKind::no_caption)
          .files.push_back({item.path, message<"\"{caption}\"">(item.caption)});
    } else if (item.caption.empty()) {
      finding_of(findings, DataFindingKind::empty_caption).files.push_back({item.path, {}});
    }
  }
}

/// Images whose caption has no word to put the class word for.
void find_untriggered(std::span<const ImageItem> items, const Preset& preset,
                      std::vector<DataFinding>& findings) {
  if (!preserves(preset) || preset.training.preservation != Preservation::class_word) {
    return;
  }
  for (const ImageItem& item : items) {
    if (!item.prior && preserved_caption(preset.training, item.caption) == item.caption) {
      finding_of(findings, DataFindingKind::no_trigger).files.push_back({item.path, {}});
    }
  }
}

/// Samples of an epoch without those for prior preservation.
std::int64_t trained_samples(std::span<const ImageItem> items, const Preset& preset) {
  std::int64_t samples = 0;
  for (const ImageItem& item : items) {
    samples += item.prior ? 0 : std::int64_t{preset.data.repeats} * item.repeats;
  }
  return samples;
}

/// A scan of every set, before an image leaves one for another.
class RuledScan {
 public:
  RuledScan(const Preset& preset, const ScanOptions& options)
      : rules_(preset.data.folders), options_(options) {
    options_.folder_repeats = preset.data.folder_repeats;
  }
  const ScanOptions& options() const { return options_; }

  Dataset operator()(std::span<const std::filesystem::path> folders, bool with_references = true) {
    ScanOptions options = options_;
    options.references = with_references ? options.references : nullptr;
    Dataset found = scan_images(folders, options);
    for (const FolderRule* rule : apply_folder_rules(found.items, rules_)) {
      used_.insert(rule);
    }
    find_numbered(found.items);
    return found;
  }
  /// One for each rule whose folder is around no image, and one for numbers that aren't used.
  std::vector<Message> notices() const {
    std::vector<Message> unused;
    for (const FolderRule& rule : rules_) {
      if (!used_.contains(&rule)) {
        unused.push_back(
            message<"data.folders has an entry for {folder}, but no image is in a folder of that "
                    "name">(rule.folder));
      }
    }
    if (!numbered_.empty()) {
      constexpr std::size_t kNamed = 3;
      std::vector<Message> folders;
      for (const std::string& folder : numbered_) {
        if (folders.size() == kNamed) {
          folders.push_back(message<"and {count} more">(numbered_.size() - kNamed));
          break;
        }
        folders.push_back(Message::verbatim(folder));
      }
      unused.push_back(
          message<"the numbers that these folders' names begin with aren't used as repeats, and "
                  "stay in captions that are a folder's name; turn on data.folder_repeats to read "
                  "the names as sd-scripts does: {folders}">(joined<", ">(std::move(folders))));
    }
    return unused;
  }

 private:
  /// A folder with a rule of its own has what it needs.
  void find_numbered(std::span<const ImageItem> items) {
    if (options_.folder_repeats) {
      return;
    }
    for (const ImageItem& item : items) {
      const std::optional<std::string> name = numbered_folder(item);
      const auto is_theirs = [&](const FolderRule& rule) {
        return composed(rule.folder) == composed(*name);
      };
      if (name && std::ranges::none_of(rules_, is_theirs)) {
        numbered_.insert(*name);
      }
    }
  }

  const std::vector<FolderRule>& rules_;
  ScanOptions options_;
  std::set<const FolderRule*> used_;
  std::set<std::string> numbered_;  ///< folders named as sd-scripts' are, where that isn't read
};

ImageSets gather(const SetFolders& folders, const Preset& preset, RuledScan& scan) {
  ImageSets sets;
  sets.train = scan(folders.images);
  DatasetReport& report = sets.train.report;
  if (!folders.validation.empty()) {
    Dataset held = scan(folders.validation);
    append(report, held.report);
    sets.validation = std::move(held.items);
    drop_known(sets.train.items, contents(sets.validation), report,
               message<"in a validation folder and isn't trained on">());
    if (sets.train.items.empty() && !scan.options().allow_empty) {
      throw Error(message<"every image is also in a validation folder, so there is none to train "
                          "on; give other images with --validation">());
    }
  }
  hold_out_share(sets, preset.data.validation_share);
  report.images = std::ssize(sets.train.items);
  report.held_out = std::ssize(sets.validation);
  if (folders.prior.empty()) {
    return sets;
  }
  if (preset.training.prior_weight == 0) {
    report.notices.push_back(
        message<"training.prior_weight is 0: the prior-preservation images aren't used">());
    return sets;
  }
  Dataset prior = scan(folders.prior, /*with_references=*/false);
  const std::size_t found = prior.items.size();
  drop_known(prior.items, contents(sets.train.items), prior.report,
             message<"among the trained images and isn't used for prior preservation">());
  drop_known(prior.items, contents(sets.validation), prior.report,
             message<"in the validation set and isn't used for prior preservation">());
  append(report, prior.report);
  const auto samples = static_cast<std::size_t>(trained_samples(sets.train.items, preset));
  if (prior.items.size() > samples) {
    report.notices.push_back(
        message<"there are {count} prior-preservation images and {samples} samples of the images "
                "in an epoch: the first {samples} of them are used">(prior.items.size(), samples));
    prior.items.resize(samples);
  }
  if (found > 0 && prior.items.empty()) {
    report.notices.push_back(
        message<"none of the {count} prior-preservation images is left: all are trained on or in "
                "the validation set, so there is no prior preservation; give other images with "
                "--prior">(found));
  }
  report.prior = std::ssize(prior.items);
  for (ImageItem& item : prior.items) {
    item.prior = true;
    sets.train.items.push_back(std::move(item));
  }
  return sets;
}

/// The references that a prompt names.
std::vector<ReferenceImage> named_references(const SamplePrompt& prompt, ReferenceFiles& files,
                                             bool may_lack) {
  std::vector<ReferenceImage> references;
  for (const std::string& name : caption_tags(prompt.references, false)) {
    const std::vector<std::filesystem::path> found = files.named(name);
    if (found.empty() && !may_lack) {
      throw Error(message<"samples.prompts: no folder of references holds {name}, which the prompt "
                          "\"{prompt}\" names">(name, prompt.prompt));
    }
    for (const std::filesystem::path& file : found) {
      references.push_back(read_reference(file));
    }
  }
  return references;
}

}  // namespace

bool held_out_by_content(const ImageItem& item, double share) {
  return fraction(item) < share;
}

ImageSets gather_sets(const SetFolders& folders, const Preset& preset, const ScanOptions& given) {
  ScanOptions options = given;
  std::optional<ReferenceFiles> references;
  if (!folders.references.empty()) {
    options.references = &references.emplace(folders.references);
  }
  RuledScan scan(preset, options);
  ImageSets sets = gather(folders, preset, scan);
  if (references) {
    for (const SamplePrompt& prompt : preset.samples.prompts) {
      sets.prompts.push_back(named_references(prompt, *references, options.allow_empty));
    }
    references->tell(sets.train.report);
  }
  std::vector<DataFinding>& findings = sets.train.report.findings;
  find_overlaps(folders, preset.training.prior_weight != 0, findings);
  find_bare(sets.train.items, findings);
  find_bare(sets.validation, findings);
  find_untriggered(sets.train.items, preset, findings);
  sets.train.report.copies = duplicates_message(sets.train.items);
  std::ranges::move(scan.notices(), std::back_inserter(sets.train.report.notices));
  return sets;
}

std::vector<int> use_repeats(const Dataset& data, const Preset& preset,
                             std::span<const std::size_t> items) {
  std::int64_t samples = 0, prior = 0;
  for (const std::size_t i : items) {
    const ImageItem& item = data.items[i];
    samples += item.prior ? 0 : std::int64_t{preset.data.repeats} * item.repeats;
    prior += item.prior ? 1 : 0;
  }
  std::vector<int> repeats;
  const std::int64_t rest = prior > 0 ? samples % prior : 0;
  std::int64_t number = 0;
  for (const std::size_t i : items) {
    const ImageItem& item = data.items[i];
    if (!item.prior) {
      repeats.push_back(preset.data.repeats * item.repeats);
      continue;
    }
    repeats.push_back(static_cast<int>(samples / prior + (number < rest ? 1 : 0)));
    ++number;
  }
  return repeats;
}

}  // namespace mantissa
