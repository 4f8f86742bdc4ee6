#include "engine/render/sample_maker.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/models/sampling_values.h"
#include "engine/programs/text_encoding.h"
#include "kernels/device_lost.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kShownImages = 4;

}  // namespace

SampleTexts encode_prompts(Kernels& kernels, DiffusionModel& model, const Preset& preset,
                           Arena* arena) {
  SampleTexts texts;
  if (preset.samples.prompts.empty()) {
    return texts;
  }
  TextEncoder encoder(kernels, model, arena);
  for (const SamplePrompt& prompt : preset.samples.prompts) {
    texts.prompts.push_back(encoder.encode(prompt.prompt));
    texts.negatives.push_back(encoder.encode(prompt.negative));
  }
  return texts;
}

void SampleMaker::make_again() {
  if (parts_.preset().samples.prompts.empty() && !trains_vae(parts_.preset())) {
    parts_.log.line(LogLevel::warning,
                    message<"no sample: the preset has no prompts (samples.prompts)">());
  }
  made_at_ = -1;
  make();
}

bool SampleMaker::is_due() const {
  const Preset::Samples& samples = parts_.preset().samples;
  return (samples.every > 0 && state_.step % samples.every == 0) ||
         parts_.length().ends_epochs(state_.step, samples.every_epochs) ||
         (samples.every_minutes > 0 && parts_.ranks.any(clock_.passed(samples.every_minutes)));
}

std::size_t SampleMaker::count() const {
  if (!trains_vae(parts_.preset())) {
    return parts_.preset().samples.prompts.size();
  }
  return parts_.plan.data
             ? std::min(parts_.plan.data->images().dataset().items.size(), kShownImages)
             : 0;
}

void SampleMaker::make() {
  if (count() == 0 || made_at_ == state_.step) {
    return;
  }
  made_at_ = state_.step;
  const std::vector<float> fp8_pending = parts_.model.fp8_scales().pending();
  Message reason;
  state_.with_schedule_free([&] { reason = share(); });
  if (!reason.empty()) {
    parts_.log.line(LogLevel::warning,
                    message<"no sample at step {step}: {reason}">(state_.step, reason));
  }
  parts_.model.fp8_scales().restore_pending(fp8_pending);
  clock_.start();
}

void SampleMaker::warm_up() {
  if (count() == 0) {
    return;
  }
  const std::vector<float> fp8_pending = parts_.model.fp8_scales().pending();
  try {
    prepare();
    for (std::size_t i = 0; i < count(); ++i) {
      if (trains_vae(parts_.preset())) {
        render(i);
        continue;
      }
      RenderOptions once = options_of(i);
      once.steps = 1;
      renderer_->decode(renderer_->latents(texts_.prompts[i], texts_.negatives[i], once),
                        once.width, once.height);
    }
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception&) {  // told when samples are made
  }
  parts_.model.fp8_scales().restore_pending(fp8_pending);
}

void SampleMaker::record_ahead() {
  if (renderer_) {
    renderer_->record_ahead();
  }
  if (reconstructor_) {
    reconstructor_->record_ahead();
  }
}

Message SampleMaker::share() {
  Message problem;
  // A failed sample, also out of memory, is reported and doesn't affect the run.
  const auto attempt = [&problem](const std::function<void()>& work) {
    try {
      if (problem.empty()) {
        work();
      }
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& e) {
      problem = message_of(e);
    }
  };
  attempt([this] { prepare(); });
  const auto ranks = static_cast<std::size_t>(parts_.ranks.size());
  const auto rank = static_cast<std::size_t>(parts_.ranks.rank());
  for (std::size_t begin = 0; begin < count(); begin += ranks) {
    const std::size_t end = std::min(begin + ranks, count());
    Rendered mine;
    if (begin + rank < end) {
      attempt([&] { mine = render(begin + rank); });
    }
    const std::vector<Rendered> images = exchange(std::move(mine));
    for (const std::string& text : parts_.ranks.texts(problem.text())) {
      problem = problem.empty() ? Message::verbatim(text) : problem;
    }
    if (!problem.empty()) {
      break;  // in all processes
    }
    for (std::size_t i = begin; i < end && parts_.ranks.writes(); ++i) {
      attempt([&] { keep(images[i - begin], i); });
    }
  }
  return problem;
}

