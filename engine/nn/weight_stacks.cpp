// Weights that are multiplied together as one matrix.
#include <algorithm>
#include <cstdint>

#include "engine/nn/weight_store.h"

namespace mantissa {

WeightStore::Stack* WeightStore::around(std::span<Tensor* const> parts) const {
  for (const auto& stack : stacks_) {
    if (std::ranges::equal(stack->whole.parts, parts)) {
      return stack.get();
    }
  }
  for (const auto& stack : stacks_) {
    const auto& whole = stack->whole.parts;
    if (std::search(whole.begin(), whole.end(), parts.begin(), parts.end()) != whole.end()) {
      return stack.get();
    }
  }
  return nullptr;
}

Tensor* WeightStore::stack(std::span<Tensor* const> parts) {
  const Tensor& first = *parts.front();
  Stack* const known = around(parts);
  if (known != nullptr && known->whole.parts.size() == parts.size()) {
    return &known->whole;
  }
  auto stack = std::make_unique<Stack>();
  stack->whole.parts.assign(parts.begin(), parts.end());
  Tensor& whole = stack->whole;
  whole.dtype = first.dtype;
  whole.shape = first.shape;
  whole.device = first.device;
  whole.shape[0] = 0;
  for (Tensor* part : parts) {
    const Entry* entry = entry_of(*part);
    Shape rows = part->shape;
    rows[0] = first.shape[0];
    if (entry == nullptr || is_blocked(part->dtype) || part->dtype != first.dtype ||
        part->device != first.device || !(rows == first.shape) ||
        (known == nullptr && entry->stacked)) {
      return nullptr;
    }
    stack->part = entry->part;
    whole.shape[0] += part->shape[0];
    whole.name += (whole.name.empty() ? "" : " + ") + part->name;
    whole.streamed = whole.streamed || part->streamed;
  }
  for (Tensor* part : parts) {
    if (whole.streamed && !part->streamed) {
      begin_streaming(*entry_of(*part));
    }
  }
  if (kernels_ != nullptr && whole.streamed) {
    stream_together(*stack, known != nullptr);
  } else if (kernels_ != nullptr && known == nullptr) {
    move_together(*stack);
  }
  for (Tensor* part : parts) {
    entry_of(*part)->stacked = true;
  }
  if (!whole.streamed) {
    whole.data = first.data;
    whole.scale = first.scale;
    whole.constant_id = reinterpret_cast<std::uintptr_t>(whole.data);
  }
  return &stacks_.emplace_back(std::move(stack))->whole;
}

void WeightStore::begin_streaming(Entry& entry) {
  Tensor& tensor = entry.tensor;
  bytes_ -= tensor.bytes();
  if (kernels_ != nullptr) {
    Kernels& kernels = on(tensor);
    void* host = kernels.allocate_host(tensor.bytes());
    const auto codes = tensor.shape.count() * static_cast<std::int64_t>(dtype_size(tensor.dtype));
    kernels.download(View(tensor.data, DType::u8, {codes}), host);
    if (tensor.quantized()) {
      kernels.download(tensor.scale_view(), static_cast<std::byte*>(host) + tensor.scale_offset());
    }
    kernels.release_constants();  // packed copies, found by the old address
    drop(entry);
    tensor.host = host;
  }
  tensor.data = nullptr;
  tensor.scale = nullptr;
  tensor.constant_id = 0;
  tensor.streamed = true;
}

void WeightStore::stream_together(Stack& stack, bool in_longer) {
  Tensor& whole = stack.whole;
  Kernels& kernels = on(whole);
  if (in_longer && !whole.quantized()) {
    whole.host = stack.whole.parts.front()->host;
    return;
  }
  stack.memory = whole.host = kernels.allocate_host(whole.bytes());
  copy_to_stack(stack);
  auto* data = static_cast<std::byte*>(whole.host);
  for (Tensor* part : stack.whole.parts) {
    if (!part->quantized()) {
      kernels.release_host(part->host);
      part->host = data;
      data += part->bytes();
    }
  }
}

void WeightStore::copy_to_stack(const Stack& stack) const {
  auto* data = static_cast<std::byte*>(stack.whole.host);
  std::byte* scale = data + (stack.whole.quantized() ? stack.whole.scale_offset() : 0);
  for (const Tensor* part : stack.whole.parts) {
    const auto* from = static_cast<const std::byte*>(part->host);
    const std::size_t count =
        static_cast<std::size_t>(part->shape.count()) * dtype_size(part->dtype);
    data = std::copy_n(from, count, data);
    if (part->quantized()) {
      const std::size_t scales = static_cast<std::size_t>(part->shape[0]) * sizeof(float);
      scale = std::copy_n(from + part->scale_offset(), scales, scale);
    }
  }
}

void WeightStore::move_together(Stack& stack) {
  Kernels& kernels = on(stack.whole);
  stack.memory = kernels.allocate(stack.whole.bytes());
  auto* data = static_cast<std::byte*>(stack.memory);
  auto* scale = reinterpret_cast<float*>(data + stack.whole.scale_offset());
  for (Tensor* part : stack.whole.parts) {
    const std::int64_t count = part->shape.count();
    const auto bytes = count * static_cast<std::int64_t>(dtype_size(part->dtype));
    const Entry& entry = *entry_of(*part);
    Tensor moved = *part;
    moved.data = data;
    kernels.copy(View(part->data, DType::u8, {bytes}), View(data, DType::u8, {bytes}));
    data += bytes;
    if (part->quantized()) {
      moved.scale = scale;
      kernels.copy(part->scale_view(), moved.scale_view());
      scale += part->shape[0];
    }
    kernels.synchronize();
    kernels.release_constants();  // packed copies, found by the old address
    drop(entry);
    part->data = moved.data;
    part->scale = moved.scale;
    part->constant_id = reinterpret_cast<std::uintptr_t>(part->data);
  }
}

void WeightStore::free_memory(const Stack& stack) const {
  if (stack.memory == nullptr) {
    return;
  }
  Kernels& kernels = on(stack.whole);
  if (stack.whole.streamed) {
    kernels.release_host(stack.memory);
  } else {
    kernels.release(stack.memory);
  }
}

}  // namespace mantissa
