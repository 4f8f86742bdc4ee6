#pragma once

#include "engine/io/block_file.h"

namespace mantissa {

// Weights that bitsandbytes quantised to NF4, as diffusers and transformers save them. Codes are U8
// [bytes, 1] under the weight's name; beside them are
//
//     <weight>.quant_state.bitsandbytes__nf4   U8: JSON with block size and shape
//     <weight>.quant_map                       F32 [16]: the numbers that codes name
//     <weight>.absmax                          F32 [blocks]: scales; or U8, numbers in a map, and
//     <weight>.nested_quant_map                F32 [256]: the map
//     <weight>.nested_absmax                   F32: scales of groups of 256 blocks

/// Whether a file holds such weights.
bool has_bits_and_bytes(const SafetensorsFile& file);
/// Throws Error naming file and tensor for another format, and for parts that are missing or don't
/// fit.
BlockFile read_bits_and_bytes(SafetensorsFile file);

}  // namespace mantissa