std::vector<SampleMaker::Rendered> SampleMaker::exchange(Rendered mine) {
  std::vector<Rendered> images(1, std::move(mine));
  if (parts_.ranks.alone()) {
    return images;
  }
  const auto [image, distance] = std::move(images[0]);
  const std::vector<double> widths = parts_.ranks.gather(image.width);
  const std::vector<double> heights = parts_.ranks.gather(image.height);
  const std::vector<double> trained = parts_.ranks.gather(distance.trained);
  const std::vector<double> held_out = parts_.ranks.gather(distance.held_out);
  const std::vector<std::string> nearest = parts_.ranks.texts(distance.nearest);
  const std::vector<std::string> pixels =
      parts_.ranks.texts({reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size()});
  images.clear();
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    images.push_back({{.width = static_cast<int>(widths[i]),
                       .height = static_cast<int>(heights[i]),
                       .pixels = {pixels[i].begin(), pixels[i].end()},
                       .notice = {}},
                      {trained[i], held_out[i], nearest[i]}});
  }
  return images;
}

void SampleMaker::prepare() {
  if (trains_vae(parts_.preset())) {
    if (!reconstructor_) {
      reconstructor_ = std::make_unique<Reconstructor>(parts_.kernels, parts_.arena, parts_.model);
    }
    return;
  }
  if (trains_text(parts_.preset())) {
    const WithoutDropout rendering(&parts_.adapters);
    const WithoutTrainingAdapters alone(&parts_.adapters);
    texts_ = encode_prompts(parts_.kernels, parts_.model, parts_.preset(), &parts_.arena);
  }
  if (!renderer_) {
    renderer_ = std::make_unique<Renderer>(parts_.kernels, parts_.arena, parts_.model,
                                           parts_.plan.objective);
    if (parts_.plan.data && !parts_.plan.data->images().validation().empty()) {
      try {
        distances_ = std::make_unique<ImageDistances>(*parts_.plan.data);
      } catch (const EncodingGone&) {  // samples are made without
      }
    }
  }
}

SampleMaker::Rendered SampleMaker::render(std::size_t index) {
  if (trains_vae(parts_.preset())) {
    return {reconstructor_->beside(parts_.plan.data->plain_image(index)), {}};
  }
  return render_prompt(index);
}

RenderOptions SampleMaker::options_of(std::size_t index) const {
  const SamplePrompt& prompt = parts_.preset().samples.prompts[index];
  const int side = parts_.preset().data.resolution;
  RenderOptions options;
  options.width = prompt.width > 0 ? prompt.width : side;
  options.height = prompt.height > 0 ? prompt.height : side;
  const SamplingValues values = sampling_values(parts_.model.source(), prompt);
  options.steps = values.steps;
  options.guidance = values.guidance;
  options.seed = prompt.seed;
  if (parts_.plan.data) {
    options.references = parts_.plan.data->prompt_references(index);
  }
  return options;
}

SampleMaker::Rendered SampleMaker::render_prompt(std::size_t index) {
  const RenderOptions options = options_of(index);
  const std::vector<float> latents =
      renderer_->latents(texts_.prompts[index], texts_.negatives[index], options,
                         [this](RunPhase phase, std::int64_t done, std::int64_t total) {
                           parts_.log.progress(phase, done, total);
                         });
  Rendered made{renderer_->image(latents, options), {}};
  if (distances_) {
    const int factor = parts_.model.latent_factor();
    made.distance = distances_->of(latents, options.height / factor, options.width / factor);
  }
  return made;
}

SampleMaker::Sample SampleMaker::sample(std::size_t index) const {
  if (trains_vae(parts_.preset())) {
    return {parts_.plan.data->images().dataset().items[index].name, {}};
  }
  const SamplePrompt& prompt = parts_.preset().samples.prompts[index];
  return {prompt.prompt, {{"seed", std::to_string(prompt.seed)}}};
}

void SampleMaker::keep(const Rendered& rendered, std::size_t index) {
  const Image& image = rendered.image;
  Sample shown = sample(index);
  shown.text["prompt"] = shown.prompt;
  shown.text["step"] = std::to_string(state_.step);
  fs::path file;
  parts_.log.keep([&] {
    const fs::path folder = home_.folder().samples();
    make_folders(folder);
    file = folder / fmt::format("step-{:06d}-{:02d}.png", state_.step, index);
    write_png(file, image.pixels, image.width, image.height, shown.text);
  });
  parts_.log.sample({state_.step, static_cast<int>(index), shown.prompt, file}, rendered.distance);
}

}  // namespace mantissa
