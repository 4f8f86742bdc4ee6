#include "engine/adapters/training_adapters.h"

#include <algorithm>
#include <fmt/format.h>

#include "engine/adapters/delta.h"
#include "engine/adapters/dora.h"
#include "engine/core/error.h"
#include "engine/graph/device_values.h"
#include "engine/io/module_path.h"

namespace mantissa {
namespace {

bool is_among(Part part, const std::vector<Part>& parts) {
  return std::ranges::find(parts, part) != parts.end();
}

void require_fit(const TrainingAdapterFile& file, const AdapterModule& module,
                 const Shape& weight) {
  const std::int64_t whole = module.rank == 0 ? weight.count() : 0;
  if (module.down_shape.count() != down_shape(weight, module.rank).count() ||
      module.up_shape.count() != up_shape(weight, module.rank).count() ||
      static_cast<std::int64_t>(module.dense.size()) != whole) {
    throw Error(message<"{file}: {module} has down {down} and up {up}, but the model's weight is "
                        "{shape}. Was it made for another base model?">(
        file.name, module.path, module.down_shape.str(), module.up_shape.str(), weight.str()));
  }
  if (module.dora_axis && static_cast<std::int64_t>(module.magnitude.size()) !=
                              dora_channels(weight, *module.dora_axis)) {
    throw Error(message<"{file}: {module} holds {count} magnitudes, but the model's weight {shape} "
                        "has {channels} channels on that axis">(
        file.name, module.path, module.magnitude.size(), weight.str(),
        dora_channels(weight, *module.dora_axis)));
  }
}

/// f = m / n of a file's DoRA on its weight.
std::vector<float> file_factors(Kernels& kernels, const Tensor& weight,
                                const AdapterModule& module) {
  const DoraAxis axis = *module.dora_axis;
  const DeviceArray squares(kernels, {dora_channels(weight.shape, axis)},
                            weight.dtype == DType::f64 ? DType::f64 : DType::f32);
  dora_squares(kernels, weight, axis, squares.view());
  return dora_factors(module.magnitude,
                      dora_norms(kernels, weight, axis, squares.view(),
                                 DeviceArray(kernels, module.down, module.down_shape).view(),
                                 DeviceArray(kernels, module.up, module.up_shape).view(),
                                 static_cast<float>(module.alpha / module.rank)),
                      host_values(kernels, squares.view()));
}

std::size_t bytes_of(const FrozenChange& change) {
  const Adapter& adapter = change.adapter;
  if (change.whole) {
    return change.whole->bytes();
  }
  if (!adapter.product) {
    return adapter.down.bytes() + adapter.up.bytes() +
           (adapter.factor ? adapter.factor->factor.bytes() : 0);
  }
  std::size_t bytes = 0;
  for (const ProductAdapter::Member& member : adapter.product->members) {
    bytes += member.tensor.bytes();
  }
  return bytes;
}

}  // namespace

TrainingAdapters::TrainingAdapters(std::shared_ptr<const TrainingAdapterFiles> files,
                                   std::vector<Part> parts)
    : files_(std::move(files)), parts_(std::move(parts)) {}

TrainingAdapters::~TrainingAdapters() {
  for (const auto& [kernels, memory] : owned_) {
    kernels->release(memory);
  }
}

LayerChanges* TrainingAdapters::request(const std::string& path, Part part, const Tensor& weight,
                                        DType compute, int device) {
  if (!is_among(part, parts_)) {
    return nullptr;
  }
  if (const auto known = layers_.find(path); known != layers_.end()) {
    return &known->second;
  }
  LayerChanges* layer = nullptr;
  for (const TrainingAdapterFile& file : *files_) {
    for (const AdapterModule& module : file.modules) {
      if (module.path == path) {
        layer = layer == nullptr ? &layers_[path] : layer;
        layer->active = &active_;
        layer->changes.push_back(frozen_change(file, module, weight, compute, device));
      }
    }
  }
  return layer;
}

FrozenChange TrainingAdapters::frozen_change(const TrainingAdapterFile& file,
                                             const AdapterModule& module, const Tensor& weight,
                                             DType compute, int device) const {
  const Shape& shape = weight.shape;
  require_fit(file, module, shape);
  FrozenChange change;
  change.file = &file;
  change.module = &module;
  Adapter& adapter = change.adapter;
  adapter.path = module.path;
  adapter.device = device;
  adapter.conv = shape.rank() == 4;
  adapter.rank = module.rank;
  adapter.shape = shape;
  adapter.weight = &weight;
  const auto define = [&](Tensor& tensor, std::string_view what, const Shape& of, DType dtype) {
    tensor.name =
        fmt::format("{}.training_adapter_{}_{}", module.path, &file - files_->data(), what);
    tensor.module = module.path;
    tensor.shape = of;
    tensor.dtype = dtype;
    tensor.device = device;
  };
  if (module.product && !module.dora_axis) {
    ProductAdapter& product = adapter.product.emplace();
    product.type = module.product->type;
    for (const ProductModule::Member& member : module.product->members) {
      product.members.push_back({.role = member.role, .start = FactorStart::zero, .tensor = {}});
      define(product.members.back().tensor, fmt::format("factor_{}", product.members.size()),
             member.shape, compute);
    }
    adapter.scale = static_cast<float>(file.weight * module.product->alpha / module.product->rank);
  } else if (module.rank == 0) {
    define(change.whole.emplace(), "whole", {shape[0], shape.count() / shape[0]}, compute);
  } else {
    define(adapter.down, "down", down_shape(shape, module.rank), compute);
    define(adapter.up, "up", up_shape(shape, module.rank), compute);
    adapter.scale = static_cast<float>(file.weight * module.alpha / module.rank);
    if (module.dora_axis) {
      WeightFactor& factor = adapter.factor.emplace();
      factor.axis = *module.dora_axis;
      define(factor.factor, "factor", {dora_channels(shape, factor.axis)}, DType::f32);
    }
  }
  return change;
}

void TrainingAdapters::require_bound() const {
  for (const TrainingAdapterFile& file : *files_) {
    for (const AdapterModule& module : file.modules) {
      if (is_among(split_path(module.path).part, parts_) && !layers_.contains(module.path)) {
        throw Error(message<"{file}: it adapts {module}, but the base model has no such layer. Was "
                            "it made for another base model?">(file.name, module.path));
      }
    }
  }
}

void TrainingAdapters::finalize(const std::function<Kernels&(int device)>& on) {
  require_bound();
  on_ = on;
  for (auto& [path, layer] : layers_) {
    for (FrozenChange& change : layer.changes) {
      take_values(change);
    }
  }
}

void TrainingAdapters::put(Tensor& tensor, const std::vector<float>& values) {
  Kernels& kernels = on_(tensor.device);
  tensor.data = owned_.emplace_back(&kernels, kernels.allocate(tensor.bytes())).second;
  set_values(kernels, values, tensor.view());
}

void TrainingAdapters::take_values(FrozenChange& change) {
  const AdapterModule& module = *change.module;
  Adapter& adapter = change.adapter;
  if (change.whole) {
    std::vector<float> delta = weight_delta(
        module, module.dora_axis
                    ? frozen_values(on_(adapter.device), adapted_weight(adapter))
                    : std::vector<float>(static_cast<std::size_t>(adapter.shape.count())));
    for (float& x : delta) {
      x *= static_cast<float>(change.file->weight);
    }
    put(*change.whole, delta);
  } else if (adapter.product) {
    for (std::size_t i = 0; i < adapter.product->members.size(); ++i) {
      put(adapter.product->members[i].tensor, module.product->members[i].values);
    }
  } else {
    take_low_rank(change, on_(adapter.device));
  }
}

/// With w the file's weight and f = m / n: w·(W' - W) = w·(f - 1)∘W + w·f∘(scale·up·down).
void TrainingAdapters::take_low_rank(FrozenChange& change, Kernels& kernels) {
  const AdapterModule& module = *change.module;
  Adapter& adapter = change.adapter;
  std::vector<float> down = module.down, up = module.up;
  if (adapter.factor) {
    const bool per_input = adapter.factor->axis == DoraAxis::input;
    std::vector<float> factors = file_factors(kernels, adapted_weight(adapter), module);
    const auto rank = static_cast<std::size_t>(module.rank);
    const std::size_t area = down.size() / rank / factors.size();
    for (std::size_t i = 0; !per_input && i < up.size(); ++i) {
      up[i] *= factors[i / rank];
    }
    for (std::size_t i = 0; per_input && i < down.size(); ++i) {
      down[i] *= factors[i / area % factors.size()];
    }
    for (float& f : factors) {
      f = static_cast<float>(change.file->weight) * (f - 1.0F) + (per_input ? 0.0F : 1.0F);
    }
    put(adapter.factor->factor, factors);
  }
  put(adapter.down, down);
  put(adapter.up, up);
}

std::size_t TrainingAdapters::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [path, layer] : layers_) {
    for (const FrozenChange& change : layer.changes) {
      bytes += bytes_of(change);
    }
  }
  return bytes;
}

std::vector<Part> helped_parts(const Preset& preset, const Family& family) {
  std::vector<Part> parts{kDenoiser};
  if (trains_text(preset)) {
    for (const Part part : family.text_parts()) {
      parts.push_back(part);
    }
  }
  return parts;
}

std::int64_t modules_outside(const TrainingAdapterFile& file, const std::vector<Part>& parts) {
  return std::ranges::count_if(file.modules, [&](const AdapterModule& module) {
    return !is_among(split_path(module.path).part, parts);
  });
}

}  // namespace mantissa
