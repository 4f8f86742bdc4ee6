#include "engine/train/live_health.h"

#include <chrono>
#include <cmath>
#include <string>

#include "engine/adapters/dora.h"
#include "engine/io/block_scales.h"

namespace mantissa {
namespace {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// True if values of `from` may change when stored as `to`.
bool rounds(DType from, DType to) {
  const FloatFormat a = float_format(from), b = float_format(to);
  return a.mantissa_bits > b.mantissa_bits || a.max > b.max || a.min_subnormal < b.min_subnormal;
}

/// True if values in a file may change when stored as `to`. Blocks and rotated codes are kept, or
/// become fp32.
bool changes(const WeightView& file, DType to) {
  if (is_blocked(file.dtype)) {
    return is_blocked(to) ? !keeps_blocks(to, file.dtype) : rounds(DType::f32, to);
  }
  if (file.rotation > 0) {
    return !(file.dtype == to && file.straight()) && rounds(DType::f32, to);
  }
  return rounds(file.dtype, to);
}

}  // namespace

HealthRecord LiveHealth::weights(DiffusionModel& model) const {
  const Stopwatch watch;
  HealthRecord record;
  std::vector<float> values;
  model.weights().each([&](Part part, std::string_view name, const Tensor& tensor, bool replaced) {
    Kernels& kernels = model.weights().on(tensor);
    if (replaced || !changes(model.source().view(part, name), tensor.dtype)) {
      return;
    }
    values.resize(static_cast<std::size_t>(tensor.shape.count()));
    model.source().read_f32(part, name, values);
    if (is_blocked(tensor.dtype)) {
      record.rows.push_back({tensor.name, HealthKind::weight, tensor.dtype,
                             block_statistics(values, frozen_values(kernels, tensor))});
      return;
    }
    const DeviceArray matrix(kernels, values,
                             {tensor.shape[0], tensor.shape.count() / tensor.shape[0]});
    const WeightOnDevice there(kernels, tensor);
    record.rows.push_back(
        {tensor.name, HealthKind::weight, tensor.dtype,
         kernels.tensor_statistics(matrix.view(), {}, tensor.dtype, there->scale_view())});
  });
  record.seconds = watch.seconds();
  return record;
}

HealthRow LiveHealth::magnitude_row(const Adapter& adapter) {
  Kernels& kernels = adapters_.on(adapter.dora->magnitude);
  std::vector<float> ratio = host_values(kernels, adapter.dora->magnitude.view());
  const std::vector<float> squares = host_values(kernels, adapter.dora->squares.view());
  double drift = 0;
  for (std::size_t i = 0; i < ratio.size(); ++i) {
    // Zero-norm channels stay plain LoRA: they have not moved.
    ratio[i] = squares[i] > 0 ? ratio[i] / std::sqrt(squares[i]) : 1.0F;
    drift += std::fabs(ratio[i] - 1.0F) / static_cast<double>(ratio.size());
  }
  const View ratios = ratios_.of(kernels, {static_cast<std::int64_t>(ratio.size())});
  set_values(kernels, ratio, ratios);
  return {adapter.dora->magnitude.name, HealthKind::magnitude, DType::f32,
          kernels.tensor_statistics(ratios, {}, DType::f32, {}), drift};
}

void LiveHealth::start(StepProgram& program) {
  std::unique_ptr<HealthWatch>& watch = watches_[&program];
  if (!watch) {
    watch = std::make_unique<HealthWatch>(program.graph());
  }
  record_ = {};
  queue_.take();  // of a step that failed
  program.executor().set_watch(watch->look(record_, queue_));
}

HealthRecord LiveHealth::finish(std::int64_t step) {
  const Stopwatch watch;
  add_gradients(record_);
  take_statistics(queue_, record_);
  add_magnitudes(record_);
  record_.seconds += watch.seconds();
  record_.step = step;
  return std::move(record_);
}

void LiveHealth::add_gradients(HealthRecord& record) {
  for (const AdapterTensor& t : adapters_.tensors()) {
    const View gradient = t.tensor->grad_view();
    queue_.add(adapters_.on(*t.tensor), gradient, {}, gradient.dtype, {});
    record.rows.push_back({t.name, HealthKind::adapter_gradient, gradient.dtype, {}});
  }
}

void LiveHealth::add_magnitudes(HealthRecord& record) {
  for (const Adapter& adapter : adapters_.adapters()) {
    if (adapter.dora) {
      record.rows.push_back(magnitude_row(adapter));
    }
  }
}

}  // namespace mantissa
