#include "engine/plan/planned_run.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/cut_captions.h"
#include "engine/data/data_finding.h"
#include "engine/data/measured_images.h"
#include "engine/data/own_prompts.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/image.h"
#include "engine/models/missing_parts.h"
#include "engine/models/references.h"
#include "engine/plan/backend.h"
#include "engine/plan/base_target_checks.h"
#include "engine/plan/job_paths.h"
#include "engine/plan/job_precision.h"
#include "engine/plan/pair_slider_checks.h"
#include "engine/plan/training_adapters.h"
#include "engine/plan/word_embeddings.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

bool weighs_folders(const Preset& preset) {
  return std::ranges::any_of(preset.data.folders,
                             [](const FolderRule& rule) { return rule.weight != 1; });
}

/// The VAE is trained alone, on whole images and nothing else; its steps don't involve the
/// denoiser.
void check_vae_training(const JobSpec& job) {
  const Preset& preset = job.preset;
  if (!trains_vae(preset)) {
    return;
  }
  if (preset.training.parts.size() > 1) {
    throw Error(
        message<"training.parts holds vae and others, which learn from the latents that it makes: "
                "it is trained alone, and before them. Set training.parts to [\"vae\"]">());
  }
  if (preset.training.method != TrainingMethod::full) {
    throw Error(
        message<"training.parts is [\"vae\"] and training.method adapter: a VAE has no adapters. "
                "Set training.method to full">());
  }
  if (job.trace || job.replay) {
    throw Error(
        message<"training.parts is [\"vae\"]: --trace and --replay know only a denoiser's steps. "
                "Leave them out">());
  }
  const char* what = preset.data.masks != MaskMode::off ? "data.masks"
                     : !job.prior.empty()               ? "--prior"
                     : !job.validation.empty()          ? "--validation"
                     : !job.references.empty()          ? "--references"
                     : !job.training_adapters.empty()   ? "--training-adapter"
                     : preset.data.validation_share > 0 ? "data.validation_share"
                     : weighs_folders(preset)           ? "data.folders with a weight"
                                                        : nullptr;
  if (what != nullptr) {
    throw Error(message<"{option} is for training a denoiser; leave it out where training.parts "
                        "is vae">(what));
  }
}

/// Texts that references are encoded with are encoded before the steps.
void require_encoded_texts(const JobSpec& job, const WeightSource& source) {
  const char* option = trains_text(job.preset)            ? "training.parts"
                       : job.preset.data.shuffle_captions ? "data.shuffle_captions"
                                                          : nullptr;
  if (option != nullptr && DiffusionModel::open_planning(source)->text_sees_references()) {
    throw Error(
        message<"{option}: the text encoder of {model} sees the reference images with each "
                "caption, so with references captions are encoded before the steps. Train "
                "the denoiser alone, without shuffled captions">(option, source.family().title()));
  }
}

/// Reference images are for a model that reads them, and named by prompts where there are some.
void check_references(const JobSpec& job, const WeightSource& source) {
  const bool named = std::ranges::any_of(
      job.preset.samples.prompts, [](const SamplePrompt& p) { return !p.references.empty(); });
  if (trains_pair_slider(job.preset) || (job.references.empty() && !named)) {
    return;  // the negative images of pairs aren't read by the model
  }
  const Message unread = unread_references(
      source, job.references.empty() ? "references of samples.prompts" : "--references");
  if (!unread.empty()) {
    throw Error(unread);
  }
  require_encoded_texts(job, source);
  if (named && job.replay) {
    throw Error(message<"samples.prompts name reference images, which a replayed trace doesn't "
                        "hold. Leave them out">());
  }
  if (named && job.references.empty() && !job.images.empty()) {
    throw Error(message<"samples.prompts name reference images, but no folder of them is given "
                        "(--references)">());
  }
}

PlannedRun opened(JobSpec job, const WeightSource& source, const DeviceFacts& device) {
  PlannedRun run;
  run.source = source;
  run.precision =
      job_precision(job.preset, source, device, /*helped=*/!job.training_adapters.empty());
  run.job = std::move(job);
  run.job.preset = run.precision.effective;
  run.text = TextOptions::of(run.job.preset);
  if (run.text.clip_skip > 0) {
    require_clip_layers(*DiffusionModel::open_planning(source), run.text.clip_skip,
                        "training.clip_skip");
  }
  run.text.references = run.job.references.empty() || trains_pair_slider(run.job.preset) ? 0 : 1;
  run.objective = model_objective(source, run.job.preset);
  return run;
}

