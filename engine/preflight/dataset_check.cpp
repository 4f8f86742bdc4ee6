#include "engine/preflight/dataset_check.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "engine/core/error.h"
#include "engine/data/cut_captions.h"
#include "engine/data/folder_rules.h"
#include "engine/io/image.h"
#include "engine/io/weights.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/memory_needs.h"

namespace mantissa {
namespace {

constexpr int kUsualQuantum = 64;

SetFolders resolved(const SetFolders& folders) {
  JobSpec job;
  job.images = folders.images;
  job.prior = folders.prior;
  job.validation = folders.validation;
  job.references = folders.references;
  return job_folders(job);
}

void measure_cuts(DatasetCheck& check) {
  std::vector<double> sums(check.buckets.size());
  std::vector<std::int64_t> counts(check.buckets.size());
  std::vector<DataFinding>& findings = check.data.report.findings;
  drop_kind(findings, DataFindingKind::cut_image);
  for (std::size_t i = 0; i < check.uses.size(); ++i) {
    const ImageUse& use = check.uses[i];
    const ImageItem& item = check.data.items[use.item];
    const Placement p = place_image(check.buckets[use.bucket], item.width, item.height);
    sums[use.bucket] += cut_share(p);
    ++counts[use.bucket];
    // Once, at its first size: at others the share is about the same.
    if (cut_share(p) > kMuchCut && i < check.data.items.size()) {
      finding_of(findings, DataFindingKind::cut_image).files.push_back({item.path, cut_text(p)});
    }
  }
  for (std::size_t b = 0; b < sums.size(); ++b) {
    sums[b] /= static_cast<double>(std::max<std::int64_t>(counts[b], 1));
  }
  check.cut_away = std::move(sums);
}

}  // namespace

bool DatasetCheck::is_in(std::size_t item, std::size_t bucket) const {
  const std::span further(uses.begin() + std::ssize(data.items), uses.end());
  auto use = std::ranges::lower_bound(further, item, {}, &ImageUse::item);
  while (use != further.end() && use->item == item && use->bucket != bucket) {
    ++use;
  }
  return bucket_of_item[item] == bucket || (use != further.end() && use->item == item);
}

int base_quantum(const std::filesystem::path& base) {
  if (base.empty()) {
    return kUsualQuantum;
  }
  return bucket_quantum(*DiffusionModel::open_planning(WeightSource::open(resolve_base(base))));
}

ReferenceRule base_references(const std::filesystem::path& base) {
  if (!base.empty()) {
    const ReferenceRule rule =
        reference_rule(*DiffusionModel::open_planning(WeightSource::open(resolve_base(base))));
    if (rule.most_pixels > 0) {
      return rule;
    }
  }
  return {1024 * 1024, 16};
}

void sort_into_buckets(DatasetCheck& check, const Preset& preset, int quantum) {
  check.quantum = quantum;
  count_folders_again(check.data.items, preset.data);
  BucketOptions sizes = bucket_options(preset, quantum);
  const BucketTable table(preset, quantum);
  check.buckets = table.all();
  sizes.skip.clear();
  check.left_out.clear();
  std::ranges::set_difference(make_buckets(sizes), check.buckets,
                              std::back_inserter(check.left_out));
  check.use.clear();
  check.uses = image_uses(table, check.data.items);
  check.bucket_of_item = buckets_of({check.uses.data(), check.data.items.size()});
  measure_cuts(check);
  if (check.data.report.images > 0) {
    const Loader loader(buckets_of(check.uses), loader_options(preset),
                        use_repeats(check.data, preset, items_of(check.uses)));
    check.use.assign(loader.use().begin(), loader.use().end());
  }
}

std::int64_t batches_per_epoch(const DatasetCheck& check) {
  std::int64_t batches = 0;
  for (const BucketUse& use : check.use) {
    batches += use.batches;
  }
  return batches;
}

void remove_image(DatasetCheck& check, std::size_t index) {
  std::vector<ImageItem>& items = check.data.items;
  DatasetReport& report = check.data.report;
  --(items.at(index).prior ? report.prior : report.images);
  drop_file(report.findings, items.at(index).path);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(index));
  report.copies = duplicates_message(items);
}

void find_cut_captions(DatasetCheck& check, const Preset& preset,
                       const std::filesystem::path& base) {
  if (base.empty() || trains_vae(preset)) {
    return;
  }
  try {
    const auto model = DiffusionModel::open_planning(WeightSource::open(resolve_base(base)));
    model->set_text_options(TextOptions::of(preset));
    std::vector<ImageItem> items = check.data.items;
    items.insert(items.end(), check.validation.begin(), check.validation.end());
    apply_folder_rules(items, preset.data.folders);
    DataFinding found = cut_captions(*model, items);
    drop_kind(check.data.report.findings, DataFindingKind::cut_caption);
    if (!found.files.empty()) {
      check.data.report.findings.push_back(std::move(found));
    }
  } catch (const Error&) {  // the base's problem is told where the base is chosen
  }
}

DatasetDuplicates find_dataset_duplicates(const Preset& preset, const SetFolders& folders,
                                          const Progress& progress) {
  const ImageLibrary images;
  ScanOptions options;
  options.allow_empty = true;
  options.decode = false;
  DatasetDuplicates found;
  found.items = gather_sets(resolved(folders), preset, options).train.items;
  found.groups = find_duplicates(found.items, progress);
  return found;
}

DatasetCheck check_dataset(const Preset& preset, const SetFolders& folders, int quantum,
                           const Progress& progress) {
  const ImageLibrary images;
  DatasetCheck check;
  ScanOptions options;
  options.allow_empty = true;
  options.progress = progress;
  options.masks = preset.data.masks;
  Preset found = preset;
  found.data.folders.clear();  // captions are shown, and edited, without a prefix
  ImageSets sets = gather_sets(resolved(folders), found, options);
  check.data = std::move(sets.train);
  check.validation = std::move(sets.validation);
  sort_into_buckets(check, preset, quantum);
  return check;
}

}  // namespace mantissa
