#include "engine/adapters/adapter_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/core/error.h"
#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

std::int64_t kernel_area(const Shape& weight) {
  return weight.rank() == 4 ? weight[2] * weight[3] : 1;
}

Shape down_shape(const Shape& weight, int rank) {
  return weight.rank() == 4 ? Shape{rank, weight[1], weight[2], weight[3]} : Shape{rank, weight[1]};
}

Shape up_shape(const Shape& weight, int rank) {
  return weight.rank() == 4 ? Shape{weight[0], rank, 1, 1} : Shape{weight[0], rank};
}

/// Appends `next` (with its own scale) to `sum`, whose scale becomes 1: down matrices one below the
/// other, up matrices side by side.
void stack(LoraModule& sum, const LoraModule& next, double strength) {
  const double scale = strength * next.alpha / next.rank;
  const std::int64_t out = next.up_shape[0];
  if (sum.rank != 0 &&
      (sum.up_shape[0] != out || sum.down.size() / sum.rank != next.down.size() / next.rank)) {
    throw Error(next.path + ": the LoRA files were made for different models; up " +
                sum.up_shape.str() + " and " + next.up_shape.str() +
                ". Use files of one base model");
  }
  const auto wide = static_cast<std::size_t>(sum.rank), more = static_cast<std::size_t>(next.rank);
  std::vector<float> up(static_cast<std::size_t>(out) * (wide + more));
  for (std::size_t row = 0; row < static_cast<std::size_t>(out); ++row) {
    float* to = up.data() + row * (wide + more);
    std::copy_n(sum.up.data() + row * wide, wide, to);
    for (std::size_t i = 0; i < more; ++i) {
      to[wide + i] = static_cast<float>(scale * next.up[row * more + i]);
    }
  }
  sum.path = next.path;
  sum.up = std::move(up);
  sum.down.insert(sum.down.end(), next.down.begin(), next.down.end());
  sum.rank += next.rank;
  sum.alpha = sum.rank;
  sum.down_shape = next.down_shape;
  sum.down_shape[0] = sum.rank;
  sum.up_shape = next.up_shape;
  sum.up_shape[1] = sum.rank;
}

}  // namespace

AdapterSet::AdapterSet(Kernels* kernels, const Preset& preset)
    : kernels_(kernels),
      options_(preset.adapter),
      master_(dtype_of(preset.precision.adapter)),
      gradient_(dtype_of(preset.precision.gradients)),
      targets_(preset.adapter.targets),
      trained_(preset.training.parts) {
  if (options_.rank < 1 || options_.conv_rank < 0) {
    throw Error("adapter.rank is " + std::to_string(options_.rank) + " and adapter.conv_rank " +
                std::to_string(options_.conv_rank) + "; the rank must be at least 1");
  }
}

AdapterSet::AdapterSet(Kernels& kernels, const Preset& preset) : AdapterSet(&kernels, preset) {}

AdapterSet AdapterSet::planning(const Preset& preset) {
  return AdapterSet(nullptr, preset);
}

AdapterSet::AdapterSet(Kernels& kernels, std::span<const WeightedLora> files)
    : kernels_(&kernels), trainable_(false), targets_({"*"}) {
  for (const WeightedLora& file : files) {
    for (const LoraModule& module : *file.modules) {
      stack(fixed_[module.path], module, file.weight);
    }
  }
}

AdapterSet::~AdapterSet() {
  for (const Flat& flat : flats_) {
    for (std::byte* buffer : {flat.parameters, flat.gradients}) {
      if (buffer != nullptr) {
        kernels_->release(buffer);
      }
    }
  }
}

