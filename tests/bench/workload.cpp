#include "tests/bench/workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <map>

#include "engine/core/error.h"
#include "engine/diffusion/vp_objective.h"
#include "engine/graph/device_values.h"
#include "engine/graph/ops.h"
#include "engine/io/safetensors.h"
#include "engine/models/stable_diffusion/sd_model.h"
#include "engine/nn/transformer.h"

namespace mantissa::bench {
namespace {

constexpr std::uint64_t kSeed = 2024;
constexpr std::int64_t kTextTokens = 77;
constexpr int kRank = 16;

Preset lora_preset(const Preset::Adapter& adapter, const Preset::Precision& precision) {
  Preset p;
  p.precision = precision;
  p.adapter = adapter;
  p.adapter.rank = kRank;
  p.adapter.alpha = kRank;
  p.optimizer.learning_rate = 1e-4;
  return p;
}

}  // namespace

Workload::Workload(Kernels& kernels, const WeightSource& source, const Preset::Adapter& adapter,
                   const Preset::Precision& precision)
    : kernels_(kernels),
      source_(source),
      preset_(lora_preset(adapter, precision)),
      adapters_(kernels, preset_, source.family()),
      scaler_(preset_.precision.loss_scaling, preset_.precision.compute,
              preset_.precision.gradients) {}

std::vector<float> Workload::random(std::uint32_t stream, std::int64_t count, float scale) const {
  std::vector<float> values = normal_values(kernels_, count, {kSeed, stream, 0, 0});
  for (float& v : values) {
    v *= scale;
  }
  return values;
}

void Workload::finish_binding() {
  adapters_.finalize(kSeed);
  // Neither half is zero, so that every gradient is meaningful.
  std::map<std::string, std::vector<float>> state;
  std::uint32_t stream = 1000;
  for (const AdapterTensor& t : adapters_.tensors()) {
    state[t.name] = t.magnitude ? adapters_.values(*t.tensor)
                                : random(stream++, t.tensor->shape.count(), 0.05F);
  }
  adapters_.load(state);
  groups_ = make_optimizer_parts(preset_, adapters_);
}

double Workload::gradients() {
  adapters_.zero_gradients();
  return forward_backward();
}

double Workload::train_step() {
  const double loss = gradients();
  StepTransaction(kernels_, scaler_, groups_).run(preset_.training.max_grad_norm, [](std::int64_t) {
    return 1.0;
  });
  return loss;
}

void Workload::dump(const std::filesystem::path& file) {
  const float loss = static_cast<float>(gradients());
  const std::vector<Input> given = inputs();
  std::vector<TensorToWrite> list{{"loss", DType::f32, Shape{}, &loss, {}}};
  for (const Input& input : given) {
    list.push_back({"input." + input.name, DType::f32, input.shape, input.values.data(), {}});
  }
  std::deque<std::vector<float>> fetched;
  for (const AdapterTensor& t : adapters_.tensors()) {
    const auto add = [&](const std::string& name, std::vector<float> values) {
      list.push_back(
          {name, DType::f32, t.tensor->shape, fetched.emplace_back(std::move(values)).data(), {}});
    };
    add("adapter." + t.name, adapters_.values(*t.tensor));
    add("grad." + t.name, adapters_.gradient(*t.tensor));
  }
  std::vector<std::vector<float>> weights;
  if (dump_weights_) {
    for (const std::string& name : source_.names(kDenoiser)) {
      const Shape shape = source_.shape(kDenoiser, name);
      weights.emplace_back(static_cast<std::size_t>(shape.count()));
      source_.read_f32(kDenoiser, name, weights.back());
      list.push_back({"weight." + name, DType::f32, shape, weights.back().data(), {}});
    }
  }
  write_safetensors(file, list);
}

namespace {

/// The mini UNet through the trainer's own step program.
class UnetWorkload : public Workload {
 public:
  UnetWorkload(Kernels& kernels, const std::filesystem::path& base, std::int64_t batch,
               const Preset::Adapter& adapter, const Preset::Precision& precision)
      : Workload(kernels, WeightSource::open(base), adapter, precision),
        model_(&kernels, source_, &adapters_, PrecisionRules(precision)),
        arena_(kernels),
        inference_(kernels, arena_) {
    model_.bind(std::vector<Part>{kDenoiser});
    finish_binding();
    make_inputs(batch);
    step_.emplace(kernels, arena_, model_, StepShape{batch, in_.height, in_.width, kTextTokens},
                  StepOptions{});
    record_inference();
  }

