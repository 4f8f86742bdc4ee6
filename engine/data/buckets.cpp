#include "engine/data/buckets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>
#include <numeric>
#include <set>

#include "engine/core/error.h"
#include "engine/preset/text_rules.h"

namespace mantissa {

namespace {

int round_even(double x) {
  const double down = std::floor(x);
  const double rest = x - down;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0);
  return static_cast<int>(down) + (up ? 1 : 0);
}

void add_both(std::set<Bucket>& set, int a, int b) {
  set.insert({a, b});
  set.insert({b, a});
}

int longest_side(std::int64_t area, int side, int quantum) {
  return static_cast<int>(area / side / quantum * quantum);
}

void add_equal_area(std::set<Bucket>& set, const BucketOptions& o) {
  const std::int64_t area = std::int64_t{o.resolution} * o.resolution;
  for (int w = o.quantum; w <= o.resolution; w += o.quantum) {
    const int h = longest_side(area, w, o.quantum);
    if (h <= w * o.max_aspect && w <= h * o.max_aspect) {
      add_both(set, w, h);
    }
  }
}

void add_kohya(std::set<Bucket>& set, const BucketOptions& o) {
  const std::int64_t area = std::int64_t{o.resolution} * o.resolution;
  for (int w = o.min_side; w <= o.max_side; w += o.quantum) {
    const int h = std::min(o.max_side, longest_side(area, w, o.quantum));
    if (h >= o.min_side) {
      add_both(set, w, h);
    }
  }
}

void add_onetrainer(std::set<Bucket>& set, const BucketOptions& o) {
  for (const double aspect : {1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0}) {
    const double root = std::sqrt(aspect);
    const int low = round_even(o.resolution / root / o.quantum) * o.quantum;
    const int high = round_even(o.resolution * root / o.quantum) * o.quantum;
    if (low > 0) {
      add_both(set, low, high);
    }
  }
}

}  // namespace

std::vector<GivenResolution> given_resolutions(const Preset::Data& data) {
  const std::size_t of_all = resolutions_of(data).size();
  std::vector<GivenResolution> given;
  for (const int pixels : resolutions_in_use(data)) {
    given.push_back({pixels, given.empty()           ? "data.resolution"
                             : given.size() < of_all ? "data.further_resolutions"
                                                     : "data.folders"});
  }
  return given;
}

BucketOptions bucket_options(const Preset& preset, int quantum) {
  BucketOptions options;
  const std::vector<GivenResolution> resolutions = given_resolutions(preset.data);
  options.resolution = resolutions.front().pixels;
  options.further.assign(resolutions.begin() + 1, resolutions.end());
  options.quantum = quantum;
  options.buckets = preset.data.buckets;
  options.rule = preset.data.bucket_rule;
  if (options.rule == BucketRule::kohya) {
    options.quantum = std::lcm(quantum, 64);
    options.min_side = preset.data.bucket_min;
    options.max_side = preset.data.bucket_max;
  }
  for (const std::string& text : preset.data.skip_buckets) {
    const auto size = parse_size(text);
    if (!size) {  // made without the preset's own checks
      throw Error(
          message<"data.skip_buckets holds {value}, which is not a size; write WIDTHxHEIGHT, for "
                  "example 768x1344">(text));
    }
    options.skip.push_back({size->first, size->second});
  }
  return options;
}