/// Facts of the job's device; of several cards that share the layers, those of the oldest.
DeviceFacts job_facts(const JobSpec& job) {
  DeviceFacts facts = device_facts(job.device);
  for (const SplitDevice& device : job.split) {
    const DeviceFacts other = device_facts(device.name);
    facts = other.compute_capability < facts.compute_capability ? other : facts;
  }
  return facts;
}

/// The run's model without adapters, which loads nothing.
std::unique_ptr<DiffusionModel> planning_model(const PlannedRun& run) {
  auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  model->set_text_options(run.text);
  return model;
}

/// Tokens that the longest prompt of the base model's own images and of samples needs, as
/// EncodedDataset::longest_text.
std::int64_t longest_prompt(const PlannedRun& run, DiffusionModel& model) {
  const Preset& preset = run.job.preset;
  std::vector<std::string> prompts = own_prompts(preset);
  prompts.emplace_back();
  if (const Preset::Slider& slider = preset.slider; trains_slider(preset)) {
    prompts.insert(prompts.end(), {slider.positive, slider.negative, slider.anchor});
  }
  for (const SamplePrompt& prompt : preset.samples.prompts) {
    prompts.insert(prompts.end(), {prompt.prompt, prompt.negative});
  }
  std::int64_t longest = 0;
  for (const std::string& prompt : prompts) {
    longest = std::max(longest, model.tokens_needed(prompt));
  }
  return longest;
}

RunShapes run_shapes(PlannedRun& run, EncodedDataset::Look look, const Progress& progress) {
  const Preset& preset = run.job.preset;
  const auto model = planning_model(run);
  const std::int64_t tokens = model->text_tokens();
  const int factor = model->latent_factor();
  RunShapes steps;
  steps.from_images = !run.replay;
  steps.keep_tensors = run.job.trace.has_value();
  steps.training_adapters = run.training_adapters;
  if (run.replay) {
    const StepInputs in = run.replay->inputs(0, trains_text(preset));
    steps.shapes = {shape_of(in, tokens)};
    steps.work.texts = !preset.samples.prompts.empty();
  } else if (run.data) {
    const BucketedImages& images = run.data->images();
    steps.shapes = images.shapes(tokens, factor);
    steps.single = images.single_shapes(
        measured_images(preset, images.dataset().items, run_length(run).steps), tokens, factor);
    steps.work = run.data->missing(*model, look, progress);
  } else {
    const StepShape square = square_shape(preset, *model);
    const int side = static_cast<int>(square.height) * factor;
    steps.shapes = {square};
    const int encoded = trains_own_images(preset) ? 0 : side;
    steps.work = {encoded, encoded, true};
  }
  const StepShape& largest = steps.shapes.front();
  steps.image_tokens = image_tokens(largest.height, largest.width, model->patch_size());
  return steps;
}

}  // namespace

/// On the host every micro-step starts from zeroed buffers and its gradients are then added in the
/// order of the micro-steps, so that the sum's rounding doesn't depend on which process computed
/// which of them. Accumulating inside the backward pass is faster on a card, and rounds
/// differently: there it is done where nothing promises the same bits.
GradientCopies gradient_copies(const PlannedRun& run, const Kernels& kernels) {
  const bool promised = kernels.host_memory() || run.job.deterministic || run.processes > 1;
  return {promised && run.job.preset.training.gradient_accumulation > 1, run.processes};
}

RunLength run_length(const PlannedRun& run) {
  return run_length(run, run.job.preset);
}

RunLength run_length(const PlannedRun& run, const Preset& preset) {
  if (run.replay) {
    const int accumulation = preset.training.gradient_accumulation;
    return {run.replay->micro_steps() / accumulation, 0, accumulation};
  }
  return run_length(preset, run.data ? run.data->images().loader().batches_per_epoch() : 0);
}

PlannedRun open_run(const JobSpec& job) {
  check_vae_training(job);
  check_base_targets(job);
  check_pair_slider(job);
  const WeightSource source = WeightSource::open(resolve_base(job.base));
  check_references(job, source);
  check_embeddings(job, source);
  PlannedRun run = opened(job, source, job_facts(job));
  run.training_adapters = read_training_adapters(job, source);
  return run;
}

PlannedRun open_run(const JobSpec& job, const DeviceFacts& device) {
  check_vae_training(job);
  check_base_targets(job);
  check_pair_slider(job);
  const WeightSource source = WeightSource::open(resolve_base(job.base));
  check_embeddings(job, source);
  PlannedRun run = opened(job, source, device);
  run.training_adapters = read_training_adapters(job, run.source);
  return run;
}

bool reads_texts(const PlannedRun& run) {
  const Preset& preset = run.job.preset;
  return !trains_vae(preset) && (!run.job.replay || !preset.samples.prompts.empty());
}

