#pragma once
// Qwen3-VL as its authors publish it, alone: no base model of a family.

#include <filesystem>

#include "engine/io/weights.h"

namespace mantissa {

/// Whether a folder or a safetensors file is a Qwen3-VL, by its config.json or its tensors' names.
/// Never throws.
bool is_qwen3_vl(const std::filesystem::path& path) noexcept;

/// A Qwen3-VL's folder (config.json, weights in one file or in shards, tokenizer) or its weights in
/// one safetensors file, with what is beside it if that is such a folder. Weights are of kTe1:
/// "model.…" and "lm_head.weight" as those of a Qwen3, "visual.…" of its vision tower. Throws Error
/// naming the path and what is wrong with it.
WeightSource open_qwen3_vl(const std::filesystem::path& path);

}  // namespace mantissa