LoraAdapter* AdapterSet::request(const std::string& path, Part part, const Shape& weight) {
  if (const auto it = by_path_.find(path); it != by_path_.end()) {
    return it->second;
  }
  if (trainable_) {
    const bool trained = std::find(trained_.begin(), trained_.end(), part) != trained_.end();
    if (!trained || !targets_.matches(part, path)) {
      return nullptr;
    }
    const bool wide = kernel_area(weight) > 1;
    const int rank = wide && options_.conv_rank > 0 ? options_.conv_rank : options_.rank;
    if (finalized_) {
      throw Error(path + ": bound after the adapters were laid out; bind every trained part first");
    }
    return &add(path, part, weight, rank);
  }
  const auto it = fixed_.find(path);
  if (it == fixed_.end()) {
    return nullptr;
  }
  const LoraModule& module = it->second;
  if (module.down_shape.count() != down_shape(weight, module.rank).count() ||
      module.up_shape.count() != up_shape(weight, module.rank).count()) {
    throw Error(path + ": the LoRA has down " + module.down_shape.str() + " and up " +
                module.up_shape.str() + ", but the model's weight is " + weight.str() +
                ". Was it made for another base model?");
  }
  if (finalized_) {
    throw Error(path + ": bound after the adapters were laid out; bind every part first");
  }
  return &add(path, part, weight, module.rank);
}

LoraAdapter& AdapterSet::add(const std::string& path, Part part, const Shape& weight, int rank) {
  LoraAdapter& adapter = adapters_.emplace_back();
  adapter.path = path;
  adapter.part = part;
  adapter.index = static_cast<int>(adapters_.size()) - 1;
  adapter.conv = weight.rank() == 4;
  adapter.rank = rank;
  if (trainable_) {
    adapter.alpha = static_cast<float>(options_.alpha);
    const double divisor =
        options_.scaling == AdapterScaling::rslora ? std::sqrt(static_cast<double>(rank)) : rank;
    adapter.scale = static_cast<float>(options_.alpha / divisor);
    adapter.dropout = static_cast<float>(options_.dropout);
  } else {
    adapter.alpha = static_cast<float>(rank);
  }
  by_path_[path] = &adapter;
  Flat& buffer = flat(part);
  for (const bool is_down : {true, false}) {
    Tensor& tensor = is_down ? adapter.down : adapter.up;
    tensor.name = path + (is_down ? ".lora_A.weight" : ".lora_B.weight");
    tensor.shape = is_down ? down_shape(weight, rank) : up_shape(weight, rank);
    tensor.dtype = master_;
    tensor.grad_dtype = gradient_;
    tensor.trainable = trainable_;
    by_name_[tensor.name] = tensors_.size();
    tensors_.push_back({tensor.name, part, buffer.count, &tensor});
    buffer.count += tensor.shape.count();
  }
  return adapter;
}

void AdapterSet::finalize(std::uint64_t seed) {
  if (kernels_ == nullptr) {
    throw Error("an adapter set made for planning holds no memory and can't be finalized");
  }
  if (finalized_) {
    throw Error("the adapters are laid out already");
  }
  for (Part part : trained_) {
    if (trainable_ && flat(part).count == 0) {
      throw Error("adapter.targets [" + targets_.describe() + "] name no module of " +
                  std::string(enum_name(part)) +
                  "; use \"attention\", \"attention+mlp\", \"linear+conv\" or patterns such as "
                  "\"*.attn1.to_q\"");
    }
  }
  for (const auto& [path, module] : fixed_) {
    if (!by_path_.contains(path)) {
      throw Error(path +
                  ": the LoRA adapts this module, but the base model has none of that name."
                  " Was it made for another base model?");
    }
  }
  finalized_ = true;
  for (Flat& buffer : flats_) {
    if (buffer.count > 0) {
      const auto count = static_cast<std::size_t>(buffer.count);
      buffer.parameters = static_cast<std::byte*>(kernels_->allocate(count * dtype_size(master_)));
      if (trainable_) {
        buffer.gradients =
            static_cast<std::byte*>(kernels_->allocate(count * dtype_size(gradient_)));
      }
    }
  }
  for (const AdapterTensor& entry : tensors_) {
    const Flat& buffer = flat(entry.part);
    const auto offset = static_cast<std::size_t>(entry.offset);
    entry.tensor->data = buffer.parameters + offset * dtype_size(master_);
    entry.tensor->grad = trainable_ ? buffer.gradients + offset * dtype_size(gradient_) : nullptr;
  }
  if (trainable_) {
    initialise(seed);
    return;
  }
  for (LoraAdapter& adapter : adapters_) {
    const LoraModule& module = fixed_.at(adapter.path);
    set(adapter.down, module.down);
    set(adapter.up, module.up);
  }
  fixed_.clear();
}

