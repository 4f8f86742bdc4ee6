#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/io/safetensors.h"
#include "engine/io/safetensors_header.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

// The only place where sizes from a file are multiplied. False on 64-bit overflow.
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

// A plausible length field followed by '{'. Needed because the length 640 starts like a pickle.
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

// Files mistaken for safetensors files, detected by their first bytes.
void refuse_other_formats(std::span<const std::byte> bytes, const std::string& label,
                          const std::string& extension) {
  const bool pickle_name = extension == ".ckpt" || extension == ".pt" || extension == ".pth" ||
                           extension == ".bin" || extension == ".pkl";
  if (looks_like_safetensors(bytes)) {
    if (pickle_name) {
      throw Error(message<"{file} holds safetensors data under the name of a pickle checkpoint; "
                          "rename it to end in .safetensors">(printable_name(label)));
    }
    return;
  }
  const std::string head(reinterpret_cast<const char*>(bytes.data()),
                         std::min<std::size_t>(bytes.size(), 512));
  const bool zip = head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
  const bool pickle = head.size() >= 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
  if (pickle_name || zip || pickle) {
    throw Error(
        message<"{file} is a pickle or zip checkpoint (.ckpt, .pt, .bin), which can run any "
                "program when opened and is never read; convert it to .safetensors with a tool you "
                "trust, e.g. torch.load(…, weights_only=True) and safetensors.torch.save_file">(
            printable_name(label)));
  }
  if (head.starts_with("version https://git-lfs")) {
    throw Error(message<"{file} is a Git LFS pointer, not the weights; run 'git lfs pull' in its "
                        "folder or download the file itself">(printable_name(label)));
  }
  if (head.starts_with("GGUF")) {
    throw Error(message<"{file} is a GGUF file; only base models can be read from one">(
        printable_name(label)));
  }
  const std::size_t text_start = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const std::string text =
      lower_ascii(text_start == std::string::npos ? "" : head.substr(text_start, 16));
  if (text.starts_with("<!doctype html") || text.starts_with("<html") ||
      text.starts_with("<?xml")) {
    throw Error(message<"{file} is a web page, not the weights; the download was redirected (often "
                        "to a log-in page), download it again">(printable_name(label)));
  }
}

}  // namespace

