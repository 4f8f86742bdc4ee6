#include "engine/adapters/adapter_set.h"

#include <utility>

#include "engine/core/error.h"

namespace mantissa {
Adapter* AdapterSet::request(const std::string& path, Part part, const Shape& shape,
                             const Tensor* weight) {
  if (Adapter* known = find_adapter(path)) {
    return known;
  }
  const std::optional<AdapterSize> size = size_on(path, part, shape, weight);
  if (!size) {
    return nullptr;
  }
  if (laid_out_) {
    throw Error(Message::verbatim(
        path + ": bound after the adapters were laid out; bind every part first"));
  }
  Adapter& adapter = adapters_.emplace_back();
  adapter.path = path;
  adapter.part = part;
  adapter.index = static_cast<int>(adapters_.size()) - 1;
  adapter.device = device_of(path);
  adapter.conv = shape.rank() == 4;
  adapter.rank = size->rank;
  adapter.shape = shape;
  adapter.weight = weight;
  by_path_[path] = &adapter;
  furnish(adapter, *size);
  return &adapter;
}

void AdapterSet::add_tensor(Adapter& adapter, Tensor& tensor, std::string_view suffix,
                            const Shape& shape, double rate_ratio) {
  tensor.name = adapter.path;
  tensor.name += suffix;
  tensor.module = adapter.path;
  tensor.shape = shape;
  tensor.device = adapter.device;
  const bool magnitude = adapter.dora && &tensor == &adapter.dora->magnitude;
  add(tensor, {adapter.part, magnitude, rate_ratio});
}

void AdapterSet::lay_out() {
  if (is_planning()) {
    throw Error(Message::verbatim(
        "an adapter set made for planning holds no memory and can't be finalized"));
  }
  if (laid_out_) {
    throw Error(Message::verbatim("the adapters are laid out already"));
  }
  laid_out_ = true;
  allocate();
  for (AdapterStack& stack : stacks_) {
    for (Tensor* whole : {&stack.down, &stack.up}) {
      whole->data = whole->parts.front()->data;
      whole->grad = whole->parts.front()->grad;
    }
  }
}

Adapter* AdapterSet::find_adapter(std::string_view path) {
  const auto it = by_path_.find(path);
  return it == by_path_.end() ? nullptr : it->second;
}

const Adapter* AdapterSet::adapter(std::string_view path) const {
  const auto it = by_path_.find(path);
  return it == by_path_.end() ? nullptr : it->second;
}

void AdapterSet::finalize_training_adapters() {
  if (beside_) {
    beside_->finalize([this](int device) -> Kernels& { return on(device); });
  }
}

WithoutDropout::WithoutDropout(AdapterSet* set) : set_(set) {
  if (set_ != nullptr) {
    for (Adapter& adapter : set_->adapters_) {
      before_.push_back(std::exchange(adapter.dropout, 0.0F));
    }
  }
}

WithoutDropout::~WithoutDropout() {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    set_->adapters_[i].dropout = before_[i];
  }
}

WithoutAdapters::WithoutAdapters(AdapterSet* set) : set_(set) {
  if (set_ != nullptr) {
    for (Adapter& adapter : set_->adapters_) {
      before_.push_back(std::exchange(adapter.off, true));
    }
  }
}

WithoutAdapters::~WithoutAdapters() {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    set_->adapters_[i].off = before_[i];
  }
}

WithAdapterScale::WithAdapterScale(AdapterSet* set, float factor) : set_(set) {
  if (set_ != nullptr) {
    for (Adapter& adapter : set_->adapters_) {
      before_.push_back(std::exchange(adapter.scale, factor * adapter.scale));
    }
  }
}

WithAdapterScale::~WithAdapterScale() {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    set_->adapters_[i].scale = before_[i];
  }
}

WithoutTrainingAdapters::WithoutTrainingAdapters(AdapterSet* set)
    : adapters_(set != nullptr ? set->beside_.get() : nullptr) {
  if (adapters_ != nullptr) {
    before_ = adapters_->active();
    adapters_->set_active(false);
  }
}

WithoutTrainingAdapters::~WithoutTrainingAdapters() {
  if (adapters_ != nullptr) {
    adapters_->set_active(before_);
  }
}

}  // namespace mantissa
