#pragma once
// Verdicts of readers in words and as JSON.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/readers/read_as.h"

namespace mantissa {

/// As in JSON: "as_meant".
std::string_view outcome_name(ReaderOutcome outcome);
/// What a program makes of the file, in a sentence.
Message verdict_message(const ReaderVerdict& verdict);
/// {"reader": "comfyui", "title", "outcome", "tensors", "modules", "left_out": [the first names],
/// "left_out_count", "layers": [{"path", "norm", "error", "allowed"}], "rules": [{"file",
/// "version"}]}
nlohmann::ordered_json verdict_json(const ReaderVerdict& verdict);

}  // namespace mantissa
