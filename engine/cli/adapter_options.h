#pragma once
// Options shared by the commands on adapter files.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "engine/preset/preset.h"
#include "engine/render/sample.h"

namespace mantissa {

/// "file" or "file:0.8". The colon of a path begins no weight: "C:\x.safetensors", a file that
/// exists by the whole name. A checkpoint's or run's folder stands for its adapter (adapter_at).
/// Throws Error for a weight that is no number, or out of range.
SampleRequest::Lora parse_lora(const std::string& text);
/// "file" or "file:word", with a colon as in parse_lora.
SampleRequest::Embedding parse_embedding(const std::string& text);
/// A column of samples with the name of a checkpoint, run or file.
SampleRequest::Column parse_checkpoint(const std::string& text);

/// Adds --dora-axis; `text` must outlive the parsing.
void add_dora_axis(CLI::App& command, std::string& text);
/// Empty if the option wasn't given.
std::optional<DoraAxis> dora_axis_of(const std::string& text);

}  // namespace mantissa
