#pragma once
// Embeddings (textual inversion) in files: the vectors of a word, for each text encoder that reads
// it. One tensor a text encoder, [vectors, width] or [width], under the family's name
// (PartFiles::embedding): "emb_params" of a sole CLIP, "clip_l" and "clip_g" of SDXL, "t5", as
// A1111, ComfyUI, kohya's scripts and OneTrainer read and write them. Bundled in an adapter's file,
// that name is behind "bundle_emb.WORD.".

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/io/family.h"
#include "engine/io/safetensors.h"
#include "engine/preset/preset.h"
#include "kernels/view.h"

namespace mantissa {

/// The vectors of a word in one text encoder.
struct WordVectors {
  Part part;
  std::int64_t width = 0;
  std::vector<float> values;  ///< [vectors, width]
  std::int64_t count() const { return std::ssize(values) / width; }
  bool operator==(const WordVectors&) const = default;
};

/// A word and its vectors, of every text encoder as many.
struct WordEmbeddings {
  std::string word;
  std::vector<WordVectors> encoders;
  int vectors() const { return static_cast<int>(encoders.front().count()); }
  bool operator==(const WordEmbeddings&) const = default;
};

/// Whether a file holds an embedding and nothing else. False if it can't be opened.
bool is_embedding_file(const std::filesystem::path& path);

/// Reads an embedding for a family's models. `word` empty: the file's own, or its name. A file of
/// diffusers, one tensor under any name, is read too. Throws Error naming the file and what it
/// lacks.
WordEmbeddings read_embedding(const std::filesystem::path& path, const Family& family,
                              const std::string& word = {});

/// Writes one; `metadata` overrides what is generated. Throws Error naming the first value that
/// `dtype` can't hold.
void write_embedding(const std::filesystem::path& path, const WordEmbeddings& embedding,
                     const Family& family, MasterType dtype,
                     const std::map<std::string, std::string>& metadata);

/// The words bundled in an adapter's file, by name; none of a folder. Throws as read_embedding.
std::vector<WordEmbeddings> read_bundled(const std::filesystem::path& path, const Family& family);

/// Words as tensors of an adapter's file (AdapterExport::extras).
class BundledWords {
 public:
  /// Throws as write_embedding.
  BundledWords(std::span<const WordEmbeddings> words, const Family& family, MasterType dtype);
  std::vector<const TensorInfo*> tensors() const;

 private:
  std::deque<std::vector<std::byte>> bytes_;
  std::deque<TensorInfo> tensors_;
};

/// The file of a word's embedding beside a run's other results.
std::filesystem::path embedding_path(const std::filesystem::path& folder, const std::string& word);

}  // namespace mantissa
