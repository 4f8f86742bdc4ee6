#include "engine/data/bucket_table.h"

#include <algorithm>
#include <utility>

namespace mantissa {

BucketTable::BucketTable(const Preset& preset, int quantum)
    : rule_(preset.data.bucket_rule), of_all_(resolutions_of(preset.data)) {
  BucketOptions options = bucket_options(preset, quantum);
  all_ = make_buckets(options);
  for (const int resolution : resolutions_in_use(preset.data)) {
    options.resolution = resolution;
    options.further.clear();
    by_resolution_[resolution] = make_buckets(options);
  }
}

std::vector<int> BucketTable::resolutions(const ImageItem& item) const {
  return item.resolution > 0 ? std::vector{item.resolution} : of_all_;
}

std::size_t BucketTable::choose(int resolution, int width, int height) const {
  // A folder's rule may have come later than the scan that found its images.
  const auto known = by_resolution_.find(resolution);
  const std::vector<Bucket>& own =
      known != by_resolution_.end() ? known->second : by_resolution_.at(of_all_.front());
  const Bucket& chosen = own[choose_bucket(own, rule_, width, height)];
  return static_cast<std::size_t>(std::ranges::lower_bound(all_, chosen) - all_.begin());
}

std::vector<std::size_t> BucketTable::choose(const ImageItem& item) const {
  std::vector<std::size_t> buckets;
  for (const int resolution : resolutions(item)) {
    buckets.push_back(choose(resolution, item.width, item.height));
  }
  return buckets;
}

std::vector<ImageUse> image_uses(const BucketTable& table, std::span<const ImageItem> items) {
  std::vector<ImageUse> uses, further;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::vector<std::size_t> buckets = table.choose(items[i]);
    uses.push_back({i, buckets.front()});
    for (std::size_t k = 1; k < buckets.size(); ++k) {
      further.push_back({i, buckets[k]});
    }
  }
  uses.insert(uses.end(), further.begin(), further.end());
  return uses;
}

std::vector<std::size_t> items_of(std::span<const ImageUse> uses) {
  std::vector<std::size_t> items;
  for (const ImageUse& use : uses) {
    items.push_back(use.item);
  }
  return items;
}

std::vector<std::size_t> buckets_of(std::span<const ImageUse> uses) {
  std::vector<std::size_t> buckets;
  for (const ImageUse& use : uses) {
    buckets.push_back(use.bucket);
  }
  return buckets;
}

std::vector<ResolutionUse> resolution_uses(const BucketTable& table,
                                           std::span<const ImageItem> items) {
  std::map<int, ResolutionUse> found;
  for (const ImageItem& item : items) {
    for (const int resolution : table.resolutions(item)) {
      ResolutionUse& use = found[resolution];
      use.resolution = resolution;
      ++use.images;
      ++use.sizes[table.all()[table.choose(resolution, item.width, item.height)]];
    }
  }
  std::vector<ResolutionUse> uses;
  for (auto& [resolution, use] : found) {
    uses.push_back(std::move(use));
  }
  return uses;
}

}  // namespace mantissa
