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
    {"I8", 8, {}},
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

[[noreturn]] void fail_safetensors(const std::string& label, const std::string& rule) {
  throw Error(printable_name(label) + " is not a valid safetensors file: " + rule +
              "; the file is damaged or was made by a faulty program, get or export it again");
}

namespace {

// Takes the header's JSON apart as it is read, so that a hostile header never becomes a tree.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(const std::string& label) : label_(label) {}

  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;

  bool null() override { return scalar("null"); }
  bool boolean(bool) override { return scalar("true or false"); }
  bool number_integer(number_integer_t value) override {
    return scalar("the negative number " + std::to_string(value));
  }
  bool number_float(number_float_t, const string_t& text) override {
    return scalar("the number " + text.substr(0, 40));
  }
  bool binary(binary_t&) override { return scalar("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    switch (state_) {
      case State::shape:
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
          tensor_fail("dimension " + std::to_string(value) + " in shape is above 2^63-1");
        }
        entries.back().dims.push_back(static_cast<std::int64_t>(value));
        return true;
      case State::offsets:
        if (offset_count_ == 2) {
          tensor_fail("data_offsets must hold two numbers, it holds more");
        }
        (offset_count_++ == 0 ? entries.back().start : entries.back().end) = value;
        return true;
      default:
        return scalar("the number " + std::to_string(value));
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
            tensor_fail("dtype " + printable_name(value) + " is unknown");
          }
          return true;
        }
        return scalar("text");
      default:
        return scalar("text");
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
        return scalar("an object");
      case State::skip:
        return skip_into();
      default:
        return scalar("an object");
    }
  }

  bool end_object() override {
    switch (state_) {
      case State::tensor:
        if (fields_ != 7) {
          tensor_fail(std::string("field ") +
                      ((fields_ & 1) == 0   ? "dtype"
                       : (fields_ & 2) == 0 ? "shape"
                                            : "data_offsets") +
                      " is missing");
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
    return scalar("a list");
  }

  bool end_array() override {
    if (state_ == State::skip) {
      return skip_out();
    }
    if (state_ == State::offsets && offset_count_ != 2) {
      tensor_fail("data_offsets must hold two numbers, it holds " + std::to_string(offset_count_));
    }
    state_ = State::tensor;
    return true;
  }

  bool key(string_t& value) override {
    switch (state_) {
      case State::top:
        if (value == "__metadata__" && std::exchange(metadata_seen_, true)) {
          fail_safetensors(label_, "the key '__metadata__' appears twice");
        }
        key_ = std::move(value);
        return true;
      case State::metadata:
        if (metadata.contains(value)) {
          fail_safetensors(label_, "the metadata key " + printable_name(value) + " appears twice");
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
          tensor_fail("field " + field_ + " appears twice");
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
    fail_safetensors(
        label_, "the header is not JSON (error near byte " + std::to_string(8 + position) + ")");
  }

 private:
  enum class State { before, top, metadata, tensor, shape, offsets, skip, after };

  [[noreturn]] void tensor_fail(const std::string& rule) {
    fail_safetensors(label_, "tensor " + printable_name(entries.back().name) + ": " + rule);
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
  // A value where it may not stand, unless it belongs to a field this reader doesn't know.
  bool scalar(const std::string& what) {
    switch (state_) {
      case State::skip:
        return true;
      case State::before:
        fail_safetensors(label_, "the header must be a JSON object, it is " + what);
      case State::top:
        if (key_ == "__metadata__") {
          fail_safetensors(label_, "__metadata__ must be an object, it is " + what);
        }
        fail_safetensors(label_,
                         "tensor " + printable_name(key_) + ": must be an object, it is " + what);
      case State::metadata:
        fail_safetensors(label_, "the metadata value of " + printable_name(key_) +
                                     " must be text, it is " + what);
      case State::tensor:
        if (!known_field()) {
          return true;
        }
        tensor_fail("field " + field_ + " can't be " + what);
      case State::shape:
        tensor_fail("shape holds " + what + "; whole numbers from 0 are expected");
      case State::offsets:
        tensor_fail("data_offsets holds " + what + "; whole numbers from 0 are expected");
      case State::after:
        return true;
    }
    return true;
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
    fail_safetensors(label, "the header is not UTF-8 (byte " + std::to_string(8 + bad) + ")");
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') {
    fail_safetensors(label, "the header must start with '{'");
  }
  // The JSON library takes a zero byte for the end of input.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    fail_safetensors(label, "the header holds a zero byte (byte " + std::to_string(8 + zero) + ")");
  }
  HeaderReader reader(label);
  nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
  return {std::move(reader.entries), std::move(reader.metadata)};
}

}  // namespace mantissa