namespace {

/// Of one resolution, those left out too.
std::set<Bucket> own_buckets(const BucketOptions& o, std::string_view key) {
  if (o.quantum < 1 || o.resolution < o.quantum) {
    throw Error(message<"{key} gives {resolution} pixels; this model needs sides that are "
                        "multiples of {least}, so at least {least}">(key, o.resolution, o.quantum));
  }
  if (o.buckets && o.rule == BucketRule::kohya &&
      (o.min_side > o.resolution || o.max_side < o.resolution)) {
    throw Error(
        message<"kohya's bucket rule wants data.bucket_min ({least}) <= {key} ({resolution}) <= "
                "data.bucket_max ({most}); change one of them, or data.bucket_rule">(
            o.min_side, key, o.resolution, o.max_side));
  }
  const int square = o.resolution / o.quantum * o.quantum;
  std::set<Bucket> set{{square, square}};
  if (o.buckets) {
    switch (o.rule) {
      case BucketRule::equal_area:
        add_equal_area(set, o);
        break;
      case BucketRule::kohya:
        add_kohya(set, o);
        break;
      case BucketRule::onetrainer:
        add_onetrainer(set, o);
        break;
    }
  }
  return set;
}

/// Of every resolution.
std::set<Bucket> all_buckets(BucketOptions o) {
  std::set<Bucket> set = own_buckets(o, "data.resolution");
  for (const GivenResolution& further : o.further) {
    o.resolution = further.pixels;
    set.merge(own_buckets(o, further.key));
  }
  return set;
}

}  // namespace

std::vector<Bucket> make_buckets(const BucketOptions& o) {
  std::set<Bucket> set = all_buckets(o);
  for (const Bucket& skipped : o.skip) {
    set.erase(skipped);
  }
  if (set.empty()) {
    throw Error(message<"data.skip_buckets leaves out every size; take at least one from it">());
  }
  return {set.begin(), set.end()};
}

std::vector<Bucket> unknown_skips(const BucketOptions& o) {
  const std::set<Bucket> made = all_buckets(o);
  std::set<Bucket> unknown(o.skip.begin(), o.skip.end());
  std::erase_if(unknown, [&](const Bucket& b) { return made.contains(b); });
  return {unknown.begin(), unknown.end()};
}

std::string bucket_text(const Bucket& bucket) {
  return fmt::format("{}x{}", bucket.width, bucket.height);
}

std::optional<Message> skip_warning(const BucketOptions& o) {
  std::vector<std::string> unknown;
  for (const Bucket& bucket : unknown_skips(o)) {
    unknown.push_back(bucket_text(bucket));
  }
  if (unknown.empty()) {
    return std::nullopt;
  }
  return message<
      "data.skip_buckets leaves out sizes that this resolution, rule and base model "
      "don't have: {sizes}">(fmt::format("{}", fmt::join(unknown, ", ")));
}

std::size_t choose_bucket(std::span<const Bucket> buckets, BucketRule rule, int width, int height) {
  if (buckets.empty() || width < 1 || height < 1) {
    throw Error(Message::verbatim(fmt::format(
        "no bucket can be chosen for an image of {}x{} among {}", width, height, buckets.size())));
  }
  const auto exact = std::find(buckets.begin(), buckets.end(), Bucket{width, height});
  if (exact != buckets.end()) {
    return static_cast<std::size_t>(exact - buckets.begin());
  }
  std::size_t best = 0;
  if (rule == BucketRule::equal_area) {
    // |ln| is monotonic in the ratio of the aspects, larger over smaller: compared exactly, as
    // fractions, so that machines can't differ. Sides stay below 2^16, products below 2^64.
    std::uint64_t best_high = 0;
    std::uint64_t best_low = 0;
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      const std::uint64_t a = std::uint64_t(width) * std::uint64_t(buckets[i].height);
      const std::uint64_t b = std::uint64_t(height) * std::uint64_t(buckets[i].width);
      const std::uint64_t high = std::max(a, b);
      const std::uint64_t low = std::min(a, b);
      if (i == 0 || high * best_low < best_high * low) {
        best = i;
        best_high = high;
        best_low = low;
      }
    }
    return best;
  }
  // sd-scripts compares width/height, OneTrainer height/width.
  const bool upright = rule == BucketRule::onetrainer;
  const auto aspect = [&](double w, double h) { return upright ? h / w : w / h; };
  double best_error = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const double error =
        std::abs(aspect(width, height) - aspect(buckets[i].width, buckets[i].height));
    if (i == 0 || error < best_error) {
      best = i;
      best_error = error;
    }
  }
  return best;
}

