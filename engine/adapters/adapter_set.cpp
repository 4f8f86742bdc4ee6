#include "engine/adapters/adapter_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/adapters/adapter_size.h"
#include "engine/core/error.h"
#include "engine/io/part_names.h"
#include "engine/precision/dtypes.h"
#include "engine/precision/rules.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// The module's path in a graph, of an adapter's.
std::string module_path(const std::string& path, Part part) {
  return part_name(part) + path.substr(part_folder(part).size());
}

std::int64_t kernel_area(const Shape& weight) {
  return weight.rank() == 4 ? weight[2] * weight[3] : 1;
}

}  // namespace

Shape down_shape(const Shape& weight, int rank) {
  return weight.rank() == 4 ? Shape{rank, weight[1], weight[2], weight[3]} : Shape{rank, weight[1]};
}

Shape up_shape(const Shape& weight, int rank) {
  return weight.rank() == 4 ? Shape{weight[0], rank, 1, 1} : Shape{weight[0], rank};
}

AdapterSet::AdapterSet(Kernels* kernels, const Preset& preset, const Family& family)
    : kernels_(kernels),
      options_(preset.adapter),
      master_(dtype_of(preset.precision.adapter)),
      gradient_(dtype_of(preset.precision.gradients)),
      compute_(activation_dtype(preset.precision.compute)),
      targets_(preset.adapter.targets, family.parts),
      training_(preset.training) {
  if (options_.rank < 1 || options_.conv_rank < 0) {
    throw Error(message<"adapter.rank is {rank} and adapter.conv_rank {conv_rank}; the rank must "
                        "be at least 1">(options_.rank, options_.conv_rank));
  }
  if (is_product(options_.type) && options_.init == AdapterInit::pissa) {
    throw Error(Message::verbatim("adapter.init pissa is LoRA's; the catalogue's D12 refuses it"));
  }
}

AdapterSet::AdapterSet(Kernels& kernels, const Preset& preset, const Family& family)
    : AdapterSet(&kernels, preset, family) {}

AdapterSet AdapterSet::planning(const Preset& preset, const Family& family) {
  return AdapterSet(nullptr, preset, family);
}

AdapterSet::AdapterSet(Kernels& kernels, std::span<const WeightedLora> files)
    : kernels_(&kernels), trainable_(false), targets_({"*"}, {}) {
  collect(files);
}

void AdapterSet::collect(std::span<const WeightedLora> files) {
  fixed_.clear();
  for (const WeightedLora& file : files) {
    for (const LoraModule& module : *file.modules) {
      fixed_[module.path].push_back({expanded(module), file.weight});
    }
  }
}

AdapterSet::~AdapterSet() {
  for (const auto& [kernels, buffer] : owned_) {
    kernels->release(buffer);
  }
}

LoraAdapter* AdapterSet::request(const std::string& path, Part part, const Tensor& weight) {
  return request(path, part, weight.shape, &weight);
}

LoraAdapter* AdapterSet::request(const std::string& path, Part part, const Shape& shape,
                                 const Tensor* weight) {
  if (const auto it = by_path_.find(path); it != by_path_.end()) {
    return it->second;
  }
  AdapterSize size = adapter_size(options_, path, kernel_area(shape) > 1);
  const auto fixed = fixed_.find(path);
  if (trainable_) {
    const auto& parts = training_.parts;
    const bool trained = std::find(parts.begin(), parts.end(), part) != parts.end();
    if (!trained || training_.method == TrainingMethod::full || size.rank == 0 ||
        !targets_.matches(part, path)) {
      return nullptr;
    }
  } else {
    if (fixed == fixed_.end()) {
      return nullptr;
    }
    size = {};
    bool dense = false;
    for (const auto& [module, strength] : fixed->second) {
      dense = dense || module.rank == 0;
      const std::int64_t whole = module.rank == 0 ? shape.count() : 0;
      if (module.down_shape.count() != down_shape(shape, module.rank).count() ||
          module.up_shape.count() != up_shape(shape, module.rank).count() ||
          static_cast<std::int64_t>(module.dense.size()) != whole) {
        throw Error(message<"{path}: the LoRA has down {down} and up {up}, but the model's weight "
                            "is {shape}. Was it made for another base model?">(
            path, module.down_shape.str(), module.up_shape.str(), shape.str()));
      }
      size.rank += module.rank;
    }
    if (dense) {
      merged_[path] = weight;
      return nullptr;
    }
  }
  if (finalized_) {
    throw Error(Message::verbatim(
        path + ": bound after the adapters were laid out; bind every part first"));
  }
  LoraAdapter& adapter = add(path, part, shape, size);
  adapter.weight = weight;
  if (!trainable_) {
    adapter.factor = common_factor(path, fixed->second, shape);
  }
  return &adapter;
}