  void infer() override {
    Executor& e = inference_.executor();
    e.feed("latents", in_.latents);
    e.feed("timesteps", std::vector<float>(in_.timesteps.begin(), in_.timesteps.end()));
    e.feed("context", in_.text["context"]);
    e.feed("pooled", in_.text["pooled"]);
    e.feed("time_ids", in_.time_ids);
    e.run({});
    kernels_.synchronize();
  }
  Executor& executor() override { return step_->executor(); }

 protected:
  double forward_backward() override { return step_->run(in_, coefficients_, 1.0, {kSeed, 0}); }

  std::vector<Input> inputs() const override {
    const Shape image{in_.batch, in_.height, in_.width, in_.channels};
    const Shape batch{in_.batch};
    const auto column = [](const auto& v) { return std::vector<float>(v.begin(), v.end()); };
    return {{"latents", image, in_.latents},
            {"noise", image, in_.noise},
            {"timesteps", batch, column(in_.timesteps)},
            {"signal", batch, column(coefficients_.noised_x0)},
            {"sigma", batch, column(coefficients_.noised_noise)},
            {"context",
             {in_.batch, kTextTokens, model_.unet_config().cross_attention_dim},
             in_.text.at("context")},
            {"pooled", {in_.batch, model_.unet_config().pooled_dim()}, in_.text.at("pooled")},
            {"time_ids", {in_.batch, 6}, in_.time_ids}};
  }

 private:
  void make_inputs(std::int64_t batch) {
    const UnetConfig& c = model_.unet_config();
    in_.batch = batch;
    in_.height = in_.width = c.sample_size;
    in_.channels = c.in_channels;
    const std::int64_t count = batch * in_.height * in_.width * in_.channels;
    in_.latents = random(1, count, 1.0F);
    in_.noise = random(2, count, 1.0F);
    in_.text["context"] = random(3, batch * kTextTokens * c.cross_attention_dim, 1.0F);
    in_.text["pooled"] = random(4, batch * c.pooled_dim(), 1.0F);
    const auto ids = micro_conditioning(128, 128, 0, 0, 128, 128);
    for (std::int64_t b = 0; b < batch; ++b) {
      in_.timesteps.push_back(static_cast<double>(37 + b * 900 / batch));
      in_.time_ids.insert(in_.time_ids.end(), ids.begin(), ids.end());
    }
    coefficients_ = batch_coefficients(VpObjective(), {}, in_.timesteps);
  }

  void record_inference() {
    Graph& g = inference_.graph();
    const UnetConfig& c = model_.unet_config();
    const WithoutDropout inferring(&adapters_);
    g.output(
        "prediction",
        model_.unet().forward(
            g, g.input("latents", DType::f32, {in_.batch, in_.height, in_.width, in_.channels}),
            g.input("timesteps", DType::f32, {in_.batch}),
            g.input("context", DType::f32, {in_.batch, kTextTokens, c.cross_attention_dim}),
            g.input("pooled", DType::f32, {in_.batch, c.pooled_dim()}),
            g.input("time_ids", DType::f32, {in_.batch, 6})));
    inference_.make_plan();
  }

