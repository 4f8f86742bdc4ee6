#include "engine/train/bound_model.h"

#include "engine/adapters/read_adapter.h"
#include "engine/adapters/start.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/batch_source.h"
#include "engine/plan/run_inputs.h"
#include "engine/plan/word_embeddings.h"
#include "engine/precision/run_findings.h"

namespace mantissa {
namespace {

void continue_from_adapter(const PlannedRun& plan, TrainedSet& adapters, RunLog& log) {
  const JobSpec& job = plan.job;
  const std::string name = path_to_utf8(job.continue_from->filename());
  if (continues_adapter(job)) {
    const AdapterContents file = continued_adapter(plan);
    for (const Message& notice : file.notices) {
      log.line(LogLevel::warning, notice);
    }
    for (const Message& notice : start_from(adapters, file.modules, name)) {
      log.line(LogLevel::warning, notice);
    }
  }
  log.line(LogLevel::info, continues_from(job));
}

/// Logs each word with what its vectors start from, which a restored checkpoint replaces.
void begin_words(const PlannedRun& plan, BoundModel& bound, bool restores, RunLog& log) {
  const Preset& preset = plan.job.preset;
  if (!trains_embeddings(preset)) {
    return;
  }
  using Continued = std::vector<std::optional<WordEmbeddings>>;
  const Continued continued = restores ? Continued() : continued_words(plan.job, plan.source);
  start_words(bound.adapters, *bound.model, preset, continued);
  for (std::size_t i = 0; !restores && i < preset.embedding.tokens.size(); ++i) {
    const EmbeddingToken& word = preset.embedding.tokens[i];
    log.line(LogLevel::info,
             continued[i]
                 ? message<"embedding {word}: {count} vectors, continued">(word.token, word.vectors)
             : word.init.empty()
                 ? message<"embedding {word}: {count} random vectors">(word.token, word.vectors)
                 : message<"embedding {word}: {count} vectors, from the text {text}">(
                       word.token, word.vectors, word.init));
  }
}

}  // namespace

BoundModel::BoundModel(const PlannedRun& plan, Kernels& kernels, bool stacks_adapters,
                       const Devices* devices)
    : adapters(kernels, plan.job.preset, plan.source.family()),
      model(DiffusionModel::open(kernels, plan.source, &adapters, plan.precision.rules)),
      arena(devices != nullptr ? Arena(*devices) : Arena(kernels)) {
  adapters.divide(devices);
  adapters.accompany(plan.training_adapters);
  model->weights().divide(devices);
  if (!stacks_adapters) {
    adapters.keep_binding_order();
  }
  const Preset& preset = plan.job.preset;
  model->set_text_options(plan.text);
  if (devices == nullptr) {
    model->weights().stream(plan.streamed);
  }
  const bool live_text = plan.data && reads_captions_live(preset);
  model->bind(live_text ? model->training_parts(true) : model->training_parts(preset));
  adapters.finalize(
      static_cast<std::uint64_t>(preset.training.seed),
      [this](const Tensor& weight, std::span<const float> values) {
        model->weights().replace(weight, values);
      },
      [this](const std::string& path) { return model->weights().values(path); });
}

void load_adapters(const PlannedRun& plan, BoundModel& bound, bool restores, RunLog& log) {
  const Preset& preset = plan.job.preset;
  TrainedSet& adapters = bound.adapters;
  if (const std::int64_t plain = adapters.vanishing_channels(); plain > 0) {
    log.line(LogLevel::warning, finding_text(empty_rows(preset, plain, {})));
  }
  begin_words(plan, bound, restores, log);
  if (plan.job.continue_from && !restores) {
    continue_from_adapter(plan, adapters, log);
  }
  if (plan.replay) {
    if (const auto before = plan.replay->adapters_before(); !before.empty()) {
      adapters.load(before);
    }
  }
  const bool full = preset.training.method == TrainingMethod::full;
  const std::int64_t values = adapters.parameter_count();
  log.line(LogLevel::info, full ? message<"{count} trained weights, {values} trainable values">(
                                      adapters.weights().size(), values)
                                : message<"{count} adapters, {values} trainable values">(
                                      adapters.adapters().size(), values));
}

}  // namespace mantissa