void AdapterSet::add_tensor(LoraAdapter& adapter, Tensor& tensor, std::string_view suffix,
                            const Shape& shape) {
  const bool magnitude = adapter.dora && &tensor == &adapter.dora->magnitude;
  tensor.name = adapter.path;
  tensor.name += suffix;
  tensor.module = module_path(adapter.path, adapter.part);
  tensor.shape = shape;
  tensor.dtype = magnitude ? DType::f32 : master_;
  tensor.grad_dtype = magnitude ? DType::f32 : gradient_;
  tensor.trainable = trainable_;
  tensor.device = adapter.device;
  by_name_[tensor.name] = tensors_.size();
  Flat& buffer = room(adapter.part, adapter.device);
  std::int64_t& count = magnitude ? buffer.magnitude_count : buffer.count;
  const std::int64_t begin = magnitude ? buffer.magnitude_begin : buffer.begin;
  const double rate_ratio = &tensor == &adapter.up ? options_.lora_plus_ratio : 1.0;
  tensors_.push_back(
      {tensor.name, adapter.part, begin + count, &tensor, magnitude, rate_ratio, begin});
  count += shape.count();
  if (trainable_ && !magnitude) {
    read_together(tensor, adapter.part);
  }
}

/// All matrices of a part are rounded to 16 bits at once, if their modules compute in 16 bits.
/// Trained weights are not: their copy would be as large as the model.
void AdapterSet::read_together(Tensor& tensor, Part part) {
  if (dtype_size(compute_) != 2 || compute_ == master_) {
    return;
  }
  Flat& buffer = room(part, tensor.device);
  Tensor& whole = buffer.matrices.whole;
  whole.name = part_folder(part) + ".adapters";
  whole.dtype = master_;
  whole.shape = {buffer.count};
  whole.device = tensor.device;
  buffer.matrices.read_as = compute_;
  tensor.buffer = &buffer.matrices;
  tensor.buffer_offset = tensors_.back().offset - buffer.begin;
}

Tensor* AdapterSet::request_weight(const std::string& module, const std::string& path, Part part,
                                   const Shape& shape) {
  if (!trainable_ || !moves_weights(training_, module)) {
    return nullptr;
  }
  if (const auto it = weights_by_path_.find(path); it != weights_by_path_.end()) {
    return &it->second->master;
  }
  if (finalized_) {
    throw Error(Message::verbatim(
        path + ": bound after the trained weights were laid out; bind every part first"));
  }
  TrainedWeight& weight = weights_.emplace_back();
  weight.path = path;
  weight.part = part;
  weights_by_path_[path] = &weight;
  Tensor& tensor = weight.master;
  tensor.name = part_folder(part) + path.substr(path.find('.'));
  tensor.module = module;
  tensor.shape = shape;
  tensor.dtype = master_;
  tensor.grad_dtype = gradient_;
  tensor.trainable = true;
  tensor.device = devices_ != nullptr ? devices_->of(path) : 0;
  by_name_[tensor.name] = tensors_.size();
  Flat& buffer = room(part, tensor.device);
  tensors_.push_back(
      {tensor.name, part, buffer.begin + buffer.count, &tensor, false, 1.0, buffer.begin});
  buffer.count += shape.count();
  return &tensor;
}

LoraAdapter& AdapterSet::add(const std::string& path, Part part, const Shape& weight,
                             const AdapterSize& size) {
  const int rank = size.rank;
  LoraAdapter& adapter = adapters_.emplace_back();
  adapter.path = path;
  adapter.part = part;
  adapter.index = static_cast<int>(adapters_.size()) - 1;
  adapter.device = devices_ != nullptr ? devices_->of(module_path(path, part)) : 0;
  adapter.conv = weight.rank() == 4;
  adapter.rank = rank;
  adapter.shape = weight;
  by_path_[path] = &adapter;
  const bool product = trainable_ && is_product(options_.type);
  if (!product) {
    add_tensor(adapter, adapter.down, ".lora_A.weight", down_shape(weight, rank));
    add_tensor(adapter, adapter.up, ".lora_B.weight", up_shape(weight, rank));
  }
  if (!trainable_) {
    adapter.alpha = static_cast<float>(rank);
    return adapter;
  }
  adapter.alpha = static_cast<float>(size.alpha);
  const double divisor =
      options_.scaling == AdapterScaling::rslora ? std::sqrt(static_cast<double>(rank)) : rank;
  adapter.scale = static_cast<float>(size.alpha / divisor);
  adapter.dropout = static_cast<float>(options_.dropout);
  if (product) {
    add_product(adapter, weight, rank);
  }
  if (has_magnitudes(options_)) {
    adapter.dora.emplace().axis = options_.dora_axis;
    add_tensor(adapter, adapter.dora->magnitude, ".lora_magnitude_vector",
               {dora_channels(weight, options_.dora_axis)});
    adapter.dora->squares.name = path + ".squares";
    adapter.dora->squares.shape = adapter.dora->magnitude.shape;
    adapter.dora->squares.device = adapter.device;
  }
  if (adapter.dora && !product) {
    DoraBatch& batch = room(part, adapter.device).dora;
    adapter.dora->batch = &batch;
    adapter.dora->place = batch.adapters.size();
    batch.adapters.push_back(&adapter);
  }
  return adapter;
}

