#include "engine/train/sample.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/adapters/export.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/diffusion/model_objective.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_paths.h"
#include "engine/programs/renderer.h"
#include "engine/programs/text_encoding.h"

namespace mantissa {
namespace {

/// Both texts are encoded with the same number of tokens: that of the longer.
std::pair<TextEncoding, TextEncoding> encode_pair(Kernels& kernels, DiffusionModel& model,
                                                  const SampleRequest& request,
                                                  const std::string& prompt) {
  TextOptions text{1, request.weighted, request.clip_skip};
  model.set_text_options(text);
  text.chunks = std::max(model.chunks_needed(prompt), model.chunks_needed(request.negative));
  model.set_text_options(text);
  TextEncoder encoder(kernels, model);
  return {encoder.encode(prompt), encoder.encode(request.negative)};
}

std::string lora_text(const std::vector<SampleRequest::Lora>& loras) {
  std::string text;
  for (const SampleRequest::Lora& lora : loras) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", path_to_utf8(lora.file.filename()),
                        lora.weight);
  }
  return text;
}

}  // namespace

void run_sample(const SampleRequest& request, RunObserver& observer) {
  const SamplerKind sampler = sampler_from_name(request.sampler);
  observer.on_progress(RunPhase::loading, 0, 1);
  const ImageLibrary images;
  const auto kernels = make_backend(request.device);
  const WeightSource source = WeightSource::open(resolve_base(request.base));
  std::vector<LoraFile> files;
  if (!request.loras.empty()) {
    const std::vector<std::string> modules = adaptable_modules(source);
    for (const SampleRequest::Lora& lora : request.loras) {
      files.push_back(read_lora(lora.file, modules, *source.model_names(), request.dora_axis));
    }
  }
  std::vector<WeightedLora> weighted;
  for (std::size_t i = 0; i < files.size(); ++i) {
    weighted.push_back({&files[i].modules, request.loras[i].weight});
  }
  AdapterSet adapters(*kernels, weighted);
  const auto opened = DiffusionModel::open(*kernels, source, &adapters);
  DiffusionModel& model = *opened;
  model.bind(model.training_parts(true));
  adapters.finalize(0, [&](const Tensor& weight, std::span<const float> values) {
    model.weights().replace(weight, values);
  });
  observer.on_progress(RunPhase::loading, 1, 1);

  Arena arena(*kernels);
  Renderer renderer(*kernels, arena, model, model_objective(source, {}));
  const int native = model.native_side() * model.latent_factor();
  RenderOptions options;
  options.sampler = sampler;
  options.width = request.width > 0 ? request.width : native;
  options.height = request.height > 0 ? request.height : native;
  options.steps = request.steps;
  options.guidance = request.guidance;
  const std::string loras = lora_text(request.loras);
  std::vector<SampleRequest::Sample> samples = request.samples;
  if (samples.empty()) {
    samples.push_back({request.prompt, request.seed, request.out});
  }
  for (const SampleRequest::Sample& sample : samples) {
    const auto [prompt, negative] = encode_pair(*kernels, model, request, sample.prompt);
    options.seed = sample.seed;
    const Image image = renderer.render(prompt, negative, options,
                                        [&](RunPhase phase, std::int64_t done, std::int64_t total) {
                                          observer.on_progress(phase, done, total);
                                        });
    write_png(sample.out, image.pixels, image.width, image.height,
              {{"prompt", sample.prompt},
               {"negative", request.negative},
               {"seed", std::to_string(sample.seed)},
               {"steps", std::to_string(request.steps)},
               {"guidance", fmt::format("{}", request.guidance)},
               {"sampler", request.sampler},
               {"lora", loras}});
    observer.on_sample({0, static_cast<int>(&sample - samples.data()), sample.prompt, sample.out});
  }
}

}  // namespace mantissa
