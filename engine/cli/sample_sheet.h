#pragma once

#include <filesystem>
#include <vector>

#include "engine/run/run.h"

namespace mantissa {

/// One PNG with a row per prompt: its first sample on the left, its last on the right. False,
/// writing nothing, if no prompt has two samples.
bool write_sample_sheet(const std::filesystem::path& file,
                        const std::vector<SampleRecord>& samples);

}  // namespace mantissa
