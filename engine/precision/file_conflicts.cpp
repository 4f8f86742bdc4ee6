#include "engine/precision/file_conflicts.h"

#include <optional>

#include "engine/precision/dtypes.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// The setting that keeps a quantised file as it is; none for other files.
std::optional<StorageType> as_in_file(const PrecisionFacts& f) {
  switch (f.model.denoiser_file) {
    case DType::f8_e4m3:
      return StorageType::fp8_e4m3;
    case DType::f8_e5m2:
      return StorageType::fp8_e5m2;
    case DType::i8:
      return StorageType::int8;
    case DType::i8_rotated:
      return StorageType::int8_convrot;
    case DType::nf4:
    case DType::nf4_fp32:
      return StorageType::nf4;
    case DType::mxfp8:
      return StorageType::mxfp8;
    case DType::nvfp4:
      return StorageType::nvfp4;
    case DType::gguf:
      return StorageType::gguf;
    default:
      return std::nullopt;
  }
}

/// A warning that another type is kept than the file's.
Conflict keep_as_in_file(const PrecisionFacts& f, StorageType file) {
  Preset fixed = f.preset;
  fixed.precision.weights.denoiser = file;
  return warn(fixed, {{"file", enum_name(file)},
                      {"stored", enum_name(f.preset.precision.weights.denoiser)}});
}

}  // namespace

bool keeps_the_files_nf4(const PrecisionFacts& f) {
  return is_nf4(f.model.denoiser_file) && f.preset.precision.weights.denoiser == StorageType::nf4;
}

bool keeps_the_files_micro(const PrecisionFacts& f) {
  const StorageType stored = f.preset.precision.weights.denoiser;
  return is_micro(stored) && dtype_of(stored) == f.model.denoiser_file;
}

bool keeps_the_files_gguf(const PrecisionFacts& f) {
  return f.model.denoiser_file == DType::gguf &&
         f.preset.precision.weights.denoiser == StorageType::gguf;
}

MaybeConflict quantised_twice(const PrecisionFacts& f) {
  const auto file = as_in_file(f);
  // INT8 with a scale for each row is what INT8 matmuls read.
  const bool same = computes_int8(f) && file && is_int8(dtype_of(*file));
  // GGUF is also a way to pass on a model; who asks for other weights has them.
  const bool decoded =
      file == StorageType::gguf && f.preset.precision.weights.denoiser != StorageType::gguf;
  if (!computes_codes(f) || !file || same || decoded) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.compute = sixteen_bit(f);
  return adjust(fixed, {{"file", enum_name(*file)}});
}

MaybeConflict wider_than_its_file(const PrecisionFacts& f) {
  const auto file = as_in_file(f);
  if (!file || is_quantized(f.preset.precision.weights.denoiser)) {
    return {};
  }
  return keep_as_in_file(f, *file);
}

MaybeConflict rounded_again(const PrecisionFacts& f) {
  const auto file = as_in_file(f);
  if (!file || !is_quantized(f.preset.precision.weights.denoiser) ||
      *file == f.preset.precision.weights.denoiser) {
    return {};
  }
  return keep_as_in_file(f, *file);
}

MaybeConflict rotated_rounded_again(const PrecisionFacts& f) {
  if (!f.model.denoiser_decoded || !is_quantized(f.preset.precision.weights.denoiser)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.precision.weights.denoiser = unquantised(f);
  return warn(fixed, {{"stored", enum_name(f.preset.precision.weights.denoiser)}});
}

MaybeConflict blocks_of_no_gguf(const PrecisionFacts& f) {
  if (f.model.family == ModelFamily::automatic) {
    return {};  // no base model yet
  }
  Preset fixed = f.preset;
  const auto mend = [&](StorageType& type, DType file) {
    type = type == StorageType::gguf && file != DType::gguf ? unquantised(f) : type;
  };
  Preset::Precision& p = fixed.precision;
  mend(p.weights.denoiser, f.model.denoiser_file);
  mend(p.weights.text_encoders, f.model.text_encoders_file);
  mend(p.weights.vae, f.model.vae_file);
  for (auto& [pattern, type] : p.pins) {
    mend(type, f.model.denoiser_file);
  }
  return fixed == f.preset ? MaybeConflict{} : refuse(fixed);
}

}  // namespace mantissa
