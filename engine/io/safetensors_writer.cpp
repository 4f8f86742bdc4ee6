#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"
#include "engine/io/file.h"
#include "engine/io/other_types.h"
#include "engine/io/safetensors.h"
#include "engine/io/safetensors_header.h"

namespace mantissa {

namespace {

/// What a file says of tensors: names and sizes of their types.
class Types {
 public:
  explicit Types(const OtherTypes& others) : others_(others) {}

  std::string_view name(const TensorToWrite& tensor) const {
    const SafetensorsDType* other = find(tensor);
    return other != nullptr ? std::string_view(other->name) : safetensors_dtype(tensor.dtype);
  }
  std::size_t bits(const TensorToWrite& tensor) const {
    const SafetensorsDType* other = find(tensor);
    return other != nullptr ? static_cast<std::size_t>(other->bits) : 8 * dtype_size(tensor.dtype);
  }
  std::uint64_t bytes(const TensorToWrite& tensor) const {
    return static_cast<std::uint64_t>(tensor.shape.count()) * bits(tensor) / 8;
  }

 private:
  const SafetensorsDType* find(const TensorToWrite& tensor) const {
    const auto at = others_.find(tensor.name);
    return at == others_.end() ? nullptr : find_safetensors_dtype(at->second);
  }
  const OtherTypes& others_;
};

/// `what`: description of the text, "metadata key".
std::string quoted_json(const std::string& text, const Message& what) {
  if (utf8_error_offset(text) != std::string_view::npos) {
    throw Error(message<"can't write a safetensors file: {what} '{text}' is not UTF-8">(
        what, text.substr(0, 80)));
  }
  return printable_json(nlohmann::json(text).dump());
}

// Largest element first, so that every tensor starts at a multiple of its element size.
std::vector<const TensorToWrite*> in_file_order(std::span<const TensorToWrite> tensors,
                                                const Types& types) {
  std::vector<const TensorToWrite*> order;
  order.reserve(tensors.size());
  for (const TensorToWrite& tensor : tensors) {
    order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(), [&](const TensorToWrite* a, const TensorToWrite* b) {
    const std::size_t size_a = types.bits(*a), size_b = types.bits(*b);
    return std::tie(size_b, a->name) < std::tie(size_a, b->name);
  });
  std::vector<std::string_view> names;
  for (const TensorToWrite* tensor : order) {
    names.push_back(tensor->name);
  }
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
    throw Error(
        message<"can't write a safetensors file: the tensor name '{tensor}' is given twice">(
            *twice));
  }
  if (std::binary_search(names.begin(), names.end(), "__metadata__")) {
    throw Error(
        message<"can't write a safetensors file: a tensor can't be called '__metadata__'">());
  }
  return order;
}

std::string header_bytes(const std::vector<const TensorToWrite*>& order,
                         const std::map<std::string, std::string>& metadata, const Types& types) {
  std::string json = "{";
  const char* comma = "";
  if (!metadata.empty()) {
    json += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      json += comma + quoted_json(key, message<"metadata key">()) + ":" +
              quoted_json(value, message<"the metadata value of {key}">(key));
      comma = ",";
    }
    json += "}";
  }
  std::uint64_t offset = 0;
  for (const TensorToWrite* tensor : order) {
    json += comma + quoted_json(tensor->name, message<"tensor name">()) + ":{\"dtype\":\"";
    json += types.name(*tensor);
    json += "\",\"shape\":[";
    for (int i = 0; i < tensor->shape.rank(); ++i) {
      json += (i != 0 ? "," : "") + std::to_string(tensor->shape[i]);
    }
    const std::uint64_t end = offset + types.bytes(*tensor);
    json += "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) + "]}";
    offset = end;
    comma = ",";
  }
  json += "}";
  json.append((8 - json.size() % 8) % 8, ' ');
  if (json.size() > SafetensorsFile::kMaxHeader) {
    throw Error(
        message<"can't write a safetensors file: names and metadata need {bytes} bytes, above the "
                "format's limit of {most}">(json.size(), SafetensorsFile::kMaxHeader));
  }
  std::string header;
  for (int i = 0; i < 8; ++i) {
    header += static_cast<char>(json.size() >> (8 * i) & 0xff);
  }
  return header + json;
}

template <typename Sink>
void write_tensors(const std::vector<const TensorToWrite*>& order, const Types& types,
                   Sink&& sink) {
  std::vector<std::byte> buffer;
  for (const TensorToWrite* tensor : order) {
    const auto bytes = static_cast<std::size_t>(types.bytes(*tensor));
    if (bytes == 0) {
      continue;
    }
    if (tensor->fill) {
      buffer.assign(bytes, std::byte{0});
      tensor->fill(buffer);
      sink(std::span<const std::byte>(buffer));
    } else if (tensor->data != nullptr) {
      sink(std::span(static_cast<const std::byte*>(tensor->data), bytes));
    } else {
      throw Error(Message::verbatim("can't write a safetensors file: tensor '" + tensor->name +
                                    "' has no data"));
    }
  }
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata) {
  write_safetensors(path, tensors, metadata, {});
}

void write_safetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata,
                       const OtherTypes& others) {
  const Types types(others);
  const auto order = in_file_order(tensors, types);
  const std::string header = header_bytes(order, metadata, types);
  std::uint64_t total = header.size();
  for (const TensorToWrite* tensor : order) {
    total += types.bytes(*tensor);
  }
  AtomicFile file(path, total);
  file.write(header);
  write_tensors(order, types, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

std::vector<std::byte> serialize_safetensors(std::span<const TensorToWrite> tensors,
                                             const std::map<std::string, std::string>& metadata) {
  const OtherTypes none;
  const Types types(none);
  const auto order = in_file_order(tensors, types);
  const std::string header = header_bytes(order, metadata, types);
  const auto head = std::as_bytes(std::span(header));
  std::vector<std::byte> result(head.begin(), head.end());
  write_tensors(order, types, [&](std::span<const std::byte> bytes) {
    result.insert(result.end(), bytes.begin(), bytes.end());
  });
  return result;
}

}  // namespace mantissa