void AdapterSet::initialise(std::uint64_t seed) {
  for (LoraAdapter& adapter : adapters_) {
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

std::vector<Part> AdapterSet::parts() const {
  std::vector<Part> result;
  for (Part part : {Part::unet, Part::te1, Part::te2}) {
    if (flat(part).count > 0) {
      result.push_back(part);
    }
  }
  return result;
}

void AdapterSet::set(const Tensor& tensor, const std::vector<float>& values) {
  kernels_->copy(View(const_cast<float*>(values.data()), DType::f32, tensor.shape), tensor.view());
}

std::vector<float> AdapterSet::read(const View& view) const {
  std::vector<float> values(static_cast<std::size_t>(view.count()));
  kernels_->copy(view, View(values.data(), DType::f32, view.shape));
  return values;
}

std::vector<float> AdapterSet::values(const Tensor& tensor) const {
  return read(tensor.view());
}

std::vector<float> AdapterSet::gradient(const Tensor& tensor) const {
  return read(tensor.grad_view());
}

View AdapterSet::parameters(Part part) const {
  return {flat(part).parameters, master_, Shape{flat(part).count}};
}

View AdapterSet::gradients(Part part) const {
  return {flat(part).gradients, gradient_, Shape{flat(part).count}};
}

void AdapterSet::zero_gradients() {
  for (Part part : parts()) {
    kernels_->fill(gradients(part), 0.0F);
  }
}

std::int64_t AdapterSet::parameter_count() const {
  std::int64_t count = 0;
  for (const Flat& buffer : flats_) {
    count += buffer.count;
  }
  return count;
}

std::size_t AdapterSet::bytes() const {
  return static_cast<std::size_t>(parameter_count()) *
         (dtype_size(master_) + (trainable_ ? dtype_size(gradient_) : 0));
}

const AdapterTensor* AdapterSet::find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : &tensors_[it->second];
}

void AdapterSet::load(const std::map<std::string, std::vector<float>>& state) {
  if (!finalized_) {
    throw Error("the adapters have no memory yet; finalize them before loading values");
  }
  for (const auto& [name, values] : state) {
    const AdapterTensor* entry = find(name);
    if (entry == nullptr) {
      throw Error(name +
                  ": the model has no adapter tensor of that name; are adapter.targets and "
                  "training.parts those the values were saved with?");
    }
    if (static_cast<std::int64_t>(values.size()) != entry->tensor->shape.count()) {
      throw Error(name + ": expected " + entry->tensor->shape.str() + ", got " +
                  std::to_string(values.size()) + " values; is adapter.rank the same?");
    }
  }
  for (const AdapterTensor& entry : tensors_) {
    const auto it = state.find(entry.name);
    if (it == state.end()) {
      throw Error(entry.name +
                  ": missing in the values to load; are adapter.targets and "
                  "training.parts those they were saved with?");
    }
    set(*entry.tensor, it->second);
  }
}

std::vector<LoraModule> AdapterSet::snapshot(const std::map<Part, View>& flat_values) const {
  std::vector<LoraModule> modules;
  for (std::size_t i = 0; i < adapters_.size(); ++i) {
    const LoraAdapter& adapter = adapters_[i];
    LoraModule module;
    module.path = adapter.path;
    module.rank = adapter.rank;
    // Files know alpha / rank only, so other scalings are written as the alpha that equals them.
    module.alpha = options_.scaling == AdapterScaling::rslora
                       ? static_cast<double>(adapter.scale) * adapter.rank
                       : static_cast<double>(adapter.alpha);
    module.down_shape = adapter.down.shape;
    module.up_shape = adapter.up.shape;
    const auto it = flat_values.find(adapter.part);
    const auto copy_of = [&](const AdapterTensor& entry) {
      if (it == flat_values.end()) {
        return values(*entry.tensor);
      }
      const float* from = it->second.as<float>() + entry.offset;
      return std::vector<float>(from, from + entry.tensor->shape.count());
    };
    module.down = copy_of(tensors_[2 * i]);
    module.up = copy_of(tensors_[2 * i + 1]);
    modules.push_back(std::move(module));
  }
  return modules;
}

void AdapterSet::set_training(bool on) {
  for (LoraAdapter& adapter : adapters_) {
    adapter.dropout = on && trainable_ ? static_cast<float>(options_.dropout) : 0.0F;
  }
}

}  // namespace mantissa
