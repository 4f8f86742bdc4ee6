// Adapters that are multiplied together, and their arrangement in the flat buffers.
#include <algorithm>

#include "engine/adapters/adapter_set.h"

namespace mantissa {
namespace {

bool alike(const Adapter& a, const Adapter& b) {
  return a.part == b.part && a.device == b.device && !a.conv && !b.conv && !a.product &&
         !b.product && a.scale == b.scale && a.down.shape == b.down.shape &&
         a.up.shape == b.up.shape;
}

/// One tensor over `parts`, which are adjacent in memory.
Tensor over(std::vector<Tensor*> parts) {
  const Tensor& first = *parts.front();
  Tensor whole;
  whole.dtype = first.dtype;
  whole.shape = first.shape;
  whole.device = first.device;
  whole.shape[0] *= static_cast<std::int64_t>(parts.size());
  whole.data = first.data;
  whole.trainable = first.trainable;
  whole.grad = first.grad;
  whole.grad_dtype = first.grad_dtype;
  whole.buffer = first.buffer;
  whole.buffer_offset = first.buffer_offset;
  for (const Tensor* part : parts) {
    whole.name += (whole.name.empty() ? "" : " + ") + part->name;
  }
  whole.parts = std::move(parts);
  return whole;
}

}  // namespace

/// The stack of exactly these adapters, else one that includes them in this order; null if none.
AdapterStack* AdapterSet::around(std::span<Adapter* const> parts) {
  for (AdapterStack& stack : stacks_) {
    if (std::ranges::equal(stack.parts, parts)) {
      return &stack;
    }
  }
  for (AdapterStack& stack : stacks_) {
    if (std::search(stack.parts.begin(), stack.parts.end(), parts.begin(), parts.end()) !=
        stack.parts.end()) {
      return &stack;
    }
  }
  return nullptr;
}

/// Moves all down matrices of `parts` before their up matrices; false if other tensors are between
/// them.
bool AdapterSet::lay_together(std::span<Adapter* const> parts) {
  std::vector<Tensor*> order;
  for (Adapter* part : parts) {
    order.push_back(&part->down);
  }
  for (Adapter* part : parts) {
    order.push_back(&part->up);
  }
  return !laid_out_ && !binding_order_ && arrange(order);
}

AdapterStack* AdapterSet::stack(std::span<Adapter* const> parts) {
  AdapterStack* known = around(parts);
  if (known != nullptr && known->parts.size() == parts.size()) {
    return known;
  }
  for (Adapter* const& part : parts) {
    const bool elsewhere = known == nullptr && around({&part, 1}) != nullptr;
    if (elsewhere || !alike(*part, *parts.front())) {
      return nullptr;
    }
  }
  if (known == nullptr && !lay_together(parts)) {
    return nullptr;
  }
  AdapterStack& stack = stacks_.emplace_back();
  std::vector<Tensor*> down, up;
  for (Adapter* part : parts) {
    stack.parts.push_back(part);
    part->stack = known == nullptr ? &stack : part->stack;
    down.push_back(&part->down);
    up.push_back(&part->up);
  }
  stack.down = over(std::move(down));
  stack.up = over(std::move(up));
  return &stack;
}

}  // namespace mantissa
