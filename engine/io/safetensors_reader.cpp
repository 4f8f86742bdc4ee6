#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/safetensors.h"
#include "engine/io/utf8.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

struct DTypeRow {
  std::string_view name;
  int bits;
  std::optional<DType> type;
};

constexpr std::array<DTypeRow, 22> kDTypes{{
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

const DTypeRow* find_dtype(std::string_view name) {
  const auto* row = std::find_if(kDTypes.begin(), kDTypes.end(),
                                 [&](const DTypeRow& r) { return r.name == name; });
  return row == kDTypes.end() ? nullptr : row;
}

// Names come from strangers: no control characters and no endless lines in messages.
std::string printable(std::string_view name) {
  std::string text = "'";
  for (char c : name.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return text + (name.size() > 200 ? "…'" : "'");
}

[[noreturn]] void fail(const std::string& label, const std::string& rule) {
  throw Error(printable(label) + " is not a valid safetensors file: " + rule +
              "; the file is damaged or was made by a faulty program, get or export it again");
}

struct Entry {
  std::string name;
  const DTypeRow* dtype = nullptr;
  std::vector<std::int64_t> dims;
  std::uint64_t start = 0, end = 0;
};

// Takes the header's JSON apart as it is read, so that a hostile header never becomes a tree.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(const std::string& label) : label_(label) {}

  std::vector<Entry> entries;
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
          entries.back().dtype = find_dtype(value);
          if (entries.back().dtype == nullptr) {
            tensor_fail("dtype " + printable(value) + " is unknown");
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
          fail(label_, "the key '__metadata__' appears twice");
        }
        key_ = std::move(value);
        return true;
      case State::metadata:
        if (metadata.contains(value)) {
          fail(label_, "the metadata key " + printable(value) + " appears twice");
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
    fail(label_, "the header is not JSON (error near byte " + std::to_string(8 + position) + ")");
  }

 private:
  enum class State { before, top, metadata, tensor, shape, offsets, skip, after };

  [[noreturn]] void tensor_fail(const std::string& rule) {
    fail(label_, "tensor " + printable(entries.back().name) + ": " + rule);
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
        fail(label_, "the header must be a JSON object, it is " + what);
      case State::top:
        if (key_ == "__metadata__") {
          fail(label_, "__metadata__ must be an object, it is " + what);
        }
        fail(label_, "tensor " + printable(key_) + ": must be an object, it is " + what);
      case State::metadata:
        fail(label_, "the metadata value of " + printable(key_) + " must be text, it is " + what);
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

// The one place where sizes from a file are multiplied. False when the product needs over 64 bits.
bool checked_multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& product) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) {
    return false;
  }
  product = a * b;
  return true;
}

bool is_json_space(std::byte b) {
  const auto c = static_cast<char>(b);
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::uint64_t little_endian_u64(const std::byte* p) {
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) {
    value = value << 8 | static_cast<std::uint64_t>(p[i]);
  }
  return value;
}

// A believable length field followed by '{'. Needed because the length 640 starts like a pickle.
bool looks_like_safetensors(std::span<const std::byte> bytes) {
  if (bytes.size() < 10) {
    return false;
  }
  const std::uint64_t header = little_endian_u64(bytes.data());
  if (header > SafetensorsFile::kMaxHeader || header > bytes.size() - 8) {
    return false;
  }
  const auto text = bytes.subspan(8, static_cast<std::size_t>(header));
  const auto first = std::find_if_not(text.begin(), text.end(), is_json_space);
  return first != text.end() && *first == std::byte{'{'};
}

std::string lower_ascii(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return text;
}

// Files people mistake for a safetensors file, told apart by their first bytes.
void refuse_other_formats(std::span<const std::byte> bytes, const std::string& label,
                          const std::string& extension) {
  const bool pickle_name = extension == ".ckpt" || extension == ".pt" || extension == ".pth" ||
                           extension == ".bin" || extension == ".pkl";
  if (looks_like_safetensors(bytes)) {
    if (pickle_name) {
      throw Error(printable(label) +
                  " holds safetensors data under the name of a pickle checkpoint; rename it to "
                  "end in .safetensors");
    }
    return;
  }
  const std::string head(reinterpret_cast<const char*>(bytes.data()),
                         std::min<std::size_t>(bytes.size(), 512));
  const bool zip = head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
  const bool pickle = head.size() >= 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
  if (pickle_name || zip || pickle) {
    throw Error(printable(label) +
                " is a pickle or zip checkpoint (.ckpt, .pt, .bin), which can run any program when "
                "opened and is never read; convert it to .safetensors with a tool you trust, e.g. "
                "torch.load(…, weights_only=True) and safetensors.torch.save_file");
  }
  if (head.starts_with("version https://git-lfs")) {
    throw Error(printable(label) +
                " is a Git LFS pointer, not the weights; run 'git lfs pull' in its folder or "
                "download the file itself");
  }
  if (head.starts_with("GGUF")) {
    throw Error(printable(label) +
                " is a GGUF file (quantised for inference); training needs the .safetensors "
                "original");
  }
  const std::size_t text_start = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const std::string text =
      lower_ascii(text_start == std::string::npos ? "" : head.substr(text_start, 16));
  if (text.starts_with("<!doctype html") || text.starts_with("<html") ||
      text.starts_with("<?xml")) {
    throw Error(printable(label) +
                " is a web page, not the weights; the download was redirected (often to a log-in "
                "page), download it again");
  }
}

}  // namespace

