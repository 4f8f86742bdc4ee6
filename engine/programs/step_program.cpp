#include "engine/programs/step_program.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/adapters/adapter_set.h"
#include "engine/core/error.h"
#include "engine/graph/ops.h"
#include "engine/models/vae/vae_loss.h"

namespace mantissa {
namespace {

/// Per-sample factors are tables in fp64, rounded once to fp32 here.
void feed(Executor& executor, const std::string& name, const std::vector<double>& values) {
  executor.feed(name, std::vector<float>(values.begin(), values.end()));
}

/// The input of the negative images of pairs.
constexpr const char* kPartners = "partners";

/// The square roots of the mask's weights, the same for every channel.
void feed_mask(Executor& executor, const StepInputs& in) {
  if (std::ssize(in.mask) != in.batch * in.height * in.width) {
    throw Error(message<"the step lacks its masks; was the trace written without data.masks?">());
  }
  std::vector<float> roots;
  roots.reserve(in.mask.size() * static_cast<std::size_t>(in.channels));
  for (const float weight : in.mask) {
    roots.insert(roots.end(), static_cast<std::size_t>(in.channels), std::sqrt(weight));
  }
  executor.feed("mask_root", roots);
}

/// Each scope includes the finer ones, but blocks, which recompute everything anyway.
void choose_segments(Graph& g, std::optional<CheckpointingScope> scope) {
  if (scope && *scope != CheckpointingScope::blocks) {
    g.set_segment_scope(*scope == CheckpointingScope::feed_forward ? SegmentScope::feed_forward
                                                                   : SegmentScope::none);
    g.repeat_cheap_ops(true);
  }
}

}  // namespace

std::vector<std::string> text_heads(const Preset& preset) {
  std::vector<std::string> heads{""};
  if (preserves(preset)) {
    heads.emplace_back(kPreserved);
  }
  if (trains_slider(preset)) {
    heads.insert(heads.end(), {kPositive, kNegative});
    if (has_anchor(preset.slider)) {
      heads.emplace_back(kAnchor);
    }
  }
  return heads;
}

StepOptions StepOptions::of(const Preset& preset, bool keep_tensors) {
  const Preset::Training& training = preset.training;
  StepOptions options;
  options.train_text = trains_text(preset);
  if (training.gradient_checkpointing) {
    options.checkpointing = training.checkpointing_scope;
  }
  options.keep_tensors = keep_tensors;
  options.train_vae = trains_vae(preset);
  options.vae_kl_weight = training.vae_kl_weight;
  if (trains_slider(preset)) {
    const Preset::Slider& slider = preset.slider;
    options.slider = SliderOptions{slider.guidance, has_anchor(slider) ? slider.anchor_weight : 0};
    return options;
  }
  options.pairs = trains_pair_slider(preset);
  options.masked = preset.data.masks != MaskMode::off;
  options.huber = training.loss != LossType::mse;
  options.preserves = mantissa::preserves(preset);
  return options;
}

StepProgram::StepProgram(Kernels& kernels, Arena& arena, DiffusionModel& model,
                         const StepShape& shape, const StepOptions& options)
    : model_(model), shape_(shape), options_(options), program_(kernels, arena) {
  Graph& g = program_.graph();
  choose_segments(g, options.checkpointing);
  const Value loss = options.train_vae ? record_autoencoding() : record_denoising();
  g.output("loss", loss);
  if (options.backward) {
    g.backward(loss, options.checkpointing.has_value(), g.input("loss_seed", DType::f32, Shape{}));
  }
  program_.make_plan();
}

Value StepProgram::factor(const char* name) {
  return program_.graph().input(name, DType::f32, {shape_.batch});
}

TextValues StepProgram::record_texts(const std::string& head) {
  Graph& g = program_.graph();
  const TextValues text = options_.train_text
                              ? model_.encode_text(g, shape_.batch, shape_.tokens)
                              : model_.text_inputs(g, shape_.batch, shape_.tokens, head);
  for (const auto& [name, value] : text) {
    if (std::ranges::find(text_names_, head + name) == text_names_.end()) {
      text_names_.push_back(head + name);
    }
    if (options_.keep_tensors) {
      g.output(head + name, value);
    }
  }
  return text;
}

Value StepProgram::noised(Value latents, Value noise) {
  return add_noise(latents, noise, factor("noised_x0"), factor("noised_noise"));
}

Value StepProgram::record_denoising() {
  Graph& g = program_.graph();
  const Shape image{shape_.batch, shape_.height, shape_.width, model_.latent_channels()};
  const Value latents = g.input("latents", DType::f32, image);
  const Value noise = g.input("noise", DType::f32, image);
  const Value timesteps = factor("timesteps");
  if (options_.pairs) {
    return record_pair_loss(latents, noise, timesteps);
  }
  const Value noisy = noised(latents, noise);
  if (options_.slider) {
    return record_slider_loss(noisy, timesteps);
  }
  const std::vector<Value> references =
      reference_inputs(g, shape_.batch, model_.latent_channels(), shape_.references);
  if (!options_.preserves) {
    return record_image_loss(latents, noise, noisy, timesteps, references);
  }
  // Before the image's own loss: layer statistics are those of a module's last outputs.
  const Value kept = preservation_loss(model_, noisy, timesteps, record_texts(kPreserved),
                                       factor("preservation_weight"), references);
  return add(record_image_loss(latents, noise, noisy, timesteps, references), kept);
}

Value StepProgram::record_pair_loss(Value latents, Value noise, Value timesteps) {
  const std::vector<LatentSize> own{{shape_.height, shape_.width}};
  if (shape_.references != own) {
    throw Error(message<"the step lacks its negative images; was the trace written without "
                        "training.purpose pair_slider?">());
  }
  // Not by the name of a reference, which the model would take for one of its own.
  const Value partners = program_.graph().input(kPartners, DType::f32, latents.shape());
  Value loss;
  // Weight 1 comes last: layer statistics, and what a trace holds, are its.
  for (const auto& [images, weight] : {std::pair{partners, -1.0F}, std::pair{latents, 1.0F}}) {
    const WithAdapterScale end(model_.adapters(), weight);
    const Value of_end = record_image_loss(images, noise, noised(images, noise), timesteps, {});
    loss = loss ? add(loss, of_end) : of_end;
  }
  return scale(loss, 0.5F);
}

Value StepProgram::record_image_loss(Value latents, Value noise, Value noised, Value timesteps,
                                     std::span<const Value> references) {
  Graph& g = program_.graph();
  const Value target = add_noise(latents, noise, factor("target_x0"), factor("target_noise"));
  const TextValues text = record_texts();
  const Value prediction = model_.predict_edit(g, noised, timesteps, text, references);
  if (options_.keep_tensors) {
    g.output("prediction", prediction);
    g.output("target", target);
  }
  Value predicted = cast(prediction, DType::f32), wanted = target;
  if (options_.masked) {
    // (√m·p - √m·t)² = m·(p - t)²: no gradient where m is 0. (Huber's error is the same for masks
    // of 0 and 1.)
    const Value root = g.input("mask_root", DType::f32, latents.shape());
    predicted = multiply(predicted, root);
    wanted = multiply(wanted, root);
  }
  return (options_.huber ? huber_loss(predicted, wanted, factor("weight"), factor("width"))
                         : mse_loss(predicted, wanted, factor("weight")))
      .loss;
}

Value StepProgram::record_slider_loss(Value noised, Value timesteps) {
  Graph& g = program_.graph();
  SliderValues texts{record_texts(), record_texts(kPositive), record_texts(kNegative), {}};
  if (options_.slider->anchor_weight > 0) {
    texts.anchor = record_texts(kAnchor);
  }
  const SliderLoss slider =
      slider_loss(model_, noised, timesteps, texts, factor("weight"), *options_.slider);
  if (options_.keep_tensors) {
    g.output("prediction", slider.prediction);
    g.output("target", slider.target);
  }
  return slider.loss;
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
                        const RunContext& context, const Tail& tail,
                        const std::function<void()>& meanwhile) {
  Executor& e = program_.executor();
  e.feed("noise", in.noise);
  if (options_.backward) {
    feed(e, "loss_seed", std::vector<double>{loss_seed});
  }
  if (options_.train_vae) {
    e.feed("image", in.images);
  } else {
    feed_denoising(in, c);
  }
  e.run(context, tail);
  if (meanwhile) {
    meanwhile();
  }
  return e.read("loss").at(0);
}

void StepProgram::feed_denoising(const StepInputs& in, const BatchCoefficients& c) {
  Executor& e = program_.executor();
  e.feed("latents", in.latents);
  e.feed("timesteps", std::vector<float>(in.timesteps.begin(), in.timesteps.end()));
  if (options_.pairs) {
    e.feed(kPartners, in.references.at(0).values);
  } else {
    feed_references(e, in.references);
  }
  model_.feed_sizes(e, in.time_ids, shape_.height, shape_.width);
  feed(e, "noised_x0", c.noised_x0);
  feed(e, "noised_noise", c.noised_noise);
  if (!options_.slider) {
    feed(e, "target_x0", c.target_x0);
    feed(e, "target_noise", c.target_noise);
  }
  std::vector<double> weight = c.weight;
  for (std::size_t b = 0; b < in.sample_weight.size(); ++b) {
    weight[b] *= static_cast<double>(in.sample_weight[b]);
  }
  feed(e, "weight", weight);
  if (options_.preserves) {
    if (std::ssize(in.preservation_weight) != shape_.batch) {
      throw Error(message<"the step lacks its preservation weights; was the trace written without "
                          "training.preservation?">());
    }
    e.feed("preservation_weight", in.preservation_weight);
  }
  if (options_.huber) {
    feed(e, "width", c.width);
  }
  if (options_.masked) {
    feed_mask(e, in);
  }
  if (options_.train_text) {
    model_.feed_tokens(e, in.tokens);
    return;
  }
  for (const std::string& name : text_names_) {
    const auto values = in.text.find(name);
    if (values == in.text.end()) {
      throw Error(message<"the step lacks the text input {input}; was the trace written with "
                          "another family of models?">(name));
    }
    e.feed(name, values->second);
  }
}

}  // namespace mantissa
