#include "engine/run/training_state.h"

#include <algorithm>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace {

/// `then` runs even if `use` throws.
void call_then(const std::function<void()>& use, const std::function<void()>& then) {
  try {
    use();
  } catch (...) {
    then();
    throw;
  }
  then();
}

}  // namespace

TrainingState::TrainingState(const Preset& preset, const TrainedSet& adapters,
                             Fp8Scales& fp8_scales)
    : groups(make_optimizer_parts(preset, adapters)),
      scaler(preset.precision.loss_scaling, preset.precision.compute, preset.precision.gradients),
      fp8_scales_(fp8_scales),
      decay_(preset.training.ema) {
  averages_.resize(groups.size());
  trained_.resize(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const OptimizerPart& group = groups[i];
    const View& parameters = group.parameters;
    if (group.optimizer->averages()) {
      trained_[i].emplace(*group.device, parameters.shape, parameters.dtype);
    } else if (decay_ > 0) {
      group.device->copy(parameters, averages_[i].emplace(*group.device, parameters.shape).view());
    }
  }
}

void TrainingState::average(const StepOutcome& outcome) {
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    if (averages_[i] && outcome.group_stepped[groups[i].group]) {
      groups[i].device->ema(groups[i].parameters, decay_, averages_[i]->view());
    }
  }
}

FlatValues TrainingState::averaged(bool magnitudes) const {
  FlatValues views;
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    if (averages_[i] && groups[i].magnitudes == magnitudes) {
      views[{groups[i].part, groups[i].begin}] = averages_[i]->view();
    }
  }
  return views;
}

void TrainingState::with_averages(const std::function<void()>& use) {
  // On the host: the card has no room planned for them.
  std::vector<std::vector<std::byte>> trained(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (averages_[i]) {
      trained[i] = host_bytes(*groups[i].device, groups[i].parameters);
      groups[i].device->copy(averages_[i]->view(), groups[i].parameters);
    }
  }
  const auto put_back = [&] {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (averages_[i]) {
        groups[i].device->upload(trained[i].data(), groups[i].parameters);
      }
    }
  };
  call_then([&] { with_schedule_free(use); }, put_back);
}

void TrainingState::with_schedule_free(const std::function<void()>& use) {
  if (shows_average_) {
    return use();
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (trained_[i]) {
      groups[i].device->copy(groups[i].parameters, trained_[i]->view());
      groups[i].optimizer->average(groups[i].parameters);
    }
  }
  shows_average_ = true;
  call_then(use, [&] {
    shows_average_ = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (trained_[i]) {
        groups[i].device->copy(trained_[i]->view(), groups[i].parameters);
      }
    }
  });
}

std::vector<NamedBuffer> TrainingState::buffers() {
  std::vector<NamedBuffer> buffers;
  // What a group has on several devices is one buffer.
  const auto add = [&buffers](const std::string& name, const View& view, Kernels* device) {
    const auto known = std::ranges::find(buffers, name, &NamedBuffer::name);
    if (known == buffers.end()) {
      buffers.push_back({name, view, device, {}});
    } else if (known->view.data != view.data) {  // numbers on the host are shared
      known->more.push_back({view, device});
    }
  };
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string part = groups[i].name();
    add(part + ".parameters", groups[i].parameters, groups[i].device);
    for (const OptimizerState& s : groups[i].optimizer->state()) {
      add(part + "." + s.name, s.view, s.on_host ? nullptr : groups[i].device);
    }
    if (averages_[i]) {
      add(part + ".ema", averages_[i]->view(), groups[i].device);
    }
  }
  for (const Fp8Scales::State& state : fp8_scales_.states()) {
    buffers.push_back({state.name, state.view, nullptr, {}});
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