  StableDiffusion model_;
  Arena arena_;
  StepInputs in_;
  BatchCoefficients coefficients_;
  std::optional<StepProgram> step_;
  Program inference_;
};

constexpr std::int64_t kTokens = 1024, kWidth = 640, kContext = 2048;
constexpr int kHeads = 10;
constexpr const char* kBlock = "down_blocks.1.attentions.0.transformer_blocks.0";

/// A seeded block written as a base model: widths of SDXL's second level.
WeightSource make_block_file(Kernels& kernels, const std::string& name) {
  const std::map<std::string, Shape> shapes{
      {"norm1.weight", {kWidth}},
      {"norm1.bias", {kWidth}},
      {"norm2.weight", {kWidth}},
      {"norm2.bias", {kWidth}},
      {"norm3.weight", {kWidth}},
      {"norm3.bias", {kWidth}},
      {"attn1.to_q.weight", {kWidth, kWidth}},
      {"attn1.to_k.weight", {kWidth, kWidth}},
      {"attn1.to_v.weight", {kWidth, kWidth}},
      {"attn1.to_out.0.weight", {kWidth, kWidth}},
      {"attn1.to_out.0.bias", {kWidth}},
      {"attn2.to_q.weight", {kWidth, kWidth}},
      {"attn2.to_k.weight", {kWidth, kContext}},
      {"attn2.to_v.weight", {kWidth, kContext}},
      {"attn2.to_out.0.weight", {kWidth, kWidth}},
      {"attn2.to_out.0.bias", {kWidth}},
      {"ff.net.0.proj.weight", {8 * kWidth, kWidth}},
      {"ff.net.0.proj.bias", {8 * kWidth}},
      {"ff.net.2.weight", {kWidth, 4 * kWidth}},
      {"ff.net.2.bias", {kWidth}},
  };
  std::vector<TensorToWrite> list;
  std::uint32_t stream = 100;
  for (const auto& [name, shape] : shapes) {
    list.push_back({std::string(kBlock) + "." + name, DType::f32, shape, nullptr, {}});
    const bool matrix = shape.rank() == 2;
    const float scale =
        matrix ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(shape[1]))) : 0.1F;
    const float centre = name.starts_with("norm") && name.ends_with("weight") ? 1.0F : 0.0F;
    const std::int64_t count = shape.count();
    list.back().fill = [&kernels, count, scale, centre, key = stream++](std::span<std::byte> out) {
      std::vector<float> values = normal_values(kernels, count, {kSeed, key, 0, 0});
      for (float& v : values) {
        v = v * scale + centre;
      }
      std::memcpy(out.data(), values.data(), out.size());
    };
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("mantissa-bench-" + name);
  std::filesystem::create_directories(folder / "unet");
  write_safetensors(folder / "unet" / "diffusion_pytorch_model.safetensors", list);
  return WeightSource::open(folder);
}

/// One transformer block with gradients for its input too, as in the middle of a UNet.
class BlockWorkload : public Workload {
 public:
  BlockWorkload(Kernels& kernels, const std::string& name, const Preset::Adapter& adapter,
                const Preset::Precision& precision)
      : Workload(kernels, make_block_file(kernels, name), adapter, precision),
        rules_(precision),
        weights_(kernels, source_),
        block_(Scope(weights_, &adapters_, kDenoiser, &rules_) / kBlock, kWidth, kContext, kHeads),
        arena_(kernels),
        training_(kernels, arena_),
        inference_(kernels, arena_) {
    dump_weights_ = true;
    finish_binding();
    const std::int64_t count = kTokens * kWidth;
    x_ = random(1, count, 1.0F);
    target_ = random(2, count, 1.0F);
    context_ = random(3, kTextTokens * kContext, 1.0F);
    Graph& g = training_.graph();
    const DType activations = rules_.activations("unet");
    const Value x = g.input("x", DType::f32, {1, kTokens, kWidth}, true);
    const Value context =
        cast(g.input("context", DType::f32, {1, kTextTokens, kContext}), activations);
    const Value target = g.input("target", DType::f32, {1, kTokens, kWidth});
    const Value weight = g.input("weight", DType::f32, {1});
    const Value y = block_(cast(x, activations), context);
    const Loss loss = mse_loss(cast(y, DType::f32), target, weight);
    g.output("loss", loss.loss);
    g.backward(loss.loss, false);
    g.output("d_x", g.gradient(x));
    training_.make_plan();
    Graph& f = inference_.graph();
    const WithoutDropout inferring(&adapters_);
    const Value tokens = f.input("x", DType::f32, {1, kTokens, kWidth});
    const Value text = f.input("context", DType::f32, {1, kTextTokens, kContext});
    f.output("y", cast(block_(cast(tokens, activations), cast(text, activations)), DType::f32));
    inference_.make_plan();
  }

