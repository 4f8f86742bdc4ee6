#include "engine/adapters/embedding_file.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/adapters/adapter_names.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/safetensors.h"
#include "engine/io/weight_convert.h"
#include "engine/precision/dtypes.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kWordKey = "mantissa.word";

std::vector<const PartFiles*> reading_parts(const Family& family) {
  std::vector<const PartFiles*> parts;
  for (const PartFiles& files : family.parts) {
    if (!files.embedding.empty()) {
      parts.push_back(&files);
    }
  }
  return parts;
}

/// The tensor of a text encoder. A model with one reads diffusers' files, whose only tensor has the
/// word's name, and those that name its encoder as SDXL's.
const TensorInfo* tensor_of(const SafetensorsFile& file, const PartFiles& part, bool alone) {
  const TensorInfo* tensor = file.find(part.embedding);
  return tensor == nullptr && alone && file.tensors().size() == 1 ? &file.tensors().front()
                                                                  : tensor;
}

WordVectors vectors_of(const SafetensorsFile& file, const TensorInfo& tensor, Part part) {
  const bool fits = tensor.type && is_float(*tensor.type) && tensor.count() > 0 &&
                    (tensor.dims.size() == 1 || tensor.dims.size() == 2);
  if (!fits) {
    throw Error(
        message<"{file}: {tensor} must hold vectors, [count, width]; it is {dtype} of "
                "{rank} dimensions">(file.label(), tensor.name, tensor.dtype, tensor.dims.size()));
  }
  WordVectors vectors{part, tensor.dims.back(), {}};
  vectors.values.resize(static_cast<std::size_t>(tensor.count()));
  convert_weight({*tensor.type, tensor.shape(), tensor.data, false}, DType::f32,
                 vectors.values.data(), Message::verbatim(tensor.name));
  if (!std::ranges::all_of(vectors.values, [](float x) { return std::isfinite(x); })) {
    throw Error(message<"{file}: {tensor} holds NaN or Inf; the training that made it broke">(
        file.label(), tensor.name));
  }
  return vectors;
}

/// The word that a file was trained for: as it says, as diffusers names its tensor, or its name.
std::string word_of(const SafetensorsFile& file, const fs::path& path) {
  if (const auto said = file.metadata().find(kWordKey); said != file.metadata().end()) {
    return said->second;
  }
  const std::string& first = file.tensors().front().name;
  return file.tensors().size() == 1 && !is_embedding(first) ? first : path_to_utf8(path.stem());
}

}  // namespace

bool is_embedding_file(const fs::path& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) {
    return false;
  }
  try {
    const SafetensorsFile file = SafetensorsFile::open(path);
    return !file.tensors().empty() && std::ranges::all_of(file.tensors(), [](const TensorInfo& t) {
      return is_embedding(t.name);
    });
  } catch (const Error&) {
    return false;  // whatever reads it says why
  }
}

WordEmbeddings read_embedding(const fs::path& path, const Family& family, const std::string& word) {
  const std::vector<const PartFiles*> parts = reading_parts(family);
  const std::string name = path_to_utf8(path.filename());
  if (parts.empty()) {
    throw Error(message<"{file}: the text encoders of {model} read no embeddings. Leave it out">(
        name, family.title()));
  }
  const SafetensorsFile file = SafetensorsFile::open(path);
  WordEmbeddings embedding;
  for (const PartFiles* part : parts) {
    const TensorInfo* tensor = tensor_of(file, *part, parts.size() == 1);
    if (tensor == nullptr) {
      throw Error(
          message<"{file} has no {tensor}, the vectors for a text encoder of {model}. Was "
                  "it made for another base model?">(name, part->embedding, family.title()));
    }
    embedding.encoders.push_back(vectors_of(file, *tensor, part->part));
  }
  if (embedding.encoders.front().count() != embedding.encoders.back().count()) {
    throw Error(message<"{file} holds {first} vectors for one text encoder and {second} for the "
                        "other">(name, embedding.encoders.front().count(),
                                 embedding.encoders.back().count()));
  }
  embedding.word = word.empty() ? word_of(file, path) : word;
  return embedding;
}

void write_embedding(const fs::path& path, const WordEmbeddings& embedding, const Family& family,
                     MasterType dtype, const std::map<std::string, std::string>& metadata) {
  const DType type = dtype_of(dtype);
  std::vector<std::vector<std::byte>> bytes;
  std::vector<TensorToWrite> tensors;
  for (const WordVectors& vectors : embedding.encoders) {
    const Shape shape{vectors.count(), vectors.width};
    const std::string name(family.part(vectors.part)->embedding);
    bytes.emplace_back(vectors.values.size() * dtype_size(type));
    convert_weight(
        {DType::f32, shape, reinterpret_cast<const std::byte*>(vectors.values.data()), false}, type,
        bytes.back().data(), Message::verbatim(name));
    tensors.push_back({name, type, shape, bytes.back().data(), {}});
  }
  std::map<std::string, std::string> all{
      {kWordKey, embedding.word},
      {"modelspec.sai_model_spec", "1.0.1"},
      {"modelspec.architecture", std::string(family.architecture) + "/textual-inversion"},
      {"modelspec.implementation", std::string(family.implementation)},
      {"modelspec.title", embedding.word},
      {"modelspec.trigger_phrase", embedding.word}};
  all.insert(metadata.begin(), metadata.end());
  write_safetensors(path, tensors, all);
}

fs::path embedding_path(const fs::path& folder, const std::string& word) {
  return folder / path_from_utf8(word + ".safetensors");
}

}  // namespace mantissa
