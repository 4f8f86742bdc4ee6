// WeightData of a base model whose parts are in files of their own.
#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/weight_data.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

/// Whether a lone VAE has its authors' names, which families know behind a prefix only.
bool is_original_vae(const TensorFile& file) {
  return std::any_of(file.tensors().begin(), file.tensors().end(), [](const TensorInfo& t) {
    return t.name.starts_with("decoder.up.") || t.name.starts_with("encoder.down.");
  });
}

std::vector<TensorInfo> behind(std::string_view prefix, std::span<const TensorInfo> tensors) {
  std::vector<TensorInfo> renamed(tensors.begin(), tensors.end());
  for (TensorInfo& tensor : renamed) {
    tensor.name.insert(0, prefix);
  }
  return renamed;
}

}  // namespace

void WeightData::open_parts(const BaseFiles& listed) {
  const auto open = [&](const fs::path& file) -> const TensorFile& {
    return files.emplace_back(TensorFile::open(file));
  };
  const TensorFile& denoiser = open(listed.parts.at(kDenoiser));
  metadata = denoiser.metadata();
  ModelFiles found{{{std::nullopt, denoiser.tensors()}}};
  const auto of_denoiser = recognise(found);
  if (of_denoiser == nullptr) {
    throw Error(
        message<"'{file}' is not a base model: {reason}">(denoiser.label(), expected_checkpoint()));
  }
  const Family& family = of_denoiser->family();
  for (const auto& [part, file] : listed.parts) {
    if (part == kDenoiser) {
      continue;
    }
    const PartFiles* known = family.part(part);
    if (known == nullptr) {
      throw Error(message<"'{file}' can't be used: {family} has no {part}">(
          path_to_utf8(file), family.title(), part.name()));
    }
    const TensorFile& opened = open(file);
    if (part == kVae && is_original_vae(opened) && !known->prefix.empty()) {
      found.files.push_back(
          {std::nullopt, renamed.emplace_back(behind(known->prefix, opened.tensors()))});
    } else {
      found.files.push_back({part, opened.tensors()});
    }
  }
  names = recognise(found);
  take(found);
  read_embedded_config();
  tokenizers = listed.tokenizers;
}

}  // namespace mantissa
