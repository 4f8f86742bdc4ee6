#pragma once
// Options shared by the commands on adapter files.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "engine/preset/preset.h"
#include "engine/train/sample.h"

namespace mantissa {

/// "file" or "file:0.8". Text after the last colon counts as a weight only if it is a number, so
/// "C:\x.safetensors" stays a path. Throws Error for a weight out of range.
SampleRequest::Lora parse_lora(const std::string& text);

/// Adds --dora-axis; `text` must outlive the parsing.
void add_dora_axis(CLI::App& command, std::string& text);
/// Empty if the option wasn't given.
std::optional<DoraAxis> dora_axis_of(const std::string& text);

}  // namespace mantissa
