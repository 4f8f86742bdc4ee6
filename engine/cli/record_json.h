#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "engine/core/fields.h"
#include "engine/core/message.h"
#include "engine/core/paths.h"
#include "engine/preset/part.h"
#include "kernels/dtype.h"

namespace mantissa {

/// A record, a list of them, or a member in the command line's JSON: all fields() by name, with
/// texts in English. Infinities and NaN become null when written, as JSON has none.
template <typename T>
nlohmann::ordered_json record_json(const T& value) {
  using Json = nlohmann::ordered_json;
  if constexpr (HasFields<T>) {
    Json object = Json::object();
    each_field(value, [&](const char* name, const auto& m) { object[name] = record_json(m); });
    return object;
  } else if constexpr (RecordList<T>) {
    Json list = Json::array();
    for (const auto& record : value) {
      list.push_back(record_json(record));
    }
    return list;
  } else if constexpr (std::is_same_v<T, Part>) {
    return value.name();
  } else if constexpr (std::is_same_v<T, DType>) {
    return dtype_name(value);
  } else if constexpr (std::is_same_v<T, Message>) {
    return value.text();
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return path_to_utf8(value);
  } else {
    return value;
  }
}

}  // namespace mantissa
