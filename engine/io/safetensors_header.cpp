#include "engine/io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/utf8.h"
#include "engine/io/safetensors.h"

namespace mantissa {

namespace {

constexpr std::array<SafetensorsDType, 22> kDTypes{{
    {"BOOL", 8, {}},
    {"U8", 8, DType::u8},
    {"I8", 8, DType::i8},
    {"I16", 16, {}},
    {"U16", 16, {}},
    {"I32", 32, DType::i32},
    {"U32", 32, {}},
    {"I64", 64, DType::i64},
    {"U64", 64, {}},
    {"F16", 16, DType::f16},
    {"BF16", 16, DType::bf16},
    {"F32", 32, DType::f32},
    {"F64", 64, DType::f64},
    {"C64", 64, {}},
    {"F8_E4M3", 8, DType::f8_e4m3},
    {"F8_E5M2", 8, DType::f8_e5m2},
    {"F8_E8M0", 8, {}},
    {"F8_E4M3FNUZ", 8, {}},
    {"F8_E5M2FNUZ", 8, {}},
    {"F6_E2M3", 6, {}},
    {"F6_E3M2", 6, {}},
    {"F4", 4, {}},
}};

}  // namespace

const SafetensorsDType* find_safetensors_dtype(std::string_view name) {
  const auto* row = std::find_if(kDTypes.begin(), kDTypes.end(),
                                 [&](const SafetensorsDType& r) { return r.name == name; });
  return row == kDTypes.end() ? nullptr : row;
}

std::string_view safetensors_dtype(DType type) {
  for (const SafetensorsDType& row : kDTypes) {
    if (row.type == type) {
      return row.name;
    }
  }
  return "";
}

std::string printable_name(std::string_view name) {
  std::string text = "'";
  for (char c : name.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return text + (name.size() > 200 ? "…'" : "'");
}

[[noreturn]] void fail_safetensors(const std::string& label, const Message& problem) {
  throw Error(
      message<"{file} is not a valid safetensors file: {problem}; the file is damaged or was made "
              "by a faulty program, get or export it again">(printable_name(label), problem));
}

namespace {

// Parses the header's JSON as a stream, so that a hostile header never becomes a tree.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(const std::string& label) : label_(label) {}

  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;

  bool null() override { return passed_over() || refuse(Message::verbatim("null")); }
  bool boolean(bool) override { return passed_over() || refuse(message<"true or false">()); }
  bool number_integer(number_integer_t value) override {
    return passed_over() || refuse(message<"the negative number {number}">(value));
  }
  bool number_float(number_float_t, const string_t& text) override {
    return passed_over() || refuse(message<"the number {number}">(text.substr(0, 40)));
  }
  bool binary(binary_t&) override { return passed_over() || refuse(message<"binary data">()); }

  bool number_unsigned(number_unsigned_t value) override {
    switch (state_) {
      case State::shape:
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
          tensor_fail(message<"dimension {number} in shape is above 2^63-1">(value));
        }
        entries.back().dims.push_back(static_cast<std::int64_t>(value));
        return true;
      case State::offsets:
        if (offset_count_ == 2) {
          tensor_fail(message<"data_offsets must hold two numbers, it holds more">());
        }
        (offset_count_++ == 0 ? entries.back().start : entries.back().end) = value;
        return true;
      default:
        return passed_over() || refuse(message<"the number {number}">(value));
    }
  }

  bool string(string_t& value) override {
    switch (state_) {
      case State::metadata:
        metadata[key_] = std::move(value);
        return true;
      case State::tensor:
        if (field_ == "dtype") {
          entries.back().dtype = find_safetensors_dtype(value);
          if (entries.back().dtype == nullptr) {
            tensor_fail(message<"dtype {type} is unknown">(printable_name(value)));
          }
          return true;
        }
        return passed_over() || refuse(message<"text">());
      default:
        return passed_over() || refuse(message<"text">());
    }
  }

  bool start_object(std::size_t) override {
    switch (state_) {
      case State::before:
        state_ = State::top;
        return true;
      case State::top:
        if (key_ == "__metadata__") {
          state_ = State::metadata;
        } else {
          entries.push_back({});
          entries.back().name = key_;
          fields_ = 0;
          state_ = State::tensor;
        }
        return true;
      case State::tensor:
        if (!known_field()) {
          return skip_into();
        }
        return refuse(message<"an object">());
      case State::skip:
        return skip_into();
      default:
        return passed_over() || refuse(message<"an object">());
    }
  }

  bool end_object() override {
    switch (state_) {
      case State::tensor:
        if (fields_ != 7) {
          tensor_fail(message<"field {field} is missing">((fields_ & 1) == 0   ? "dtype"
                                                          : (fields_ & 2) == 0 ? "shape"
                                                                               : "data_offsets"));
        }
        state_ = State::top;
        return true;
      case State::skip:
        return skip_out();
      case State::metadata:
        state_ = State::top;
        return true;
      default:
        state_ = State::after;
        return true;
    }
  }

  bool start_array(std::size_t) override {
    if (state_ == State::skip || (state_ == State::tensor && !known_field())) {
      return skip_into();
    }
    if (state_ == State::tensor && field_ == "shape") {
      state_ = State::shape;
      return true;
    }
    if (state_ == State::tensor && field_ == "data_offsets") {
      state_ = State::offsets;
      offset_count_ = 0;
      return true;
    }
    return passed_over() || refuse(message<"a list">());
  }

  bool end_array() override {
    if (state_ == State::skip) {
      return skip_out();
    }
    if (state_ == State::offsets && offset_count_ != 2) {
      tensor_fail(message<"data_offsets must hold two numbers, it holds {count}">(offset_count_));
    }
    state_ = State::tensor;
    return true;
  }

  bool key(string_t& value) override {
    switch (state_) {
      case State::top:
        if (value == "__metadata__" && std::exchange(metadata_seen_, true)) {
          fail_safetensors(label_, message<"the key '__metadata__' appears twice">());
        }
        key_ = std::move(value);
        return true;
      case State::metadata:
        if (metadata.contains(value)) {
          fail_safetensors(label_,
                           message<"the metadata key {key} appears twice">(printable_name(value)));
        }
        key_ = std::move(value);
        return true;
      case State::tensor: {
        field_ = std::move(value);
        const int bit = field_ == "dtype"          ? 1
                        : field_ == "shape"        ? 2
                        : field_ == "data_offsets" ? 4
                                                   : 0;
        if ((fields_ & bit) != 0) {
          tensor_fail(message<"field {field} appears twice">(field_));
        }
        fields_ |= bit;
        return true;
      }
      default:
        return true;
    }
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    fail_safetensors(label_,
                     message<"the header is not JSON (error near byte {byte})">(8 + position));
  }

 private:
  enum class State { before, top, metadata, tensor, shape, offsets, skip, after };

  [[noreturn]] void tensor_fail(const Message& problem) {
    fail_safetensors(label_, message<"tensor {tensor}: {problem}">(
                                 printable_name(entries.back().name), problem));
  }
  bool known_field() const {
    return field_ == "dtype" || field_ == "shape" || field_ == "data_offsets";
  }
  bool skip_into() {
    ++skipped_;
    state_ = State::skip;
    return true;
  }
  bool skip_out() {
    if (--skipped_ == 0) {
      state_ = State::tensor;
    }
    return true;
  }
  /// Whether the next value is part of an unknown field.
  bool passed_over() const {
    return state_ == State::skip || state_ == State::after ||
           (state_ == State::tensor && !known_field());
  }
  /// For a value in a wrong place.
  [[noreturn]] bool refuse(const Message& found) {
    switch (state_) {
      case State::before:
        fail_safetensors(label_, message<"the header must be a JSON object, it is {found}">(found));
      case State::top:
        if (key_ == "__metadata__") {
          fail_safetensors(label_, message<"__metadata__ must be an object, it is {found}">(found));
        }
        fail_safetensors(label_, message<"tensor {tensor}: must be an object, it is {found}">(
                                     printable_name(key_), found));
      case State::metadata:
        fail_safetensors(label_, message<"the metadata value of {key} must be text, it is {found}">(
                                     printable_name(key_), found));
      case State::shape:
        tensor_fail(message<"shape holds {found}; whole numbers from 0 are expected">(found));
      case State::offsets:
        tensor_fail(
            message<"data_offsets holds {found}; whole numbers from 0 are expected">(found));
      default:
        tensor_fail(message<"field {field} can't be {found}">(field_, found));
    }
  }

  const std::string& label_;
  State state_ = State::before;
  std::string key_, field_;
  int fields_ = 0;  // bits: dtype, shape, data_offsets
  int offset_count_ = 0;
  std::uint64_t skipped_ = 0;
  bool metadata_seen_ = false;
};

}  // namespace

SafetensorsHeader read_safetensors_header(std::string_view text, const std::string& label) {
  if (const std::size_t bad = utf8_error_offset(text); bad != std::string_view::npos) {
    fail_safetensors(label, message<"the header is not UTF-8 (byte {byte})">(8 + bad));
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') {
    fail_safetensors(label, message<"the header must start with '{'">());
  }
  // The JSON library treats a zero byte as the end of input.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    fail_safetensors(label, message<"the header holds a zero byte (byte {byte})">(8 + zero));
  }
  HeaderReader reader(label);
  nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
  return {std::move(reader.entries), std::move(reader.metadata)};
}

}  // namespace mantissa
