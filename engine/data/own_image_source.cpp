#include "engine/data/own_image_source.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "engine/adapters/adapter_set.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/own_prompts.h"
#include "engine/diffusion/timesteps.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/models/sampling_values.h"
#include "engine/programs/base_targets.h"
#include "engine/programs/text_encoding.h"

namespace mantissa {
namespace {

constexpr const char *kLatents = "latents", *kHash = "mantissa.latents.sha256";

std::string hash_of(const void* values, std::int64_t count) {
  return sha256_hex(std::string_view(static_cast<const char*>(values),
                                     static_cast<std::size_t>(count) * sizeof(float)));
}

}  // namespace

OwnTexts encode_own_prompts(Kernels& kernels, DiffusionModel& model, const Preset& preset) {
  TextEncoder encoder(kernels, model);
  OwnTexts texts;
  texts.empty = encoder.encode("");
  for (const std::string& prompt : own_prompts(preset)) {
    texts.of.push_back({{"", encoder.encode(prompt)}});
  }
  if (!trains_slider(preset)) {
    return texts;
  }
  const Preset::Slider& slider = preset.slider;
  OwnTexts::ByHead& target = texts.of.front();
  target[kPositive] = encoder.encode(slider.positive);
  target[kNegative] = encoder.encode(slider.negative);
  if (has_anchor(slider)) {
    target[kAnchor] = encoder.encode(slider.anchor);
  }
  return texts;
}

OwnImageSource::OwnImageSource(const Preset& preset, const StepShape& shape,
                               std::shared_ptr<const Objective> objective, Kernels& kernels,
                               DiffusionModel& model, OwnTexts texts)
    : preset_(preset),
      shape_(shape),
      objective_(std::move(objective)),
      kernels_(kernels),
      model_(model),
      prompts_(own_prompts(preset)),
      images_(own_images(preset)),
      texts_(std::move(texts)) {}

std::int64_t OwnImageSource::values() const {
  return shape_.height * shape_.width * model_.latent_channels();
}

RenderOptions OwnImageSource::options() const {
  const SamplingValues values =
      sampling_values(model_.source(), SamplePrompt{.prompt = prompts_.front()});
  RenderOptions options;
  options.width = static_cast<int>(shape_.width) * model_.latent_factor();
  options.height = static_cast<int>(shape_.height) * model_.latent_factor();
  options.steps = values.steps;
  options.guidance = values.guidance;
  options.seed = preset_.training.seed;
  return options;
}

void OwnImageSource::make(const std::filesystem::path& file, Arena& arena,
                          const Progress& progress) const {
  const WithoutAdapters base(model_.adapters());  // while the renderer records
  const std::vector<float> fp8_pending = model_.fp8_scales().pending();
  Renderer renderer(kernels_, arena, model_, objective_);
  std::vector<float> all;
  RenderOptions one = options();
  for (int i = 0; i < images_; ++i, ++one.seed) {
    const OwnTexts::ByHead& texts = texts_.of[static_cast<std::size_t>(i) % texts_.of.size()];
    const std::vector<float> latents =
        renderer.latents(texts.at(""), texts_.empty, one,
                         [&](RunPhase phase, std::int64_t done, std::int64_t of_one) {
                           if (progress) {
                             progress(phase, i * of_one + done, images_ * of_one);
                           }
                         });
    all.insert(all.end(), latents.begin(), latents.end());
  }
  model_.fp8_scales().restore_pending(fp8_pending);
  TensorToWrite tensor;
  tensor.name = kLatents;
  tensor.shape = {images_, shape_.height, shape_.width, model_.latent_channels()};
  tensor.data = all.data();
  write_safetensors(file, {&tensor, 1}, {{kHash, hash_of(all.data(), std::ssize(all))}});
}

void OwnImageSource::read(const std::filesystem::path& file) {
  const SafetensorsFile stored = SafetensorsFile::open(file);
  const TensorInfo* const tensor = stored.find(kLatents);
  const auto count = images_ * values();
  const auto hash = stored.metadata().find(kHash);
  if (tensor == nullptr || tensor->type != DType::f32 || tensor->count() != count ||
      hash == stored.metadata().end() || hash->second != hash_of(tensor->data, count)) {
    throw Error(message<"{file} isn't what the run wrote: it should hold {count} values of "
                        "images that the base model made. Remove it, and they are made again">(
        path_to_utf8(file), count));
  }
  latents_.resize(static_cast<std::size_t>(count));
  std::memcpy(latents_.data(), tensor->data, latents_.size() * sizeof(float));
}

std::vector<float> OwnImageSource::draw(RandomStream stream, std::int64_t micro_step,
                                        std::size_t sample, std::int64_t count) {
  const auto seed = static_cast<std::uint64_t>(preset_.training.seed);
  return normal_values(kernels_, count,
                       random_key(seed, stream, static_cast<std::uint64_t>(micro_step), sample));
}

std::vector<float> OwnImageSource::noise(std::int64_t micro_step, std::size_t sample) {
  std::vector<float> noise = draw(RandomStream::noise, micro_step, sample, values());
  const auto offset = static_cast<float>(preset_.training.noise_offset);
  if (offset > 0) {
    const std::vector<float> by_channel =
        draw(RandomStream::offset_noise, micro_step, sample, model_.latent_channels());
    for (std::size_t i = 0; i < noise.size(); ++i) {
      noise[i] += offset * by_channel[i % by_channel.size()];
    }
  }
  return noise;
}

StepInputs OwnImageSource::inputs(std::int64_t micro_step) {
  const RenderOptions size = options();
  StepInputs in;
  in.batch = shape_.batch;
  in.height = shape_.height;
  in.width = shape_.width;
  in.channels = model_.latent_channels();
  in.timesteps = draw_timesteps(*objective_, level_distribution(preset_),
                                image_tokens(in.height, in.width, model_.patch_size()),
                                static_cast<std::uint64_t>(preset_.training.seed),
                                static_cast<std::uint64_t>(micro_step), static_cast<int>(in.batch));
  const auto ids = micro_conditioning(size.height, size.width, 0, 0, size.height, size.width);
  for (std::int64_t b = 0; b < in.batch; ++b) {
    const std::int64_t image = (micro_step * in.batch + b) % images_;
    const std::size_t prompt = static_cast<std::size_t>(image) % prompts_.size();
    const auto first = latents_.begin() + image * values();
    in.latents.insert(in.latents.end(), first, first + values());
    const std::vector<float> own = noise(micro_step, static_cast<std::size_t>(b));
    in.noise.insert(in.noise.end(), own.begin(), own.end());
    in.time_ids.insert(in.time_ids.end(), ids.begin(), ids.end());
    in.sources.push_back(prompts_[prompt]);
    for (const auto& [head, text] : texts_.of[prompt]) {
      for (const auto& [name, tensor] : text) {
        std::vector<float>& all = in.text[head + name];
        all.insert(all.end(), tensor.data.begin(), tensor.data.end());
      }
    }
  }
  return in;
}

}  // namespace mantissa
