#pragma once
// Embeddings (textual inversion) in files: the vectors of a word, for each text encoder that reads
// it. One tensor a text encoder, [vectors, width] or [width], under the family's name
// (PartFiles::embedding): "emb_params" of a sole one, "clip_l" and "clip_g" of SDXL, as A1111,
// ComfyUI and kohya's scripts read and write them.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/io/family.h"
#include "engine/preset/preset.h"
#include "kernels/view.h"

namespace mantissa {

/// The vectors of a word in one text encoder.
struct WordVectors {
  Part part;
  std::int64_t width = 0;
  std::vector<float> values;  ///< [vectors, width]
  std::int64_t count() const { return std::ssize(values) / width; }
};

/// A word and its vectors, of every text encoder as many.
struct WordEmbeddings {
  std::string word;
  std::vector<WordVectors> encoders;
  int vectors() const { return static_cast<int>(encoders.front().count()); }
};

/// Whether a file holds an embedding and nothing else. False if it can't be opened.
bool is_embedding_file(const std::filesystem::path& path);

/// Reads an embedding for a family's models. `word` empty: the file's own, or its name. A file of
/// diffusers, one tensor under any name, is read too. Throws Error naming the file and what it
/// lacks.
WordEmbeddings read_embedding(const std::filesystem::path& path, const Family& family,
                              const std::string& word = {});

/// Writes one. Throws Error naming the first value that `dtype` can't hold.
void write_embedding(const std::filesystem::path& path, const WordEmbeddings& embedding,
                     const Family& family, MasterType dtype,
                     const std::map<std::string, std::string>& metadata);

/// The file of a word's embedding beside a run's other results.
std::filesystem::path embedding_path(const std::filesystem::path& folder, const std::string& word);

}  // namespace mantissa
