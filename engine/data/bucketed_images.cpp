#include "engine/data/bucketed_images.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engine/core/error.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

ImageSets scanned_sets(const Preset& preset, const SetFolders& folders, const Progress& progress) {
  ScanOptions options;
  options.decode = false;  // encoding decodes every image that isn't cached
  options.masks = preset.data.masks;
  options.progress = progress;
  return gather_sets(folders, preset, options);
}

}  // namespace

BucketedImages::BucketedImages(const Preset& preset, const SetFolders& folders, int quantum,
                               DataNotice notice, const Progress& progress)
    : preset_(preset), quantum_(quantum), notice_(std::move(notice)) {
  ImageSets sets = scanned_sets(preset, folders, progress);
  dataset_ = std::move(sets.train);
  validation_ = std::move(sets.validation);
  const BucketOptions sizes = bucket_options(preset, quantum);
  table_.emplace(preset, quantum);
  if (const auto warning = skip_warning(sizes)) {
    notice_(LogLevel::warning, *warning);
  }
  require_masks();
  sort();
}

BucketedImages BucketedImages::with_preset(const Preset& preset) const {
  BucketedImages other = *this;
  other.preset_ = preset;
  other.notice_ = [](LogLevel, const Message&) {};
  other.table_.emplace(preset, quantum_);
  other.sort();
  return other;
}

void BucketedImages::require_masks() const {
  if (preset_.data.masks == MaskMode::off) {
    return;
  }
  const std::int64_t masks = dataset_.report.masks;
  if (masks == 0) {
    throw Error(
        message<"data.masks is {mode}, but no image has {what}. Add masks, or set it to off">(
            enum_name(preset_.data.masks), preset_.data.masks == MaskMode::alpha
                                               ? message<"an alpha channel">()
                                               : message<"a <name>-masklabel.png">()));
  }
  notice_(
      LogLevel::info,
      message<"{images} of {all} images have a mask; the others count everywhere">(masks, count()));
}

void BucketedImages::sort() {
  uses_ = image_uses(*table_, dataset_.items);
  loader_.emplace(buckets_of(uses_), loader_options(preset_),
                  use_repeats(dataset_, preset_, items_of(uses_)));
  find_cuts();
}

void BucketedImages::find_cuts() {
  std::vector<DataFinding>& findings = dataset_.report.findings;
  drop_kind(findings, DataFindingKind::cut_image);
  for (std::size_t i = 0; i < count(); ++i) {
    if (const Placement place = placement(item(i)); cut_share(place) > kMuchCut) {
      finding_of(findings, DataFindingKind::cut_image)
          .files.push_back({item(i).path, cut_text(place)});
    }
  }
}

const ImageItem& BucketedImages::item(std::size_t index) const {
  return trained(index) ? dataset_.items[index] : validation_[index - dataset_.items.size()];
}

bool BucketedImages::has_mask(const ImageItem& item) const {
  return preset_.data.masks == MaskMode::files   ? !item.mask.empty()
         : preset_.data.masks == MaskMode::alpha ? item.alpha
                                                 : false;
}

Placement BucketedImages::placement(const ImageItem& item) const {
  return place_image(bucket(table_->choose(item).front()), item.width, item.height);
}

std::vector<Bucket> BucketedImages::sizes(const ImageItem& item) const {
  std::vector<Bucket> sizes;
  for (const std::size_t index : table_->choose(item)) {
    sizes.push_back(bucket(index));
  }
  return sizes;
}

ImageVersion BucketedImages::version(const ImageItem& item, const Bucket& size, int variant) const {
  return image_version(preset_, size, item, variant);
}

BatchPlan BucketedImages::plan(std::int64_t micro_step) const {
  BatchPlan plan = loader_->plan(micro_step);
  for (std::size_t& item : plan.items) {
    item = uses_[item].item;
  }
  return plan;
}

std::string BucketedImages::bucket_report() const {
  std::string text = loader_->report(table_->all());
  const std::vector<ResolutionUse> uses = resolution_uses(*table_, dataset_.items);
  for (const ResolutionUse& use : uses) {
    if (uses.size() > 1) {
      text += fmt::format("at {} px: {} {}\n", use.resolution, use.images,
                          use.images == 1 ? "image" : "images");
    }
  }
  return text;
}

std::vector<StepShape> BucketedImages::shapes(std::int64_t tokens, int factor) const {
  std::vector<StepShape> shapes;
  for (const BucketUse& use : loader_->use()) {
    const Bucket& b = bucket(use.bucket);
    shapes.push_back({preset_.data.batch_size, b.height / factor, b.width / factor, tokens});
  }
  std::sort(shapes.begin(), shapes.end(), [](const StepShape& a, const StepShape& b) {
    const std::int64_t x = a.height * a.width, y = b.height * b.width;
    return x != y ? x > y : a < b;
  });
  return shapes;
}

std::vector<StepShape> BucketedImages::single_shapes(const std::vector<std::size_t>& trained,
                                                     std::int64_t tokens, int factor) const {
  std::set<StepShape> shapes;
  const auto add = [&](const ImageItem& item) {
    const Bucket size = placement(item).bucket;
    shapes.insert({1, size.height / factor, size.width / factor, tokens});
  };
  for (const ImageItem& item : validation_) {
    add(item);
  }
  for (const std::size_t index : trained) {
    add(dataset_.items[index]);
  }
  return {shapes.begin(), shapes.end()};
}

void BucketedImages::reject(const std::vector<RejectedImage>& rejected) {
  if (rejected.empty()) {
    return;
  }
  for (auto it = rejected.rbegin(); it != rejected.rend(); ++it) {
    notice_(LogLevel::warning, message<"skipped: {reason}">(it->reason));
    if (trained(it->index)) {
      dataset_.reject(it->index, it->kind, it->reason);
      continue;
    }
    const auto held =
        validation_.begin() + static_cast<std::ptrdiff_t>(it->index - dataset_.items.size());
    dataset_.report.skipped.push_back({held->path, it->kind, it->reason});
    drop_file(dataset_.report.findings, held->path);
    --dataset_.report.held_out;
    validation_.erase(held);
  }
  if (dataset_.report.images == 0) {
    throw Error(message<"no image could be read. The first: {reason}">(rejected.front().reason));
  }
  sort();
}

}  // namespace mantissa
