#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/io/safetensors.h"

namespace mantissa {

/// Told when a weight's codes are written: its name in the file, and the ratio of signal to
/// rounding noise in dB.
using CodesWritten = std::function<void(const std::string& weight, double sqnr)>;

/// A linear layer's "<module>.weight" as codes with scales, in the form that ComfyUI, StoredScales
/// and read_block_scaled read: E4M3 with one scale, int8, rotated too, with a scale per row, or
/// MXFP8 or NVFP4, whose blocks must divide the rows. The values are read from `weight` each time
/// they are needed. Filling throws Error for values that are not finite.
std::vector<TensorToWrite> coded_tensors(const TensorToWrite& weight, DType codes,
                                         const CodesWritten& told);

}  // namespace mantissa
