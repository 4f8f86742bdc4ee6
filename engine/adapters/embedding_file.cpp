#include "engine/adapters/embedding_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "engine/adapters/adapter_names.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/bundled_name.h"
#include "engine/io/safetensors.h"
#include "engine/io/weight_convert.h"
#include "engine/precision/dtypes.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

constexpr const char* kWordKey = "mantissa.word";
/// The end of OneTrainer's names for vectors that replace an encoder's output.
constexpr std::string_view kOutput = "_out";

std::vector<const PartFiles*> reading_parts(const Family& family) {
  std::vector<const PartFiles*> parts;
  for (const PartFiles& files : family.parts) {
    if (!files.embedding.empty()) {
      parts.push_back(&files);
    }
  }
  return parts;
}

/// The tensors of a word by their names, without those before them.
using NamedVectors = std::map<std::string, const TensorInfo*, std::less<>>;

/// The tensor of a text encoder. A model with one reads diffusers' files, whose only tensor has the
/// word's name, and those that name its encoder as SDXL's.
const TensorInfo* tensor_of(const NamedVectors& vectors, const PartFiles& part, bool alone) {
  for (const std::string_view name : {part.embedding, part.embedding_too}) {
    if (const auto found = vectors.find(name); !name.empty() && found != vectors.end()) {
      return found->second;
    }
  }
  return alone && vectors.size() == 1 ? vectors.begin()->second : nullptr;
}

WordVectors vectors_of(const std::string& label, const TensorInfo& tensor, Part part) {
  const bool fits = tensor.type && is_float(*tensor.type) && tensor.count() > 0 &&
                    (tensor.dims.size() == 1 || tensor.dims.size() == 2);
  if (!fits) {
    throw Error(message<"{file}: {tensor} must hold vectors, [count, width]; it is {dtype} of "
                        "{rank} dimensions">(label, tensor.name, tensor.dtype, tensor.dims.size()));
  }
  WordVectors vectors{part, tensor.dims.back(), {}};
  vectors.values.resize(static_cast<std::size_t>(tensor.count()));
  convert_weight({*tensor.type, tensor.shape(), tensor.data, false}, DType::f32,
                 vectors.values.data(), Message::verbatim(tensor.name));
  if (!std::ranges::all_of(vectors.values, [](float x) { return std::isfinite(x); })) {
    throw Error(message<"{file}: {tensor} holds NaN or Inf; the training that made it broke">(
        label, tensor.name));
  }
  return vectors;
}

/// A word's vectors for every text encoder of a family.
std::vector<WordVectors> encoders_of(const NamedVectors& vectors, const Family& family,
                                     const std::string& name) {
  const std::vector<const PartFiles*> parts = reading_parts(family);
  if (parts.empty()) {
    throw Error(message<"{file}: the text encoders of {model} read no embeddings. Leave it out">(
        name, family.title()));
  }
  for (const auto& [key, tensor] : vectors) {
    if (key.ends_with(kOutput)) {
      throw Error(
          message<"{file}: {tensor} takes the place of what a text encoder gives (OneTrainer's "
                  "output embedding); only vectors that it reads are applied. Train the word "
                  "there without that option">(name, tensor->name));
    }
  }
  std::vector<WordVectors> encoders;
  for (const PartFiles* part : parts) {
    const TensorInfo* tensor = tensor_of(vectors, *part, parts.size() == 1);
    if (tensor == nullptr) {
      throw Error(
          message<"{file} has no {tensor}, the vectors for a text encoder of {model}. Was "
                  "it made for another base model?">(name, part->embedding, family.title()));
    }
    encoders.push_back(vectors_of(name, *tensor, part->part));
  }
  if (encoders.front().count() != encoders.back().count()) {
    throw Error(message<"{file} holds {first} vectors for one text encoder and {second} for the "
                        "other">(name, encoders.front().count(), encoders.back().count()));
  }
  return encoders;
}

