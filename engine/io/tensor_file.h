#pragma once

#include <filesystem>
#include <variant>

#include "engine/io/bits_and_bytes.h"
#include "engine/io/block_scaled.h"
#include "engine/io/gguf.h"
#include "engine/io/safetensors.h"

namespace mantissa {

/// A file of a base model's weights: safetensors, with bitsandbytes' NF4, ComfyUI's MXFP8 and NVFP4
/// or neither, or GGUF, by its content. Copies share the mapping.
class TensorFile {
 public:
  static TensorFile open(const std::filesystem::path& path) {
    if (GgufFile::is_gguf(path)) {
      return TensorFile(GgufFile::open(path));
    }
    const SafetensorsFile file = SafetensorsFile::open(path);
    return has_bits_and_bytes(file) ? TensorFile(read_bits_and_bytes(file))
           : has_block_scaled(file) ? TensorFile(read_block_scaled(file))
                                    : TensorFile(file);
  }
  std::span<const TensorInfo> tensors() const {
    return std::visit([](const auto& file) { return file.tensors(); }, file_);
  }
  const std::map<std::string, std::string>& metadata() const {
    return std::visit(
        [](const auto& file) -> const auto& { return file.metadata(); }, file_);
  }
  const std::string& label() const {
    return std::visit(
        [](const auto& file) -> const auto& { return file.label(); }, file_);
  }
  std::filesystem::path path() const {
    return std::visit([](const auto& file) { return file.path(); }, file_);
  }

 private:
  template <typename File>
  explicit TensorFile(File file) : file_(std::move(file)) {}
  std::variant<SafetensorsFile, BlockFile, GgufFile> file_;
};

}  // namespace mantissa
