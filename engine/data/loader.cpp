#include "engine/data/loader.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/data/augmentation.h"

namespace mantissa {

LoaderOptions loader_options(const Preset& preset) {
  LoaderOptions options;
  options.batch_size = preset.data.batch_size;
  options.repeats = preset.data.repeats;
  options.caption_dropout = preset.data.caption_dropout;
  options.flip = preset.data.flip;
  options.variants = variant_count(preset.data);
  options.seed = static_cast<std::uint64_t>(preset.training.seed);
  return options;
}

Loader::Loader(std::span<const std::size_t> bucket_of_item, const LoaderOptions& options,
               std::span<const int> repeats)
    : options_(options), repeats_(repeats.begin(), repeats.end()) {
  if (bucket_of_item.empty()) {
    throw Error(message<"there are no images to train on">());
  }
  if (options.batch_size < 1 || options.repeats < 1) {
    throw Error(message<"data.batch_size and data.repeats must be at least 1; they are "
                        "{batch_size} and {repeats}">(options.batch_size, options.repeats));
  }
  if (!(options.caption_dropout >= 0 && options.caption_dropout <= 1)) {
    throw Error(message<"data.caption_dropout must lie between 0 and 1; it is {value}">(
        std::to_string(options.caption_dropout)));
  }
  repeats_.resize(bucket_of_item.size(), options.repeats);
  std::map<std::size_t, std::vector<std::size_t>> by_bucket;
  for (std::size_t i = 0; i < bucket_of_item.size(); ++i) {
    if (repeats_[i] > 0) {
      by_bucket[bucket_of_item[i]].push_back(i);
    }
  }
  const std::int64_t size = options.batch_size;
  for (auto& [bucket, items] : by_bucket) {
    BucketUse use;
    use.bucket = bucket;
    use.images = static_cast<std::int64_t>(items.size());
    std::int64_t samples = 0;
    for (const std::size_t item : items) {
      samples += repeats_[item];
    }
    use.batches = (samples + size - 1) / size;
    use.fillers = use.batches * size - samples;
    batches_per_epoch_ += use.batches;
    use_.push_back(use);
    items_.push_back(std::move(items));
  }
  if (use_.empty()) {
    throw Error(message<"there are no images to train on">());
  }
}

std::vector<Loader::Batch> Loader::epoch_order(std::int64_t epoch) const {
  const auto key = [&](std::size_t what) {
    return random_key(options_.seed, RandomStream::shuffle, static_cast<std::uint64_t>(epoch),
                      what);
  };
  const auto size = static_cast<std::size_t>(options_.batch_size);
  std::vector<Batch> batches;
  std::vector<int> used(repeats_.size());
  for (std::size_t b = 0; b < items_.size(); ++b) {
    std::vector<std::size_t> order;
    const auto most = [&](std::size_t i, std::size_t j) { return repeats_[i] < repeats_[j]; };
    const int rounds = repeats_[*std::max_element(items_[b].begin(), items_[b].end(), most)];
    for (int r = 0; r < rounds; ++r) {
      std::copy_if(items_[b].begin(), items_[b].end(), std::back_inserter(order),
                   [&](std::size_t item) { return r < repeats_[item]; });
    }
    random_shuffle(order, key(use_[b].bucket + 1));
    std::vector<int> uses;
    std::transform(order.begin(), order.end(), std::back_inserter(uses),
                   [&](std::size_t item) { return used[item]++; });
    for (std::size_t begin = 0; begin < order.size(); begin += size) {
      Batch batch{use_[b].bucket, {}, {}};
      for (std::size_t i = begin; i < begin + size; ++i) {
        batch.items.push_back(order[i % order.size()]);
        batch.uses.push_back(uses[i % order.size()]);
      }
      batches.push_back(std::move(batch));
    }
  }
  random_shuffle(batches, key(0));
  return batches;
}

int Loader::variant_of(std::size_t item, std::int64_t epoch, int use) const {
  if (options_.variants <= 1) {
    return 0;
  }
  const std::int64_t number = epoch * repeats_[item] + use;
  const std::int64_t round = number / options_.variants;
  std::vector<int> order(static_cast<std::size_t>(options_.variants));
  std::iota(order.begin(), order.end(), 0);
  random_shuffle(order, random_key(options_.seed, RandomStream::version_order,
                                   static_cast<std::uint64_t>(round), item));
  return order[static_cast<std::size_t>(number % options_.variants)];
}

BatchPlan Loader::plan(std::int64_t micro_step) const {
  if (micro_step < 0) {
    throw Error(Message::verbatim("there is no batch for micro-step " + std::to_string(micro_step) +
                                  "; they count from 0"));
  }
  BatchPlan plan;
  plan.epoch = micro_step / batches_per_epoch_;
  plan.index = micro_step % batches_per_epoch_;
  if (cached_epoch_ != plan.epoch) {
    cached_ = epoch_order(plan.epoch);
    cached_epoch_ = plan.epoch;
  }
  const Batch& batch = cached_[static_cast<std::size_t>(plan.index)];
  plan.bucket = batch.bucket;
  plan.items = batch.items;
  for (std::size_t i = 0; i < batch.items.size(); ++i) {
    const auto draw = [&](RandomStream stream) {
      return random_uniform(
          random_key(options_.seed, stream, static_cast<std::uint64_t>(micro_step), i));
    };
    plan.variant.push_back(variant_of(batch.items[i], plan.epoch, batch.uses[i]));
    plan.flip.push_back(options_.flip && draw(RandomStream::flip) < 0.5F);
    plan.drop_caption.push_back(draw(RandomStream::caption_dropout) <
                                static_cast<float>(options_.caption_dropout));
  }
  return plan;
}

std::string Loader::report(std::span<const Bucket> buckets) const {
  const auto count = [](std::int64_t n, const char* one, const char* many) {
    return std::to_string(n) + " " + (n == 1 ? one : many);
  };
  std::string text;
  for (const BucketUse& use : use_) {
    const Bucket& b = buckets[use.bucket];
    text += std::to_string(b.width) + "x" + std::to_string(b.height) + ": " +
            count(use.images, "image", "images") + ", " + count(use.batches, "batch", "batches") +
            " an epoch";
    if (use.fillers > 0) {
      text += ", " + std::to_string(use.fillers) + " repeated to fill the last";
    }
    text += "\n";
  }
  return text;
}

}  // namespace mantissa
