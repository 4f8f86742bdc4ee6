#include "engine/train/step_program.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/graph/ops.h"
#include "engine/models/vae_loss.h"

namespace mantissa {
namespace {

/// Per-sample factors are tables in fp64, rounded once to fp32 here.
void feed(Executor& executor, const std::string& name, const std::vector<double>& values) {
  executor.feed(name, std::vector<float>(values.begin(), values.end()));
}

}  // namespace

StepProgram::StepProgram(Kernels& kernels, Arena& arena, DiffusionModel& model,
                         const StepShape& shape, const StepOptions& options)
    : model_(model), shape_(shape), options_(options), program_(kernels, arena) {
  Graph& g = program_.graph();
  const Value loss = options.train_vae ? record_autoencoding() : record_denoising();
  g.output("loss", loss);
  g.backward(loss, options.checkpointing, g.input("loss_seed", DType::f32, Shape{}));
  program_.make_plan();
}

Value StepProgram::record_denoising() {
  Graph& g = program_.graph();
  const Shape image{shape_.batch, shape_.height, shape_.width, model_.latent_channels()};
  const Shape batch{shape_.batch};
  const Value latents = g.input("latents", DType::f32, image);
  const Value noise = g.input("noise", DType::f32, image);
  const auto factor = [&](const char* name) { return g.input(name, DType::f32, batch); };
  const Value noised = add_noise(latents, noise, factor("noised_x0"), factor("noised_noise"));
  const Value target = add_noise(latents, noise, factor("target_x0"), factor("target_noise"));
  const TextValues text = options_.train_text ? model_.encode_text(g, shape_.batch, shape_.tokens)
                                              : model_.text_inputs(g, shape_.batch, shape_.tokens);
  const Value prediction = model_.predict(g, noised, g.input("timesteps", DType::f32, batch), text);
  for (const auto& [name, value] : text) {
    text_names_.push_back(name);
  }
  if (options_.keep_tensors) {
    g.output("prediction", prediction);
    g.output("target", target);
    for (const auto& [name, value] : text) {
      g.output(name, value);
    }
  }
  return mse_loss(cast(prediction, DType::f32), target, factor("weight")).loss;
}

Value StepProgram::record_autoencoding() {
  Graph& g = program_.graph();
  const std::int64_t f = model_.latent_factor();
  const Value image =
      g.input("image", DType::f32, {shape_.batch, shape_.height * f, shape_.width * f, 3});
  const Value noise = g.input(
      "noise", DType::f32, {shape_.batch, shape_.height, shape_.width, model_.latent_channels()});
  return vae_loss(g, model_.vae(), image, noise, static_cast<float>(options_.vae_kl_weight)).loss;
}

double StepProgram::run(const StepInputs& in, const BatchCoefficients& c, double loss_seed,
                        const RunContext& context) {
  Executor& e = program_.executor();
  e.feed("noise", in.noise);
  feed(e, "loss_seed", std::vector<double>{loss_seed});
  if (options_.train_vae) {
    e.feed("image", in.images);
  } else {
    feed_denoising(in, c);
  }
  e.run(context);
  return e.read("loss").at(0);
}

void StepProgram::feed_denoising(const StepInputs& in, const BatchCoefficients& c) {
  Executor& e = program_.executor();
  e.feed("latents", in.latents);
  e.feed("timesteps", std::vector<float>(in.timesteps.begin(), in.timesteps.end()));
  model_.feed_sizes(e, in.time_ids, shape_.height, shape_.width);
  feed(e, "noised_x0", c.noised_x0);
  feed(e, "noised_noise", c.noised_noise);
  feed(e, "target_x0", c.target_x0);
  feed(e, "target_noise", c.target_noise);
  feed(e, "weight", c.weight);
  if (options_.train_text) {
    model_.feed_tokens(e, in.tokens);
    return;
  }
  for (const std::string& name : text_names_) {
    const auto values = in.text.find(name);
    if (values == in.text.end()) {
      throw Error("the step lacks the text input " + name +
                  "; was the trace written with another family of models?");
    }
    e.feed(name, values->second);
  }
}

}  // namespace mantissa
