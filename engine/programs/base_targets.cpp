#include "engine/programs/base_targets.h"

#include "engine/adapters/adapter_set.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

Value adapted_prediction(DiffusionModel& model, Value noised, Value timesteps,
                         const TextValues& text) {
  return cast(model.predict(noised.graph(), noised, timesteps, text), DType::f32);
}

Value base_prediction(DiffusionModel& model, Value noised, Value timesteps,
                      const TextValues& text) {
  const WithoutAdapters base(model.adapters());
  return adapted_prediction(model, noised, timesteps, text);
}

}  // namespace

Value preservation_loss(DiffusionModel& model, Value noised, Value timesteps,
                        const TextValues& text, Value weight) {
  const Value wanted = base_prediction(model, noised, timesteps, text);
  return mse_loss(adapted_prediction(model, noised, timesteps, text), wanted, weight).loss;
}

}  // namespace mantissa
