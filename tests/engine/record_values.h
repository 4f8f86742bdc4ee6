#pragma once
// Records with a value of its own in every field, and all of their fields as text: tests that use
// both cover a new field as soon as it is in fields().

#include <filesystem>
#include <fmt/format.h>
#include <ranges>
#include <string>
#include <type_traits>

#include "engine/core/fields.h"
#include "engine/core/message.h"
#include "engine/core/paths.h"
#include "engine/precision/health.h"
#include "engine/preset/part.h"

namespace mantissa::testing_support {

/// Values that count on from `next`; every truth value is true, every list has two records.
template <typename T>
void fill(T& value, int& next) {
  ++next;
  if constexpr (HasFields<T>) {
    each_field(value, [&](const char*, auto& member) { fill(member, next); });
  } else if constexpr (RecordList<T>) {
    for (int i = 0; i < 2; ++i) {
      std::ranges::range_value_t<T> record;
      fill(record, next);
      value.push_back(record);
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    value = true;
  } else if constexpr (std::is_same_v<T, double>) {
    value = next + 0.25;
  } else if constexpr (std::is_integral_v<T>) {
    value = static_cast<T>(next);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = fmt::format("text {} é", next);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    value = path_from_utf8(fmt::format("/folder/{} é", next));
  } else if constexpr (std::is_same_v<T, Part>) {
    value = Part(fmt::format("part{}", next));
  } else if constexpr (std::is_same_v<T, DType>) {
    value = next % 2 == 0 ? DType::bf16 : DType::f16;
  } else if constexpr (std::is_same_v<T, HealthKind>) {
    value = next % 2 == 0 ? HealthKind::gradient : HealthKind::magnitude;
  } else if constexpr (std::is_same_v<T, Message>) {
    value = Message("{what} of {size}",
                    {Message::verbatim("tensor"), Message::verbatim(std::to_string(next))});
  } else {
    for (auto& element : value) {
      element = next++;
    }
  }
}

template <typename Record>
Record filled(int first = 100) {
  Record record;
  fill(record, first);
  return record;
}

/// "step=101; loss=102.25; parts=[part=part105; …]; "
template <typename T>
std::string all_of(const T& value) {
  std::string text;
  if constexpr (HasFields<T>) {
    each_field(value, [&](const char* name, const auto& member) {
      text += fmt::format("{}={}; ", name, all_of(member));
    });
  } else if constexpr (RecordList<T>) {
    for (const auto& record : value) {
      text += "[" + all_of(record) + "]";
    }
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    text = fmt::format("{}", value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    text = path_to_utf8(value);
  } else if constexpr (std::is_same_v<T, Part>) {
    text = value.name();
  } else if constexpr (std::is_same_v<T, DType>) {
    text = dtype_name(value);
  } else if constexpr (std::is_same_v<T, HealthKind>) {
    text = health_kind_name(value);
  } else if constexpr (std::is_same_v<T, Message>) {
    text = value.source() + " | " + value.text();
  } else {
    for (const auto& element : value) {
      text += fmt::format("{} ", element);
    }
  }
  return text;
}

}  // namespace mantissa::testing_support
