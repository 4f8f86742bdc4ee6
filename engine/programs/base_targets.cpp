#include "engine/programs/base_targets.h"

#include "engine/adapters/adapter_set.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

Value adapted_prediction(DiffusionModel& model, Value noised, Value timesteps,
                         const TextValues& text, std::span<const Value> references = {}) {
  return cast(model.predict_edit(noised.graph(), noised, timesteps, text, references), DType::f32);
}

Value base_prediction(DiffusionModel& model, Value noised, Value timesteps, const TextValues& text,
                      std::span<const Value> references = {}) {
  const WithoutAdapters base(model.adapters());
  return adapted_prediction(model, noised, timesteps, text, references);
}

}  // namespace

Value preservation_loss(DiffusionModel& model, Value noised, Value timesteps,
                        const TextValues& text, Value weight, std::span<const Value> references) {
  const Value wanted = base_prediction(model, noised, timesteps, text, references);
  return mse_loss(adapted_prediction(model, noised, timesteps, text, references), wanted, weight)
      .loss;
}

SliderLoss slider_loss(DiffusionModel& model, Value noised, Value timesteps,
                       const SliderValues& texts, Value weight, const SliderOptions& options) {
  const auto base = [&](const TextValues& text) {
    return base_prediction(model, noised, timesteps, text);
  };
  const Value kept = base(texts.target);
  const Value change = scale(add(base(texts.positive), scale(base(texts.negative), -1.0F)),
                             static_cast<float>(options.guidance));
  const Value anchored = texts.anchor.empty() ? Value{} : base(texts.anchor);
  SliderLoss result;
  for (const float sign : {-1.0F, 1.0F}) {
    const WithAdapterScale side(model.adapters(), sign);
    result.target = add(kept, scale(change, sign));
    result.prediction = adapted_prediction(model, noised, timesteps, texts.target);
    Value loss = mse_loss(result.prediction, result.target, weight).loss;
    if (anchored) {
      const Value held = adapted_prediction(model, noised, timesteps, texts.anchor);
      loss = add(loss, scale(mse_loss(held, anchored, weight).loss,
                             static_cast<float>(options.anchor_weight)));
    }
    result.loss = result.loss ? add(result.loss, loss) : loss;
  }
  result.loss = scale(result.loss, 0.5F);
  return result;
}

}  // namespace mantissa