std::string_view safetensors_dtype(DType type) {
  for (const DTypeRow& row : kDTypes) {
    if (row.type == type) {
      return row.name;
    }
  }
  return "";
}

std::optional<DType> dtype_from_safetensors(std::string_view name) {
  const DTypeRow* row = find_dtype(name);
  return row == nullptr ? std::nullopt : row->type;
}

std::int64_t TensorInfo::count() const {
  std::int64_t n = 1;
  for (std::int64_t d : dims) {
    n *= d;  // can't overflow: the reader checked the product of any non-empty tensor
  }
  return n;
}

Shape TensorInfo::shape() const {
  if (dims.size() > static_cast<std::size_t>(Shape::kMaxRank)) {
    throw Error("tensor " + printable(name) + " has " + std::to_string(dims.size()) +
                " dimensions; at most " + std::to_string(Shape::kMaxRank) + " can be used");
  }
  Shape shape;
  for (std::int64_t d : dims) {
    shape.push_back(d);
  }
  return shape;
}

SafetensorsFile SafetensorsFile::open(const fs::path& path) {
  SafetensorsFile result;
  result.file_ = std::make_shared<MappedFile>(path);
  result.bytes_ = result.file_->bytes();
  result.label_ = path_to_utf8(path);
  refuse_other_formats(result.bytes_, result.label_, lower_ascii(path_to_utf8(path.extension())));
  result.parse_header();
  return result;
}

SafetensorsFile SafetensorsFile::parse(std::span<const std::byte> bytes, const std::string& label) {
  SafetensorsFile result;
  result.bytes_ = bytes;
  result.label_ = label;
  result.parse_header();
  return result;
}

