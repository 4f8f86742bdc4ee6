// TrainedSet: initial values of adapters, and values for files.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/low_rank.h"
#include "engine/adapters/parallel_modules.h"
#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/graph/ops.h"

namespace mantissa {

void TrainedSet::initialise(std::uint64_t seed) {
  for (Adapter& adapter : all()) {
    if (adapter.product) {
      int number = 0;
      for (const ProductAdapter::Member& member : adapter.product->members) {
        set(member.tensor, start_values(on(adapter.device), member, seed, adapter.index, number++));
      }
      continue;
    }
    const Tensor& down = adapter.down;
    const std::int64_t fan_in = down.shape.count() / down.shape[0];
    const float bound = 1.0F / std::sqrt(static_cast<float>(fan_in));
    const RandomKey key =
        random_key(seed, RandomStream::init, 0, static_cast<std::uint64_t>(adapter.index));
    std::vector<float> values(static_cast<std::size_t>(down.shape.count()));
    for (std::int64_t i = 0; i < down.shape.count(); i += 4) {
      const auto words = random_block(key, static_cast<std::uint32_t>(i / 4));
      for (std::int64_t j = i; j < std::min(i + 4, down.shape.count()); ++j) {
        const float unit = uniform_from_bits(words[static_cast<std::size_t>(j - i)]);
        values[static_cast<std::size_t>(j)] = bound * (2.0F * unit - 1.0F);
      }
    }
    set(down, values);
  }
}

void TrainedSet::start_pissa(const ReplaceWeight& replace) {
  if (!replace) {
    throw Error(message<"adapter.init pissa changes the base weights, and this caller can't. Set "
                        "adapter.init to standard">());
  }
  starts_.resize(adapters().size());
  std::mutex device;  // a backend serves one thread at a time
  for_each_module(adapters().size(), [&](std::size_t index) {
    Adapter& adapter = all()[index];
    const Tensor& weight = adapted_weight(adapter);
    std::vector<float> residual, random;
    {
      const std::lock_guard lock(device);
      residual = frozen_values(on(adapter.device), weight);
      random = values(adapter.down);
    }
    const std::int64_t rows = weight.shape[0], cols = weight.shape.count() / rows;
    PissaSplit split = pissa_split(residual, rows, cols, adapter.rank, adapter.scale);
    // Directions that the weight has none for keep their random values: with both factors zero they
    // would never change.
    revive_dead(split.down, split.up, adapter.rank, random, kRounding);
    // The residual is relative to the rounded masters.
    Start& start = starts_[index];
    {
      const std::lock_guard lock(device);
      set(adapter.down, split.down);
      set(adapter.up, split.up);
      start = {values(adapter.down), values(adapter.up)};
    }
    subtract_product(residual, start.down, start.up, adapter.rank, adapter.scale);
    const std::lock_guard lock(device);
    replace(weight, residual);
  });
}

void TrainedSet::start_dora(Adapter& adapter) {
  const Tensor& weight = adapted_weight(adapter);
  DoraAdapter& dora = *adapter.dora;
  Kernels& kernels = on(adapter.device);
  dora_squares(kernels, weight, dora.axis, dora.squares.view());
  set(dora.magnitude,
      adapter.product ? changed_norms(kernels, weight, dora.axis, product_change(adapter).view())
                      : dora_norms(kernels, weight, dora.axis, dora.squares.view(),
                                   adapter.down.view(), adapter.up.view(), adapter.scale));
  dora.vanishing = 0;
  for (float square : host_values(kernels, dora.squares.view())) {
    dora.vanishing += square < kDoraLeastNorm * kDoraLeastNorm ? 1 : 0;
  }
}

std::int64_t TrainedSet::vanishing_channels() const {
  std::int64_t count = 0;
  for (const Adapter& adapter : adapters()) {
    count += adapter.dora ? adapter.dora->vanishing : 0;
  }
  return count;
}

/// n for the values of `module`, which has no magnitudes yet.
std::vector<float> TrainedSet::norms_of(const Adapter& adapter, const AdapterModule& module) const {
  const DoraAxis axis = adapter.dora->axis;
  Kernels& kernels = on(adapter.device);
  if (adapter.product) {
    const std::vector<float> unused(static_cast<std::size_t>(adapter.shape.count()));
    const std::vector<float> change = weight_delta(expanded(module), unused);
    return changed_norms(kernels, *adapter.weight, axis,
                         DeviceArray(kernels, change, adapter.shape).view());
  }
  return dora_norms(kernels, *adapter.weight, axis, adapter.dora->squares.view(),
                    DeviceArray(kernels, module.down, module.down_shape).view(),
                    DeviceArray(kernels, module.up, module.up_shape).view(), adapter.scale);
}

AdapterModule TrainedSet::module_of(std::size_t index, const FlatValues& flat,
                                    const FlatValues& magnitudes) const {
  const Adapter& adapter = adapters()[index];
  AdapterModule module;
  if (adapter.product) {
    module = product_of(adapter, flat);
  } else {
    module.path = adapter.path;
    module.rank = adapter.rank;
    module.down_shape = adapter.down.shape;
    module.up_shape = adapter.up.shape;
    module.down = values(adapter.down, flat);
    module.up = values(adapter.up, flat);
  }
  if (adapter.dora) {
    std::vector<float> magnitude = values(adapter.dora->magnitude, magnitudes);
    if (adapter.dora->vanishing > 0) {
      // Readers always divide by n: m = n keeps these channels plain there too.
      const std::vector<float> base = host_values(on(adapter.device), adapter.dora->squares.view());
      const std::vector<float> norms = norms_of(adapter, module);
      for (std::size_t i = 0; i < base.size(); ++i) {
        if (base[i] < kDoraLeastNorm * kDoraLeastNorm) {
          magnitude[i] = norms[i];
        }
      }
    }
    module.dora_axis = adapter.dora->axis;
    module.magnitude = std::move(magnitude);
  }
  if (adapter.product) {
    return module;
  }
  if (!starts_.empty()) {
    append_factors(module, starts_[index].down, starts_[index].up, adapter.rank, -1.0F);
  }
  // Files support alpha / rank only, so every scaling is written as the equivalent alpha.
  module.alpha = options_.scaling == AdapterScaling::standard && starts_.empty()
                     ? static_cast<double>(adapter.alpha)
                     : static_cast<double>(adapter.scale) * module.rank;
  return module;
}

std::vector<AdapterModule> TrainedSet::snapshot(const FlatValues& flat,
                                                const FlatValues& magnitudes) const {
  std::vector<AdapterModule> modules;
  for (std::size_t i = 0; i < adapters().size(); ++i) {
    modules.push_back(module_of(i, flat, magnitudes));
  }
  return modules;
}

std::vector<float> TrainedSet::weight_values(const TrainedWeight& weight,
                                             const FlatValues& flat) const {
  return values(weight.master, flat);
}

std::vector<float> TrainedSet::base_weight(std::string_view path) const {
  const Adapter* known = this->adapter(path);
  if (known == nullptr) {
    throw Error(Message::verbatim(std::string(path) + ": no adapter of that path"));
  }
  const Adapter& adapter = *known;
  std::vector<float> weight = frozen_values(on(adapter.device), adapted_weight(adapter));
  if (!starts_.empty()) {
    const Start& start = starts_[static_cast<std::size_t>(adapter.index)];
    subtract_product(weight, start.down, start.up, adapter.rank, -adapter.scale);
  }
  return weight;
}

}  // namespace mantissa
