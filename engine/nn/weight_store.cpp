#include "engine/nn/weight_store.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/graph/device_values.h"
#include "engine/io/block_scales.h"
#include "engine/io/block_views.h"
#include "engine/io/finite_weights.h"
#include "engine/io/module_path.h"
#include "engine/io/pages.h"
#include "kernels/rotation.h"

namespace mantissa {
namespace {

PathInPart split(std::string_view path) {
  const PathInPart weight = split_path(path);
  if (weight.below.empty()) {
    throw Error(Message::verbatim(
        std::string(path) + ": a weight's path begins with the name of its part, as \"vae.\""));
  }
  return weight;
}

/// Scales of codes that are kept as the file has them, in the order of its rows.
std::vector<float> channel_scales(const WeightView& view) {
  const auto channels = static_cast<std::size_t>(view.shape[0]);
  return view.scales.size() == channels
             ? std::vector<float>(view.scales.begin(), view.scales.end())
             : std::vector<float>(channels, view.scales.empty() ? 1.0F : view.scales[0]);
}

}  // namespace

WeightStore::WeightStore(Kernels& kernels, const WeightSource& source, bool map_files)
    : kernels_(&kernels), source_(source), map_files_(map_files) {}

WeightStore WeightStore::planning(const WeightSource& source) {
  WeightStore store;
  store.source_ = source;
  return store;
}

WeightStore WeightStore::planning() {
  return {};
}

WeightStore::~WeightStore() {
  if (kernels_ == nullptr || entries_.empty()) {
    return;
  }
  release_constants();
  for (const auto& [key, entry] : entries_) {
    drop(*entry);
  }
  for (const auto& stack : stacks_) {
    free_memory(*stack);
  }
}

void WeightStore::release_constants() const {
  if (devices_ == nullptr) {
    kernels_->release_constants();
    return;
  }
  for (int device = 0; device < devices_->count(); ++device) {
    devices_->kernels(device).release_constants();
  }
}

void WeightStore::drop(const Entry& entry) {
  if (entry.uses_stacks_memory()) {
    return;
  }
  if (entry.tensor.streamed) {
    on(entry.tensor).release_host(entry.tensor.host);
  } else if (entry.owned) {
    on(entry.tensor).release(entry.tensor.data);
  } else if (entry.tensor.data != nullptr) {
    release_pages({static_cast<const std::byte*>(entry.tensor.data), entry.tensor.bytes()});
  }
}

bool WeightStore::contains(const std::string& path) const {
  const auto [part, name] = split(path);
  return !source_ || source_->contains(part, name);
}

void WeightStore::require(const std::string& path, const Shape& expected) const {
  if (source_) {
    const auto [part, name] = split(path);
    check_shape(path, source_->shape(part, name), expected);
  }
}

std::vector<float> WeightStore::values(const std::string& path) const {
  const auto [part, name] = split(path);
  if (!source_) {
    throw Error(Message::verbatim(path + ": a store made without a base model has no values"));
  }
  std::vector<float> result(static_cast<std::size_t>(source_->shape(part, name).count()));
  source_->read_f32(part, name, result);
  return result;
}

/// The dtype of a weight beside a file's blocks.
static DType element_type(const WeightView& view) {
  return view.dtype == DType::f16 || view.dtype == DType::bf16 ? view.dtype : DType::f32;
}

/// Whether a weight's rows can be kept rotated: those of linear layers.
static bool may_rotate(const Shape& shape) {
  return shape.rank() == 2 && rotation_group(shape[1]) > 1;
}

Tensor& WeightStore::frozen(const std::string& path, const Shape& expected, DType dtype) {
  const auto key = std::pair(path, dtype);
  if (const auto it = entries_.find(key); it != entries_.end()) {
    check_shape(path, it->second->tensor.shape, expected);
    return it->second->tensor;
  }
  const auto [part, name] = split(path);
  auto entry = std::make_unique<Entry>();
  entry->part = part;
  Tensor& tensor = entry->tensor;
  tensor.name = path;
  tensor.dtype = dtype == DType::i8_rotated && !may_rotate(expected) ? DType::i8
                 : dtype == DType::gguf                              ? DType::q8_0  // the largest
                                                                     : dtype;
  tensor.shape = expected;
  tensor.streamed = streamed_.contains(path);
  tensor.device = devices_ != nullptr ? devices_->of(path) : 0;
  if (source_) {
    const WeightView view = source_->view(part, name);
    check_shape(path, view.shape, expected);
    if (keeps_blocks(dtype, view.dtype)) {
      tensor.dtype = kept_type(path, view);
    } else if (dtype == DType::gguf) {
      tensor.dtype = element_type(view);
    }
    if (kernels_ != nullptr) {
      load(*entry, name, view);
      // The address identifies the content during its lifetime: `release` drops packed copies.
      tensor.constant_id = reinterpret_cast<std::uintptr_t>(tensor.data);
    }
  }
  bytes_ += tensor.streamed ? 0 : tensor.bytes();
  return entries_.emplace(key, std::move(entry)).first->second->tensor;
}

void WeightStore::load(Entry& entry, std::string_view name, const WeightView& view) {
  Tensor& tensor = entry.tensor;
  Kernels& kernels = on(tensor);
  if (tensor.streamed) {
    load_streamed(entry, name, view);
    return;
  }
  const auto aligned = [&] {
    return reinterpret_cast<std::uintptr_t>(view.data) % dtype_size(tensor.dtype) == 0;
  };
  if (map_files_ && kernels.host_memory() && view.dtype == tensor.dtype && view.straight() &&
      !tensor.quantized() && aligned()) {
    require_finite(*source_, entry.part, name);
    // Kernels only read frozen weights; the mapping is private to this process.
    tensor.data = const_cast<std::byte*>(view.data);
    return;
  }
  tensor.data = kernels.allocate(tensor.bytes());
  entry.owned = true;
  try {
    if (tensor.has_scale()) {
      tensor.scale =
          reinterpret_cast<float*>(static_cast<std::byte*>(tensor.data) + tensor.scale_offset());
    }
    if (!tensor.quantized()) {
      read_into(tensor, name, entry.part);
    } else if (keeps_blocks(tensor.dtype, view.dtype)) {
      require_finite(*source_, entry.part, name);
      keep_blocks(tensor, view);
    } else if (view.dtype == tensor.dtype && view.straight()) {
      require_finite(*source_, entry.part, name);
      kernels.upload(view.data, tensor.view());
      set_values(kernels, channel_scales(view), tensor.scale_view());
    } else {
      quantize(tensor, name, entry.part);
    }
  } catch (...) {
    kernels.release(tensor.data);
    throw;
  }
  // Converted bytes are not read again.
  release_pages({view.data, view.bytes()});
}

void WeightStore::load_streamed(Entry& entry, std::string_view name, const WeightView& view) {
  Tensor& tensor = entry.tensor;
  Kernels& kernels = on(tensor);
  tensor.host = kernels.allocate_host(tensor.bytes());
  try {
    if (!tensor.quantized()) {
      source_->read_as(entry.part, name, tensor.dtype, tensor.host);
    } else if (keeps_blocks(tensor.dtype, view.dtype)) {
      require_finite(*source_, entry.part, name);
      write_kept(view, static_cast<std::byte*>(tensor.host));
    } else if (view.dtype == tensor.dtype && view.straight()) {
      require_finite(*source_, entry.part, name);
      std::memcpy(tensor.host, view.data, static_cast<std::size_t>(tensor.shape.count()));
      auto* scale =
          reinterpret_cast<float*>(static_cast<std::byte*>(tensor.host) + tensor.scale_offset());
      std::ranges::copy(channel_scales(view), scale);
    } else {
      quantize(tensor, name, entry.part);
    }
  } catch (...) {
    kernels.release_host(tensor.host);
    throw;
  }
  release_pages({view.data, view.bytes()});
}

DType WeightStore::kept_type(const std::string& path, const WeightView& view) const {
  if (!view.straight()) {
    throw Error(message<"'{file}': {weight} is stored as {type} in another order than the model's, "
                        "so its codes can't be kept; pin it to bf16 (precision.pins)">(
        path_to_utf8(source_->path()), path, dtype_name(view.dtype)));
  }
  return kept_dtype(view);
}

void WeightStore::keep_blocks(const Tensor& tensor, const WeightView& view) {
  Kernels& kernels = on(tensor);
  if (kernels.host_memory()) {
    write_kept(view, static_cast<std::byte*>(tensor.data));
    return;
  }
  std::vector<std::byte> bytes(tensor.bytes());
  write_kept(view, bytes.data());
  kernels.upload(bytes.data(),
                 View(tensor.data, DType::u8, {static_cast<std::int64_t>(bytes.size())}));
}

void WeightStore::read_into(const Tensor& tensor, std::string_view name, Part part) {
  Kernels& kernels = on(tensor);
  if (kernels.host_memory()) {
    source_->read_as(part, name, tensor.dtype, tensor.data);
    return;
  }
  std::vector<std::byte> values(tensor.bytes());
  source_->read_as(part, name, tensor.dtype, values.data());
  kernels.upload(values.data(), tensor.view());
}

void WeightStore::quantize(Tensor& tensor, std::string_view name, Part part) {
  std::vector<float> values(static_cast<std::size_t>(tensor.shape.count()));
  source_->read_f32(part, name, values);
  write_values(tensor, values);
}

void WeightStore::write_values(Tensor& weight, std::span<const float> values) {
  Kernels& kernels = on(weight);
  const WeightOnDevice there(kernels, weight);
  const Tensor& tensor = *there;
  const Shape matrix{tensor.shape[0], tensor.shape.count() / tensor.shape[0]};
  const View to(tensor.data, tensor.dtype, matrix);
  if (!tensor.quantized()) {
    set_values(kernels, values, to);
  } else if (kernels.host_memory()) {
    // Kernels only read their inputs.
    kernels.quantize(View(const_cast<float*>(values.data()), DType::f32, matrix), {}, to,
                     tensor.scale_view(), {});
  } else {
    kernels.quantize(DeviceArray(kernels, values, matrix).view(), {}, to, tensor.scale_view(), {});
  }
  if (weight.streamed) {
    const auto bytes = static_cast<std::int64_t>(weight.bytes());
    kernels.download(View(tensor.data, DType::u8, {bytes}), weight.host);
  }
}

void WeightStore::replace(const Tensor& weight, std::span<const float> values) {
  Entry* const found = entry_of(weight);
  if (found == nullptr || !weight.loaded()) {
    throw Error(Message::verbatim(weight.name +
                                  ": this weight was not loaded here, so it can't be replaced"));
  }
  Entry& entry = *found;
  Tensor& tensor = entry.tensor;
  if (is_gguf(tensor.dtype)) {
    throw Error(message<"{weight} is kept as the file's {type}, which can't hold a changed weight; "
                        "pin it to bf16 (precision.pins)">(weight.name, dtype_name(tensor.dtype)));
  }
  if (static_cast<std::int64_t>(values.size()) != tensor.shape.count()) {
    throw Error(Message::verbatim(weight.name + " is " + tensor.shape.str() +
                                  "; its new content holds " + std::to_string(values.size()) +
                                  " values"));
  }
  on(tensor).release_constants();  // packed copies of the old content
  entry.replaced = true;
  if (!entry.owned && !entry.stacked && !tensor.streamed) {
    tensor.data = on(tensor).allocate(tensor.bytes());
    tensor.constant_id = reinterpret_cast<std::uintptr_t>(tensor.data);
    entry.owned = true;
  }
  write_values(tensor, values);
  for (const auto& stack : stacks_) {
    if (tensor.streamed && tensor.quantized() &&
        std::ranges::find(stack->whole.parts, &tensor) != stack->whole.parts.end()) {
      copy_to_stack(*stack);
    }
  }
}

void WeightStore::check_shape(const std::string& path, const Shape& actual,
                              const Shape& expected) const {
  if (actual == expected) {
    return;
  }
  const std::string where = (source_ ? path_to_utf8(source_->path()) + ": " : std::string()) + path;
  if (path == module_path(kDenoiser, "conv_in.weight") && actual.rank() == 4 &&
      expected.rank() == 4 && actual[1] != expected[1]) {
    throw Error(message<"{tensor} has shape {shape}, but the model's config asks for {expected}. "
                        "Is this an inpainting checkpoint?">(where, actual.str(), expected.str()));
  }
  throw Error(message<"{tensor} has shape {shape}, but the model's config asks for {expected}. Is "
                      "the config that of another model?">(where, actual.str(), expected.str()));
}

WeightStore::Entry* WeightStore::entry_of(const Tensor& tensor) const {
  // Under the type that was asked for, which the tensor's may differ from.
  for (auto it = entries_.lower_bound({tensor.name, DType{}});
       it != entries_.end() && it->first.first == tensor.name; ++it) {
    if (&it->second->tensor == &tensor) {
      return it->second.get();
    }
  }
  return nullptr;
}

void WeightStore::release(Part part) {
  if (kernels_ != nullptr) {
    release_constants();
  }
  std::erase_if(stacks_, [&](const std::unique_ptr<Stack>& stack) {
    if (stack->part == part) {
      free_memory(*stack);
    }
    return stack->part == part;
  });
  for (auto it = entries_.begin(); it != entries_.end();) {
    if (it->second->part == part) {
      const Tensor& tensor = it->second->tensor;
      bytes_ -= tensor.streamed ? 0 : tensor.bytes();
      drop(*it->second);
      it = entries_.erase(it);
    } else {
      ++it;
    }
  }
}

std::size_t WeightStore::bytes(Part part) const {
  std::size_t sum = 0;
  for (const auto& [key, entry] : entries_) {
    sum += entry->part == part && !entry->tensor.streamed ? entry->tensor.bytes() : 0;
  }
  return sum;
}

std::size_t WeightStore::packed_bytes() const {
  return sum_packed([](Part) { return true; });
}

std::size_t WeightStore::packed_bytes(Part part) const {
  return sum_packed([&](Part of) { return of == part; });
}

std::size_t WeightStore::sum_packed(const std::function<bool(Part)>& wanted) const {
  std::size_t sum = 0;
  for (const auto& [key, entry] : entries_) {
    const Tensor& t = entry->tensor;
    const bool packed = t.shape.rank() == 4 && t.shape[2] * t.shape[3] > 1;
    sum += packed && wanted(entry->part) && !t.streamed && !t.quantized() ? t.bytes() : 0;
  }
  return sum;
}

void WeightStore::each(const Use& use) const {
  for (const auto& [key, entry] : entries_) {
    use(entry->part, split(key.first).below, entry->tensor, entry->replaced);
  }
}

std::vector<std::pair<std::string, Shape>> WeightStore::bound() const {
  std::vector<std::pair<std::string, Shape>> result;
  for (const auto& [key, entry] : entries_) {
    result.emplace_back(key.first, entry->tensor.shape);
  }
  return result;
}

}  // namespace mantissa
