// The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#include "engine/io/gguf.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "kernels/block_codes.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kGgufMagic = "GGUF", kFlattened = "comfy.gguf.orig_shape.";
constexpr std::uint64_t kMostGgufEntries = 1'000'000, kMostText = 1 << 20, kUsualAlignment = 32;
constexpr std::uint32_t kMostDims = 4;

enum class GgufValueType : std::uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  text,
  array,
  u64,
  i64,
  f64
};

std::optional<std::size_t> gguf_size_of(GgufValueType type) {
  switch (type) {
    case GgufValueType::u8:
    case GgufValueType::i8:
    case GgufValueType::boolean:
      return 1;
    case GgufValueType::u16:
    case GgufValueType::i16:
      return 2;
    case GgufValueType::u32:
    case GgufValueType::i32:
    case GgufValueType::f32:
      return 4;
    case GgufValueType::u64:
    case GgufValueType::i64:
    case GgufValueType::f64:
      return 8;
    case GgufValueType::text:
    case GgufValueType::array:
      break;
  }
  return std::nullopt;
}

/// Its number in files.
struct GgufType {
  std::uint32_t ggml;
  DType type;
};
constexpr std::array kGgufTypes{
    GgufType{0, DType::f32},   GgufType{1, DType::f16},   GgufType{2, DType::q4_0},
    GgufType{3, DType::q4_1},  GgufType{6, DType::q5_0},  GgufType{7, DType::q5_1},
    GgufType{8, DType::q8_0},  GgufType{10, DType::q2_k}, GgufType{11, DType::q3_k},
    GgufType{12, DType::q4_k}, GgufType{13, DType::q5_k}, GgufType{14, DType::q6_k},
    GgufType{26, DType::i32},  GgufType{27, DType::i64},  GgufType{28, DType::f64},
    GgufType{30, DType::bf16}};

/// Takes values from the front of a file's bytes; never reads past them.
class GgufCursor {
 public:
  GgufCursor(std::span<const std::byte> bytes, const std::string& label)
      : bytes_(bytes), label_(label) {}

  std::size_t at() const { return at_; }
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      throw Error(message<"'{file}' is cut off or damaged: {count} bytes are expected at byte "
                          "{place}; get it again">(label_, count, at_));
    }
    const auto taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }
  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// A count that the file can't exceed.
  std::uint64_t count(std::uint64_t most) {
    const auto value = number<std::uint64_t>();
    if (value > most) {
      throw Error(message<"'{file}' is damaged: it claims {count} entries at byte {place}, above "
                          "the limit of {most}">(label_, value, at_ - sizeof value, most));
    }
    return value;
  }
  std::string text() {
    const auto bytes = take(count(kMostText));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string& label_;
  std::size_t at_ = 0;
};

class GgufParser {
 public:
  GgufParser(std::span<const std::byte> bytes, const std::string& label)
      : bytes_(bytes), label_(label), in_(bytes, label) {}

  void run() {
    check_start();
    const std::uint64_t tensors = in_.count(kMostGgufEntries), keys = in_.count(kMostGgufEntries);
    for (std::uint64_t i = 0; i < keys; ++i) {
      read_key();
    }
    for (std::uint64_t i = 0; i < tensors; ++i) {
      read_tensor();
    }
    place_tensors();
  }
  std::vector<TensorInfo> tensors;
  std::map<std::string, std::string> metadata;

 private:
  void check_start() {
    const auto magic = in_.take(kGgufMagic.size());
    if (std::memcmp(magic.data(), kGgufMagic.data(), kGgufMagic.size()) != 0) {
      throw Error(message<"'{file}' is no GGUF file">(label_));
    }
    const auto version = in_.number<std::uint32_t>();
    if (version != 2 && version != 3) {
      throw Error(message<"'{file}' is of GGUF version {version}; versions 2 and 3 can be read">(
          label_, version));
    }
  }

  void read_key() {
    const std::string key = in_.text();
    const auto type = static_cast<GgufValueType>(in_.number<std::uint32_t>());
    if (type == GgufValueType::text) {
      metadata[key] = in_.text();
    } else if (type == GgufValueType::array) {
      read_array(key);
    } else if (type == GgufValueType::u32 && key == "general.alignment") {
      alignment_ = in_.number<std::uint32_t>();
      if (alignment_ == 0 || alignment_ % 8 != 0) {
        throw Error(message<"'{file}': {key} is {value}; it must be a multiple of 8">(label_, key,
                                                                                      alignment_));
      }
    } else {
      in_.take(known_size(key, type));
    }
  }

  std::size_t known_size(const std::string& key, GgufValueType type) const {
    const auto size = gguf_size_of(type);
    if (!size) {
      throw Error(message<"'{file}' is damaged: the key {key} has the unknown type {type}">(
          label_, key, static_cast<std::uint32_t>(type)));
    }
    return *size;
  }

  void read_array(const std::string& key) {
    const auto type = static_cast<GgufValueType>(in_.number<std::uint32_t>());
    const std::uint64_t count = in_.count(bytes_.size());
    if (type == GgufValueType::text) {
      for (std::uint64_t i = 0; i < count; ++i) {
        in_.text();
      }
      return;
    }
    const auto values = in_.take(count * known_size(key, type));
    if (key.starts_with(kFlattened) && type == GgufValueType::i32 && count <= kMostDims + 1) {
      std::vector<std::int64_t>& dims = shapes_[key.substr(kFlattened.size())];
      for (std::size_t i = 0; i < count; ++i) {
        std::int32_t dim = 0;
        std::memcpy(&dim, values.data() + i * sizeof dim, sizeof dim);
        dims.push_back(dim);
      }
    }
  }

