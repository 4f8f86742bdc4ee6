#include "engine/optim/transaction.h"

#include <algorithm>
#include <cmath>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/io/module_path.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/prodigy.h"
#include "engine/optim/schedule_free.h"

namespace mantissa {

std::string OptimizerPart::name() const {
  return module_path(part) + (magnitudes ? ".magnitudes" : "");
}

std::vector<OptimizerTensor> optimizer_tensors(const TrainedSet& adapters,
                                               const AdapterBuffer& buffer) {
  std::vector<OptimizerTensor> list;
  for (const AdapterTensor& t : adapters.tensors()) {
    if (t.part == buffer.part && t.magnitude == buffer.magnitudes && t.begin == buffer.begin) {
      const Shape& shape = t.tensor->shape;
      // The vectors of words are no matrix: none depends on another.
      const std::int64_t rows = shape.rank() > 1 && t.part != kEmbeddings ? shape[0] : 1;
      list.push_back({t.offset - t.begin, rows, shape.count() / rows, t.rate_ratio, t.begin});
    }
  }
  std::ranges::sort(list, {}, &OptimizerTensor::offset);
  return list;
}

OptimizerSettings optimizer_settings(const Preset& preset, const AdapterBuffer& buffer) {
  OptimizerSettings settings = optimizer_settings(preset, buffer.part);
  if (buffer.magnitudes) {
    settings.parameters = DType::f32;
    settings.instance += 16;  // separate stochastic-rounding streams
  }
  return settings;
}

/// Sets OptimizerPart::group, and the device where none is given; returns the number of groups.
static std::size_t number_groups(std::vector<OptimizerPart>& parts, Kernels& kernels) {
  std::size_t count = 0;
  for (OptimizerPart& part : parts) {
    count += part.begins_group() ? 1 : 0;
    part.group = count - 1;
    part.device = part.device != nullptr ? part.device : &kernels;
  }
  return count;
}

std::vector<OptimizerPart> make_optimizer_parts(const Preset& preset, const TrainedSet& adapters) {
  std::vector<OptimizerPart> parts;
  std::shared_ptr<ProdigyScale> scale;
  std::shared_ptr<ScheduleFreeSums> sums;
  for (const AdapterBuffer& buffer : adapters.buffers()) {
    const OptimizerSettings settings = optimizer_settings(preset, buffer);
    const OptimizerRow& row = optimizer_row(settings.type);
    if (!row.finds_rate()) {
      scale = nullptr;
    } else if (!buffer.magnitudes) {
      scale = std::make_shared<ProdigyScale>(settings.d_coef, row.schedule_free);
    }
    if (buffer.begin == 0) {
      sums = std::make_shared<ScheduleFreeSums>(/*largest=*/!row.finds_rate());
    }
    parts.push_back(
        {buffer.part, buffer.parameters, buffer.gradients,
         make_optimizer(*buffer.device, settings, optimizer_tensors(adapters, buffer), scale, sums),
         settings.learning_rate, buffer.magnitudes, buffer.device, buffer.begin});
  }
  return parts;
}

StepTransaction::StepTransaction(Kernels& kernels, LossScaler& scaler,
                                 std::vector<OptimizerPart>& parts)
    : kernels_(kernels),
      scaler_(scaler),
      parts_(parts),
      group_count_(number_groups(parts, kernels)),
      cells_(kernels, cells_shape(group_count_), DType::f64),
      whole_(group_count_) {
  for (const OptimizerPart& part : parts_) {
    if (part.device != &kernels_ && !copies_.contains(part.device)) {
      copies_.emplace(part.device, DeviceArray(*part.device, cells_.view().shape, DType::f64));
    }
  }
}

StepOutcome StepTransaction::run(double max_norm, const RateFactor& rate_factor) {
  prepare(max_norm, rate_factor);
  launch({});
  return finish();
}

View StepTransaction::cell_of(const OptimizerPart& part) const {
  const auto copy = copies_.find(part.device);
  const View& cells = copy != copies_.end() ? copy->second.view() : cells_.view();
  return View(group_cells(cells) + part.group, DType::f64, {kCellNumbers});
}

bool StepTransaction::waits() const {
  return std::ranges::any_of(
      parts_, [](const OptimizerPart& part) { return !part.optimizer->follows_cells(); });
}

void StepTransaction::prepare(double max_norm, const RateFactor& rate_factor) {
  std::vector<double> numbers(static_cast<std::size_t>(cells_.view().count()));
  const View host(numbers.data(), DType::f64, cells_.view().shape);
  StepCell step;
  step.scale = scaler_.scale();
  step.clean = static_cast<double>(scaler_.growth_counter());
  step.dynamic = scaler_.dynamic() ? 1 : 0;
  step.max_norm = max_norm;
  *step_cell(host) = step;
  rates_.clear();
  for (const OptimizerPart& part : parts_) {
    if (part.begins_group()) {
      rates_.push_back(part.learning_rate * rate_factor(part.optimizer->updates()));
      group_cells(host)[part.group] = part.optimizer->next_cell(rates_.back());
    }
  }
  kernels_.upload(numbers.data(), cells_.view());
}

void StepTransaction::gather(std::size_t group, const View& whole) {
  for (const OptimizerPart& part : parts_) {
    if (part.group == group) {
      const auto skip = static_cast<std::size_t>(part.begin) * dtype_size(whole.dtype);
      link_.send(*part.device, part.gradients, kernels_,
                 View(whole.as<std::byte>() + skip, whole.dtype, part.gradients.shape));
    }
  }
}

std::vector<View> StepTransaction::all_gradients() {
  std::vector<View> gradients(group_count_);
  std::vector<std::int64_t> counts(group_count_);
  std::vector<bool> here(group_count_, true);
  for (const OptimizerPart& part : parts_) {
    gradients[part.group] = part.gradients;
    counts[part.group] += part.gradients.count();
    here[part.group] = here[part.group] && part.begins_group() && part.device == &kernels_;
  }
  for (std::size_t i = 0; i < group_count_; ++i) {
    if (!here[i]) {
      if (!whole_[i]) {
        whole_[i].emplace(kernels_, Shape{counts[i]}, gradients[i].dtype);
      }
      gradients[i] = whole_[i]->view();
      gather(i, gradients[i]);
    }
  }
  return gradients;
}

void StepTransaction::send_cells() {
  for (const auto& [device, copy] : copies_) {
    link_.send(kernels_, cells_.view(), *device, copy.view());
  }
}

void StepTransaction::launch(const View& loss) {
  kernels_.decide_step(all_gradients(), loss, cells_.view());
  if (waits()) {
    return;
  }
  send_cells();
  for (OptimizerPart& part : parts_) {
    part.optimizer->begin({part.parameters, part.gradients, 0, 1, cell_of(part)});
    part.optimizer->apply();
  }
}

StepOutcome StepTransaction::finish() {
  std::vector<double> numbers(static_cast<std::size_t>(cells_.view().count()));
  kernels_.download(cells_.view(), numbers.data());
  const View host(numbers.data(), DType::f64, cells_.view().shape);
  const StepCell& step = *step_cell(host);
  StepOutcome outcome;
  outcome.learning_rates = rates_;
  outcome.skipped = step.skipped != 0;
  outcome.grad_norm = step.grad_norm;
  outcome.clip_factor = step.clip_factor;
  outcome.clipped = step.clip_factor < 1.0;
  for (OptimizerPart& part : parts_) {
    const GroupCell& cell = group_cells(host)[part.group];
    const bool steps = cell.steps != 0;
    if (part.begins_group()) {
      outcome.group_norms.push_back(cell.norm);
      outcome.group_non_finite.push_back(!std::isfinite(cell.norm));
      outcome.group_stepped.push_back(steps);
      outcome.stepped = outcome.stepped || steps;
    }
    if (steps && waits()) {
      part.optimizer->begin(
          {part.parameters, part.gradients, rates_[part.group], cell.grad_scale, {}});
    } else if (steps) {
      part.optimizer->count_update(rates_[part.group]);
    }
  }
  for (const OptimizerPart& part : parts_) {
    if (outcome.group_stepped[part.group] && waits()) {
      part.optimizer->apply();
    }
  }
  outcome.hopeless = outcome.skipped && scaler_.at_floor();
  scaler_.restore(step.scale, static_cast<std::int64_t>(step.clean));
  return outcome;
}

FusedTransaction::FusedTransaction(Kernels& kernels, LossScaler& scaler,
                                   std::vector<OptimizerPart>& parts, const RateFactor& rate_factor)
    : scaler_(scaler), parts_(parts) {
  if (scaler.dynamic()) {
    throw Error(ErrorKind::precision,
                message<"a step inside the backward pass can't follow a dynamic loss scale, which "
                        "needs a whole-model overflow check. Set optimizer.fused_back_pass to "
                        "false, or precision.compute to bf16">(),
                "S10");
  }
  const std::size_t group_count = number_groups(parts_, kernels);
  for (const OptimizerPart& part : parts_) {
    if (!part.optimizer->steps_by_tensor()) {
      throw Error(message<"this optimizer needs all gradients before it moves a weight. Set "
                          "optimizer.fused_back_pass to false">());
    }
  }
  for (OptimizerPart& part : parts_) {
    if (part.begins_group()) {
      outcome_.learning_rates.push_back(part.learning_rate *
                                        rate_factor(part.optimizer->updates()));
    }
    part.optimizer->begin(
        {part.parameters, part.gradients, outcome_.learning_rates.back(), scaler_.inverse(), {}});
  }
  squares_.resize(group_count);
  outcome_.group_non_finite.resize(group_count);
  outcome_.group_stepped.resize(group_count);
}

void FusedTransaction::tensor_ready(std::size_t part_index, std::size_t tensor) {
  OptimizerPart& part = parts_[part_index];
  const OptimizerTensor& t = part.optimizer->tensors()[tensor];
  const std::size_t skip = static_cast<std::size_t>(t.offset) * dtype_size(part.gradients.dtype);
  const double squares = part.device->sum_of_squares(
      View(part.gradients.as<std::byte>() + skip, part.gradients.dtype, {t.count()}));
  squares_[part.group] += squares;
  if (!std::isfinite(squares)) {
    outcome_.group_non_finite[part.group] = true;
    return;
  }
  part.optimizer->apply_tensor(tensor);
  outcome_.group_stepped[part.group] = true;
}

StepOutcome FusedTransaction::finish() {
  const auto inverse = static_cast<double>(scaler_.inverse());
  double sum = 0;
  for (std::size_t i = 0; i < squares_.size(); ++i) {
    const double squares = squares_[i] * inverse * inverse;
    outcome_.group_norms.push_back(std::sqrt(squares));
    outcome_.skipped = outcome_.skipped || outcome_.group_non_finite[i];
    outcome_.stepped = outcome_.stepped || outcome_.group_stepped[i];
    sum += squares;
  }
  outcome_.grad_norm = std::sqrt(sum);
  outcome_.hopeless = outcome_.skipped;
  scaler_.update(outcome_.skipped);
  return outcome_;
}

FusedUpdates::FusedUpdates(const TrainedSet& adapters, const std::vector<OptimizerPart>& parts,
                           FusedTransaction& transaction)
    : adapters_(adapters) {
  for (const AdapterTensor& entry : adapters_.tensors()) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (parts[part].holds(entry)) {
        const auto& tensors = parts[part].optimizer->tensors();
        const auto at = std::ranges::find(tensors, entry.offset, &OptimizerTensor::offset);
        entry.tensor->gradient_ready = [&transaction, part,
                                        tensor = static_cast<std::size_t>(at - tensors.begin())] {
          transaction.tensor_ready(part, tensor);
        };
      }
    }
  }
}

FusedUpdates::~FusedUpdates() {
  for (const AdapterTensor& entry : adapters_.tensors()) {
    entry.tensor->gradient_ready = nullptr;
  }
}

}  // namespace mantissa
