#include "engine/train/step_program.h"

#include <algorithm>
#include <cstring>

#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

void feed(Executor& executor, const std::string& name, const std::vector<float>& values) {
  const View view = executor.input(name);
  if (view.count() != static_cast<std::int64_t>(values.size())) {
    throw Error("step input " + name + " has " + std::to_string(values.size()) +
                " values, the plan expects " + view.shape.str());
  }
  std::memcpy(view.data, values.data(), values.size() * sizeof(float));
}

/// Per-sample factors are tables in fp64, rounded once to fp32 here.
void feed(Executor& executor, const std::string& name, const std::vector<double>& values) {
  feed(executor, name, std::vector<float>(values.begin(), values.end()));
}

}  // namespace

StepProgram::StepProgram(Kernels& kernels, Arena& arena, SdxlModel& model, const StepShape& shape,
                         const StepOptions& options)
    : shape_(shape), options_(options), program_(kernels, arena) {
  Graph& g = program_.graph();
  const UnetConfig& config = model.unet_config();
  const Shape image{shape.batch, shape.height, shape.width, config.in_channels};
  const Shape batch{shape.batch};
  const Value latents = g.input("latents", DType::f32, image);
  const Value noise = g.input("noise", DType::f32, image);
  const auto factor = [&](const char* name) { return g.input(name, DType::f32, batch); };
  const Value noised = add_noise(latents, noise, factor("noised_x0"), factor("noised_noise"));
  const Value target = add_noise(latents, noise, factor("target_x0"), factor("target_noise"));
  TextGraph text;
  if (options.train_text) {
    text = record_text_encoders(g, model, shape.batch, shape.tokens);
  } else {
    text.context =
        g.input("context", DType::f32, {shape.batch, shape.tokens, config.cross_attention_dim});
    text.pooled = g.input("pooled", DType::f32, {shape.batch, config.pooled_dim()});
  }
  const Value prediction =
      model.unet().forward(g, noised, g.input("timesteps", DType::f32, batch), text.context,
                           text.pooled, g.input("time_ids", DType::f32, {shape.batch, 6}));
  const MseLoss loss = mse_loss(cast(prediction, DType::f32), target, factor("weight"));
  g.output("loss", loss.loss);
  if (options.keep_tensors) {
    g.output("prediction", prediction);
    g.output("target", target);
    g.output("context", text.context);
    g.output("pooled", text.pooled);
  }
  g.backward(loss.loss, options.checkpointing, g.input("loss_seed", DType::f32, Shape{}));
  program_.make_plan();
}

double StepProgram::run(const StepInputs& in, const BatchCoefficients& c, double loss_seed,
                        const RunContext& context) {
  Executor& e = program_.executor();
  feed(e, "latents", in.latents);
  feed(e, "noise", in.noise);
  feed(e, "timesteps", std::vector<float>(in.timesteps.begin(), in.timesteps.end()));
  feed(e, "time_ids", in.time_ids);
  feed(e, "noised_x0", c.noised_x0);
  feed(e, "noised_noise", c.noised_noise);
  feed(e, "target_x0", c.target_x0);
  feed(e, "target_noise", c.target_noise);
  feed(e, "weight", c.weight);
  feed(e, "loss_seed", std::vector<double>{loss_seed});
  if (options_.train_text) {
    feed_text(e, in.tokens);
  } else {
    feed(e, "context", in.context);
    feed(e, "pooled", in.pooled);
  }
  e.run(context);
  return *e.output("loss").as<float>();
}

}  // namespace mantissa
