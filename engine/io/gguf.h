#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/io/mapped_file.h"
#include "engine/io/safetensors.h"

namespace mantissa {

/// What GGUF calls a type of blocks: "Q4_K".
std::string gguf_name(DType blocks);

/// A GGUF file (versions 2 and 3, little-endian), memory-mapped and fully validated on opening:
/// every length, offset and shape within the file, no tensor twice or over another. Shapes are
/// outermost first, as elsewhere; those that ComfyUI's converter flattened
/// ("comfy.gguf.orig_shape.<tensor>") are restored. Copies share the mapping. Errors name the file
/// and the tensor or key.
class GgufFile {
 public:
  /// Whether a file begins as a GGUF file does; false if it can't be read.
  static bool is_gguf(const std::filesystem::path& path);

  static GgufFile open(const std::filesystem::path& path);
  /// Parses bytes that the caller keeps alive; `label` replaces the file's name in errors.
  static GgufFile parse(std::span<const std::byte> bytes, const std::string& label);

  std::span<const TensorInfo> tensors() const { return tensors_; }
  /// Keys with texts: "general.architecture".
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::string& label() const { return label_; }
  std::filesystem::path path() const { return file_ ? file_->path() : std::filesystem::path(); }

 private:
  std::shared_ptr<MappedFile> file_;
  std::string label_;
  std::vector<TensorInfo> tensors_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace mantissa