namespace {

/// The side of the upright box around a crop turned by `angle`; an even number of pixels more than
/// `along`, so that both have one centre.
int turned_side(int along, int across, int angle) {
  if (angle == 0) {
    return along;
  }
  const double turn = std::abs(angle) / 100.0 * std::numbers::pi / 180;
  const double side = along * std::cos(turn) + across * std::sin(turn);
  return along + 2 * std::max(0, static_cast<int>(std::ceil((side - along) / 2)));
}

/// Where a crop begins that may lie at 0 … `room`.
int crop_start(int room, const Framing& framing, std::size_t axis) {
  return framing.position
             ? static_cast<int>(
                   (static_cast<std::uint64_t>(room) + 1) * (*framing.position)[axis] >> 32)
             : room / 2;
}

}  // namespace

Placement place_image(const Bucket& bucket, int width, int height, const Framing& framing) {
  if (width < 1 || height < 1 || bucket.width < 1 || bucket.height < 1) {
    throw Error(
        Message::verbatim(fmt::format("an image of {}x{} can't be placed in a bucket of {}x{}",
                                      width, height, bucket.width, bucket.height)));
  }
  Placement p;
  p.original_width = width;
  p.original_height = height;
  p.bucket = bucket;
  p.angle = framing.angle;
  const int box_width = turned_side(bucket.width, bucket.height, framing.angle);
  const int box_height = turned_side(bucket.height, bucket.width, framing.angle);
  // Products stay below 2^63: 2·10⁸ pixels a side at most, 2^15 for the box, 2^15 for the zoom.
  constexpr std::int64_t kOne = 10'000;
  const std::int64_t w = width;
  const std::int64_t h = height;
  const std::int64_t zoom = kOne + framing.zoom;
  const auto scaled = [&](std::int64_t side, std::int64_t to, std::int64_t from) {
    return static_cast<int>((2 * side * to * zoom + from * kOne) / (2 * from * kOne));
  };
  if (box_width * h >= box_height * w) {
    p.scaled_width = scaled(box_width, 1, 1);
    p.scaled_height = scaled(h, box_width, w);
  } else {
    p.scaled_width = scaled(w, box_height, h);
    p.scaled_height = scaled(box_height, 1, 1);
  }
  p.left = (box_width - bucket.width) / 2 + crop_start(p.scaled_width - box_width, framing, 0);
  p.top = (box_height - bucket.height) / 2 + crop_start(p.scaled_height - box_height, framing, 1);
  return p;
}

bool have_one_shape(int width, int height, int other_width, int other_height) {
  const std::int64_t a = std::int64_t{width} * other_height;
  const std::int64_t b = std::int64_t{height} * other_width;
  return std::abs(a - b) * 50 <= std::max(a, b);
}

double cut_share(const Placement& p) {
  // The difference is exact: of a third, the share is the nearest number to 1/3.
  const double scaled = static_cast<double>(p.scaled_width) * p.scaled_height;
  return (scaled - static_cast<double>(p.bucket.width) * p.bucket.height) / scaled;
}

Message cut_text(const Placement& p) {
  return message<"{share}% of {size} pixels is cut away">(
      static_cast<int>(std::lround(100 * cut_share(p))),
      bucket_text({p.original_width, p.original_height}));
}

std::array<float, 6> time_ids(const Placement& p, BucketRule rule, bool flipped) {
  double top = p.top;
  double left = flipped ? p.scaled_width - p.bucket.width - p.left : p.left;
  if (rule == BucketRule::kohya) {
    // Offsets of the whole image placed inside the bucket, as in sd-scripts.
    const double bw = p.bucket.width;
    const double bh = p.bucket.height;
    const double aspect = static_cast<double>(p.original_width) / p.original_height;
    const bool wider = bw / bh > aspect;
    const double inner_width = wider ? bh * aspect : bw;
    const double inner_height = wider ? bh : bw / aspect;
    left = std::floor((bw - inner_width) / 2);
    top = std::floor((bh - inner_height) / 2);
    if (flipped) {
      left = std::floor(bw - (left + inner_width));
    }
  }
  return {static_cast<float>(p.original_height),
          static_cast<float>(p.original_width),
          static_cast<float>(top),
          static_cast<float>(left),
          static_cast<float>(p.bucket.height),
          static_cast<float>(p.bucket.width)};
}

}  // namespace mantissa
