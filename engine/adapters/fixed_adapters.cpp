#include "engine/adapters/fixed_adapters.h"

#include <algorithm>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/delta.h"
#include "engine/core/error.h"

namespace mantissa {

FixedAdapters::FixedAdapters(Kernels& kernels, std::span<const WeightedAdapter> files)
    : AdapterSet(&kernels, {}), kernels_(kernels) {
  collect(files);
}

void FixedAdapters::collect(std::span<const WeightedAdapter> files) {
  given_.clear();
  for (const WeightedAdapter& file : files) {
    for (const AdapterModule& module : *file.modules) {
      given_[module.path].push_back({expanded(module), file.weight});
    }
  }
}

std::optional<AdapterSize> FixedAdapters::size_on(const std::string& path, Part part,
                                                  const Shape& shape, const Tensor* weight) {
  const auto given = given_.find(path);
  if (given == given_.end()) {
    return std::nullopt;
  }
  AdapterSize size;
  bool dense = false;
  for (const auto& [module, strength] : given->second) {
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
    return std::nullopt;
  }
  return size;
}

void FixedAdapters::furnish(Adapter& adapter, const AdapterSize& size) {
  add_tensor(adapter, adapter.down, ".lora_A.weight", down_shape(adapter.shape, size.rank));
  add_tensor(adapter, adapter.up, ".lora_B.weight", up_shape(adapter.shape, size.rank));
  adapter.alpha = static_cast<float>(size.rank);
  adapter.factor = common_factor(adapter.path, given_.at(adapter.path), adapter.shape);
}

void FixedAdapters::add_words(const std::vector<WordEmbeddings>& words) {
  for (const WordEmbeddings& word : words) {
    for (const WordVectors& vectors : word.encoders) {
      const auto known = std::ranges::find_if(
          words_, [&](const Words& w) { return w.vectors.part == vectors.part; });
      WordVectors& all = known != words_.end() ? known->vectors : words_.emplace_back().vectors;
      if (all.width != 0 && all.width != vectors.width) {
        throw Error(message<"the embeddings of {word} have {given} values a vector and others "
                            "{wanted}; they are for different base models">(
            word.word, vectors.width, all.width));
      }
      all.part = vectors.part;
      all.width = vectors.width;
      all.values.insert(all.values.end(), vectors.values.begin(), vectors.values.end());
    }
  }
}

Tensor* FixedAdapters::request_words(const std::string& path, Part part, std::int64_t width) {
  const auto found =
      std::ranges::find_if(words_, [&](const Words& w) { return w.vectors.part == part; });
  if (found == words_.end()) {
    return nullptr;
  }
  if (found->vectors.width != width) {
    throw Error(message<"the embeddings have {given} values a vector, but a text encoder of the "
                        "base model takes {wanted}. Were they made for another base model?">(
        found->vectors.width, width));
  }
  if (found->table.empty()) {
    found->table = path;
    Tensor& tensor = found->tensor;
    tensor.name = path + ".words";
    tensor.module = path;
    tensor.shape = {found->vectors.count(), width};
    tensor.device = device_of(path);
    add(tensor, {.part = kEmbeddings, .rounded_together = false});
  }
  return &found->tensor;
}

void FixedAdapters::require_bound() const {
  for (const auto& [path, modules] : given_) {
    if (adapter(path) == nullptr && !merged_.contains(path)) {
      throw Error(message<"{path}: the LoRA adapts this module, but the base model has none of "
                          "that name. Was it made for another base model?">(path));
    }
  }
}

void FixedAdapters::finalize(const ReplaceWeight& replace) {
  require_bound();
  lay_out();
  for (Adapter& adapter : all()) {
    if (adapter.factor) {
      Tensor& factor = adapter.factor->factor;
      factor.data =
          own(adapter.device, static_cast<std::size_t>(factor.shape.count()) * sizeof(float));
    }
    fold(adapter, given_.at(adapter.path));
  }
  for (const Words& words : words_) {
    if (!words.table.empty()) {
      set(words.tensor, words.vectors.values);
    }
  }
  merge(replace);
  given_.clear();
}

std::optional<WeightFactor> FixedAdapters::common_factor(const std::string& path,
                                                         const std::vector<Given>& modules,
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

void FixedAdapters::merge(const ReplaceWeight& replace) {
  for (const auto& [path, weight] : merged_) {
    if (!replace || weight == nullptr || !weight->loaded()) {
      throw Error(Message::verbatim(
          path + ": this adapter changes the whole weight, and it was bound without loading one"));
    }
    const std::vector<float> base = frozen_values(kernels_, *weight);
    std::vector<float> sum = base;
    for (const auto& [module, strength] : given_.find(path)->second) {
      const std::vector<float> delta = weight_delta(module, base);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += static_cast<float>(strength) * delta[i];
      }
    }
    replace(*weight, sum);
  }
}

void FixedAdapters::fold(Adapter& adapter, const std::vector<Given>& modules) {
  AdapterModule sum;
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
      const Tensor& weight = adapted_weight(adapter);
      const Shape channels = adapter.factor->factor.shape;
      const DeviceArray squares(kernels_, channels,
                                weight.dtype == DType::f64 ? DType::f64 : DType::f32);
      dora_squares(kernels_, weight, axis, squares.view());
      const std::vector<float> factors =
          dora_factors(module.magnitude,
                       dora_norms(kernels_, weight, axis, squares.view(),
                                  DeviceArray(kernels_, down, module.down_shape).view(),
                                  DeviceArray(kernels_, up, module.up_shape).view(), scale),
                       host_values(kernels_, squares.view()));
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

bool FixedAdapters::has_the_form_of(const Adapter& adapter,
                                    const std::vector<Given>& modules) const {
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

bool FixedAdapters::exchange(std::span<const WeightedAdapter> files) {
  if (!is_laid_out() || !merged_.empty()) {
    return false;
  }
  collect(files);
  bool fits = given_.size() == adapters().size();
  for (const Adapter& adapter : adapters()) {
    const auto modules = given_.find(adapter.path);
    fits = fits && modules != given_.end() && has_the_form_of(adapter, modules->second);
  }
  for (Adapter& adapter : all()) {
    if (fits) {
      fold(adapter, given_.at(adapter.path));
    }
  }
  given_.clear();
  return fits;
}

}  // namespace mantissa
