#include "engine/diffusion/model_objective.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/diffusion/vp_objective.h"
#include "engine/io/config_fields.h"
#include "engine/io/model_index.h"

namespace mantissa {

namespace {

/// A schedule that ends in pure noise must be sampled from that end, which only trailing timesteps
/// reach (arXiv 2305.08891, 3.3).
void end_in_pure_noise(ScheduleConfig& config) {
  config.zero_terminal_snr = true;
  config.spacing = TimestepSpacing::trailing;
}

/// EDM's noise levels have no end, and its inputs and outputs are scaled by them: neither a VP
/// schedule nor a rectified flow gives the same targets.
void refuse_edm(const WeightSource& source) {
  for (const std::string& marker : source.markers()) {
    if (marker.starts_with("edm_")) {
      throw Error(
          message<"{file}: the tensor {tensor} marks a model that is trained by EDM's noise levels "
                  "(as CosXL and Playground 2.5 are), which aren't supported. Choose a base model "
                  "that predicts noise (epsilon), velocity (v) or a flow">(
              path_to_utf8(source.path()), marker));
    }
  }
}

/// FlowConfig::sampling_grid of a model whose pipeline has it among its settings.
std::vector<double> sampling_grid(const WeightSource& source) {
  const nlohmann::json settings = pipeline_settings(source.model_index(), source.family());
  const ConfigFields f(settings, "model_index.json");
  const nlohmann::json* list = f.find(kSamplingGrid);
  if (list == nullptr) {
    return {};
  }
  std::vector<double> levels = f.numbers(kSamplingGrid, list->size());
  const bool down =
      std::adjacent_find(levels.begin(), levels.end(), std::less_equal<>()) == levels.end();
  if (levels.empty() || !down || levels.front() > 1 || levels.back() <= 0) {
    f.fail(kSamplingGrid,
           message<"is {found}; noise levels go down from 1">(ConfigFields::start_of(*list)));
  }
  return levels;
}

/// A flow's scheduler, sampled as the model's pipeline does it.
FlowConfig flow_of(const WeightSource& source, const nlohmann::json& scheduler) {
  const Family& family = source.family();
  FlowConfig flow = flow_config_from_json(scheduler);
  flow.sampling_mu = family.sampling_mu != nullptr ? family.sampling_mu(source) : nullptr;
  flow.sampling_grid = sampling_grid(source);
  return flow;
}

}  // namespace

SourceObjective source_objective(const WeightSource& source) {
  refuse_edm(source);
  SourceObjective found;
  ScheduleConfig& config = found.schedule;
  const auto own = nlohmann::json::parse(source.family().scheduler);
  if (is_flow_config(own)) {
    found.flow = flow_of(source, own);
  } else {
    const ScheduleConfig usual = schedule_config_from_json(own);
    config.beta_schedule = usual.beta_schedule;
    config.beta_start = usual.beta_start;
    config.beta_end = usual.beta_end;
  }
  if (const auto json = source.scheduler_config()) {
    if (is_flow_config(*json)) {
      found.flow = flow_of(source, *json);
      found.prediction = Prediction::flow;
      return found;
    }
    config = schedule_config_from_json(*json);
    config.steps_offset = source.family().steps_offset.value_or(config.steps_offset);
  } else if (is_flow_config(own)) {
    found.prediction = Prediction::flow;
    return found;
  }
  if (source.has_marker("v_pred")) {
    config.prediction = Prediction::v;
  }
  if (source.has_marker("ztsnr")) {
    end_in_pure_noise(config);
  }
  found.prediction = config.prediction;
  return found;
}

std::shared_ptr<const Objective> model_objective(const WeightSource& source, const Preset& preset) {
  SourceObjective found = source_objective(source);
  const Prediction asked = preset.training.prediction;
  if (asked == Prediction::flow && found.prediction != Prediction::flow) {
    // The model becomes a flow: nothing else defines its sampling.
    found.flow.shift = preset.training.flow_shift.value_or(found.flow.shift);
  }
  if (asked != Prediction::automatic) {
    found.prediction = asked;
  }
  if (found.prediction == Prediction::flow) {
    return std::make_shared<RectifiedFlow>(found.flow);
  }
  found.schedule.prediction = found.prediction;
  if (preset.training.zero_terminal_snr && !found.schedule.zero_terminal_snr) {
    end_in_pure_noise(found.schedule);
  }
  return std::make_shared<VpObjective>(found.schedule);
}

void set_objective(ModelContents& model, const Objective& objective) {
  if (const auto* flow = dynamic_cast<const RectifiedFlow*>(&objective)) {
    model.scheduler = to_json(flow->config());
    model.markers.clear();
    return;
  }
  const ScheduleConfig& schedule = dynamic_cast<const VpObjective&>(objective).schedule().config();
  set_prediction(model, schedule.prediction == Prediction::v, schedule.zero_terminal_snr);
}

}  // namespace mantissa
