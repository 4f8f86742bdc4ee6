#pragma once
// The element types of a preset's settings.

#include <optional>

#include "engine/preset/preset.h"
#include "kernels/dtype.h"

namespace mantissa {

constexpr DType dtype_of(StorageType type) {
  switch (type) {
    case StorageType::fp32:
      return DType::f32;
    case StorageType::bf16:
      return DType::bf16;
    case StorageType::fp16:
      return DType::f16;
    case StorageType::fp8_e4m3:
      return DType::f8_e4m3;
    case StorageType::fp8_e5m2:
      return DType::f8_e5m2;
    case StorageType::int8:
      return DType::i8;
    case StorageType::nf4:
      return DType::nf4;
    case StorageType::int8_convrot:
      return DType::i8_rotated;
    case StorageType::mxfp8:
      return DType::mxfp8;
    case StorageType::nvfp4:
      return DType::nvfp4;
    case StorageType::gguf:
      return DType::gguf;
  }
  return DType::f32;
}

/// Whether weights of that type are codes with scales.
constexpr bool is_quantized(StorageType type) {
  return is_quantized(dtype_of(type));
}

constexpr DType dtype_of(MasterType type) {
  return type == MasterType::bf16   ? DType::bf16
         : type == MasterType::fp16 ? DType::f16
                                    : DType::f32;
}

/// Storage dtype of activations: fp32 with TF32; between GEMMs of codes bf16, with int8_fp16 fp16.
constexpr DType activation_dtype(ComputeType type) {
  switch (type) {
    case ComputeType::fp32:
    case ComputeType::tf32:
      return DType::f32;
    case ComputeType::fp16:
    case ComputeType::int8_fp16:
      return DType::f16;
    case ComputeType::bf16:
    case ComputeType::fp8:
    case ComputeType::int8:
      return DType::bf16;
  }
  return DType::f32;
}

/// Whether gradients pass through fp16, as activations or where they are summed up: then `auto`
/// scales the loss.
constexpr bool gradients_in_fp16(ComputeType compute, MasterType gradients) {
  return activation_dtype(compute) == DType::f16 || gradients == MasterType::fp16;
}

/// The codes that GEMMs multiply; none if they multiply values.
constexpr std::optional<DType> multiplied_codes(ComputeType type) {
  switch (type) {
    case ComputeType::fp8:
      return DType::f8_e4m3;
    case ComputeType::int8:
    case ComputeType::int8_fp16:
      return DType::i8;
    default:
      return std::nullopt;
  }
}

/// The compute type with bf16 in place of fp16 for activations.
constexpr ComputeType in_bf16(ComputeType type) {
  return type == ComputeType::fp16        ? ComputeType::bf16
         : type == ComputeType::int8_fp16 ? ComputeType::int8
                                          : type;
}

}  // namespace mantissa
