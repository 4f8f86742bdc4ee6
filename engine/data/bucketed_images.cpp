#include "engine/data/bucketed_images.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
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
                               DataNotice notice, const Progress& progress,
                               const ReferenceRule& references)
    : preset_(preset), quantum_(quantum), reference_rule_(references), notice_(std::move(notice)) {
  ImageSets sets = scanned_sets(preset, folders, progress);
  dataset_ = std::move(sets.train);
  validation_ = std::move(sets.validation);
  prompts_ = std::move(sets.prompts);
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
  const auto& skipped = dataset_.report.skipped;
  const auto unusable = std::ranges::find(skipped, SkipKind::mask, &SkippedFile::kind);
  if (masks == 0 && unusable != skipped.end()) {
    throw Error(
        message<"data.masks is {mode}, but no mask can be used (images left out: {count}). {file}: "
                "{reason}. Correct the masks, or set it to off">(
            enum_name(preset_.data.masks),
            std::ranges::count(skipped, SkipKind::mask, &SkippedFile::kind),
            path_to_utf8(unusable->path), unusable->reason));
  }
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
  batch_sizes_.clear();
  for (const Bucket& size : table_->all()) {
    batch_sizes_.push_back({size, {}});
  }
  std::vector<std::size_t> sizes;
  for (const ImageUse& use : uses_) {
    sizes.push_back(batch_size_of(use));
  }
  loader_.emplace(sizes, loader_options(preset_), use_repeats(dataset_, preset_, items_of(uses_)));
  find_cuts();
}

std::size_t BucketedImages::batch_size_of(const ImageUse& use) {
  const Bucket& size = table_->all()[use.bucket];
  BatchSize wanted{size, reference_sizes(dataset_.items[use.item], size)};
  if (wanted.references.empty()) {
    return use.bucket;
  }
  const auto known = std::ranges::find(batch_sizes_, wanted);
  if (known != batch_sizes_.end()) {
    return static_cast<std::size_t>(known - batch_sizes_.begin());
  }
  batch_sizes_.push_back(std::move(wanted));
  return batch_sizes_.size() - 1;
}

std::vector<Bucket> BucketedImages::reference_sizes(const ImageItem& item,
                                                    const Bucket& size) const {
  std::vector<Bucket> sizes;
  for (const ImageVersion& reference :
       references(item, {place_image(size, item.width, item.height)})) {
    sizes.push_back(reference.placement.bucket);
  }
  return sizes;
}

std::vector<ImageVersion> BucketedImages::references(const ImageItem& item,
                                                     const ImageVersion& version) const {
  if (trains_pair_slider(preset_)) {
    return std::vector<ImageVersion>(item.references.size(), version);
  }
  std::vector<ImageVersion> versions;
  for (const ReferenceImage& reference : item.references) {
    versions.push_back(reference_version(reference_rule_, reference, item, version));
  }
  return versions;
}

std::size_t BucketedImages::most_references() const {
  if (trains_pair_slider(preset_)) {
    return 0;
  }
  std::size_t most = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    most = std::max(most, item(i).references.size());
  }
  for (const std::vector<ReferenceImage>& prompt : prompts_) {
    most = std::max(most, prompt.size());
  }
  return most;
}

std::vector<ImageVersion> BucketedImages::alone(
    const std::vector<ReferenceImage>& references) const {
  const std::int64_t side = std::ranges::max(resolutions_in_use(preset_.data));
  const ReferenceRule rule = rule_beside(reference_rule_, side * side);
  std::vector<ImageVersion> versions;
  for (const ReferenceImage& reference : references) {
    versions.push_back({place_reference(rule, reference, references.size())});
  }
  return versions;
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
  std::vector<Bucket> buckets;
  for (const BatchSize& size : batch_sizes_) {
    buckets.push_back(size.image);
  }
  std::string text = loader_->report(buckets);
  const std::vector<ResolutionUse> uses = resolution_uses(*table_, dataset_.items);
  for (const ResolutionUse& use : uses) {
    if (uses.size() > 1) {
      text += fmt::format("at {} px: {} {}\n", use.resolution, use.images,
                          use.images == 1 ? "image" : "images");
    }
  }
  return text;
}

StepShape BucketedImages::shape_of(std::int64_t batch, const BatchSize& size, std::int64_t tokens,
                                   int factor) const {
  const Bucket& image = size.image;
  StepShape shape{batch, image.height / factor, image.width / factor, tokens};
  for (const Bucket& reference : size.references) {
    shape.references.push_back({reference.height / factor, reference.width / factor});
  }
  return shape;
}

std::vector<StepShape> BucketedImages::shapes(std::int64_t tokens, int factor) const {
  std::vector<StepShape> shapes;
  for (const BucketUse& use : loader_->use()) {
    shapes.push_back(shape_of(preset_.data.batch_size, batch_sizes_[use.bucket], tokens, factor));
  }
  std::sort(shapes.begin(), shapes.end(), [](const StepShape& a, const StepShape& b) {
    const std::int64_t x = a.positions(), y = b.positions();
    return x != y ? x > y : a < b;
  });
  return shapes;
}

std::vector<StepShape> BucketedImages::single_shapes(const std::vector<std::size_t>& trained,
                                                     std::int64_t tokens, int factor) const {
  std::set<StepShape> shapes;
  const auto add = [&](const ImageItem& item) {
    const Bucket size = placement(item).bucket;
    shapes.insert(shape_of(1, {size, reference_sizes(item, size)}, tokens, factor));
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
