#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/mapped_file.h"
#include "kernels/dtype.h"
#include "kernels/view.h"

namespace mantissa {

struct BlockScales;

/// One tensor of a safetensors or GGUF file. `data` points into the mapping.
struct TensorInfo {
  std::string name;
  std::string dtype;          ///< as the file says: "F32", "BF16", "F8_E4M3", "C64", …
  std::optional<DType> type;  ///< if the engine has that type
  /// Scales of NF4, MXFP8 and NVFP4, whose codes `data` holds; else null.
  const BlockScales* block_scales = nullptr;
  std::vector<std::int64_t> dims;
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0;

  std::int64_t count() const;
  /// Throws Error naming the tensor if its rank is above Shape::kMaxRank.
  Shape shape() const;
};

/// A safetensors file, memory-mapped, fully validated on opening: length field, UTF-8 and JSON, no
/// duplicate keys, tensors contiguous without hole or overlap, byte counts equal to shape times
/// type, no byte left over. Values are not checked for NaN. Copies share the mapping.
/// Errors name the file, the tensor and the rule.
class SafetensorsFile {
 public:
  static constexpr std::uint64_t kMaxHeader = 100'000'000;

  SafetensorsFile() = default;
  /// Checks the content, not only the extension; pickle (.ckpt, .pt, .bin), Git LFS
  /// pointers and web pages are refused with a hint.
  static SafetensorsFile open(const std::filesystem::path& path);
  /// Parses bytes that the caller keeps alive; `label` replaces the file's name in errors.
  static SafetensorsFile parse(std::span<const std::byte> bytes, const std::string& label);

  /// In the order of their data.
  std::span<const TensorInfo> tensors() const { return tensors_; }
  const TensorInfo* find(std::string_view name) const;
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::string& label() const { return label_; }
  std::filesystem::path path() const { return file_ ? file_->path() : std::filesystem::path(); }
  /// Where the tensor bytes begin: 8 + header length.
  std::uint64_t data_offset() const { return data_offset_; }
  /// The whole file.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  void parse_header();

  std::shared_ptr<MappedFile> file_;
  std::span<const std::byte> bytes_;
  std::string label_;
  std::uint64_t data_offset_ = 0;
  std::vector<TensorInfo> tensors_;
  std::vector<std::uint32_t> by_name_;  ///< indices into tensors_, sorted by name
  std::map<std::string, std::string> metadata_;
};

/// "F32" for f32 and so on; the reverse is empty for types the engine lacks.
std::string_view safetensors_dtype(DType type);
std::optional<DType> dtype_from_safetensors(std::string_view name);

/// A tensor to be written. Either `data` holds the bytes, or `fill` produces them on demand, so
/// that a large file's tensors need not all be in memory.
struct TensorToWrite {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  const void* data = nullptr;
  std::function<void(std::span<std::byte>)> fill;
};

/// Writes atomically (see AtomicFile). Order: largest element first, then name; header padded to 8
/// with spaces: equal input gives equal bytes. Throws Error on duplicate names, text that is not
/// UTF-8, or a target that is open for reading.
void write_safetensors(const std::filesystem::path& path, std::span<const TensorToWrite> tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// Bytes of such a file, in memory.
std::vector<std::byte> serialize_safetensors(
    std::span<const TensorToWrite> tensors,
    const std::map<std::string, std::string>& metadata = {});

}  // namespace mantissa
