#include "engine/plan/run_notices.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/adapters/trained_set.h"
#include "engine/data/bucket_table.h"
#include "engine/data/folder_rules.h"
#include "engine/io/model_titles.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/sampling_values.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/memory_needs.h"
#include "engine/plan/run_inputs.h"
#include "engine/preset/schema.h"
#include "engine/preset/value_io.h"

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
  bool of_folder = false;  ///< that one's resolution is its folder's own

  void add(const Placement& placement, const ImageItem& item) {
    const double factor = enlargement(placement);
    ++images;
    enlarged += factor > 1 ? 1 : 0;
    if (factor > most) {
      most = factor;
      name = item.name;
      of_folder = item.resolution > 0;
    }
  }
};
using SizesAt = std::map<int, Sizes>;  ///< by resolution

void add_sizes(SizesAt& sizes, const BucketTable& table, const ImageItem& item) {
  for (const int resolution : table.resolutions(item)) {
    const Bucket& bucket = table.all()[table.choose(resolution, item.width, item.height)];
    sizes[resolution].add(place_image(bucket, item.width, item.height), item);
  }
}

SizesAt scanned_sizes(const BucketedImages& images) {
  SizesAt sizes;
  for (const ImageItem& item : images.dataset().items) {
    add_sizes(sizes, images.table(), item);
  }
  return sizes;
}

/// Sizes of a draft's images, which aren't scanned: of the first in its folders. A folder without
/// any is a problem of its own.
SizesAt looked_at_sizes(const PlannedRun& run) {
  SizesAt sizes;
  if (run.job.replay || run.job.images.empty()) {
    return sizes;
  }
  const auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  const BucketTable table(run.job.preset, bucket_quantum(*model));
  for (const std::filesystem::path& folder : job_folders(run.job).images) {
    std::vector<ImageItem> items;
    for (const SizedImage& image : first_images(folder)) {
      ImageItem& item = items.emplace_back();
      item.path = image.path;
      const std::u8string name = image.path.lexically_relative(folder).generic_u8string();
      item.name.assign(name.begin(), name.end());
      item.width = image.width;
      item.height = image.height;
    }
    apply_folder_rules(items, run.job.preset.data.folders);
    for (const ImageItem& item : items) {
      add_sizes(sizes, table, item);
    }
  }
  return sizes;
}

Message enlarged_text(const Sizes& sizes, int resolution, bool several, bool scanned) {
  const std::string most = short_number(sizes.most);
  const Message setting = sizes.of_folder
                              ? message<"the resolution of its folder in data.folders">()
                              : Message::verbatim("data.resolution");
  if (several && !sizes.of_folder) {
    return scanned
               ? message<
                     "{count} of {images} images are smaller than the size they are "
                     "trained at for the resolution {resolution} and are enlarged, {name} "
                     "the most: {factor} times. Use larger images, or leave that "
                     "resolution out">(sizes.enlarged, sizes.images, resolution, sizes.name, most)
               : message<
                     "{count} of the first {images} images are smaller than the size they "
                     "are trained at for the resolution {resolution} and are enlarged, "
                     "{name} the most: {factor} times. Use larger images, or leave that "
                     "resolution out">(sizes.enlarged, sizes.images, resolution, sizes.name, most);
  }
  return scanned ? message<
                       "{count} of {images} images are smaller than the size they are trained "
                       "at and are enlarged, {name} the most: {factor} times. Use larger "
                       "images, or lower {setting} ({resolution})">(
                       sizes.enlarged, sizes.images, sizes.name, most, setting, resolution)
                 : message<
                       "{count} of the first {images} images are smaller than the size they "
                       "are trained at and are enlarged, {name} the most: {factor} times. Use "
                       "larger images, or lower {setting} ({resolution})">(
                       sizes.enlarged, sizes.images, sizes.name, most, setting, resolution);
}

/// The value of a resolution's setting with another in its place.
nlohmann::json with_resolution(const Preset::Data& data, const GivenResolution& wanted, int other) {
  if (wanted.key == "data.resolution") {
    return other;
  }
  if (wanted.key == "data.folders") {
    std::vector<FolderRule> rules = data.folders;
    for (FolderRule& rule : rules) {
      rule.resolution = rule.resolution == wanted.pixels ? other : rule.resolution;
    }
    return value_io::read_value(rules);
  }
  std::vector<int> further;
  for (const int given : data.further_resolutions) {
    const int value = given == wanted.pixels ? other : given;
    if (value != data.resolution && std::ranges::find(further, value) == further.end()) {
      further.push_back(value);
    }
  }
  return further;
}

