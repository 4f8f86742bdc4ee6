#include "engine/train/sample_maker.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/programs/text_encoding.h"
#include "kernels/device_lost.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kShownImages = 4;

}  // namespace

SampleTexts encode_prompts(Kernels& kernels, DiffusionModel& model, const Preset& preset) {
  SampleTexts texts;
  if (preset.samples.prompts.empty()) {
    return texts;
  }
  TextEncoder encoder(kernels, model);
  for (const SamplePrompt& prompt : preset.samples.prompts) {
    texts.prompts.push_back(encoder.encode(prompt.prompt));
    texts.negatives.push_back(encoder.encode(prompt.negative));
  }
  return texts;
}

void SampleMaker::make_again() {
  if (parts_.preset().samples.prompts.empty() && !trains_vae(parts_.preset())) {
    parts_.log.line(2, message<"no sample: the preset has no prompts (samples.prompts)">());
  }
  made_at_ = -1;
  make();
}

bool SampleMaker::is_due() const {
  const Preset::Samples& samples = parts_.preset().samples;
  return (samples.every > 0 && state_.step % samples.every == 0) ||
         run_length(parts_.plan).ends_epochs(state_.step, samples.every_epochs) ||
         clock_.passed(samples.every_minutes);
}

void SampleMaker::make() {
  const bool vae = trains_vae(parts_.preset());
  if (!parts_.ranks.writes() || (parts_.preset().samples.prompts.empty() && !vae) ||
      made_at_ == state_.step) {
    return;
  }
  made_at_ = state_.step;
  const std::vector<float> fp8_pending = parts_.model.fp8_scales().pending();
  try {
    if (vae) {
      render_reconstructions();
    } else {
      render_prompts();
    }
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::exception& e) {
    // A failed sample, also out of memory, is reported and doesn't affect the run.
    parts_.log.line(2, message<"no sample at step {step}: {reason}">(state_.step, message_of(e)));
  }
  parts_.model.fp8_scales().restore_pending(fp8_pending);
  clock_.start();
}

void SampleMaker::render_prompts() {
  const Preset& preset = parts_.preset();
  if (trains_text(preset)) {
    const AdapterSet::WithoutDropout rendering(&parts_.adapters);
    texts_ = encode_prompts(parts_.kernels, parts_.model, preset);
  }
  if (!renderer_) {
    renderer_ = std::make_unique<Renderer>(parts_.kernels, parts_.arena, parts_.model,
                                           parts_.plan.objective);
  }
  for (std::size_t i = 0; i < preset.samples.prompts.size(); ++i) {
    const SamplePrompt& prompt = preset.samples.prompts[i];
    RenderOptions options;
    options.width = prompt.width > 0 ? prompt.width : preset.data.resolution;
    options.height = prompt.height > 0 ? prompt.height : preset.data.resolution;
    options.steps = prompt.steps;
    options.guidance = prompt.guidance;
    options.seed = prompt.seed;
    const Image image =
        renderer_->render(texts_.prompts[i], texts_.negatives[i], options,
                          [this](RunPhase phase, std::int64_t done, std::int64_t total) {
                            parts_.log.progress(phase, done, total);
                          });
    keep(image, i, prompt.prompt, {{"seed", std::to_string(prompt.seed)}});
  }
}

void SampleMaker::render_reconstructions() {
  if (!reconstructor_) {
    reconstructor_ = std::make_unique<Reconstructor>(parts_.kernels, parts_.arena, parts_.model);
  }
  const EncodedDataset& data = *parts_.plan.data;
  const std::vector<ImageItem>& items = data.images().dataset().items;
  for (std::size_t i = 0; i < std::min(items.size(), kShownImages); ++i) {
    keep(reconstructor_->beside(data.plain_image(i)), i, items[i].name, {});
  }
}

void SampleMaker::keep(const Image& image, std::size_t index, const std::string& prompt,
                       std::map<std::string, std::string> text) {
  text["prompt"] = prompt;
  text["step"] = std::to_string(state_.step);
  fs::path file;
  parts_.log.keep([&] {
    const fs::path folder = home_.folder().samples();
    make_folders(folder);
    file = folder / fmt::format("step-{:06d}-{:02d}.png", state_.step, index);
    write_png(file, image.pixels, image.width, image.height, text);
  });
  parts_.log.sample({state_.step, static_cast<int>(index), prompt, file});
}

}  // namespace mantissa