void AdapterSet::require_bound() const {
  const bool full = training_.method == TrainingMethod::full;
  for (Part part : training_.parts) {
    if (!trainable_ || flat(part).count > 0) {
      continue;
    }
    const std::string where(part.name());
    if (full) {
      throw Error(message<"training.weights name no module of {part}; use \"*\", or patterns such "
                          "as \"{part}.*\"">(where));
    }
    if (!options_.ranks.empty()) {
      throw Error(
          message<"{part} is trained, but no module of it has an adapter by adapter.targets "
                  "{targets} and adapter.ranks; take {part} from training.parts, or leave "
                  "fewer of its modules out">(where, "[" + targets_.describe() + "]"));
    }
    throw Error(message<"adapter.targets {targets} name no module of {part}; use \"attention\", "
                        "\"attention+mlp\", \"linear+conv\" or patterns such as \"*.attn1.to_q\"">(
        "[" + targets_.describe() + "]", where));
  }
  for (const auto& [path, modules] : fixed_) {
    if (!by_path_.contains(path) && !merged_.contains(path)) {
      throw Error(message<"{path}: the LoRA adapts this module, but the base model has none of "
                          "that name. Was it made for another base model?">(path));
    }
  }
}

void AdapterSet::finalize(std::uint64_t seed, const ReplaceWeight& replace,
                          const ReadWeight& read) {
  if (kernels_ == nullptr) {
    throw Error(Message::verbatim(
        "an adapter set made for planning holds no memory and can't be finalized"));
  }
  if (finalized_) {
    throw Error(Message::verbatim("the adapters are laid out already"));
  }
  require_bound();
  finalized_ = true;
  allocate();
  if (trainable_) {
    initialise(seed);
    for (TrainedWeight& weight : weights_) {
      if (!read) {
        throw Error(
            Message::verbatim(weight.path +
                              ": a weight is trained from the base model's values, and this "
                              "caller has none"));
      }
      set(weight.master, read(weight.path));
    }
    if (options_.init == AdapterInit::pissa) {
      start_pissa(replace);
    }
    for (LoraAdapter& adapter : adapters_) {
      if (adapter.dora) {
        start_dora(adapter);
      }
    }
    return;
  }
  for (LoraAdapter& adapter : adapters_) {
    fold(adapter, fixed_.at(adapter.path));
  }
  merge(replace);
  fixed_.clear();
}

void AdapterSet::set(const Tensor& tensor, const std::vector<float>& values) {
  set_values(on(tensor.device), values, tensor.view());
}

std::vector<float> AdapterSet::values(const Tensor& tensor) const {
  return host_values(on(tensor.device), tensor.view());
}

std::vector<float> AdapterSet::gradient(const Tensor& tensor) const {
  return host_values(on(tensor.device), tensor.grad_view());
}

const AdapterTensor* AdapterSet::find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &tensors_[it->second];
}

const LoraAdapter* AdapterSet::adapter(std::string_view path) const {
  const auto it = by_path_.find(path);
  return it == by_path_.end() ? nullptr : it->second;
}

void AdapterSet::renew_magnitudes(std::string_view path) {
  if (const auto it = by_path_.find(path); it != by_path_.end() && it->second->dora) {
    start_dora(*it->second);
  }
}

void AdapterSet::load(const std::map<std::string, std::vector<float>>& state) {
  if (!finalized_) {
    throw Error(
        Message::verbatim("the adapters have no memory yet; finalize them before loading values"));
  }
  for (const auto& [name, values] : state) {
    const AdapterTensor* entry = find(name);
    if (entry == nullptr) {
      throw Error(
          message<"{tensor}: the model has no adapter tensor of that name; are adapter.targets and "
                  "training.parts those the values were saved with?">(name));
    }
    if (static_cast<std::int64_t>(values.size()) != entry->tensor->shape.count()) {
      throw Error(
          message<"{tensor}: expected {shape}, got {count} values; is adapter.rank the same?">(
              name, entry->tensor->shape.str(), values.size()));
    }
  }
  for (const AdapterTensor& entry : tensors_) {
    const auto it = state.find(entry.name);
    if (it == state.end()) {
      throw Error(message<"{tensor}: missing in the values to load; are adapter.targets and "
                          "training.parts those they were saved with?">(entry.name));
    }
    set(*entry.tensor, it->second);
  }
}

AdapterSet::WithoutDropout::WithoutDropout(AdapterSet* set) : set_(set) {
  if (set_ != nullptr) {
    for (LoraAdapter& adapter : set_->adapters_) {
      before_.push_back(std::exchange(adapter.dropout, 0.0F));
    }
  }
}

AdapterSet::WithoutDropout::~WithoutDropout() {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    set_->adapters_[i].dropout = before_[i];
  }
}

}  // namespace mantissa
