// AdapterSet: initial values of adapters, and values for files.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/adapter_set.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/low_rank.h"
#include "engine/adapters/parallel_modules.h"
#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

const Tensor& weight_of(const LoraAdapter& adapter) {
  if (adapter.weight == nullptr || !adapter.weight->loaded()) {
    throw Error(
        Message::verbatim(adapter.path +
                          ": this kind of adapter is computed from the weight it adapts, and "
                          "the layer was bound without loading one"));
  }
  return *adapter.weight;
}

}  // namespace

void AdapterSet::initialise(std::uint64_t seed) {
  for (LoraAdapter& adapter : adapters_) {
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

void AdapterSet::start_pissa(const ReplaceWeight& replace) {
  if (!replace) {
    throw Error(message<"adapter.init pissa changes the base weights, and this caller can't. Set "
                        "adapter.init to standard">());
  }
  starts_.resize(adapters_.size());
  std::mutex device;  // a backend serves one thread at a time
  for_each_module(adapters_.size(), [&](std::size_t index) {
    LoraAdapter& adapter = adapters_[index];
    const Tensor& weight = weight_of(adapter);
    std::vector<float> residual, random;
    {
      const std::lock_guard lock(device);
      residual = frozen_values(on(adapter.device), weight);
      random = values(adapter.down);
    }
    const std::int64_t rows = weight.shape[0], cols = weight.shape.count() / rows;
    PissaSplit split = pissa_split(residual, rows, cols, adapter.rank, adapter.scale);
    // Rows beyond the weight's own rank keep their random values: with both factors zero they would
    // never change.
    const auto used = static_cast<std::size_t>(std::min({rows, cols, std::int64_t{adapter.rank}}));
    const auto first = static_cast<std::ptrdiff_t>(used * static_cast<std::size_t>(cols));
    std::copy(random.begin() + first, random.end(), split.down.begin() + first);
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

void AdapterSet::start_dora(LoraAdapter& adapter) {
  const Tensor& weight = weight_of(adapter);
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

std::int64_t AdapterSet::vanishing_channels() const {
  std::int64_t count = 0;
  for (const LoraAdapter& adapter : adapters_) {
    count += adapter.dora ? adapter.dora->vanishing : 0;
  }
  return count;
}

std::optional<WeightFactor> AdapterSet::common_factor(const std::string& path,
                                                      const std::vector<FixedModule>& modules,
                                                      const Shape& weight) {
  std::optional<WeightFactor> result;
  for (const auto& [module, strength] : modules) {
    if (!module.dora_axis) {
      continue;
    }
    const std::int64_t channels = dora_channels(weight, *module.dora_axis);
    if (static_cast<std::int64_t>(module.magnitude.size()) != channels) {
      throw Error(message<"{path}: the DoRA holds {count} magnitudes, but the model's weight "
                          "{shape} has {channels} channels on that axis">(
          path, module.magnitude.size(), weight.str(), channels));
    }
    if (result && result->axis != *module.dora_axis) {
      throw Error(
          message<"{path}: one DoRA scales this weight's outputs and another its inputs; they "
                  "can't be applied together. Merge one of them into the base model first">(path));
    }
    result.emplace().axis = *module.dora_axis;
    result->factor.name = path + ".factor";
    result->factor.shape = {channels};
  }
  return result;
}

void AdapterSet::merge(const ReplaceWeight& replace) {
  for (const auto& [path, weight] : merged_) {
    if (!replace || weight == nullptr || !weight->loaded()) {
      throw Error(Message::verbatim(
          path + ": this adapter changes the whole weight, and it was bound without loading one"));
    }
    const std::vector<float> base = frozen_values(*kernels_, *weight);
    std::vector<float> sum = base;
    for (const auto& [module, strength] : fixed_.find(path)->second) {
      const std::vector<float> delta = weight_delta(module, base);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += static_cast<float>(strength) * delta[i];
      }
    }
    replace(*weight, sum);
  }
}

void AdapterSet::fold(LoraAdapter& adapter, const std::vector<FixedModule>& modules) {
  LoraModule sum;
  sum.down_shape = adapter.down.shape;
  sum.up_shape = adapter.up.shape;
  sum.down_shape[0] = sum.up_shape[1] = 0;
  std::vector<float> total;
  if (adapter.factor) {
    total.assign(static_cast<std::size_t>(adapter.factor->factor.shape.count()), 1.0F);
  }
  for (const auto& [module, strength] : modules) {
    std::vector<float> down = module.down, up = module.up;
    const auto scale = static_cast<float>(module.alpha / module.rank);
    if (module.dora_axis) {
      const DoraAxis axis = *module.dora_axis;
      const Tensor& weight = weight_of(adapter);
      const Shape channels = adapter.factor->factor.shape;
      const DeviceArray squares(*kernels_, channels,
                                weight.dtype == DType::f64 ? DType::f64 : DType::f32);
      dora_squares(*kernels_, weight, axis, squares.view());
      const std::vector<float> factors =
          dora_factors(module.magnitude,
                       dora_norms(*kernels_, weight, axis, squares.view(),
                                  DeviceArray(*kernels_, down, module.down_shape).view(),
                                  DeviceArray(*kernels_, up, module.up_shape).view(), scale),
                       host_values(*kernels_, squares.view()));
      for (std::size_t i = 0; i < total.size(); ++i) {
        total[i] += static_cast<float>(strength) * (factors[i] - 1.0F);
      }
      // W' - W = (f - 1)∘W + f∘(scale·up·down): the factor of the second term goes into it.
      const auto rank = static_cast<std::size_t>(module.rank);
      const std::size_t area = down.size() / rank / factors.size();
      for (std::size_t i = 0; axis == DoraAxis::output && i < up.size(); ++i) {
        up[i] *= factors[i / rank];
      }
      for (std::size_t i = 0; axis == DoraAxis::input && i < down.size(); ++i) {
        down[i] *= factors[i / area % factors.size()];
      }
    }
    append_factors(sum, down, up, module.rank, static_cast<float>(strength) * scale);
  }
  set(adapter.down, sum.down);
  set(adapter.up, sum.up);
  if (adapter.factor) {
    set(adapter.factor->factor, total);
  }
}

bool AdapterSet::has_the_form_of(const LoraAdapter& adapter,
                                 const std::vector<FixedModule>& modules) const {
  int rank = 0;
  for (const auto& [module, strength] : modules) {
    if (module.rank == 0 ||
        module.down_shape.count() != down_shape(adapter.shape, module.rank).count() ||
        module.up_shape.count() != up_shape(adapter.shape, module.rank).count()) {
      return false;
    }
    rank += module.rank;
  }
  const auto factor = common_factor(adapter.path, modules, adapter.shape);
  return rank == adapter.rank && factor.has_value() == adapter.factor.has_value() &&
         (!factor || factor->axis == adapter.factor->axis);
}

bool AdapterSet::exchange(std::span<const WeightedLora> files) {
  if (trainable_ || !finalized_ || !merged_.empty()) {
    return false;
  }
  collect(files);
  bool fits = fixed_.size() == adapters_.size();
  for (const LoraAdapter& adapter : adapters_) {
    const auto modules = fixed_.find(adapter.path);
    fits = fits && modules != fixed_.end() && has_the_form_of(adapter, modules->second);
  }
  for (LoraAdapter& adapter : adapters_) {
    if (fits) {
      fold(adapter, fixed_.at(adapter.path));
    }
  }
  fixed_.clear();
  return fits;
}

/// The tensor's values, from `given` if it has the part's buffer.
std::vector<float> AdapterSet::copy_of(const Tensor& tensor, const FlatValues& given) const {
  const AdapterTensor& entry = *find(tensor.name);
  const auto it = given.find({entry.part, entry.begin});
  if (it == given.end()) {
    return values(tensor);
  }
  return host_values(on(tensor.device), View(it->second.as<float>() + entry.offset - entry.begin,
                                             DType::f32, {tensor.shape.count()}));
}

/// n for the values of `module`, which has no magnitudes yet.
std::vector<float> AdapterSet::norms_of(const LoraAdapter& adapter,
                                        const LoraModule& module) const {
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

LoraModule AdapterSet::module_of(std::size_t index, const FlatValues& flat,
                                 const FlatValues& magnitudes) const {
  const LoraAdapter& adapter = adapters_[index];
  LoraModule module;
  if (adapter.product) {
    module = product_of(adapter, flat);
  } else {
    module.path = adapter.path;
    module.rank = adapter.rank;
    module.down_shape = adapter.down.shape;
    module.up_shape = adapter.up.shape;
    module.down = copy_of(adapter.down, flat);
    module.up = copy_of(adapter.up, flat);
  }
  if (adapter.dora) {
    std::vector<float> magnitude = copy_of(adapter.dora->magnitude, magnitudes);
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

std::vector<LoraModule> AdapterSet::snapshot(const FlatValues& flat,
                                             const FlatValues& magnitudes) const {
  std::vector<LoraModule> modules;
  for (std::size_t i = 0; i < adapters_.size(); ++i) {
    modules.push_back(module_of(i, flat, magnitudes));
  }
  return modules;
}

std::vector<float> AdapterSet::weight_values(const TrainedWeight& weight,
                                             const FlatValues& flat) const {
  return copy_of(weight.master, flat);
}

std::vector<float> AdapterSet::base_weight(std::string_view path) const {
  const auto it = by_path_.find(path);
  if (it == by_path_.end()) {
    throw Error(Message::verbatim(std::string(path) + ": no adapter of that path"));
  }
  const LoraAdapter& adapter = *it->second;
  std::vector<float> weight = frozen_values(on(adapter.device), weight_of(adapter));
  if (!starts_.empty()) {
    const Start& start = starts_[static_cast<std::size_t>(adapter.index)];
    subtract_product(weight, start.down, start.up, adapter.rank, -adapter.scale);
  }
  return weight;
}

}  // namespace mantissa
