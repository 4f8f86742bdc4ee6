#include "engine/plan/run_notices.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/trained_set.h"
#include "engine/data/buckets.h"
#include "engine/models/diffusion_model.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/memory_needs.h"
#include "engine/plan/run_inputs.h"

namespace mantissa {
namespace {

/// "1.5"
std::string short_number(double value) {
  return fmt::format("{:.3g}", value);
}

/// How much larger an image becomes, by its side; 1: it doesn't.
double enlargement(const Placement& placement) {
  return std::max({1.0, static_cast<double>(placement.scaled_width) / placement.original_width,
                   static_cast<double>(placement.scaled_height) / placement.original_height});
}

/// How many images are enlarged, and which the most.
struct Sizes {
  std::int64_t images = 0, enlarged = 0;
  double most = 1;
  std::string name;

  void add(const Placement& placement, const std::string& of) {
    const double factor = enlargement(placement);
    ++images;
    enlarged += factor > 1 ? 1 : 0;
    if (factor > most) {
      most = factor;
      name = of;
    }
  }
};

Sizes scanned_sizes(const BucketedImages& images) {
  Sizes sizes;
  for (const ImageItem& item : images.dataset().items) {
    sizes.add(images.placement(item), item.name);
  }
  return sizes;
}

/// Sizes of a draft's images, which aren't scanned: of the first in its folders. A folder without
/// any is a problem of its own.
Sizes looked_at_sizes(const PlannedRun& run) {
  Sizes sizes;
  if (run.job.replay || run.job.images.empty()) {
    return sizes;
  }
  const Preset& preset = run.job.preset;
  const auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  const BucketOptions options = bucket_options(preset, bucket_quantum(*model));
  const std::vector<Bucket> buckets = make_buckets(options);
  for (const std::filesystem::path& folder : job_folders(run.job).images) {
    for (const SizedImage& image : first_images(folder)) {
      const std::size_t bucket = choose_bucket(buckets, options.rule, image.width, image.height);
      sizes.add(place_image(buckets[bucket], image.width, image.height), image.name);
    }
  }
  return sizes;
}

}  // namespace

std::vector<Finding> resolution_findings(const PlannedRun& run) {
  if (run.job.replay) {
    return {};
  }
  const Preset& preset = run.job.preset;
  const int wanted = preset.data.resolution;
  const auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  const BucketOptions options = bucket_options(preset, bucket_quantum(*model));
  if (wanted % options.quantum == 0 || wanted < options.quantum) {
    return {};
  }
  const std::vector<Bucket> sizes = make_buckets(options);
  const Bucket& used = sizes[choose_bucket(sizes, options.rule, wanted, wanted)];
  return {{"resolution",
           Verdict::adjusted,
           {"data.resolution"},
           message<"data.resolution is {resolution}, and sides are multiples of {quantum} pixels "
                   "here: a square image is trained at {width} × {height}">(
               wanted, options.quantum, used.width, used.height),
           nlohmann::json{{"data.resolution", wanted / options.quantum * options.quantum}}.dump()}};
}

std::vector<Finding> enlarged_findings(const PlannedRun& run) {
  const Sizes sizes = run.data ? scanned_sizes(run.data->images()) : looked_at_sizes(run);
  if (sizes.enlarged == 0) {
    return {};
  }
  const int resolution = run.job.preset.data.resolution;
  const std::string most = short_number(sizes.most);
  return {{"enlarged",
           Verdict::warning,
           {"data.resolution"},
           run.data ? message<"{count} of {images} images are smaller than the size they are "
                              "trained at and are enlarged, {name} the most: {factor} times. Use "
                              "larger images, or lower data.resolution ({resolution})">(
                          sizes.enlarged, sizes.images, sizes.name, most, resolution)
                    : message<"{count} of the first {images} images are smaller than the size they "
                              "are trained at and are enlarged, {name} the most: {factor} times. "
                              "Use larger images, or lower data.resolution ({resolution})">(
                          sizes.enlarged, sizes.images, sizes.name, most, resolution),
           "{}"}};
}

std::vector<Finding> rank_limit_findings(const PlannedRun& run) {
  const Preset& preset = run.job.preset;
  if (preset.training.method == TrainingMethod::full) {
    return {};
  }
  TrainedSet adapters = TrainedSet::planning(preset, run.source.family());
  const auto model = DiffusionModel::open_planning(run.source, &adapters, run.precision.rules);
  model->bind(model->training_parts(preset));
  std::int64_t above = 0, least = 0;
  int rank = 0;
  for (const Adapter& adapter : adapters.adapters()) {
    const std::int64_t most = std::min(adapter.shape[0], adapter.shape.count() / adapter.shape[0]);
    if (adapter.product || adapter.rank <= most) {
      continue;  // LoHa and LoKr have ranks beyond those of their factors
    }
    ++above;
    rank = std::max(rank, adapter.rank);
    least = least == 0 ? most : std::min(least, most);
  }
  if (above == 0) {
    return {};
  }
  return {
      {"rank",
       Verdict::warning,
       {"adapter.rank"},
       message<"{count} of {all} layers have a rank of up to {rank}, more than the smaller side "
               "of their weight, at least {least}: the rest takes memory and changes nothing. "
               "Lower adapter.rank">(above, adapters.adapters().size(), rank, least),
       "{}"}};
}

std::vector<Finding> time_findings(const PlannedRun& run, double step_seconds) {
  constexpr double kDay = 24 * 3600, kMostDays = 3;
  const std::int64_t steps = run_length(run).steps;
  const double days = step_seconds * static_cast<double>(steps) / kDay;
  if (days <= kMostDays) {
    return {};
  }
  return {{"time",
           Verdict::warning,
           {"training.steps"},
           message<"the run takes about {days} days on this device (estimated: {steps} steps of "
                   "{seconds} s). Use a card, fewer steps or a smaller data.resolution">(
               short_number(days), steps, short_number(step_seconds)),
           "{}"}};
}

std::vector<Finding> run_notices(const PlannedRun& run) {
  std::vector<Finding> all = resolution_findings(run);
  for (const auto& some : {enlarged_findings(run), rank_limit_findings(run)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace mantissa
