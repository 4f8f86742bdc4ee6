#include "engine/programs/renderer.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

std::vector<float> joined(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

}  // namespace

Renderer::Renderer(Kernels& kernels, Arena& arena, DiffusionModel& model,
                   std::shared_ptr<const Objective> objective)
    : kernels_(kernels),
      model_(model),
      objective_(std::move(objective)),
      denoisers_(kernels, arena),
      decoders_(kernels, arena) {}

int Renderer::quantum() const {
  return model_.latent_factor() * model_.latent_multiple();
}

void record_denoiser(Graph& g, DiffusionModel& model, const StepShape& shape) {
  const std::int64_t channels = model.latent_channels();
  const Value latents =
      g.input("latents", DType::f32, {shape.batch, shape.height, shape.width, channels});
  g.output("prediction",
           model.predict_edit(g, latents, g.input("timesteps", DType::f32, {shape.batch}),
                              model.text_inputs(g, shape.batch, shape.tokens),
                              reference_inputs(g, shape.batch, channels, shape.references)));
}

Program& Renderer::denoiser_program(const StepShape& shape) {
  return denoisers_.of(shape, [&](Graph& g) {
    const WithoutDropout rendering(model_.adapters());
    const WithoutTrainingAdapters alone(model_.adapters());
    record_denoiser(g, model_, shape);
  });
}

Program& Renderer::decoder_program(std::int64_t height, std::int64_t width) {
  return decoders_.of({height, width}, [&](Graph& g) {
    const Value latents =
        g.input("latents", DType::f32, {1, height, width, model_.latent_channels()});
    g.output("image", model_.vae().decode(g, latents));
  });
}

std::vector<float> Renderer::denoise(const TextEncoding& prompt, const TextEncoding& negative,
                                     const RenderOptions& o, std::vector<float> x,
                                     const Progress& progress) {
  const bool guided = o.guidance != 1.0 && !model_.takes_guidance();
  const std::int64_t batch = guided ? 2 : 1;
  const int factor = model_.latent_factor();
  const std::int64_t h = o.height / factor, w = o.width / factor;
  const double tokens = image_tokens(h, w, model_.patch_size());
  Sampler sampler(objective_->sampling(o.sampler, o.steps, tokens));
  Program& program = denoiser_program({batch, h, w, model_.text_tokens(), sizes_of(o.references)});
  std::vector<ReferenceLatents> references = o.references;
  for (ReferenceLatents& reference : references) {
    reference.values = guided ? joined(reference.values, reference.values) : reference.values;
  }
  const std::size_t count = x.size();
  std::vector<float> time_ids;
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto ids = micro_conditioning(o.height, o.width, 0, 0, o.height, o.width);
    time_ids.insert(time_ids.end(), ids.begin(), ids.end());
  }
  for (float& value : x) {
    value = static_cast<float>(value * sampler.init_noise_sigma());
  }
  std::vector<float> scaled(count), noise(count), prediction(count);
  for (int i = 0; i < sampler.steps(); ++i) {
    sampler.scale_model_input(x, i, scaled);
    Executor& executor = program.executor();
    const auto t = static_cast<float>(sampler.timestep(i));
    executor.feed("latents", guided ? joined(scaled, scaled) : scaled);
    executor.feed("timesteps", std::vector<float>(static_cast<std::size_t>(batch), t));
    // Unconditional first, as usual: the order affects the exact image.
    for (const auto& [name, tensor] : prompt) {
      executor.feed(name, guided ? joined(negative.at(name).data, tensor.data) : tensor.data);
    }
    feed_references(executor, references);
    model_.feed_sizes(executor, time_ids, h, w);
    model_.feed_guidance(executor, o.guidance);
    executor.run({});
    const std::vector<float> out = executor.read("prediction");
    if (guided) {
      const std::span<const float> conditional(out.data() + count, count);
      apply_guidance({out.data(), count}, conditional, o.guidance, prediction);
      if (model_.guidance_keeps_norms()) {
        keep_token_norms(conditional, {h, w, model_.latent_channels(), model_.patch_size()},
                         prediction);
      }
    } else {
      std::copy(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count), prediction.begin());
    }
    if (sampler.needs_noise(i)) {
      noise = normal_values(kernels_, static_cast<std::int64_t>(count),
                            random_key(static_cast<std::uint64_t>(o.seed), RandomStream::sampler,
                                       static_cast<std::uint64_t>(i) + 1));
    }
    sampler.step(i, prediction, x, noise);
    if (progress) {
      progress(RunPhase::sampling, i + 1, sampler.steps());
    }
  }
  return x;
}

std::vector<float> Renderer::decode(const std::vector<float>& latents, int width, int height) {
  const int factor = model_.latent_factor();
  Executor& executor = decoder_program(height / factor, width / factor).executor();
  const LatentSpace& space = model_.latents();
  const auto channels = static_cast<std::size_t>(space.channels);
  std::vector<float> unscaled = latents;
  for (std::size_t i = 0; i < unscaled.size(); ++i) {
    const auto scale = static_cast<float>(1.0 / space.gain[i % channels]);
    unscaled[i] = unscaled[i] * scale + static_cast<float>(space.shift[i % channels]);
  }
  executor.feed("latents", unscaled);
  executor.run({});
  return executor.read("image");
}

std::vector<float> Renderer::latents(const TextEncoding& prompt, const TextEncoding& negative,
                                     const RenderOptions& o, const Progress& progress) {
  if (o.width <= 0 || o.height <= 0 || o.width % quantum() != 0 || o.height % quantum() != 0) {
    throw Error(message<"a sample of {width}x{height} can't be made with this model: sides must be "
                        "multiples of {multiple} pixels">(o.width, o.height, quantum()));
  }
  const int factor = model_.latent_factor();
  const std::int64_t count =
      std::int64_t{o.height / factor} * (o.width / factor) * model_.latent_channels();
  std::vector<float> start = normal_values(
      kernels_, count, random_key(static_cast<std::uint64_t>(o.seed), RandomStream::sampler));
  return denoise(prompt, negative, o, std::move(start), progress);
}

Image Renderer::image(const std::vector<float>& latents, const RenderOptions& o) {
  const std::vector<float> pixels = decode(latents, o.width, o.height);
  Image image;
  image.width = o.width;
  image.height = o.height;
  image.pixels.reserve(pixels.size());
  for (float value : pixels) {
    if (!std::isfinite(value)) {
      throw Error(
          ErrorKind::non_finite,
          message<"the image holds non-finite values: the model or an adapter is broken">());
    }
    const float level = std::clamp((value + 1.0F) * 127.5F, 0.0F, 255.0F);
    image.pixels.push_back(static_cast<std::uint8_t>(std::lround(level)));
  }
  return image;
}

}  // namespace mantissa
