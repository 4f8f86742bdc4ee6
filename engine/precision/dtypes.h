#pragma once
// The element types of a preset's settings.

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
  }
  return DType::f32;
}

constexpr DType dtype_of(MasterType type) {
  return type == MasterType::bf16   ? DType::bf16
         : type == MasterType::fp16 ? DType::f16
                                    : DType::f32;
}

/// Storage dtype of activations: fp32 with TF32, bf16 between FP8 GEMMs.
constexpr DType activation_dtype(ComputeType type) {
  switch (type) {
    case ComputeType::fp32:
    case ComputeType::tf32:
      return DType::f32;
    case ComputeType::fp16:
      return DType::f16;
    case ComputeType::bf16:
    case ComputeType::fp8:
      return DType::bf16;
  }
  return DType::f32;
}

}  // namespace mantissa
