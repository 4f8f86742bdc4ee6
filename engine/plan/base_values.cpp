#include "engine/plan/base_values.h"

#include <string>
#include <vector>

#include "engine/adapters/dora.h"
#include "engine/io/finite_weights.h"
#include "engine/io/pages.h"
#include "engine/plan/run_inputs.h"

namespace mantissa {
namespace {

struct LoadedWeight {
  Part part;
  std::string name;  ///< in its part
  DType dtype;       ///< in memory
  bool quantized;
};

std::vector<LoadedWeight> loaded_weights(const PlannedRun& run) {
  std::vector<LoadedWeight> weights;
  const auto model = bound_networks(run);
  model->weights().each([&](Part part, std::string_view name, const Tensor& tensor, bool) {
    weights.push_back({part, std::string(name), tensor.dtype, tensor.quantized()});
  });
  return weights;
}

}  // namespace

void require_loadable(const PlannedRun& run, const Progress& progress) {
  const std::vector<LoadedWeight> weights = loaded_weights(run);
  std::vector<std::byte> converted;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const LoadedWeight& weight = weights[i];
    const WeightView view = run.source.view(weight.part, weight.name);
    if (weight.quantized || weight.dtype == view.dtype) {
      require_finite(run.source, weight.part, weight.name);
    } else {
      // A narrower type may not hold every value.
      converted.resize(static_cast<std::size_t>(view.shape.count()) * dtype_size(weight.dtype));
      run.source.read_as(weight.part, weight.name, weight.dtype, converted.data());
    }
    release_pages({view.data, view.bytes()});
    if (progress) {
      progress(RunPhase::loading, static_cast<std::int64_t>(i) + 1, std::ssize(weights));
    }
  }
}

std::int64_t empty_dora_channels(const PlannedRun& run) {
  const PlannedAdapters planned(run);
  std::int64_t empty = 0;
  for (const Adapter& adapter : planned.set.adapters()) {
    if (adapter.dora && adapter.weight != nullptr) {
      const std::vector<float> values = planned.model->weights().values(adapter.weight->name);
      empty += empty_channels(values, adapter.shape, adapter.dora->axis);
    }
  }
  return empty;
}

}  // namespace mantissa
