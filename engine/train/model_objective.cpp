#include "engine/train/model_objective.h"

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/diffusion/vp_objective.h"

namespace mantissa {

namespace {

/// One that ends in pure noise is sampled from that end, which only trailing timesteps reach (arXiv
/// 2305.08891, 3.3).
void end_in_pure_noise(ScheduleConfig& config) {
  config.zero_terminal_snr = true;
  config.spacing = TimestepSpacing::trailing;
}

}  // namespace

SourceObjective source_objective(const WeightSource& source) {
  SourceObjective found;
  ScheduleConfig& config = found.schedule;
  if (const std::string_view own = source.family().betas; !own.empty()) {
    const ScheduleConfig usual = schedule_config_from_json(nlohmann::json::parse(own));
    config.beta_schedule = usual.beta_schedule;
    config.beta_start = usual.beta_start;
    config.beta_end = usual.beta_end;
  }
  if (const auto json = source.scheduler_config()) {
    if (is_flow_config(*json)) {
      found.flow = flow_config_from_json(*json);
      found.prediction = Prediction::flow;
      if (found.flow.dynamic) {
        throw Error(
            message<"scheduler_config.json: field 'use_dynamic_shifting' is true, which models of "
                    "this family aren't trained with here; set it to false and give a 'shift'">());
      }
      return found;
    }
    config = schedule_config_from_json(*json);
    config.steps_offset = source.family().steps_offset.value_or(config.steps_offset);
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