  void read_tensor() {
    TensorInfo tensor;
    tensor.name = in_.text();
    const auto dims = in_.number<std::uint32_t>();
    if (dims > kMostDims) {
      fail(tensor.name,
           message<"has {count} dimensions, above the limit of {most}">(dims, kMostDims));
    }
    for (std::uint32_t i = 0; i < dims; ++i) {
      const auto dim = in_.number<std::uint64_t>();
      if (dim > bytes_.size() * 8) {
        fail(tensor.name, message<"is larger than the file">());
      }
      tensor.dims.insert(tensor.dims.begin(), static_cast<std::int64_t>(dim));
    }
    set_type(tensor, in_.number<std::uint32_t>());
    offsets_.push_back(in_.number<std::uint64_t>());
    if (!names_.insert(tensor.name).second) {
      fail(tensor.name, message<"is there twice">());
    }
    tensors.push_back(std::move(tensor));
  }

  /// Its type and size in bytes.
  void set_type(TensorInfo& tensor, std::uint32_t ggml) {
    std::uint64_t count = 1;
    for (const std::int64_t dim : tensor.dims) {
      count *= static_cast<std::uint64_t>(dim);
      if (count > bytes_.size() * 8) {
        fail(tensor.name, message<"is larger than the file">());
      }
    }
    const auto known = std::ranges::find(kGgufTypes, ggml, &GgufType::ggml);
    if (known == kGgufTypes.end()) {
      fail(tensor.name,
           message<"has the type {type}, which can't be read; those of Q8_0, Q6_K, Q5, Q4, Q3 and "
                   "Q2 files can">(ggml));
    }
    tensor.type = known->type;
    tensor.bytes = stored_bytes(known->type, static_cast<std::int64_t>(count));
    if (!is_blocked(known->type)) {
      tensor.dtype = safetensors_dtype(known->type);
      return;
    }
    tensor.dtype = gguf_name(known->type);
    const std::int64_t row = tensor.dims.empty() ? 1 : tensor.dims.back();
    const int values = block_layout(known->type, 0).values;
    if (row % values != 0) {
      fail(tensor.name,
           message<"has rows of {count} values, which blocks of {size} can't hold">(row, values));
    }
  }

  /// Their bytes, and the shapes that they had before they were flattened.
  void place_tensors() {
    const std::size_t begin = (in_.at() + alignment_ - 1) / alignment_ * alignment_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      TensorInfo& t = tensors[i];
      const std::uint64_t offset = offsets_[i];
      if (offset % alignment_ != 0 || begin > bytes_.size() || offset > bytes_.size() - begin ||
          t.bytes > bytes_.size() - begin - offset) {
        fail(t.name, message<"lies outside of the file or between its places; the file is cut off "
                             "or damaged, get it again">());
      }
      t.data = bytes_.data() + begin + offset;
      spans.emplace_back(offset, offset + t.bytes);
      restore_shape(t);
    }
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) {
      if (spans[i].first < spans[i - 1].second) {
        throw Error(message<"'{file}' is damaged: two tensors share bytes">(label_));
      }
    }
  }

  void restore_shape(TensorInfo& tensor) const {
    const auto found = shapes_.find(tensor.name);
    if (found == shapes_.end()) {
      return;
    }
    TensorInfo whole = tensor;
    whole.dims = found->second;
    const bool usable =
        std::all_of(whole.dims.begin(), whole.dims.end(), [](std::int64_t dim) { return dim > 0; });
    if (!usable || whole.count() != tensor.count()) {
      fail(tensor.name, message<"had another number of values before it was flattened">());
    }
    tensor.dims = whole.dims;
  }

  [[noreturn]] void fail(const std::string& tensor, const Message& problem) const {
    throw Error(message<"'{file}': tensor '{tensor}' {problem}">(label_, tensor, problem));
  }

  std::span<const std::byte> bytes_;
  const std::string& label_;
  GgufCursor in_;
  std::uint64_t alignment_ = kUsualAlignment;
  std::vector<std::uint64_t> offsets_;
  std::map<std::string, std::vector<std::int64_t>> shapes_;
  std::set<std::string> names_;
};

}  // namespace

std::string gguf_name(DType blocks) {
  std::string name(dtype_name(blocks));
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c == 'q' || c == 'k' ? c - 32 : c; });
  return name;
}

bool GgufFile::is_gguf(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) {
    return false;  // a pipe would wait for its writer
  }
  std::ifstream file(path, std::ios::binary);
  char magic[4] = {};
  file.read(magic, sizeof magic);
  return file && std::string_view(magic, sizeof magic) == kGgufMagic;
}

GgufFile GgufFile::open(const fs::path& path) {
  auto file = std::make_shared<MappedFile>(path);
  GgufFile opened = parse(file->bytes(), path_to_utf8(path));
  opened.file_ = std::move(file);
  return opened;
}

GgufFile GgufFile::parse(std::span<const std::byte> bytes, const std::string& label) {
  GgufFile file;
  file.label_ = label;
  GgufParser parser(bytes, file.label_);
  parser.run();
  file.tensors_ = std::move(parser.tensors);
  file.metadata_ = std::move(parser.metadata);
  return file;
}

}  // namespace mantissa
