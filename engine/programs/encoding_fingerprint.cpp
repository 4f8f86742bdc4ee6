#include "engine/programs/encoding_fingerprint.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/paths.h"
#include "engine/core/progress.h"
#include "engine/io/block_scales.h"
#include "engine/io/file.h"
#include "engine/io/gguf.h"
#include "engine/io/pages.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Hash of every byte of a part's weights: by its own files, which a run hashes anyway, or tensor
/// by tensor where a file holds more than this part, which may be the same in another model's file.
std::string weights_hash(const WeightSource& source, Part part, const ContentHashes& hashes,
                         const Progress& progress) {
  if (const auto own = source.own_files(part); !own.empty()) {
    std::string text = "files";
    for (const std::filesystem::path& file : own) {
      text += ' ' + hashes.of_file(file, progress);
    }
    return text;
  }
  const std::vector<std::filesystem::path> files = source.files();
  const std::string what = "weights of " + std::string(part.name());
  return hashes.remember(what, files, [&] {
    Sha256 hash;
    constexpr std::uint64_t kMiB = 1U << 20;
    const std::vector<std::string> names = source.names(part);
    std::uint64_t done = 0, total = 0;
    for (const std::string& name : names) {
      total += source.view(part, name).bytes();
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const WeightView v = source.view(part, names[i]);
      const std::span values(v.data, v.bytes());
      const std::string type =
          is_gguf(v.dtype) ? gguf_name(v.dtype) : std::string(dtype_name(v.dtype));
      hash.update(fmt::format("{} {} {} {};", names[i], type, v.shape.str(), v.transposed));
      hash.update(values);
      hash.update(std::as_bytes(v.scales));
      if (v.rotation > 0) {
        hash.update(fmt::format("rotated by {};", v.rotation));
      }
      if (v.block_scales != nullptr) {
        hash.update(v.block_scales->bytes);
      }
      release_pages(values);
      done += v.bytes();
      if (progress && total >= kMiB) {
        progress(RunPhase::hashing, static_cast<std::int64_t>(done / kMiB),
                 static_cast<std::int64_t>(total / kMiB));
      }
    }
    return hash.hex();
  });
}

/// A config.json without fields about its origin ("_name_or_path", …).
std::string config_text(const WeightSource& source, Part part) {
  nlohmann::json config = source.config(part).value_or(nlohmann::json());
  nlohmann::json kept = config;
  for (const auto& [key, value] : config.items()) {
    if (config.is_object() && key.starts_with("_") && key != "_class_name") {
      kept.erase(key);
    }
  }
  return kept.dump();
}

std::string part_fingerprint(const DiffusionModel& model, Part part, const ContentHashes& hashes,
                             const Progress& progress) {
  const WeightSource& source = model.source();
  const std::string name(part.name());
  std::string text = fmt::format("{} {} config {} precision {}\n", name,
                                 weights_hash(source, part, hashes, progress),
                                 config_text(source, part), model.rules().signature(name));
  for (const std::filesystem::path& file : source.tokenizer_files(part)) {
    text += fmt::format("tokenizer {} {}\n", path_to_utf8(file.filename()), hashes.of_file(file));
  }
  return text;
}

}  // namespace

std::string latent_fingerprint(const DiffusionModel& model, const ContentHashes& hashes,
                               const Progress& progress) {
  return sha256_hex(part_fingerprint(model, kVae, hashes, progress));
}

std::string text_fingerprint(const DiffusionModel& model, const ContentHashes& hashes,
                             const Progress& progress) {
  std::string text(model.family().id().name());
  text += '\n';
  for (const Part part : model.family().text_parts()) {
    text += part_fingerprint(model, part, hashes, progress);
  }
  text += model.text_layout() + model.text_options().signature();
  if (model.text_options().tokens > 0) {
    text += fmt::format(" tokens {}", model.text_tokens());
  }
  return sha256_hex(text);
}

}  // namespace mantissa
