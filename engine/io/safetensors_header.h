#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "kernels/dtype.h"

namespace mantissa {

/// An entry of the format's type table.
struct SafetensorsDType {
  std::string_view name;
  int bits;
  std::optional<DType> type;
};
/// Null for names the format doesn't have.
const SafetensorsDType* find_safetensors_dtype(std::string_view name);

/// One tensor as the header lists it; offsets are not validated yet.
struct SafetensorsEntry {
  std::string name;
  const SafetensorsDType* dtype = nullptr;
  std::vector<std::int64_t> dims;
  std::uint64_t start = 0, end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

/// Parses the header's JSON. Throws through fail_safetensors.
SafetensorsHeader read_safetensors_header(std::string_view json, const std::string& label);

/// An untrusted file's name in quotes: no control characters, limited length.
std::string printable_name(std::string_view name);
[[noreturn]] void fail_safetensors(const std::string& label, const Message& problem);

}  // namespace mantissa