Finding adjusted_resolution(const Preset::Data& data, const GivenResolution& wanted, int quantum,
                            const Bucket& used) {
  const std::string key(wanted.key);
  const int nearest = wanted.pixels / quantum * quantum;
  return {"resolution",
          Verdict::adjusted,
          {key},
          message<"{key} gives {resolution}, and sides are multiples of {quantum} pixels here: a "
                  "square image is trained at {width} × {height}">(
              wanted.key, wanted.pixels, quantum, used.width, used.height),
          nlohmann::json{{key, with_resolution(data, wanted, nearest)}}.dump()};
}

}  // namespace

std::vector<Finding> resolution_findings(const PlannedRun& run) {
  if (run.job.replay) {
    return {};
  }
  const Preset& preset = run.job.preset;
  const auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  const int quantum = bucket_options(preset, bucket_quantum(*model)).quantum;
  const std::vector<GivenResolution> given = given_resolutions(preset.data);
  if (std::ranges::any_of(given, [&](const auto& wanted) { return wanted.pixels < quantum; })) {
    return {};  // which is refused
  }
  const BucketTable table(preset, quantum);
  std::vector<Finding> findings;
  for (const GivenResolution& wanted : given) {
    if (wanted.pixels % quantum != 0) {
      const Bucket& used = table.all()[table.choose(wanted.pixels, wanted.pixels, wanted.pixels)];
      findings.push_back(adjusted_resolution(preset.data, wanted, quantum, used));
    }
  }
  return findings;
}

std::vector<Finding> enlarged_findings(const PlannedRun& run) {
  const SizesAt all = run.data ? scanned_sizes(run.data->images()) : looked_at_sizes(run);
  const bool several = all.size() > 1;
  std::vector<Finding> findings;
  for (const auto& [resolution, sizes] : all) {
    if (sizes.enlarged > 0) {
      std::vector<std::string> fields{sizes.of_folder ? "data.folders" : "data.resolution"};
      if (several && !sizes.of_folder) {
        fields.emplace_back("data.further_resolutions");
      }
      findings.push_back({"enlarged", Verdict::warning, std::move(fields),
                          enlarged_text(sizes, resolution, several, run.data != nullptr), "{}"});
    }
  }
  return findings;
}

std::vector<Finding> caption_findings(const PlannedRun& run) {
  const Preset& preset = run.job.preset;
  // Numbered folders are named for their captions, and pairs of a slider have prompts.
  if (run.data || run.job.replay || run.job.images.empty() || preset.data.folder_repeats ||
      preset.training.purpose != TrainingPurpose::images) {
    return {};
  }
  std::int64_t bare = 0, images = 0;
  for (const std::filesystem::path& folder : job_folders(run.job).images) {
    for (const SizedImage& image : first_images(folder)) {
      ++images;
      bare += image.bare ? 1 : 0;
    }
  }
  if (bare == 0) {
    return {};
  }
  return {
      {"captions",
       Verdict::warning,
       {},
       message<"{count} of the first {images} images have no caption: they are trained with their "
               "folder's name. Write captions, or have a tagger or another model write them">(
           bare, images),
       "{}"}};
}