std::optional<DType> dtype_from_safetensors(std::string_view name) {
  const SafetensorsDType* row = find_safetensors_dtype(name);
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
    throw Error(message<"tensor {tensor} has {count} dimensions; at most {most} can be used">(
        printable_name(name), dims.size(), Shape::kMaxRank));
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

namespace {

std::uint64_t header_length(std::span<const std::byte> file, const std::string& label) {
  const std::uint64_t size = file.size();
  if (size < 8) {
    fail_safetensors(label,
                     message<"it has {bytes} bytes, fewer than the 8 of the length field">(size));
  }
  const std::uint64_t length = little_endian_u64(file.data());
  if (length > SafetensorsFile::kMaxHeader) {
    fail_safetensors(label, message<"its header claims {claimed} bytes, above the limit of {most}">(
                                length, SafetensorsFile::kMaxHeader));
  }
  if (length > size - 8) {
    fail_safetensors(
        label,
        message<
            "its header claims {claimed} bytes, the file has only {left} after the length field">(
            length, size - 8));
  }
  return length;
}

/// The entries' places in the order of their names, each of which may appear once.
std::vector<std::uint32_t> order_of_names(const std::vector<SafetensorsEntry>& entries,
                                          const std::string& label) {
  if (entries.size() > std::numeric_limits<std::uint32_t>::max()) {
    fail_safetensors(label, message<"it lists more than 2^32 tensors">());
  }
  std::vector<std::uint32_t> by_name(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    by_name[i] = static_cast<std::uint32_t>(i);
  }
  std::sort(by_name.begin(), by_name.end(),
            [&](std::uint32_t a, std::uint32_t b) { return entries[a].name < entries[b].name; });
  for (std::size_t i = 1; i < by_name.size(); ++i) {
    if (entries[by_name[i]].name == entries[by_name[i - 1]].name) {
      fail_safetensors(label, message<"tensor {tensor}: the name appears twice">(
                                  printable_name(entries[by_name[i]].name)));
    }
  }
  return by_name;
}

/// Bytes that the entry's shape and dtype need.
std::uint64_t bytes_needed(const SafetensorsEntry& entry, const std::string& label) {
  std::uint64_t elements = 1;
  std::uint64_t bits = 0;
  bool overflow = false;
  for (std::int64_t d : entry.dims) {
    overflow |= !checked_multiply(elements, static_cast<std::uint64_t>(d), elements);
  }
  overflow |= !checked_multiply(elements, static_cast<std::uint64_t>(entry.dtype->bits), bits);
  if (overflow) {
    fail_safetensors(label,
                     message<"tensor {tensor}: the product of its shape does not fit in 64 bits">(
                         printable_name(entry.name)));
  }
  if (bits % 8 != 0) {
    fail_safetensors(label, message<"tensor {tensor}: its {bits} bits do not end on a byte">(
                                printable_name(entry.name), bits));
  }
  return bits / 8;
}

/// `position`: where the data before it end.
void check_place(const SafetensorsEntry& entry, std::uint64_t position, std::uint64_t data_size,
                 const std::string& label) {
  if (entry.end < entry.start) {
    fail_safetensors(label, message<"tensor {tensor}: data ends at {end} before its start {start}">(
                                printable_name(entry.name), entry.end, entry.start));
  }
  if (entry.start != position) {
    fail_safetensors(
        label,
        message<"tensor {tensor}: data starts at {start} where {expected} is expected ({reason})">(
            printable_name(entry.name), entry.start, position,
            entry.start < position ? message<"it overlaps another tensor">()
                                   : message<"there is a hole">()));
  }
  const std::uint64_t bytes = bytes_needed(entry, label);
  if (entry.end - entry.start != bytes) {
    fail_safetensors(
        label, message<"tensor {tensor}: shape and dtype {type} need {bytes} "
                       "bytes, data_offsets give {found}">(
                   printable_name(entry.name), entry.dtype->name, bytes, entry.end - entry.start));
  }
  if (entry.end > data_size) {
    fail_safetensors(
        label, message<"{tensor} data ends at byte {end} of the data part, the "
                       "file ends at {size} (it is cut off)">(
                   message<"tensor {tensor}:">(printable_name(entry.name)), entry.end, data_size));
  }
}

}  // namespace

void SafetensorsFile::parse_header() {
  const std::uint64_t length = header_length(bytes_, label_);
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + 8,
                              static_cast<std::size_t>(length));
  SafetensorsHeader header = read_safetensors_header(text, label_);
  std::vector<SafetensorsEntry>& entries = header.entries;
  std::sort(entries.begin(), entries.end(),
            [](const SafetensorsEntry& a, const SafetensorsEntry& b) {
              return std::tie(a.start, a.end, a.name) < std::tie(b.start, b.end, b.name);
            });
  by_name_ = order_of_names(entries, label_);

  data_offset_ = 8 + length;
  const std::uint64_t data_size = bytes_.size() - data_offset_;
  std::uint64_t position = 0;
  tensors_.reserve(entries.size());
  for (SafetensorsEntry& entry : entries) {
    check_place(entry, position, data_size, label_);
    TensorInfo info;
    info.dtype = entry.dtype->name;
    info.type = entry.dtype->type;
    info.name = std::move(entry.name);
    info.dims = std::move(entry.dims);
    info.data = bytes_.data() + data_offset_ + entry.start;
    info.bytes = entry.end - entry.start;
    tensors_.push_back(std::move(info));
    position = entry.end;
  }
  if (position != data_size) {
    fail_safetensors(
        label_,
        message<"its tensors end at byte {end} of the data part, {left} bytes are left over">(
            position, data_size - position));
  }
  metadata_ = std::move(header.metadata);
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
  const auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](std::uint32_t i, std::string_view wanted) { return tensors_[i].name < wanted; });
  return at != by_name_.end() && tensors_[*at].name == name ? &tensors_[*at] : nullptr;
}

}  // namespace mantissa
