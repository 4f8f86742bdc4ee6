#include "engine/train/result_writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/adapters/export.h"
#include "engine/adapters/output_names.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/generation.h"
#include "engine/io/model_writer.h"
#include "engine/io/module_path.h"
#include "engine/plan/word_embeddings.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/readers/proof.h"
#include "engine/readers/verdict_text.h"
#include "engine/run/run_files.h"
#include "engine/train/settled_latents.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

/// kohya's name of the compute type.
const char* mixed_precision(ComputeType compute) {
  const DType activations = activation_dtype(compute);
  return activations == DType::f16 ? "fp16" : activations == DType::bf16 ? "bf16" : "no";
}

/// kohya's metadata about training.
std::map<std::string, std::string> kohya_metadata(const Preset& p, const RunLength& length,
                                                  std::int64_t steps) {
  return {{"ss_steps", std::to_string(steps)},
          {"ss_seed", std::to_string(p.training.seed)},
          {"ss_learning_rate", fmt::format("{}", p.optimizer.learning_rate)},
          {"ss_optimizer", std::string(enum_name(p.optimizer.type))},
          {"ss_lr_scheduler", std::string(enum_name(p.schedule.type))},
          {"ss_max_train_steps", std::to_string(length.steps)},
          {"ss_batch_size_per_device", std::to_string(p.data.batch_size)},
          {"ss_gradient_accumulation_steps", std::to_string(p.training.gradient_accumulation)},
          {"ss_noise_offset", fmt::format("{}", p.training.noise_offset)},
          {"ss_min_snr_gamma", fmt::format("{}", p.training.min_snr_gamma)},
          {"ss_mixed_precision", mixed_precision(p.precision.compute)}};
}

/// A model that was trained on references is written as one that edits, whatever it was before.
void mark_as_edit(ModelContents& model, const WeightSource& source) {
  const Family& family = source.family();
  const bool edits = !family.edit_variants.empty() &&
                     std::ranges::count(family.edit_variants, family.variant(source).name) > 0;
  if (!edits && !family.edit_pipeline.empty()) {
    model.pipeline["_class_name"] = family.edit_pipeline;
  }
}

/// What the run was trained with beside its base model, which isn't part of the file; and whether
/// the file is for that itself.
void add_training_adapters(std::map<std::string, std::string>& metadata, const PlannedRun& plan) {
  if (trains_training_adapter(plan.job.preset)) {
    metadata["mantissa.purpose"] = "training adapter";
  }
  if (!plan.training_adapters) {
    return;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const TrainingAdapterFile& file : *plan.training_adapters) {
    list.push_back(
        {{"name", printable(file.name)}, {"weight", file.weight}, {"sha256", file.sha256}});
  }
  metadata["mantissa.training_adapters"] = list.dump();
}

}  // namespace

fs::path ResultWriter::write(const fs::path& folder, const std::string& name, bool checkpoint) {
  read_back_.clear();
  const bool full = parts_.preset().training.method == TrainingMethod::full;
  if (full && checkpoint && parts_.plan.source.family().original_names == nullptr) {
    return {};  // a folder, which a checkpoint can't hold: its state has every weight
  }
  fs::path written;
  state_.with_schedule_free([&] {
    if (!parts_.preset().output.bundle_embeddings) {
      written = write_words(folder);
    }
    if (full) {
      written = write_model_weights(folder, name, checkpoint);
    } else if (!parts_.adapters.adapters().empty()) {
      written = write_adapter(folder, name, checkpoint);
    }
  });
  return written;
}

fs::path ResultWriter::write_words(const fs::path& folder) {
  const Preset& p = parts_.preset();
  std::map<std::string, std::string> metadata = kohya_metadata(p, parts_.length(), state_.step);
  metadata["mantissa.preset"] = to_json(p, WriteMode::full);
  metadata["mantissa.steps"] = std::to_string(state_.step);
  const WeightSource& base = parts_.plan.source;
  metadata["modelspec.architecture"] =
      std::string(architecture_of(base.family(), generation_of(base),
                                  parts_.plan.objective->prediction_name())) +
      "/textual-inversion";
  for (const auto& [key, text] :
       {std::pair{"modelspec.author", p.author}, {"modelspec.description", p.description}}) {
    if (!text.empty()) {
      metadata[key] = text;
    }
  }
  fs::path first;
  for (const WordEmbeddings& word : trained_words(parts_.adapters, p, state_.averaged(false))) {
    const fs::path file = embedding_path(folder, word.word);
    write_embedding(file, word, base.family(), p.output.dtype, metadata);
    first = first.empty() ? file : first;
  }
  return first;
}