void SafetensorsFile::parse_header() {
  const std::uint64_t size = bytes_.size();
  if (size < 8) {
    fail(label_, "it has " + std::to_string(size) + " bytes, fewer than the 8 of the length field");
  }
  const std::uint64_t length = little_endian_u64(bytes_.data());
  if (length > kMaxHeader) {
    fail(label_, "its header claims " + std::to_string(length) + " bytes, above the limit of " +
                     std::to_string(kMaxHeader));
  }
  if (length > size - 8) {
    fail(label_, "its header claims " + std::to_string(length) + " bytes, the file has only " +
                     std::to_string(size - 8) + " after the length field");
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + 8,
                              static_cast<std::size_t>(length));
  if (const std::size_t bad = utf8_error_offset(text); bad != std::string_view::npos) {
    fail(label_, "the header is not UTF-8 (byte " + std::to_string(8 + bad) + ")");
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') {
    fail(label_, "the header must start with '{'");
  }
  // The JSON library takes a zero byte for the end of input.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    fail(label_, "the header holds a zero byte (byte " + std::to_string(8 + zero) + ")");
  }
  HeaderReader reader(label_);
  nlohmann::json::sax_parse(text.begin(), text.end(), &reader);

  std::vector<Entry>& entries = reader.entries;
  if (entries.size() > std::numeric_limits<std::uint32_t>::max()) {
    fail(label_, "it lists more than 2^32 tensors");
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.start, a.end, a.name) < std::tie(b.start, b.end, b.name);
  });
  by_name_.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    by_name_[i] = static_cast<std::uint32_t>(i);
  }
  std::sort(by_name_.begin(), by_name_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return entries[a].name < entries[b].name; });
  for (std::size_t i = 1; i < by_name_.size(); ++i) {
    if (entries[by_name_[i]].name == entries[by_name_[i - 1]].name) {
      fail(label_, "tensor " + printable(entries[by_name_[i]].name) + ": the name appears twice");
    }
  }

  data_offset_ = 8 + length;
  const std::uint64_t data_size = size - data_offset_;
  std::uint64_t position = 0;
  tensors_.reserve(entries.size());
  for (Entry& entry : entries) {
    const std::string who = "tensor " + printable(entry.name) + ": ";
    if (entry.end < entry.start) {
      fail(label_, who + "data ends at " + std::to_string(entry.end) + " before its start " +
                       std::to_string(entry.start));
    }
    if (entry.start != position) {
      fail(label_, who + "data starts at " + std::to_string(entry.start) + " where " +
                       std::to_string(position) + " is expected (" +
                       (entry.start < position ? "it overlaps another tensor" : "there is a hole") +
                       ")");
    }
    std::uint64_t elements = 1;
    std::uint64_t bits = 0;
    bool overflow = false;
    for (std::int64_t d : entry.dims) {
      overflow |= !checked_multiply(elements, static_cast<std::uint64_t>(d), elements);
    }
    overflow |= !checked_multiply(elements, static_cast<std::uint64_t>(entry.dtype->bits), bits);
    if (overflow) {
      fail(label_, who + "the product of its shape does not fit in 64 bits");
    }
    if (bits % 8 != 0) {
      fail(label_, who + "its " + std::to_string(bits) + " bits do not end on a byte");
    }
    if (entry.end - entry.start != bits / 8) {
      fail(label_, who + "shape and dtype " + std::string(entry.dtype->name) + " need " +
                       std::to_string(bits / 8) + " bytes, data_offsets give " +
                       std::to_string(entry.end - entry.start));
    }
    if (entry.end > data_size) {
      fail(label_, who + "data ends at byte " + std::to_string(entry.end) +
                       " of the data part, the file ends at " + std::to_string(data_size) +
                       " (it is cut off)");
    }
    TensorInfo info;
    info.dtype = entry.dtype->name;
    info.type = entry.dtype->type;
    info.name = std::move(entry.name);
    info.dims = std::move(entry.dims);
    info.data = bytes_.data() + data_offset_ + entry.start;
    info.bytes = bits / 8;
    tensors_.push_back(std::move(info));
    position = entry.end;
  }
  if (position != data_size) {
    fail(label_, "its tensors end at byte " + std::to_string(position) + " of the data part, " +
                     std::to_string(data_size - position) + " bytes are left over");
  }
  metadata_ = std::move(reader.metadata);
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](std::uint32_t i, std::string_view wanted) { return tensors_[i].name < wanted; });
  return at != by_name_.end() && tensors_[*at].name == name ? &tensors_[*at] : nullptr;
}

}  // namespace mantissa
