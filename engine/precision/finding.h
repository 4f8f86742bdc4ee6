#pragma once

#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/precision/verdict.h"

namespace mantissa {

/// One entry of the conflict catalogue that applies to a preset.
struct PrecisionFinding {
  std::string id;
  Verdict verdict = Verdict::works;
  std::vector<std::string> fields;
  Message message;
  std::string fix_json = "{}";  ///< a preset patch; for `adjusted`, what was applied
  std::string changes{};        ///< what was applied, as "precision.compute fp16 -> bf16, …"

  /// False for notices: the preset needs no change.
  bool has_fix() const { return fix_json != "{}"; }
};

/// A finding's message, with an adjustment's changes in brackets.
Message with_changes(const Message& sentence, const std::string& changes);

}  // namespace mantissa