fs::path ResultWriter::write_model_weights(const fs::path& folder, const std::string& name,
                                           bool one_file) {
  const Preset& p = parts_.preset();
  ModelContents model = model_contents(parts_.plan.source, dtype_of(p.output.dtype));
  set_objective(model, *parts_.plan.objective);
  if (parts_.plan.text.references > 0) {
    mark_as_edit(model, parts_.plan.source);
  }
  const FlatValues flat = state_.averaged(false);
  for (const TrainedWeight& weight : parts_.adapters.weights()) {
    replace_values(model, weight.part, std::string(split_path(weight.path).below),
                   [this, &weight, &flat] { return parts_.adapters.weight_values(weight, flat); });
  }
  for (auto& [tensor, values] : settled_latents(parts_, state_, flat)) {
    replace_values(model, kVae, tensor, [settled = std::move(values)] { return settled; });
  }
  const bool whole_folder = model.family->original_names == nullptr ||
                            (p.output.format == OutputFormat::diffusers && !one_file);
  const fs::path out = folder / path_from_utf8(name + (whole_folder ? "" : ".safetensors"));
  std::map<std::string, std::string> metadata{
      {"modelspec.sai_model_spec", "1.0.1"},
      {"modelspec.architecture",
       std::string(architecture_of(*model.family, generation_of(parts_.plan.source),
                                   parts_.plan.objective->prediction_name()))},
      {"modelspec.title", name},
      {"modelspec.prediction_type", std::string(parts_.plan.objective->prediction_name())},
      {"mantissa.steps", std::to_string(state_.step)},
      {"mantissa.preset", to_json(p, WriteMode::full)}};
  metadata.merge(carried_metadata(parts_.plan.source));
  metadata.erase("mantissa.config");  // the objective may be another: the writer adds it again
  add_training_adapters(metadata, parts_.plan);
  write_model(out, model, metadata);
  return out;
}

fs::path ResultWriter::write_adapter(const fs::path& folder, const std::string& name,
                                     bool checkpoint) {
  const Preset& p = parts_.preset();
  AdapterExport options;
  options.format = checkpoint ? checkpoint_format(p) : p.output.format;
  options.lokr_factor = p.adapter.factor;
  options.dtype = p.output.dtype;
  options.base = parts_.plan.source.model_names();
  options.generation = generation_of(parts_.plan.source);
  options.title = p.output.name;
  options.author = p.author;
  options.description = p.description;
  options.resolution = fmt::format("{0}x{0}", p.data.resolution);
  options.prediction = std::string(parts_.plan.objective->prediction_name());
  options.preset_json = to_json(p, WriteMode::full);
  options.metadata = kohya_metadata(p, parts_.length(), state_.step);
  if (parts_.plan.data) {
    options.metadata["ss_num_train_images"] =
        std::to_string(parts_.plan.data->images().dataset().items.size());
  }
  add_training_adapters(options.metadata, parts_.plan);
  std::vector<WordEmbeddings> words;
  if (p.output.bundle_embeddings) {
    words = trained_words(parts_.adapters, p, state_.averaged(false));
  }
  const BundledWords bundled(words, parts_.plan.source.family(), p.output.dtype);
  options.extras = bundled.tensors();
  const fs::path file = adapter_path(folder, name, options.format);
  options.base_weight = [this](std::string_view path) { return parts_.adapters.base_weight(path); };
  const std::vector<AdapterModule> trained =
      parts_.adapters.snapshot(state_.averaged(false), state_.averaged(true));
  const WrittenAdapter written = write_adapter_file(file, trained, options);
  for (const Message& notice : written.notices) {
    tell(LogLevel::warning, file, notice);
  }
  if (options.format != OutputFormat::peft) {
    read_back(file, trained, options, written);
  }
  return file;
}

void ResultWriter::tell(LogLevel level, const fs::path& file, const Message& notice) {
  if (told_.insert(notice.text()).second) {
    parts_.log.line(level, message<"{path}: {notice}">(path_to_utf8(file.filename()), notice));
  }
}

void ResultWriter::read_back(const fs::path& file, std::span<const AdapterModule> trained,
                             const AdapterExport& options, const WrittenAdapter& written) {
  try {
    read_back_ = prove({.path = file,
                        .trained = trained,
                        .dtype = options.dtype,
                        .approximation = written.plain_error},
                       parts_.plan.source);
  } catch (const Error& e) {
    tell(LogLevel::warning, file, message<"the file can't be read back: {reason}">(e.message()));
    return;
  }
  if (const Message stamp = proof_message(read_back_); !stamp.empty()) {
    tell(LogLevel::info, file, stamp);
  }
  for (const ReaderVerdict& verdict : read_back_) {
    // Once, though figures differ from checkpoint to checkpoint.
    const std::string what =
        fmt::format("{} {}", verdict.reader->key, outcome_name(verdict.outcome));
    if (!verdict.works() && told_.insert(what).second) {
      // Of the program that the format is for it is a warning; others may not matter.
      const bool own = verdict.reader == reader_of(options.format);
      tell(own ? LogLevel::warning : LogLevel::info, file, verdict_message(verdict));
    }
  }
}

}  // namespace mantissa
