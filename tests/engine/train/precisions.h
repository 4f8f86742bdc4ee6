#pragma once
// The precisions that a run on the CPU can have.

#include <string>
#include <vector>

#include "engine/preset/names.h"

namespace mantissa::test {

struct Precision {
  ComputeType compute = ComputeType::fp32;
  StorageType weights = StorageType::fp32;
  std::string name() const {
    return std::string(enum_name(weights)) + " in " + std::string(enum_name(compute));
  }
};

/// Every compute type once, and every type of weights.
inline std::vector<Precision> precisions_of_a_cpu() {
  return {
      {ComputeType::fp32, StorageType::fp32},      {ComputeType::tf32, StorageType::fp32},
      {ComputeType::bf16, StorageType::bf16},      {ComputeType::fp16, StorageType::fp16},
      {ComputeType::fp8, StorageType::fp8_e4m3},   {ComputeType::int8, StorageType::int8},
      {ComputeType::int8_fp16, StorageType::int8}, {ComputeType::bf16, StorageType::fp8_e5m2},
      {ComputeType::bf16, StorageType::nf4},       {ComputeType::bf16, StorageType::int8_convrot},
      {ComputeType::bf16, StorageType::mxfp8},     {ComputeType::bf16, StorageType::nvfp4}};
}

}  // namespace mantissa::test
