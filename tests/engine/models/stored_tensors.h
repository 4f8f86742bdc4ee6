#pragma once
// The tensors of a safetensors file, to be changed and written again.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/io/safetensors.h"

namespace mantissa::testing_support {

/// A tensor with its bytes.
struct StoredTensor {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  std::vector<std::byte> bytes;
};
using StoredTensors = std::vector<StoredTensor>;
using StoredChange = std::function<void(StoredTensors&)>;

template <typename T>
StoredTensor stored(const std::string& name, DType dtype, const Shape& shape,
                    const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {name, dtype, shape, {bytes.begin(), bytes.end()}};
}

/// By name; types that the engine hasn't got as bytes.
inline StoredTensors stored_tensors(const std::filesystem::path& path) {
  const auto file = SafetensorsFile::open(path);
  StoredTensors all;
  for (const TensorInfo& t : file.tensors()) {
    all.push_back({t.name, t.type.value_or(DType::u8), t.shape(), {t.data, t.data + t.bytes}});
  }
  std::ranges::sort(all, {}, &StoredTensor::name);
  return all;
}

/// For a writer, which reads the bytes of `tensors`.
inline std::vector<TensorToWrite> to_write(const StoredTensors& tensors) {
  std::vector<TensorToWrite> list;
  for (const StoredTensor& t : tensors) {
    list.push_back({t.name, t.dtype, t.shape, t.bytes.data(), {}});
  }
  return list;
}

inline StoredTensor& tensor_of(StoredTensors& all, const std::string& name) {
  return *std::ranges::find(all, name, &StoredTensor::name);
}
inline void set_text(StoredTensor& t, const std::string& text) {
  t.bytes.resize(text.size());
  std::memcpy(t.bytes.data(), text.data(), text.size());
  t.shape = {static_cast<std::int64_t>(text.size())};
}
inline StoredChange without(const std::string& name) {
  return [=](StoredTensors& all) {
    std::erase_if(all, [&](const StoredTensor& t) { return t.name == name; });
  };
}

}  // namespace mantissa::testing_support
