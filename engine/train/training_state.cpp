#include "engine/train/training_state.h"

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {

TrainingState::TrainingState(Kernels& kernels, const Preset& preset, const AdapterSet& adapters,
                             Fp8Scales& fp8_scales)
    : groups(make_groups(kernels, preset, adapters)),
      scaler(preset.precision.loss_scaling, preset.precision.compute, preset.precision.gradients),
      kernels_(kernels),
      fp8_scales_(fp8_scales),
      decay_(preset.training.ema) {
  if (decay_ > 0) {
    for (const OptimizerPart& group : groups) {
      kernels_.copy(group.parameters,
                    averages_.emplace_back(kernels_, group.parameters.shape).view());
    }
  }
}

void TrainingState::average(const StepOutcome& outcome) {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    if (outcome.group_stepped[i]) {
      kernels_.ema(groups[i].parameters, decay_, averages_[i].view());
    }
  }
}

std::map<Part, View> TrainingState::averaged(bool magnitudes) const {
  std::map<Part, View> views;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    if (groups[i].magnitudes == magnitudes) {
      views[groups[i].part] = averages_[i].view();
    }
  }
  return views;
}

void TrainingState::with_averages(const std::function<void()>& use) {
  std::vector<DeviceArray> current;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    const View& parameters = groups[i].parameters;
    kernels_.copy(parameters,
                  current.emplace_back(kernels_, parameters.shape, parameters.dtype).view());
    kernels_.copy(averages_[i].view(), parameters);
  }
  const auto put_back = [&] {
    for (std::size_t i = 0; i < current.size(); ++i) {
      kernels_.copy(current[i].view(), groups[i].parameters);
    }
  };
  try {
    use();
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
}

std::vector<NamedBuffer> TrainingState::buffers() {
  std::vector<NamedBuffer> buffers;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string part = groups[i].name();
    buffers.push_back({part + ".parameters", groups[i].parameters, &kernels_});
    for (const OptimizerState& s : groups[i].optimizer->state()) {
      buffers.push_back({part + "." + s.name, s.view, &kernels_});
    }
    if (!averages_.empty()) {
      buffers.push_back({part + ".ema", averages_[i].view(), &kernels_});
    }
  }
  for (const Fp8Scales::State& state : fp8_scales_.states()) {
    buffers.push_back({state.name, state.view});
  }
  return buffers;
}

void TrainingState::describe(CheckpointState& state) const {
  state.step = step;
  state.updates = updates;
  state.skips_in_row = skips_in_row;
  state.loss_scale = scaler.scale();
  state.growth_counter = scaler.growth_counter();
  for (const OptimizerPart& group : groups) {
    state.optimizer_updates[group.name()] = group.optimizer->updates();
  }
}

void TrainingState::restore(const CheckpointState& saved, const std::filesystem::path& checkpoint) {
  fp8_scales_.push();
  step = saved.step;
  updates = saved.updates;
  skips_in_row = saved.skips_in_row;
  scaler.restore(saved.loss_scale, saved.growth_counter);
  for (OptimizerPart& group : groups) {
    const auto counted = saved.optimizer_updates.find(group.name());
    if (counted == saved.optimizer_updates.end()) {
      throw Error(message<"{file}: field 'optimizer_updates' lacks {part}. Resume with the preset "
                          "the run was started with">(path_to_utf8(checkpoint / "state.json"),
                                                      group.name()));
    }
    group.optimizer->set_updates(counted->second);
  }
}

}  // namespace mantissa
