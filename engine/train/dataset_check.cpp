#include "engine/train/dataset_check.h"

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
  return job_folders(job);
}

}  // namespace

int base_quantum(const std::filesystem::path& base) {
  if (base.empty()) {
    return kUsualQuantum;
  }
  return bucket_quantum(*DiffusionModel::open_planning(WeightSource::open(resolve_base(base))));
}

void sort_into_buckets(DatasetCheck& check, const Preset& preset, int quantum) {
  check.quantum = quantum;
  count_folders_again(check.data.items, preset.data);
  check.buckets = make_buckets(bucket_options(preset, quantum));
  check.bucket_of_item.clear();
  check.use.clear();
  for (const ImageItem& item : check.data.items) {
    check.bucket_of_item.push_back(
        choose_bucket(check.buckets, preset.data.bucket_rule, item.width, item.height));
  }
  if (check.data.report.images > 0) {
    const Loader loader(check.bucket_of_item, loader_options(preset),
                        item_repeats(check.data, preset));
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