void tell_cut_prompts(const PlannedRun& run, PlanObserver& observer) {
  const Preset& preset = run.job.preset;
  if (!reads_texts(run) || (preset.samples.prompts.empty() && !trains_own_images(preset))) {
    return;
  }
  const auto model = DiffusionModel::open_planning(run.source, nullptr, run.precision.rules);
  model->set_text_options(TextOptions::of(run.job.preset));
  CutTexts cut(*model);
  add_prompts(cut, run.job.preset);
  if (!cut.found.files.empty()) {
    observer.on_notice(log_level(cut.found), summary(cut.found));
  }
}

void scan_images(PlannedRun& run, PlanObserver& observer) {
  if (run.job.replay) {
    run.replay.emplace(*run.job.replay);
    run.text.tokens = run.replay->text_tokens();
    run.text.references = trains_pair_slider(run.job.preset) ? 0 : run.replay->most_references();
    tell_cut_prompts(run, observer);
    return;
  }
  const auto model = planning_model(run);
  if (trains_own_images(run.job.preset)) {
    tell_cut_prompts(run, observer);
    run.text.tokens = longest_prompt(run, *model);
    return;
  }
  run.data = std::make_unique<EncodedDataset>(
      run.job.preset, job_folders(run.job), bucket_quantum(*model),
      [&observer](LogLevel level, const Message& line) { observer.on_notice(level, line); },
      observer.progress(), reference_rule(*model));
  require_preserved_captions(run.job.preset, run.data->images().dataset());
  require_pairs(run.data->images());
  require_words(run.job.preset, run.data->images().dataset());
  if (!trains_vae(run.job.preset)) {
    run.text.references = std::max(run.text.references, run.data->images().most_references());
    model->set_text_options(run.text);
    run.data->find_cut_texts(*model);
    run.text.tokens = run.data->longest_text(*model);
  }
}

void plan_memory(PlannedRun& run, Kernels& kernels, const RunMemory& available,
                 EncodedDataset::Look look, const Progress& progress) {
  run.memory = available;
  run.shapes = run_shapes(run, look, progress);
  run.shapes.gradients = gradient_copies(run, kernels);
  MemoryPlan plan =
      make_memory_plan(kernels, run.source, run.precision, run.text, run.shapes, run.memory);
  run.phases = std::move(plan.phases);
  run.streamed = std::move(plan.streamed);
  run.arena_bytes = plan.arena_bytes;
  run.keeps_turned = plan.keeps_turned;
  run.report = std::move(plan.report);
}

RunMemory run_memory(const JobSpec& job, const Kernels& kernels) {
  if (!job.split.empty()) {
    return {};  // plan_split compares each device's share
  }
  return {free_memory(kernels), job.memory_budget, !kernels.host_memory()};
}

PlannedRun planned_with(const PlannedRun& run, Kernels& kernels, const Preset& preset) {
  JobSpec job = run.job;
  job.preset = preset;
  PlannedRun other = opened(std::move(job), run.source, run.precision.device);
  other.processes = run.processes;
  other.replay = run.replay;
  other.training_adapters = run.training_adapters;
  other.text.tokens = run.text.tokens;
  other.text.references = run.text.references;
  if (run.data) {
    other.data = std::make_unique<EncodedDataset>(run.data->with_preset(other.job.preset));
  }
  plan_memory(other, kernels, run.memory, EncodedDataset::Look::headers);
  return other;
}

std::uint64_t peak_with(const PlannedRun& run, Kernels& kernels, const Preset& preset) {
  return planned_with(run, kernels, preset).report.peak_bytes;
}

void require_family(const WeightSource& source, const Preset& preset) {
  const ModelFamily found = source.family().id(), wanted = preset.model.family;
  if (wanted != ModelFamily::automatic && wanted != found) {
    throw Error(message<"{path} holds a model of the family {family}, but model.family says "
                        "{wanted}; set it to auto, or give the base it is for">(
        path_to_utf8(source.path()), found.name(), wanted.name()));
  }
}

void require_parts(const WeightSource& source, const JobSpec& job) {
  if (job.replay) {
    return;
  }
  std::vector<Part> missing = missing_parts(source);
  if (trains_vae(job.preset)) {
    std::erase_if(missing, [](Part part) { return part != kVae; });
  }
  if (!missing.empty()) {
    throw Error(without_parts(source, missing));
  }
}

void require_tokenizers(const WeightSource& source, const JobSpec& job) {
  if (job.replay || trains_vae(job.preset)) {
    return;
  }
  if (const std::vector<Part> unread = missing_tokenizers(source); !unread.empty()) {
    throw Error(without_tokenizer(source, unread.front()));
  }
}

}  // namespace mantissa