/// The names of a text encoder's vectors in a file. Of a sole CLIP, in a bundle, OneTrainer's,
/// which A1111 and ComfyUI read too.
std::vector<std::string> written_names(const PartFiles& part, bool bundled) {
  std::vector<std::string> names{
      std::string(bundled && part.embedding == "emb_params" ? "clip_l" : part.embedding)};
  if (!part.embedding_too.empty()) {
    names.emplace_back(part.embedding_too);
  }
  return names;
}

std::vector<std::byte> as_stored(const WordVectors& vectors, DType type, const std::string& name) {
  std::vector<std::byte> bytes(vectors.values.size() * dtype_size(type));
  convert_weight({DType::f32,
                  {vectors.count(), vectors.width},
                  reinterpret_cast<const std::byte*>(vectors.values.data()),
                  false},
                 type, bytes.data(), Message::verbatim(name));
  return bytes;
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
  const SafetensorsFile file = SafetensorsFile::open(path);
  NamedVectors vectors;
  for (const TensorInfo& tensor : file.tensors()) {
    vectors[tensor.name] = &tensor;
  }
  WordEmbeddings embedding;
  embedding.encoders = encoders_of(vectors, family, path_to_utf8(path.filename()));
  embedding.word = word.empty() ? word_of(file, path) : word;
  return embedding;
}

std::vector<WordEmbeddings> read_bundled(const fs::path& path, const Family& family) {
  if (fs::is_directory(path)) {
    return {};
  }
  const SafetensorsFile file = SafetensorsFile::open(path);
  std::map<std::string, NamedVectors> words;
  for (const TensorInfo& tensor : file.tensors()) {
    if (const auto name = bundled_name(tensor.name)) {
      words[std::string(name->word)][std::string(name->key)] = &tensor;
    }
  }
  std::vector<WordEmbeddings> result;
  for (const auto& [word, vectors] : words) {
    result.push_back({word, encoders_of(vectors, family, path_to_utf8(path.filename()))});
  }
  return result;
}

BundledWords::BundledWords(std::span<const WordEmbeddings> words, const Family& family,
                           MasterType dtype) {
  const DType type = dtype_of(dtype);
  for (const WordEmbeddings& word : words) {
    for (const WordVectors& vectors : word.encoders) {
      for (const std::string& key : written_names(*family.part(vectors.part), true)) {
        TensorInfo& tensor = tensors_.emplace_back();
        tensor.name = std::string(kBundledEmbedding) + word.word + "." + key;
        tensor.type = type;
        tensor.dims = {vectors.count(), vectors.width};
        bytes_.push_back(as_stored(vectors, type, tensor.name));
        tensor.data = bytes_.back().data();
        tensor.bytes = bytes_.back().size();
      }
    }
  }
}

std::vector<const TensorInfo*> BundledWords::tensors() const {
  std::vector<const TensorInfo*> list;
  for (const TensorInfo& tensor : tensors_) {
    list.push_back(&tensor);
  }
  return list;
}

void write_embedding(const fs::path& path, const WordEmbeddings& embedding, const Family& family,
                     MasterType dtype, const std::map<std::string, std::string>& metadata) {
  const DType type = dtype_of(dtype);
  std::deque<std::vector<std::byte>> bytes;
  std::vector<TensorToWrite> tensors;
  for (const WordVectors& vectors : embedding.encoders) {
    for (const std::string& name : written_names(*family.part(vectors.part), false)) {
      bytes.push_back(as_stored(vectors, type, name));
      tensors.push_back({name, type, {vectors.count(), vectors.width}, bytes.back().data(), {}});
    }
  }
  std::map<std::string, std::string> all{
      {kWordKey, embedding.word},
      {"modelspec.sai_model_spec", "1.0.1"},
      {"modelspec.architecture", std::string(family.architecture) + "/textual-inversion"},
      {"modelspec.implementation", std::string(family.implementation)},
      {"modelspec.title", embedding.word},
      {"modelspec.trigger_phrase", embedding.word}};
  for (const auto& [key, value] : metadata) {
    all[key] = value;
  }
  write_safetensors(path, tensors, all);
}

fs::path embedding_path(const fs::path& folder, const std::string& word) {
  return folder / path_from_utf8(word + ".safetensors");
}

}  // namespace mantissa