  void infer() override {
    Executor& e = inference_.executor();
    e.feed("x", x_);
    e.feed("context", context_);
    e.run({});
    kernels_.synchronize();
  }
  Executor& executor() override { return training_.executor(); }

 protected:
  double forward_backward() override {
    Executor& e = training_.executor();
    e.feed("x", x_);
    e.feed("context", context_);
    e.feed("target", target_);
    e.feed("weight", std::vector<float>{1.0F});
    e.run({kSeed, 0});
    return e.read("loss").at(0);
  }
  std::vector<Input> inputs() const override {
    return {{"x", {1, kTokens, kWidth}, x_},
            {"target", {1, kTokens, kWidth}, target_},
            {"context", {1, kTextTokens, kContext}, context_}};
  }

 private:
  PrecisionRules rules_;
  WeightStore weights_;
  TransformerBlock block_;
  Arena arena_;
  Program training_, inference_;
  std::vector<float> x_, target_, context_;
};

Preset::Adapter adapter_of(const std::string& name) {
  Preset::Adapter adapter;
  adapter.type = name.find("_dora") != std::string::npos ? AdapterType::dora : AdapterType::lora;
  adapter.dora_axis = name.ends_with("_dora_input") ? DoraAxis::input : DoraAxis::output;
  return adapter;
}

Preset::Precision precision_of(const std::string& name) {
  Preset::Precision precision;
  if (name.find("_bf16") != std::string::npos || name.ends_with("_weights")) {
    precision.compute = ComputeType::bf16;
    precision.weights.denoiser = StorageType::bf16;
  } else if (name.ends_with("_fp8")) {
    precision.compute = ComputeType::fp8;
  } else if (name.ends_with("_int8")) {
    precision.compute = ComputeType::int8;
  }
  if (name.find("_fp8") != std::string::npos) {
    precision.weights.denoiser = StorageType::fp8_e4m3;
  } else if (name.find("_rotated_int8") != std::string::npos) {
    precision.weights.denoiser = StorageType::int8_convrot;
  } else if (name.find("_int8") != std::string::npos) {
    precision.weights.denoiser = StorageType::int8;
  } else if (name.find("_nf4") != std::string::npos) {
    precision.weights.denoiser = StorageType::nf4;
  }
  return precision;
}

}  // namespace

std::vector<std::string> workload_names() {
  return {"unet2",
          "unet4",
          "unet2_bf16",
          "unet2_fp8_weights",
          "unet2_dora",
          "block",
          "block_dora",
          "block_dora_input",
          "block_bf16",
          "block_bf16_dora",
          "block_fp8_weights",
          "block_fp8",
          "block_int8_weights",
          "block_int8",
          "block_rotated_int8",
          "block_nf4_weights"};
}

std::unique_ptr<Workload> make_workload(const std::string& name, Kernels& kernels,
                                        const std::filesystem::path& base) {
  const std::vector<std::string> names = workload_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    const Preset::Adapter adapter = adapter_of(name);
    const Preset::Precision precision = precision_of(name);
    if (name.starts_with("block")) {
      return std::make_unique<BlockWorkload>(kernels, name, adapter, precision);
    }
    return std::make_unique<UnetWorkload>(kernels, base, name.starts_with("unet2") ? 2 : 4, adapter,
                                          precision);
  }
  throw Error(Message::verbatim("no workload '" + name + "'. There are " +
                                fmt::format("{}", fmt::join(workload_names(), ", "))));
}

}  // namespace mantissa::bench
