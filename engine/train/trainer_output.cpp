// Trainer: what a run leaves behind, adapters and sample pictures.
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engine/adapters/export.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/model_writer.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/train/model_objective.h"
#include "engine/train/run_files.h"
#include "engine/train/trainer.h"
#include "kernels/device_lost.h"

namespace mantissa {
namespace fs = std::filesystem;

namespace {

/// kohya's word for the compute type.
const char* mixed_precision(ComputeType compute) {
  const DType activations = activation_dtype(compute);
  return activations == DType::f16 ? "fp16" : activations == DType::bf16 ? "bf16" : "no";
}

}  // namespace

std::map<Part, View> Trainer::averaged(bool magnitudes) {
  std::map<Part, View> views;
  for (std::size_t i = 0; i < ema_.size(); ++i) {
    if (groups_[i].magnitudes == magnitudes) {
      views[groups_[i].part] = ema_[i].view();
    }
  }
  return views;
}

fs::path Trainer::write_result(const fs::path& folder, const std::string& name, bool checkpoint) {
  if (job_.preset.training.method != TrainingMethod::full) {
    return write_adapter(folder, name, checkpoint);
  }
  if (checkpoint && !source_.family().single_file) {
    return {};  // a folder, which a checkpoint can't hold: its state has every weight
  }
  return write_weights(folder, name, checkpoint);
}

fs::path Trainer::write_weights(const fs::path& folder, const std::string& name, bool one_file) {
  const Preset& p = job_.preset;
  ModelContents model = model_contents(source_, dtype_of(p.output.dtype));
  set_objective(model, *objective_);
  const std::map<Part, View> flat = averaged(false);
  for (const TrainedWeight& weight : adapters_->weights()) {
    replace_values(model, weight.part, weight.path.substr(weight.path.find('.') + 1),
                   [this, &weight, &flat] { return adapters_->weight_values(weight, flat); });
  }
  for (auto& [tensor, values] : settled_latents(flat)) {
    replace_values(model, kVae, tensor, [settled = std::move(values)] { return settled; });
  }
  const bool whole_folder =
      !model.family->single_file || (p.output.format == OutputFormat::diffusers && !one_file);
  const fs::path out = folder / path_from_utf8(name + (whole_folder ? "" : ".safetensors"));
  write_model(out, model,
              {{"modelspec.sai_model_spec", "1.0.1"},
               {"modelspec.architecture", std::string(model.family->architecture)},
               {"modelspec.title", name},
               {"modelspec.prediction_type", std::string(objective_->prediction_name())},
               {"mantissa.steps", std::to_string(step_)},
               {"mantissa.preset", to_json(p, WriteMode::full)}});
  return out;
}

fs::path Trainer::write_adapter(const fs::path& folder, const std::string& name, bool checkpoint) {
  const Preset& p = job_.preset;
  LoraExport options;
  // A checkpoint holds files only.
  options.format = checkpoint && p.output.format == OutputFormat::peft ? OutputFormat::diffusers
                                                                       : p.output.format;
  options.dtype = p.output.dtype;
  options.family = &source_.family();
  options.layout = source_.unet_layout();
  options.title = p.output.name;
  options.author = p.author;
  options.description = p.description;
  options.resolution = fmt::format("{0}x{0}", p.data.resolution);
  options.prediction = std::string(objective_->prediction_name());
  options.preset_json = to_json(p, WriteMode::full);
  options.metadata = {
      {"ss_steps", std::to_string(step_)},
      {"ss_seed", std::to_string(p.training.seed)},
      {"ss_learning_rate", fmt::format("{}", p.optimizer.learning_rate)},
      {"ss_optimizer", std::string(enum_name(p.optimizer.type))},
      {"ss_lr_scheduler", std::string(enum_name(p.schedule.type))},
      {"ss_max_train_steps", std::to_string(p.training.steps)},
      {"ss_batch_size_per_device", std::to_string(p.data.batch_size)},
      {"ss_gradient_accumulation_steps", std::to_string(p.training.gradient_accumulation)},
      {"ss_noise_offset", fmt::format("{}", p.training.noise_offset)},
      {"ss_min_snr_gamma", fmt::format("{}", p.training.min_snr_gamma)},
      {"ss_mixed_precision", mixed_precision(p.precision.compute)}};
  if (data_) {
    options.metadata["ss_num_train_images"] = std::to_string(data_->dataset().items.size());
  }
  const fs::path file = adapter_path(folder, name, options.format);
  options.base_weight = [this](std::string_view path) { return adapters_->base_weight(path); };
  const LoraWritten written =
      write_lora(file, adapters_->snapshot(averaged(false), averaged(true)), options);
  for (const Message& notice : written.notices) {
    if (told_.insert(notice.text()).second) {
      log_.line(2, message<"{path}: {notice}">(path_to_utf8(file.filename()), notice));
    }
  }
  return file;
}

void Trainer::render_samples() {
  const bool vae = trains_vae(job_.preset);
  if ((job_.preset.samples.prompts.empty() && !vae) || sampled_step_ == step_) {
    return;
  }
  sampled_step_ = step_;
  const std::vector<float> fp8_pending = model_->fp8_scales().pending();
  try {
    if (vae) {
      render_reconstructions();
    } else {
      render_prompts();
    }
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& e) {
    // A sample is a view of the run: its failure, out of memory too, is told and costs nothing
    // else.
    adapters_->set_training(true);
    log_.line(2, message<"no sample at step {step}: {reason}">(step_, message_of(e)));
  }
  model_->fp8_scales().restore_pending(fp8_pending);
}

void Trainer::render_prompts() {
  if (trains_text()) {
    adapters_->set_training(false);
    encode_prompts(*model_);
    adapters_->set_training(true);
  }
  if (!renderer_) {
    renderer_ = std::make_unique<Renderer>(*kernels_, *arena_, *model_, objective_);
  }
  const Preset::Samples& samples = job_.preset.samples;
  for (std::size_t i = 0; i < samples.prompts.size(); ++i) {
    const SamplePrompt& prompt = samples.prompts[i];
    RenderOptions options;
    options.width = prompt.width > 0 ? prompt.width : job_.preset.data.resolution;
    options.height = prompt.height > 0 ? prompt.height : job_.preset.data.resolution;
    options.steps = prompt.steps;
    options.guidance = prompt.guidance;
    options.seed = prompt.seed;
    const Image image =
        renderer_->render(prompts_[i], negatives_[i], options,
                          [this](std::string_view phase, std::int64_t done, std::int64_t total) {
                            log_.progress(phase_of(phase), done, total);
                          });
    keep_sample(image, i, prompt.prompt, {{"seed", std::to_string(prompt.seed)}});
  }
}

void Trainer::keep_sample(const Image& image, std::size_t index, const std::string& prompt,
                          std::map<std::string, std::string> text) {
  text["prompt"] = prompt;
  text["step"] = std::to_string(step_);
  fs::path file;
  log_.keep([&] {
    make_folders(folder_.samples());
    file = folder_.samples() / fmt::format("step-{:06d}-{:02d}.png", step_, index);
    write_png(file, image.pixels, image.width, image.height, text);
  });
  log_.sample({step_, static_cast<int>(index), prompt, file});
}

}  // namespace mantissa