std::vector<Finding> rank_limit_findings(const PlannedRun& run) {
  const Preset& preset = run.job.preset;
  if (preset.training.method == TrainingMethod::full) {
    return {};
  }
  TrainedSet adapters = TrainedSet::planning(preset, run.source.family());
  const auto model = DiffusionModel::open_planning(run.source, &adapters, run.precision.rules);
  model->set_text_options(run.text);
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

std::vector<Finding> sampling_findings(const PlannedRun& run) {
  std::vector<SamplePrompt> prompts = run.job.preset.samples.prompts;
  const SamplingValues usual, own = sampling_values(run.source);
  if (trains_vae(run.job.preset) || own == usual) {
    return {};
  }
  int found = 0;
  for (SamplePrompt& prompt : prompts) {
    if (SamplingValues{prompt.steps, prompt.guidance} == usual) {
      prompt.steps = own.steps;
      prompt.guidance = own.guidance;
      ++found;
    }
  }
  if (found == 0) {
    return {};
  }
  return {{"sampling",
           Verdict::adjusted,
           {"samples.prompts"},
           message<"{count} of samples.prompts have the usual {steps} steps with guidance "
                   "{guidance}: they are rendered as {model} is made for, with {own_steps} steps "
                   "and guidance {own_guidance}">(found, usual.steps, short_number(usual.guidance),
                                                  full_title(run.source), own.steps,
                                                  short_number(own.guidance)),
           nlohmann::json{{"samples.prompts", value_io::read_value(prompts)}}.dump()}};
}

std::vector<Finding> undrawn_findings(const PlannedRun& run) {
  const Preset::Samples& samples = run.job.preset.samples;
  if (samples.prompts.empty() || samples.wanted() || trains_vae(run.job.preset)) {
    return {};
  }
  return {
      {"samples",
       Verdict::warning,
       {"samples.every"},
       message<"no sample is rendered while the run trains: samples.every, samples.every_epochs "
               "and samples.every_minutes are 0. Set samples.every to a number of steps, or "
               "leave samples.prompts empty">(),
       R"({"samples.every": 250})"}};
}

std::vector<Finding> negative_findings(const PlannedRun& run) {
  const std::vector<SamplePrompt>& prompts = run.job.preset.samples.prompts;
  if (trains_vae(run.job.preset) ||
      std::ranges::all_of(prompts, &std::string::empty, &SamplePrompt::negative)) {
    return {};
  }
  const auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const SamplePrompt& prompt = prompts[i];
    const double guidance = sampling_values(run.source, prompt).guidance;
    const Message why = unread_negative(*model, prompt.negative, guidance);
    if (!why.empty()) {
      findings.push_back({"negative",
                          Verdict::warning,
                          {"samples.prompts"},
                          message<"samples.prompts[{index}]: {reason}">(static_cast<int>(i), why),
                          "{}"});
    }
  }
  return findings;
}

std::vector<Finding> reference_findings(const PlannedRun& run) {
  const Family& family = run.source.family();
  if (family.edit_variants.empty() || trains_vae(run.job.preset) ||
      trains_pair_slider(run.job.preset)) {
    return {};
  }
  const ModelVariant variant = family.variant(run.source);
  const bool edits =
      std::ranges::find(family.edit_variants, variant.name) != family.edit_variants.end();
  if (edits == (run.text.references > 0)) {
    return {};
  }
  const std::string model = full_title(run.source);
  const auto found = [](Message text) {
    return std::vector<Finding>{{"references", Verdict::warning, {}, std::move(text), "{}"}};
  };
  if (!edits) {
    if (variant.name.empty() && !family.assumed_edit.empty()) {
      return found(message<"nothing tells whether {model} edits images: with references it is "
                           "taken for {edits}. A model that draws from text alone would have to "
                           "learn to read them from the adapter's images">(
          model, fmt::format("{} {}", family.title(), family.assumed_edit)));
    }
    return found(message<"{model} never learned to read reference images: an adapter has to teach "
                         "it that too. Choose {edits} as the base model, or go on if the file is "
                         "that model by another name">(model, newest_edit(family)));
  }
  return found(message<"{model} edits images ({evidence}), and the run has no reference images. "
                       "Give folders of them, or choose a base model that doesn't edit">(
      model, variant.evidence));
}

std::vector<Finding> family_findings(const PlannedRun& run) {
  const Preset& preset = run.job.preset;
  std::vector<Finding> findings;
  for (const Setting& setting : settings()) {
    if (belongs(setting, run.source.family().row.id) || is_default(preset, setting.key)) {
      continue;
    }
    const std::string key(setting.key);
    const nlohmann::json usual = default_value(key);
    findings.push_back(
        {"family",
         Verdict::warning,
         {key},
         message<"{key} is {value}, but {model} doesn't read it, and it has no effect. Set it back "
                 "to {usual}">(key, get_setting(preset, key).dump(), run.source.family().title(),
                               usual.dump()),
         nlohmann::json{{key, usual}}.dump()});
  }
  return findings;
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
  for (const auto& some : {enlarged_findings(run), caption_findings(run), rank_limit_findings(run),
                           sampling_findings(run), undrawn_findings(run), negative_findings(run),
                           reference_findings(run), family_findings(run)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace mantissa
